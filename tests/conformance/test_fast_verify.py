"""`nv.verify` and its slow form say the same: on storages, on doubtful rows, on long planes, on held rows."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from flint import fmpz_mat

import novikoff as nv
from data.storages import storages_of
from oracles.certificate_oracle import digest

STORES = (np.asarray, sp.csr_matrix)
Example = tuple[dict[str, Any], Any, Any, str]  # a certificate, its points and labels, what both say


def proof_of(X: Any, y: Any, kind: str, bias: bool = True, **fields: Any) -> dict[str, Any]:
    """A certificate with a plane (w, b), support and held rows with weights; digest and complement are right."""
    table, labels = np.asarray(X.todense() if sp.issparse(X) else X).tolist(), np.asarray(y).tolist()
    names = [str(label) for label in sorted(set(labels))]
    classes = [names[0], names[-1]] if len(names) > 1 else [None, names[0]]
    D, held = len(table[0]) + bias, list(fields.get("held", ()))
    plane = [*fields.get("w", ()), *([fields["b"]] if fields.get("b") is not None else [])]

    def sum_of(rows: Any, weights: Any) -> dict[str, Any]:
        against = [int(str(labels[i]) != classes[1]) for i in rows]
        return {"rows": list(rows), "against": against, "weights": [str(v) for v in weights]}

    complement: list[Any] = []
    if kind in ("overlap", "quasi-complete"):
        rows = [[Fraction(v) for v in [*table[i], 1.0][:D]] for i in held]
        whole = [[int(v * math.lcm(*(u.denominator for u in row))) for v in row] for row in rows]
        basis, nullity = fmpz_mat(whole or [[0] * D]).nullspace()
        complement = [vector([int(basis[j, k]) for j in range(D)]) for k in range(nullity)]
    file = {"csv": {"delimiter": ",", "header": False, "label": len(table[0])}, "svmlight": None}
    rows_and_labels = [(str(label), [repr(v) for v in x]) for label, x in zip(labels, table, strict=True)]
    data = {"digest": digest(rows_and_labels), "rows": len(table), "columns": len(table[0]), "file": file}
    return {
        "format": "novikoff-proof/1",
        "claim": kind,
        "data": data | {"made_by": None},
        "model": {"family": "labels", "classes": classes, "trials": None, "intercept": bias},
        "strict": sum_of(fields["support"], fields["weights"]) if "support" in fields else None,
        "directions": [vector(plane)] if plane else [],
        "zero_sum": sum_of(held, fields.get("held_weights", ())),
        "complement": complement,
        "coefficients": None,
        "margins": None,
    }


def vector(values: Sequence[Any]) -> dict[str, Any]:
    there = [(j, str(v)) for j, v in enumerate(values) if v]
    return {"at": [j for j, _ in there], "values": [v for _, v in there]}


OTHER_SIDE = "refused: directions: a row is on the wrong side of one of them: row {}, counted from 1"
NEITHER = "complement: a row is neither separated by directions[0] nor orthogonal to the complement"


def both(proof: Any, X: Any, y: Any) -> str:
    """The kind or the error's words up to a row's number, the same from both."""
    said = []
    for slow in (False, True):
        try:
            said.append(nv.verify(proof, X, y, slow=slow))
        except nv.CertificateError as error:
            said.append(f"refused: {error}")
    assert said[0] == said[1]
    return said[0]


def sides_of(X: Any, w: Sequence[int]) -> list[Fraction]:
    return [sum(Fraction(float(a)) * b for a, b in zip(x, w, strict=True)) for x in X]


def test_a_certificate_checks_against_every_storage() -> None:
    X = np.random.default_rng(1).integers(0, 2, (40, 5)).astype(float)
    y = (X.sum(axis=1) > 2).astype(int)
    proof = proof_of(X, y, "complete", w=(2,) * 5, b=-5)
    names = [name for name, stored in storages_of(X) if both(proof, stored, y) == "complete"]
    assert len(names) == len(list(storages_of(X))) >= 40


def test_a_certificate_is_a_path_a_dict_a_proof_or_a_verdict(tmp_path: Path) -> None:
    X, y = nv.example("or")
    proof = proof_of(X, y, "complete", w=(2, 2), b=-1)
    (tmp_path / "proof.json").write_text(json.dumps(proof))
    for certificate in (proof, nv.decide(X, y), tmp_path / "proof.json", str(tmp_path / "proof.json")):
        assert both(certificate, X, y) == "complete"
    with pytest.raises(nv.InputError, match="certificate: found int"):
        nv.verify(3, X, y)


# ---- rows on the sides of planes


def near() -> Iterator[Example]:
    """Rows on their own side by less than rounding, and some beyond it."""
    rng = np.random.default_rng(5)
    w = [*rng.integers(-9, 10, 5).tolist(), 1]
    X = rng.normal(size=(300, 6)).round(3)
    X[:, -1] = [float(-s) for s in sides_of(X[:, :-1], w[:-1])]
    sides = sides_of(X, w)
    X, sides = X[[bool(s) for s in sides]], [s for s in sides if s]
    y = np.array([int(s > 0) for s in sides])
    assert len(y) > 150
    assert max(abs(float(s)) for s in sides) < 1e-13
    yield proof_of(X, y, "complete", w=w, b=0), X, y, "complete"
    for i in (0, 77, len(y) - 1):
        other = np.where(np.arange(len(y)) == i, 1 - y, y)
        yield proof_of(X, other, "complete", w=w, b=0), X, other, OTHER_SIDE.format(i + 1)


def long_planes() -> Iterator[Example]:
    """Planes longer than any float, in which a 1 is far below what floats would see of the rest."""
    for times in (1, 10**30, 7**2000, 10**400 + 1):
        X = np.random.default_rng(9).normal(size=(60, 4))
        w = [times, -3 * times, 1, 0]
        X[3] = [3, 1, 1, 0]
        y = np.array([int(s > 0) for s in sides_of(X, w)])
        yield proof_of(X, y, "complete", w=w, b=0), X, y, "complete"
        X = X.copy()
        X[3] = [3, 1, -1, 0]
        yield proof_of(X, y, "complete", w=w, b=0), X, y, OTHER_SIDE.format(4)


def ends_of_binary64() -> Iterator[Example]:
    for numbers in ((0.0, 1e-320, 5e-324), (1e300, 1e308, 1.0), (2.0**-600, 2.0**600, 1e-5)):
        X = np.random.default_rng(4).choice([*numbers, *(-v for v in numbers)], size=(200, 3))
        for w in ((1, 2, -1), (2**60, 3, -(2**52)), (10**350, -(10**349), 1)):
            sides = sides_of(X, w)
            keep, y = X[[bool(s) for s in sides]], np.array([int(s > 0) for s in sides if s])
            yield proof_of(keep, y, "complete", w=w, b=None, bias=False), keep, y, "complete"


def squares_that_underflow() -> Iterator[Example]:
    """Every number is below 2^-537, so every square is 0 in floats; the plane has the row just on its wrong side."""
    rng = np.random.default_rng(0)
    for _ in range(40):
        d = int(rng.integers(4, 9))
        w = [*map(int, rng.integers(1, 2**40, d - 2)), -1, -1]
        x = np.ldexp(rng.standard_normal(d), -640).tolist()
        rest = sides_of([x[:-2]], w[:-2])[0]
        x[-2] = float(rest)
        rest -= Fraction(x[-2])
        x[-1] = float(rest) + abs(float(rest)) * 2.0**-40
        X, y = np.array([x]), ["a"]
        assert sides_of(X, w)[0] < 0
        yield proof_of(X, y, "complete", bias=False, w=w), X, y, OTHER_SIDE.format(1)


@pytest.mark.parametrize("examples", [near, long_planes, ends_of_binary64, squares_that_underflow])
@pytest.mark.parametrize("store", STORES)
def test_rows_are_on_the_side_that_fractions_say(store: Any, examples: Any) -> None:
    for proof, X, y, said in examples():
        assert both(proof, store(X), y) == said


# ---- rows that are held


def quasi(rng: np.random.Generator, times: float) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Half of the rows on a plane that separates the others; those on it overlap and span a part of it."""
    n, r = 40, 3
    base = rng.integers(-3, 4, (r, 5)).astype(float)
    base[:, 0] = 0
    on = rng.integers(-2, 3, (n, r)) @ base * times
    on = np.repeat(on, 2, axis=0)  # each with both labels
    off = rng.normal(size=(n, 5))
    off[:, 0] = rng.choice([-1.0, 1.0], n) * rng.uniform(0.1, 1, n)
    X = np.vstack([on, off])
    y = np.concatenate([np.tile([0, 1], n), (off[:, 0] > 0).astype(int)])
    held = tuple(range(12))
    return X, y, proof_of(X, y, "quasi-complete", w=(1, 0, 0, 0, 0), b=0, held=held, held_weights=(1,) * len(held))


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("times", [1.0, 0.1, 1e-200])
def test_rows_on_the_plane_must_be_held(store: Any, times: float) -> None:
    for seed in range(3):
        X, y, proof = quasi(np.random.default_rng(seed), times)
        assert both(proof, store(X), y) == "quasi-complete"
        few = {name: values[:2] for name, values in proof["zero_sum"].items()}
        assert "does not have the rank" in both(proof | {"zero_sum": few}, store(X), y)
        other = proof["zero_sum"] | {"weights": ["1"] * 11 + ["2"]}
        assert "do not sum to zero" in both(proof | {"zero_sum": other}, store(X), y)
        assert "overlap is claimed, quasi-complete is proved" in both(proof | {"claim": "overlap"}, store(X), y)


