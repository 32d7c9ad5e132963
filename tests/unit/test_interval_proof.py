"""A proof without weights: what makes one, and what is saved of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff
from data.small_sets import random_labels
from novikoff.certify.check import verify as verify_module
from novikoff.certify.decide.relation import Relation


def test_weights_are_computed_where_an_interval_proof_is_saved(tmp_path: Path) -> None:
    X, y = random_labels(60, 12)
    v = nv.decide(X, y, proof="interval")
    assert not v.weights_known
    v.save(tmp_path / "proof.json")
    assert v.weights_known
    assert nv.verify(tmp_path / "proof.json", X, y, slow=True) == "overlap"


@pytest.mark.parametrize("change", ["point", "label"])
def test_a_proof_is_not_written_about_other_points(change: str, tmp_path: Path) -> None:
    X, y = random_labels(60, 12)
    v = nv.decide(X, y)
    if change == "point":
        X[v.support[3], 2] += 1.0
    else:
        y[v.support[3]] = 1 - y[v.support[3]]
    with pytest.raises(nv.InputError, match="changed after decide"):
        v.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_words_say_that_the_proof_is_by_intervals_until_the_weights_are_found() -> None:
    """And how it is saved; the kind of proof is that of what is known at the time."""
    rng = np.random.default_rng(3)
    X, y = rng.standard_normal((330, 150)), rng.integers(0, 2, 330)
    v = nv.decide(X, y)
    assert v.separable is False
    rows = f"{len(v.support)} of 330 points of 150 numbers"
    assert f"proved by intervals on {rows}" in str(v)
    assert "a saved proof needs weights, which proof='rational' computes" in v.explain(weights=False)
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
        assert "and a proof with weights would have about 0 MB, more than checkers read" in info
        assert "in more time" not in info
    path, proof = tmp_path / "noise.csv", tmp_path / "proof.json"
    rows = [",".join([*(repr(v) for v in x), str(label)]) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join([",".join([*(f"x{j}" for j in range(80)), "label"]), *rows]) + "\n")
    said = novikoff("certify", path, "-o", proof)
    assert said.code == 3
    assert "an interval proof, which cannot be saved" in said.err
    assert "all the same use --proof rational" in said.err
    with pytest.raises(nv.InputError, match="use proof='rational'"):
        v.save(proof)
    assert not proof.exists()
    found = answer("certify", path, code=1)
    assert (found["proof"], found["weights"]) == ("interval", None)
    monkeypatch.undo()
    assert answer("certify", path, code=1)["proof"] == "rational"
