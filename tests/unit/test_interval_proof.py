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
from commands import answer, novikoff
from data.small_sets import random_labels
from novikoff.certify.check import verify as verify_module
from novikoff.certify.check.verify import CertificateError, Whole, check
from novikoff.certify.check.verify_fast import check_positive
from novikoff.certify.decide.relation import Relation
from novikoff.data.text.plain_files import UnreadableError
from oracles.brute_force_proofs import circuits, signed
from oracles.judge_of_proofs import digest


def test_an_interval_proof_has_rows_and_no_weights(tmp_path: Path) -> None:
    X, y = random_labels(60, 12)
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
    X, y = random_labels(60, 12)
    c = nv.decide(X, y).certificate("interval").record()
    rows = list(zip(y.tolist(), X.tolist(), strict=True))
    with pytest.raises(UnreadableError, match="needs python-flint: novikoff verify"):
        check(c, rows)
    with pytest.raises(nv.InputError, match="needs python-flint"):
        nv.verify(c, X, y, slow=True)


def test_save_writes_weights_unless_it_is_told_otherwise(tmp_path: Path) -> None:
    X, y = random_labels(60, 12)
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

    check_positive(rows((1, 0), (0, 1), (-1, -1)), 2)
    check_positive(rows((10**300, 0), (1, 1), (-(10**300) - 1, -1)), 2)
    with pytest.raises(CertificateError, match="not all positive"):
        check_positive(rows((1, 0), (0, 1), (1, -1)), 2)
    with pytest.raises(CertificateError, match="do not prove"):
        check_positive(rows((1, 0), (-1, 0), (2, 0)), 2)
    with pytest.raises(CertificateError, match="do not prove"):
        check_positive(rows((1, 0), (-1, 0), (0, 1)), 2)
    with pytest.raises(CertificateError, match="2 rows; an interval proof has 3"):
        check_positive(rows((1, 0), (-1, 0)), 2)


def truly(c: dict[str, Any], rows: list[tuple[str, list[str]]]) -> bool:
    """By fractions: the support is one circuit of full rank."""
    data, support = c["data"], c["support"]
    if data["digest"] != digest(rows) or len(set(support)) != len(support):
        return False
    Z: list[list[Fraction]] = signed(rows, data["positive"], data["bias"])
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
    X, y = random_labels(60, 12)
    v = nv.decide(X, y)
    if change == "point":
        X[v.support[3], 2] += 1.0
    else:
        y[v.support[3]] = 1 - y[v.support[3]]
    with pytest.raises(nv.InputError, match="changed after decide"):
        v.save(tmp_path / "proof.json", proof="interval")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_words_say_that_only_an_interval_proof_exists_until_the_weights_are_found() -> None:
    """And how it is checked; the kind of proof is that of what is known at the time."""
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((330, 150)), rng.integers(0, 2, 330)
    v = nv.decide(X, y)
    assert v.separable is False
    rows = f"{len(v.support)} of 330 points of 150 numbers"
    assert f"proved by intervals on {rows}" in str(v)
    assert "(proof='interval'), then novikoff verify" in v.explain(weights=False)
    assert len(v.weights) == len(v.support)
    assert f"proved by {rows}" in str(v)
    assert v.check(X, y)


def test_the_length_of_weights_is_known_before_they_are() -> None:
    """An estimate, for random rows: within 3 percent of the digits that are written."""
    for d, scale in ((60, 1.0), (100, 2.0**30)):
        X, y = random_labels(3 * d, d, 1)
        v = nv.decide(X * scale, y, proof="interval")
        assert v._relation is not None
        assert not v.weights_known
        about, written = v._relation.digits, sum(len(str(w)) for w in v.weights)
        assert abs(about - written) < 0.03 * written
        assert v.weights_known


@pytest.mark.slow
def test_weights_that_no_checker_would_read_are_not_worked_out_and_the_words_say_what_proof_there_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """As of 1,250 columns and more, where a proof with weights is larger than a checker reads."""
    X, y = random_labels(240, 80, 2)
    v = nv.decide(X, y)
    assert v.weights_bytes is None
    monkeypatch.setattr(verify_module, "LARGEST_FILE", 1000)
    monkeypatch.setattr(Relation, "weights", lambda *_: pytest.fail("the weights are not to be worked out"))
    assert v.weights_bytes is not None
    for info in (v.explain(), v.explain(weights=False)):
        assert "proved by bounds on every rounding error; the weights were not computed" in info
        assert "(proof='interval'), then novikoff verify" in info
        assert "and a proof with weights would have about 0 MB, more than it reads" in info
        assert "need more time" not in info
    path, proof = tmp_path / "noise.csv", tmp_path / "proof.json"
    rows = [",".join([*(repr(v) for v in x), str(label)]) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join([",".join([*(f"x{j}" for j in range(80)), "label"]), *rows]) + "\n")
    said = novikoff("certify", path, "-o", proof)
    assert said.code == 1
    assert "more than it reads" in said.out
    assert "an interval proof: checking it needs novikoff with python-flint" in said.out
    assert json.loads(proof.read_text())["proof"] == "interval"
    found = answer("certify", path, code=1)
    assert (found["proof"], found["weights"]) == ("interval", None)
    monkeypatch.undo()
    assert novikoff("verify", proof, path).code == 0
    assert answer("certify", path, code=1)["proof"] == "rational"
