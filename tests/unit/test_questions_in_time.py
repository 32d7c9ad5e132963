"""What a verdict is asked later: in time or not at all, and about the same points."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.certify.decide import verdict

QUASI, LABELS = [[-2.0], [0.0], [0.0], [2.0]], [0, 0, 1, 1]


def wide() -> tuple[np.ndarray, np.ndarray]:
    """Overlap by 701 rows whose weights take a minute or so."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((1700, 699))
    return X, rng.integers(0, 2, 1700)


def test_a_question_beyond_its_time_is_undecided_and_the_claim_stays() -> None:
    v = nv.decide(QUASI, LABELS)
    v.max_time = 1e-9
    for question in ("kind", "w", "b", "separated", "held", "held_weights"):
        with pytest.raises(nv.UndecidedError, match="kind: not found within max_time"):
            getattr(v, question)
    assert v.separable is False
    assert "its kind was not found out" in v.explain()
    v.max_time = None
    assert v.kind == "quasi-complete"


def test_save_without_time_for_the_kind_makes_the_strict_claim(tmp_path: Path) -> None:
    v = nv.decide(QUASI, LABELS, proof="rational")
    v.max_time = 1e-9
    v.save(tmp_path / "proof.json")
    record = json.loads((tmp_path / "proof.json").read_text())
    assert (record["claim"], record["support"], record["w"], record["held"]) == ("not separable", [1, 2], None, None)
    for slow in (False, True):
        assert nv.verify(tmp_path / "proof.json", QUASI, LABELS, slow=slow) == "not separable"


@pytest.mark.compiled
def test_weights_of_wide_points_keep_the_time_and_bounds_need_none(tmp_path: Path) -> None:
    X, y = wide()
    v = nv.decide(X, y, proof="interval")
    assert v.separable is False
    assert v.kind == "overlap"
    v.max_time = 0.5
    with pytest.raises(nv.UndecidedError, match=r"weights: not found within max_time, 0\.5 seconds"):
        v.weights  # noqa: B018
    with pytest.raises(nv.UndecidedError, match="weights"):
        v.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())
    assert "positive weights exist" in v.explain()


@pytest.mark.parametrize("change", ["a point of the proof", "a point", "a label"])
@pytest.mark.parametrize("labels", [[0, 0, 1, 1], [0, 1, 0, 1]])
def test_a_proof_is_never_written_about_points_it_does_not_hold_for(
    change: str, labels: list[int], tmp_path: Path
) -> None:
    X, y = np.array([[-2.0], [0.0], [0.0], [2.0]]), np.array(labels)
    v = nv.decide(X, y)
    if change == "a label":
        y[0] = 1 - y[0]
    else:
        X[1 if change == "a point of the proof" else 0] = 7.0
    refusal = None
    try:
        v.save(tmp_path / "proof.json")
    except nv.InputError as error:
        refusal = str(error)
    if refusal is not None:
        assert "changed after decide" in refusal
        assert not list(tmp_path.iterdir())
    else:
        assert nv.verify(tmp_path / "proof.json", X, y, slow=True) in ("quasi-complete", "overlap", "not separable")


def test_a_plane_that_no_longer_separates_is_not_saved(tmp_path: Path) -> None:
    X = np.array([[0.0], [1.0], [5.0]])
    v = nv.decide(X, [0, 1, 1])
    X[2] = -5.0
    with pytest.raises(nv.InputError, match=r"changed after decide .*wrong side.*decide again"):
        v.save(tmp_path / "proof.json")
    assert not list(tmp_path.iterdir())
    X[2] = 9.0
    v.save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", X, [0, 1, 1]) == "complete"


def test_the_error_about_many_classes_names_the_way_out() -> None:
    with pytest.raises(nv.InputError, match=r"novikoff\.decide about each pair"):
        nv.removal([[0.0], [1.0], [2.0]], [0, 1, 2])


@pytest.mark.compiled
def test_the_kind_of_very_wide_points_is_not_sought_and_the_strict_claim_is_saved(tmp_path: Path) -> None:
    X = sp.random(30, 50_000, 0.001, format="lil", random_state=1)
    X[7] = X[3]
    X, y = X.tocsr(), np.arange(30) % 2
    y[3], y[7] = 0, 1
    v = nv.decide(X, y)
    assert (v.separable, v.support) == (False, (3, 7))
    with pytest.raises(nv.UndecidedError, match=r"not computed for more than 4,000 columns; these points have 50,001"):
        v.kind  # noqa: B018
    assert "points 4 and 8 are the same point with different labels (0 and 1)" in v.explain()
    v.save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", X, y) == "not separable"


def dummies(n: int, levels: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A factor of many levels, some of which have one class only, and a number."""
    rng = np.random.default_rng(seed)
    level = rng.integers(0, levels, n)
    X = np.column_stack([np.eye(levels)[level][:, 1:], rng.standard_normal(n).round(1)])
    return X, (rng.random(n) < np.where(np.arange(levels) % 5 == 0, 0.0, 0.4)[level]).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_the_kind_is_what_separation_says_and_its_proof_holds(seed: int, tmp_path: Path) -> None:
    X, y = dummies(900, (20, 80)[seed % 2], seed)
    v, r = nv.decide(X, y), nv.separation(X, y)
    assert v.kind == r.kind == "quasi-complete"
    assert v.separated.tolist() == r.rows.tolist()
    v.save(tmp_path / "proof.json")
    assert nv.verify(tmp_path / "proof.json", X, y, slow=True) == "quasi-complete"


@pytest.mark.slow
@pytest.mark.parametrize("levels", [12, 80])
def test_the_kind_heeds_the_clock_at_every_step(levels: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = dummies(500, levels, 0)
    v = nv.decide(X, y)
    request = [0]

    class Counting(Clock):
        def __call__(self) -> None:
            request[0] += 1
            if request[0] > most:
                raise TimeIsUpError

    monkeypatch.setattr(verdict, "Clock", Counting)
    most = 10**9
    assert v.kind == "quasi-complete"
    steps, most, v.max_time = request[0], 0, 60.0
    assert steps > 10
    while most < steps:
        v._faces, request[0] = None, 0
        with pytest.raises(nv.UndecidedError, match="kind: not found"):
            v.kind  # noqa: B018
        assert request[0] == most + 1  # nothing went on after the time was up
        most += max(1, steps // 12)