@pytest.mark.parametrize("store", STORES)
def test_overlap_with_columns_that_depend_on_each_other(store: Any) -> None:
    """The held rows span all rows, but not the whole space."""
    rng = np.random.default_rng(8)
    A = rng.normal(size=(50, 3))
    X = np.repeat(np.hstack([A, A[:, :1], np.zeros((50, 1)), np.ones((50, 1))]), 2, axis=0)
    y = np.tile([0, 1], 50)
    proof = proof_of(X, y, "overlap", held=tuple(range(12)), held_weights=(1,) * 12)
    assert both(proof, store(X), y) == "overlap"
    X[99, 4] = 1.0  # one row leaves the span
    left = proof_of(X, y, "overlap", held=tuple(range(12)), held_weights=(1,) * 12)
    assert both(left, store(X), y) == f"refused: {NEITHER}: row 100, counted from 1"


@pytest.mark.parametrize("d", [2, 12, 30])
def test_a_simplex_around_the_origin_holds_everything(d: int) -> None:
    """d+2 rows whose weighted sum is zero by the choice of the last two: the strict claim and the kind."""
    rng = np.random.default_rng(d)
    X, signs = rng.normal(size=(60, d)), np.where(np.arange(60) % 2, 1, -1)
    X[: d + 2] = rng.integers(-50, 50, (d + 2, d))
    weights = [1, *rng.integers(1, 9, d).tolist()]
    rest = -int(np.dot(weights, signs[: d + 1]))
    if rest == 0:
        weights[1], rest = weights[1] + 1, int(-signs[1])
    signs[d + 1] = np.sign(rest)
    weights.append(abs(rest))
    X[0] = -signs[0] * (np.array(weights[1:]) * signs[1 : d + 2]) @ X[1 : d + 2]
    rows = {"support": tuple(range(d + 2)), "weights": tuple(weights)}
    held = {"held": tuple(range(d + 2)), "held_weights": tuple(weights)}
    proof = proof_of(X, signs, "overlap", **rows, **held)
    assert both(proof, X, signs) == both(proof, sp.csr_matrix(X), signs) == "overlap"
    strict = proof_of(X, signs, "not separable", **rows)
    assert both(strict, X, signs) == "not separable"
    weights[d // 2] += 1
    assert "do not sum to zero" in both(
        strict | {"strict": strict["strict"] | {"weights": [str(v) for v in weights]}}, X, signs
    )


def test_other_data_are_named_by_the_digest() -> None:
    X, y = nv.example("or")
    proof = proof_of(X, y, "complete", w=(2, 2), b=-1)
    for other_X, other_y in ((X * 2, y), (X, 1 - y), (X[:-1], y[:-1]), (np.hstack([X, X]), y), (X[:, :1], y)):
        assert both(proof, other_X, other_y).startswith("refused: other data")
        with pytest.raises(nv.CertificateError, match=str(proof["data"]["digest"])):
            nv.verify(proof, other_X, other_y)


def test_numbers_that_are_none_are_bad_input() -> None:
    X, y = nv.example("or")
    proof = proof_of(X, y, "complete", w=(2, 2), b=-1)
    bad = X.astype(float)
    bad[2, 1] = np.nan
    for slow in (False, True):
        with pytest.raises(nv.InputError, match=r"(?i)nan"):
            nv.verify(proof, bad, y, slow=slow)
        with pytest.raises(nv.InputError, match="one label for each row"):
            nv.verify(proof, X, y[:-1], slow=slow)
