"""A proof without weights: what makes one, what checks it, and what is refused."""

from __future__ import annotations

import copy
import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from judge_of_proofs import digest
from novikoff.certify.fast import demand_positive
from novikoff.certify.verify import CertificateError, Whole, check
from novikoff.points.written import UnreadableError
from proofs import circuits, signed


def overlapping(n: int = 60, d: int = 12, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.integers(0, 2, n)


def test_an_interval_proof_has_rows_and_no_weights(tmp_path: Path) -> None:
    X, y = overlapping()
    v = nv.decide(X, y, proof="interval")
    assert v.by_bounds
    v.save(tmp_path / "proof.json", proof="interval")
    record = json.loads((tmp_path / "proof.json").read_text())
    assert (record["proof"], record["claim"], record["support"]) == ("interval", "overlap", list(v.support))
    assert all(record[name] is None for name in ("w", "b", "weights", "held", "held_weights"))
    assert nv.verify(tmp_path / "proof.json", X, y) == "overlap"
    assert v._relation is not None
    assert v._relation._weights is None


def test_the_standard_library_says_what_is_needed(tmp_path: Path) -> None:
    X, y = overlapping()
    c = nv.decide(X, y).certificate("interval").record()
    rows = list(zip(y.tolist(), X.tolist(), strict=True))
    with pytest.raises(UnreadableError, match="needs python-flint: novikoff verify"):
        check(c, rows)
    with pytest.raises(nv.InputError, match="needs python-flint"):
        nv.verify(c, X, y, slow=True)


def test_save_writes_weights_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    X, y = overlapping()
    v = nv.decide(X, y, proof="interval")
    v.save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", X, y, slow=True) == "overlap"
    with pytest.raises(nv.InputError, match="proof: found 'float'"):
        v.save(tmp_path / "proof.json", proof="float")
    plane = nv.decide([[0.0], [1.0]], [0, 1])
    assert plane.certificate("interval").record() == plane.certificate().record()


def test_bounds_of_other_signs_prove_nothing() -> None:
    def rows(*zs: tuple[int, ...]) -> list[Whole]:
        return [Whole(1, dict(enumerate(z))) for z in zs]

    demand_positive(rows((1, 0), (0, 1), (-1, -1)), 2)
    demand_positive(rows((10**300, 0), (1, 1), (-(10**300) - 1, -1)), 2)
    with pytest.raises(CertificateError, match="not all positive"):
        demand_positive(rows((1, 0), (0, 1), (1, -1)), 2)
    with pytest.raises(CertificateError, match="do not prove"):
        demand_positive(rows((1, 0), (-1, 0), (2, 0)), 2)
    with pytest.raises(CertificateError, match="do not prove"):
        demand_positive(rows((1, 0), (-1, 0), (0, 1)), 2)
    with pytest.raises(CertificateError, match="2 rows; an interval proof has 3"):
        demand_positive(rows((1, 0), (-1, 0)), 2)


def truly(c: dict[str, Any], rows: list[tuple[str, list[str]]]) -> bool:
    """By fractions: the support is one circuit of full rank."""
    data, support = c["data"], c["support"]
    if data["digest"] != digest(rows, "binary64") or len(set(support)) != len(support):
        return False
    Z: list[list[Fraction]] = signed(rows, data["positive"], data["bias"], "binary64")
    return any(len(loop) == len(support) == len(Z[0]) + 1 for loop in circuits([Z[i] for i in support]))


def test_no_damaged_interval_proof_is_taken_that_fractions_do_not_take() -> None:
    chance, taken, refused = random.Random(1), 0, 0
    for k in range(400):
        d, n = chance.randint(1, 3), 9
        texts = [[str(chance.randint(-3, 3)) for _ in range(d)] for _ in range(n)]
        rows = [(chance.choice("01"), x) for x in texts]
        X, y = [[float(v) for v in x] for x in texts], [label for label, _ in rows]
        v = nv.decide(X, y, fit_intercept=k % 2 == 0)
        if v.separable or not v.by_bounds:
            continue
        c = v.certificate("interval").record()
        assert nv.verify(c, X, y) == "overlap"
        spoilt = copy.deepcopy(c)
        at = chance.randrange(len(spoilt["support"]))
        damage = chance.randrange(5)
        if damage == 0:
            spoilt["support"][at] = chance.randrange(n)
        elif damage == 1:
            spoilt["support"].pop(at)
        elif damage == 2:
            spoilt["claim"] = chance.choice(["complete", "quasi-complete", "not separable"])
        elif damage == 3:
            spoilt["data"]["positive"], spoilt["data"]["negative"] = c["data"]["negative"], c["data"]["positive"]
        else:
            spoilt["weights"] = ["1"] * len(spoilt["support"])
        try:
            nv.verify(spoilt, X, y)
        except CertificateError:
            refused += 1
        else:
            taken += 1
            assert spoilt["claim"] == "overlap"
            assert spoilt["weights"] is None
            assert truly(spoilt, rows)
    assert refused > 60, (taken, refused)
    assert taken > 10


@pytest.mark.parametrize("change", ["point", "label"])
def test_an_interval_proof_is_not_written_about_other_points(change: str, tmp_path: Path) -> None:
    X, y = overlapping()
    v = nv.decide(X, y)
    if change == "point":
        X[v.support[3], 2] += 1.0
    else:
        y[v.support[3]] = 1 - y[v.support[3]]
    with pytest.raises(nv.InputError, match="changed after decide"):
        v.save(tmp_path / "proof.json", proof="interval")
    assert not list(tmp_path.iterdir())


def test_the_words_say_that_only_an_interval_proof_exists_until_the_weights_are_found() -> None:
    """And how it is checked; the kind of proof is that of what is known at the time."""
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((330, 150)), rng.integers(0, 2, 330)
    v = nv.decide(X, y)
    assert v.separable is False
    rows = f"{len(v.support)} of 330 points of 150 numbers"
    assert f"proved by intervals on {rows}" in str(v)
    assert "--proof interval), then novikoff verify" in v.explain(weights=False)
    assert len(v.weights) == len(v.support)
    assert f"proved by {rows}" in str(v)
    assert v.check(X, y)
