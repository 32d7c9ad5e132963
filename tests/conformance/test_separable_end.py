"""A run that is proved separable before it separates its points ends with a computed plane: the widest, if there is
work enough. The same bits from every storage, engine and division into stretches, and after every interruption.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.problems import draws
from data.resumed import same_from_everywhere
from data.small_sets import fit_quietly
from data.storages import storages_of
from novikoff.estimators import decide_in_training
from novikoff.estimators.decide_in_training import DecideInTraining
from novikoff.perceptron import run_state

pytestmark = pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning")


def narrow(classes: int = 2, seed: int = 0, n: int = 24, far: int = 50_000) -> tuple[np.ndarray, np.ndarray]:
    """Whole numbers in classes one above the other, with little between them beside their width."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.integers(-far, far, n), rng.integers(-1, 2, n), rng.integers(-9, 10, n)]).astype(float)
    y = np.arange(n) % classes
    X[:, 1] += 6 * y
    return X, y


CASES = [(2, "auto"), (3, "ova"), (3, "ovo")]


def sided(y: np.ndarray, multi_class: str, classes: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """By plane: its rows and their sides."""
    if classes == 2:
        return [(np.arange(y.size), 2 * y - 1)]
    if multi_class == "ova":
        return [(np.arange(y.size), np.where(y == k, 1, -1)) for k in range(classes)]
    pairs = [(a, b) for a in range(classes) for b in range(a + 1, classes)]
    rows = [np.flatnonzero((y == a) | (y == b)) for a, b in pairs]
    return [(own, np.where(y[own] == b, 1, -1)) for own, (_, b) in zip(rows, pairs, strict=True)]


def lowest(clf: Any, X: np.ndarray, y: np.ndarray) -> list[Fraction]:
    """The lowest y·score of the points of each plane, exactly."""
    found = []
    for (rows, signs), w, b in zip(
        sided(y, clf.multi_class_, len(clf.classes_)), clf.coef_.tolist(), clf.intercept_.tolist(), strict=True
    ):
        scores = [
            sum((Fraction(u) * Fraction(v) for u, v in zip(w, X[i].tolist(), strict=True)), Fraction(b)) for i in rows
        ]
        found.append(min(int(s) * score for s, score in zip(signs, scores, strict=True)))
    return found


def points(classes: int, multi_class: str) -> tuple[np.ndarray, np.ndarray]:
    """Of three classes one above the other the middle one is not separable from both: one-vs-all has other points."""
    X, y = narrow(classes)
    if multi_class == "ova":
        X = np.column_stack([X[:, :1], np.eye(classes)[y] * 6 + X[:, 1:2] - 6 * y[:, None]])
    return X, y


def fitted(classes: int, multi_class: str, **how: Any) -> Any:
    X, y = points(classes, multi_class)
    return fit_quietly(nv.Perceptron(multi_class=multi_class, **how), X, y)


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("classes", "multi_class"), CASES)
def test_the_run_ends_after_twenty_passes_and_no_point_is_wrong(
    classes: int, multi_class: str, bias: bool, both_modes: None
) -> None:
    X, y = points(classes, multi_class)
    X = X if bias else np.column_stack([X, np.ones(len(X))])
    clf = fit_quietly(nv.Perceptron(multi_class=multi_class, fit_intercept=bias), X, y)
    assert (clf.stop_reason_, clf.n_iter_, clf.score(X, y)) == ("separable", 20, 1.0)
    assert min(lowest(clf, X, y)) > 0
    assert clf.predict(X).tolist() == y.tolist()


@pytest.mark.parametrize("eta", [1.0, 0.3, 1e-9])
def test_the_rate_scales_the_plane_that_is_shown_and_changes_no_sign(eta: float) -> None:
    X, y = narrow()
    clf = fit_quietly(nv.Perceptron(eta0=eta), X, y)
    assert (clf.stop_reason_, clf.score(X, y)) == ("separable", 1.0)
    assert min(lowest(clf, X, y)) > 0


@pytest.mark.parametrize("keep", ["last", "average", "pocket", "vote"])
def test_textbook_algorithms_return_nothing_that_was_computed(keep: str) -> None:
    X, y = narrow()
    clf, plain = (
        fit_quietly(nv.Perceptron(keep=keep, max_iter=100, train_patience=patience), X, y)
        for patience in ("auto", None)
    )
    assert clf.verdict_.separable is True
    assert clf.stop_reason_ != "separable"
    assert clf.coef_.tobytes() == plain.coef_.tobytes()


def learned(clf: Any) -> tuple[Any, ...]:
    """What a run returns and says of itself, to the bit."""
    verdicts = clf.verdict_ if isinstance(clf.verdict_, dict) else {0: clf.verdict_}
    proofs = [(name, None if one is None else (one.separable, one.w)) for name, one in verdicts.items()]
    counts = (clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist(), clf.stop_reason_)
    return clf.coef_.tobytes(), clf.intercept_.tobytes(), counts, proofs


