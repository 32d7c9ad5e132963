"""Saved margins: what is written, who accepts it, and that every false one is refused by both checkers."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.certify.check.export_checker import standalone
from novikoff.exact.margin_evidence import evidence
from novikoff.certify.check.verify import CertificateError, UnreadableError, check, read_certificate, root
from novikoff.exact.signed_rows import Signed
from novikoff.data.problem import problem_of
from novikoff.data.row_numbers import RowNames
from novikoff.engines import partitions
from oracles.judge_of_proofs import digest, judged_margin

STORED = Path(__file__).parents[1] / "certificates"
OR = [("0", ["0", "0"]), ("1", ["1", "0"]), ("1", ["0", "1"]), ("1", ["1", "1"])]
CORNERS = [("1", ["1", "0"]), ("1", ["-1e9", "0"]), ("0", ["0", "-1"]), ("0", ["1e20", "-1e20"])]


def arrays(rows: Any) -> tuple[np.ndarray, np.ndarray]:
    return np.array([[float(v) for v in x] for _, x in rows]), np.array([label for label, _ in rows])


def record_of(rows: Any, **how: Any) -> dict[str, Any]:
    found: dict[str, Any] = nv.margin(*arrays(rows), **how).certificate().record()
    return found


def answers(record: Any, rows: Any) -> list[bool]:
    """Whether the slow and the fast checker accept it."""
    said = []
    X, y = arrays(rows)
    for ask in (lambda: check(record, rows), lambda: nv.verify(record, X, y)):
        try:
            said.append(ask() == "margin")
        except (CertificateError, UnreadableError):
            said.append(False)
    return said


def test_what_is_written() -> None:
    record = record_of(OR)
    assert record["format"] == "novikoff-certificate/2"
    assert record["claim"] == "margin"
    assert record["data"]["digest"] == digest(OR)
    assert record["geometric"] == {"w": ["2", "2"], "b": "-1", "rows": [0, 1, 2], "weights": ["2", "1", "1"],
                                   "lower": "1/8", "upper": "1/8"}  # fmt: skip
    assert record["padded"]["lower"] == record["padded"]["upper"] == "1/9"
    assert record["radius2"] == {"lower": "3/1", "upper": "3/1"}


@pytest.mark.parametrize("rows", [OR, CORNERS])
@pytest.mark.parametrize("gap", [None, 1e-3])
def test_a_saved_margin_is_accepted_by_all_checkers(rows: Any, gap: Any, tmp_path: Path) -> None:
    X, y = arrays(rows)
    path = tmp_path / "proof.json"
    m = nv.margin(X, y, gap=gap)
    m.save(path)
    assert judged_margin(path.read_text(), rows)
    assert answers(json.loads(path.read_text()), rows) == [True, True]
    assert nv.verify(path, sp.csr_matrix(X), y) == nv.verify(m, X, y, slow=True) == "margin"
    text = "".join(",".join([*x, label]) + "\n" for label, x in rows)
    (tmp_path / "data.csv").write_text("a,b,label\n" + text)
    (tmp_path / "checker.py").write_text(standalone(), encoding="utf-8")
    done = subprocess.run([sys.executable, "-I", "-S", "checker.py", "proof.json", "data.csv"],
                          cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"PROVED  margin: a plane has every one of the {len(rows)} points")
    assert f"at most {int(m.mistake_bound[1]):,}" in done.stdout or "fewer than 2**" in done.stdout


def test_without_a_bias_and_of_one_class_there_is_one_margin() -> None:
    X, y = arrays([("1", ["1", "2"]), ("0", ["-1", "1"])])
    for m in (nv.margin(X, y, fit_intercept=False), nv.margin(X, ["a", "a"])):
        record = m.certificate().record()
        assert record["geometric"] is None
        assert record["padded"]["rows"]
        for slow in (True, False):
            assert nv.verify(record, X, y if not record["data"]["bias"] else ["a", "a"], slow=slow) == "margin"


def test_stored_files_of_both_formats_are_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    """v1: written before there was a second format."""
    from novikoff import cli

    for name, data, said in [("v1-xor", "xor", "overlap"), ("v1-or", "or", "complete"), ("v2-or", "or", "margin")]:
        paths = [str(STORED / f"{name}.json"), str(STORED / f"{data}.csv")]
        for slow in ([], ["--slow"]):
            assert cli.main(["verify", *paths, *slow]) == 0
            assert capsys.readouterr().out.startswith(f"PROVED  {said}: ")
        assert f'certificate/{name[1]}"' in Path(paths[0]).read_text()


@pytest.mark.parametrize(
    ("where", "change", "said"),
    [
        ("geometric", {"lower": "1/7", "upper": "1/7"}, "geometric: lower: the plane w, b has a smaller margin"),
        ("geometric", {"lower": "1/9", "upper": "1/9"}, "geometric: upper: the weights prove a larger one only"),
        ("padded", {"lower": "1/10", "upper": "1/10"}, "padded: upper: the weights prove a larger one only"),
        ("padded", {"b": "-2"}, "padded: the plane does not have every row strictly on its own side"),
        ("padded", {"w": ["0", "0"], "b": "0"}, "padded: the plane does not have every row strictly on its own side"),
        ("padded", {"b": "-3/2"}, "b: '-3/2' is not an integer as text"),
        ("padded", {"weights": ["5", "2", "-2"]}, "weights: the weight of row 2 is not greater than 0"),
        ("geometric", {"rows": [1, 2, 3]}, "geometric: weights of rows of both classes were expected"),
        ("geometric", {"rows": [0, 1, 4]}, "rows: row 4 of 4 rows"),
        ("geometric", {"rows": [], "weights": []}, "geometric: w, b, rows and weights are all needed"),
        ("geometric", {"w": None, "b": None}, "geometric: w, b, rows and weights are all needed"),
        ("geometric", {"lower": "0/1"}, "geometric: 0 < lower ≤ upper was expected"),
        ("geometric", {"lower": "1/4"}, "geometric: 0 < lower ≤ upper was expected"),
        ("geometric", {"lower": "1/-8"}, "geometric: lower is not a text p/q"),
        ("geometric", {"lower": "1/0"}, "geometric: lower is not a text p/q"),
        ("geometric", {"lower": "0.125"}, "geometric: lower: '0.125' is not an integer"),
        ("geometric", {"lower": 1}, "geometric: lower"),
        ("radius2", {"lower": "4/1", "upper": "4/1"}, "radius2: the longest row is not of this length"),
        ("radius2", {"lower": "2/1", "upper": "2/1"}, "radius2: the longest row is not of this length"),
    ],
)
def test_what_is_refused_is_named(where: str, change: dict[str, Any], said: str) -> None:
    record = copy.deepcopy(record_of(OR))
    record[where] |= change
    X, y = arrays(OR)
    for ask in (lambda: check(record, OR), lambda: nv.verify(record, X, y)):
        with pytest.raises(CertificateError, match=said):
            ask()
    assert not judged_margin(record, OR)


def test_a_record_without_margins_or_of_another_kind_is_refused() -> None:
    record = record_of(OR)
    for change, said in [
        ({"geometric": None, "padded": None}, "no margin is in it"),
        ({"claim": "complete"}, "claim one of margin"),
        ({"format": "novikoff-certificate/1"}, "a field 'geometric' is not known"),
        ({"format": "novikoff-certificate/4"}, "format 'novikoff-certificate/4' is not known"),
        ({"geometric": record["geometric"] | {"t": "1"}}, "geometric: a field 't' is not known"),
        ({"geometric": []}, "geometric: an object was expected"),
        ({"radius2": "3/1"}, "radius2: an object was expected"),
        ({"data": record["data"] | {"bias": False}}, "geometric only with a bias"),
    ]:
        with pytest.raises(CertificateError, match=said):
            read_certificate(record | change)


def test_points_changed_before_saving_are_noticed(tmp_path: Path) -> None:
    X, y = arrays(OR)
    m = nv.margin(X, y)
    m.padded, m.radius2  # noqa: B018
    X[3] = 0.4
    with pytest.raises(nv.InputError, match="the points were changed after margin"):
        m.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


# ---- forged ones ---------------------------------------------------------------------------------------------------


def some_rows(random: random.Random) -> Any:
    """Two to six points of one to three numbers, of one scale or of all."""
    n, d, wild = random.randint(2, 6), random.randint(1, 3), random.random() < 0.5
    values = ["-2", "-1", "0", "1", "2", "0.3", *(["1e9", "-1e-9", "1e20"] if wild else [])]
    return [(random.choice("01"), [random.choice(values) for _ in range(d)]) for _ in range(n)]


def forged(random: random.Random, record: dict[str, Any]) -> None:
    """One number of a certificate is another."""
    name = random.choice([name for name in ("geometric", "padded", "radius2") if record[name]])
    field = random.choice(list(record[name]))
    old = record[name][field]
    if field in ("lower", "upper"):
        p, q = (int(v) for v in old.split("/"))
        p, q = random.choice([(p + 1, q), (p, q + 1), (p * 10**18 + 1, q * 10**18), (p * 10**18 - 1, q * 10**18)])
        record[name][field] = str(Fraction(p, q)) if Fraction(p, q).denominator > 1 else f"{p}/{q}"
    elif field == "b":
        record[name][field] = old and str(int(old) + random.choice([1, -1]))
    else:
        k = random.randrange(len(old))
        change = random.choice([1, -1, 2])
        old[k] = old[k] + change if field == "rows" else str(int(old[k]) + change)


@pytest.mark.slow
def test_no_forged_margin_is_accepted_unless_it_is_true() -> None:
    """300 true ones, each changed five times; an independent judge in fractions says which are still true."""
    chance = random.Random(5)
    true = refused = 0
    while true < 300:
        rows = some_rows(chance)
        try:
            record = record_of(rows, fit_intercept=chance.random() < 0.7)
        except nv.NotSeparableError:
            continue
        true += 1
        assert judged_margin(record, rows)
        assert answers(record, rows) == [True, True], record
        for _ in range(5):
            other = copy.deepcopy(record)
            forged(chance, other)
            still = judged_margin(other, rows)
            refused += not still
            assert answers(other, rows) == [still, still], (other, rows)
    assert refused > 800


# ---- the fast check --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["plain", "whole", "wild", "tiny", "ties"])
@pytest.mark.parametrize("storage", [np.asarray, np.asfortranarray, sp.csr_matrix, lambda X: X.astype(np.float32)])
def test_the_minima_of_all_rows_are_those_of_fractions(
    kind: str, storage: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Partition by partition, one row beside many of another size, ties, numbers whose squares are 0 in floats."""
    monkeypatch.setattr(partitions, "NUMBERS", 100)
    rng = np.random.default_rng(0)
    for _ in range(12):
        X = rng.integers(-9, 10, (60, 4)).astype(float)
        if kind != "whole":
            X *= rng.standard_normal(X.shape)
        if kind == "wild":
            X *= 10.0 ** rng.integers(-9, 10, (60, 1))
        if kind == "tiny":
            X = np.ldexp(X, -600 if storage(X).dtype == np.float64 else -100)
        if kind == "ties":
            X = X[rng.integers(0, 5, 60)]
        stored = storage(X)
        X = np.asarray(stored.todense() if sp.issparse(stored) else stored, float)
        y = np.where(rng.random(60) < 0.5, 1, -1)
        y[:2] = 1, -1
        plane = [int(v) for v in rng.integers(-(10**9), 10**9, 5)]
        rows = sorted(rng.choice(60, 5, replace=False).tolist())
        weights = dict(zip(rows, (int(v) for v in rng.integers(1, 99, 5)), strict=True))
        problem, _ = problem_of(stored, y)
        found = evidence(Signed(problem), plane, weights, False)
        Z = [[s * Fraction(v) for v in (*x, 1.0)] for x, s in zip(X.tolist(), y.tolist(), strict=True)]
        scores = [sum(a * b for a, b in zip(z, plane, strict=True)) for z in Z]
        assert found.least == [min(s for s, sign in zip(scores, y, strict=True) if sign == side) for side in (1, -1)]
        mixed = [sum(m * Z[i][j] for i, m in weights.items()) / sum(weights.values()) for j in range(5)]
        assert found.distance2 == sum(v * v for v in mixed)


def test_rows_of_one_name_are_all_looked_at() -> None:
    X, y = np.array([[5.0], [1.0], [-5.0], [-1.0]]), np.array([1, 1, -1, -1])
    problem, _ = problem_of(X, y)
    same = replace(problem, origin=np.zeros(4, np.int64), named=RowNames(["a"]))
    for points in (problem, same):
        assert evidence(Signed(points), [1, 0], {0: 1, 2: 1}, True).least == [1, 1]


@pytest.mark.parametrize("exponent", [-700, -3, 0, 5, 40, 900])
def test_roots_in_words_are_rounded_outward(exponent: int) -> None:
    for p in range(1, 40):
        square = Fraction(p) * Fraction(10) ** exponent
        low, high = (Fraction(root(square, up)) for up in (False, True))
        assert low * low <= square <= high * high
        assert high - low <= high * Fraction(10) ** -14