@pytest.mark.parametrize(("classes", "multi_class"), CASES)
def test_every_storage_engine_and_division_into_stretches(
    classes: int, multi_class: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = points(classes, multi_class)
    wanted = learned(fitted(classes, multi_class))
    assert wanted[2][-1] == "separable"
    for name, stored in list(storages_of(X))[:: 1 if classes == 2 else 4]:
        assert learned(fit_quietly(nv.Perceptron(multi_class=multi_class), stored, y)) == wanted, name
    with nv.engine("threads", workers=2) as engine:
        assert learned(fitted(classes, multi_class, engine=engine)) == wanted
    for numbers in (4, 30, 200):
        monkeypatch.setattr(run_state, "NUMBERS_AT_ONCE", numbers)
        assert learned(fitted(classes, multi_class)) == wanted


@pytest.mark.compiled
@pytest.mark.parametrize(("classes", "multi_class"), CASES)
def test_interpreted_and_compiled(classes: int, multi_class: str, run_kernels: Any) -> None:
    found = []
    for mode in ("interpreted", "compiled"):
        run_kernels(mode)
        found.append(learned(fitted(classes, multi_class)))
    assert found[0] == found[1]
    assert found[0][2][-1] == "separable"


@pytest.mark.parametrize(("classes", "multi_class"), CASES)
def test_a_run_that_is_interrupted_anywhere_ends_with_the_same_plane(
    classes: int, multi_class: str, tmp_path: Path
) -> None:
    X, y = points(classes, multi_class)
    assert same_from_everywhere(X, y, {"multi_class": multi_class}, tmp_path, numbers=60, most=8) > 10


def test_unequal_class_weights_with_a_plane_that_is_not_separable_resume_alike(tmp_path: Path) -> None:
    X, y = points(3, "ova")
    X[y == 2, 3] = X[y == 2, 3] * 0  # the third class lies between the others
    how = {"multi_class": "ova", "class_weight": {0: 1.0, 1: 3.0, 2: 1.0}, "max_iter": 100}
    assert same_from_everywhere(X, y, how, tmp_path, numbers=500, most=5) > 10


# ---- which plane ---------------------------------------------------------------------------------------------------


def margin_of(clf: Any, X: np.ndarray, y: np.ndarray) -> float:
    w = clf.coef_[0]
    return float(np.min(y * (X @ w + clf.intercept_[0])) / np.linalg.norm(w))


@pytest.mark.parametrize("seed", range(draws(12)))
def test_within_the_budget_the_plane_is_as_wide_as_the_widest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 120)), int(rng.integers(2, 8))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.integers(0, 3, d)
    y = np.where(X @ rng.normal(size=d) + rng.normal() > 0, 1, -1)
    y[:2] = 1, -1
    X += 0.01 * y[:, None] * rng.normal(size=d)
    verdict = nv.decide(X, y)
    clf = fit_quietly(nv.Perceptron(), X, y)
    if not verdict.separable or clf.stop_reason_ != "separable":
        return
    least, _ = nv.margin(X, y).geometric.gamma
    assert margin_of(clf, X, y) >= (1 - 1e-6) * float(least)


def test_the_draws_above_have_runs_that_end_so() -> None:
    X, y = narrow()
    clf = fit_quietly(nv.Perceptron(), X, y)
    least, _ = nv.margin(X, y).geometric.gamma
    assert clf.stop_reason_ == "separable"
    assert margin_of(clf, X, 2 * y - 1) >= (1 - 1e-6) * float(least)


def without_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """No work is left for a search of the widest plane."""
    plane = DecideInTraining.plane
    monkeypatch.setattr(
        DecideInTraining,
        "plane",
        lambda self, problem, k, verdict, work, time: plane(self, problem, k, verdict, 0, time),
    )


@pytest.mark.parametrize(("classes", "multi_class"), CASES)
def test_beyond_the_budget_the_plane_is_that_of_the_proof(
    classes: int, multi_class: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = points(classes, multi_class)
    without_work(monkeypatch)
    clf = fitted(classes, multi_class)
    assert (clf.stop_reason_, clf.score(X, y)) == ("separable", 1.0)
    assert min(lowest(clf, X, y)) > 0
    verdicts = clf.verdict_.items() if classes > 2 else [(None, clf.verdict_)]
    for name, verdict in verdicts:
        names = {2: [None], 3: [0, 1, 2] if multi_class == "ova" else [(0, 1), (0, 2), (1, 2)]}[classes]
        own = np.append(clf.coef_[names.index(name)], clf.intercept_[names.index(name)])
        proved = np.array([*map(float, verdict.w), float(verdict.b)])
        np.testing.assert_allclose(own / np.abs(own).max(), proved / np.abs(proved).max(), rtol=1e-12, atol=1e-15)


def test_a_plane_that_binary64_cannot_hold_leaves_the_run_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neighbouring numbers near 2^53 and a bias between them: no float has w·x + b exact enough."""
    X = np.array([[2.0**52 + k, float(k % 3)] for k in range(8)])
    y = np.array([0, 0, 0, 0, 1, 1, 1, 1])
    monkeypatch.setattr(decide_in_training, "LARGEST_WEIGHT", 0.0)
    clf = fit_quietly(nv.Perceptron(max_iter=100), X, y)
    plain = fit_quietly(nv.Perceptron(max_iter=100, train_patience=None), X, y)
    assert clf.verdict_ is None or clf.verdict_.separable
    assert (clf.stop_reason_, clf.n_iter_) == ("max_passes", 100)
    assert clf.coef_.tobytes() == plain.coef_.tobytes()


@pytest.mark.parametrize("shift", [1e15, 1e16, 1e17, 3e100])
def test_points_far_from_the_origin_are_separated_exactly_or_the_run_goes_on(shift: float) -> None:
    X = np.array([[np.nextafter(shift, np.inf) if k % 2 else shift, float(k // 2)] for k in range(8)])
    y = np.arange(8) % 2
    clf = fit_quietly(nv.Perceptron(max_iter=100), X, y)
    assert (clf.stop_reason_ in ("separable", "separated")) == (min(lowest(clf, X, y)) > 0)
    if clf.stop_reason_ not in ("separable", "separated"):
        plain = fit_quietly(nv.Perceptron(max_iter=100, train_patience=None), X, y)
        assert clf.coef_.tobytes() == plain.coef_.tobytes()
