"""On real and drawn data: a run ends with a proof, and asking changes no bit of what was learned."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from data.choices import allowed
from data.storages import storages_of
from novikoff.perceptron import KEEPS, ORDERS, RULES, stops
from oracles.plain_points import read_plain

pytestmark = [
    pytest.mark.compiled,  # a hundred passes and more
    pytest.mark.filterwarnings("ignore::novikoff.estimators.perceptron_estimator.NotSeparatedWarning"),
]


def two_irises() -> tuple[np.ndarray, np.ndarray]:
    X, y = nv.example("iris")
    return X[y != "setosa"], y[y != "setosa"]


def learned(clf: Any) -> tuple[Any, ...]:
    """All that a fit learned and counted, but not why it ended."""
    history = {name: column for name, column in clf.history_.items() if name not in ("seconds", "loss", "norm")}
    counts = (clf.n_iter_, clf.n_updates_, clf.n_looks_, clf.n_mistakes_.tolist())
    return clf.coef_.tobytes(), clf.intercept_.tobytes(), counts, history


def proof_of(clf: Any) -> tuple[Any, ...]:
    v = clf.verdict_
    return clf.stop_reason_, v.separable, v.kind, v.support, v.weights, v.w, v.b


def sums_to_zero(X: np.ndarray, y: np.ndarray, support: Any, weights: Any) -> bool:
    """Σ weight·sign·(x, 1) = 0 in fractions, all weights positive whole numbers."""
    last = np.unique(y)[-1]
    signed = [k if y[row] == last else -k for row, k in zip(support, weights, strict=True)]
    padded = [[*map(Fraction, X[row].tolist()), Fraction(1)] for row in support]
    total = [sum(k * x[j] for k, x in zip(signed, padded, strict=True)) for j in range(X.shape[1] + 1)]
    return min(weights) > 0 and all(isinstance(k, int) for k in weights) and not any(total)


def test_two_irises_are_not_separable_and_six_flowers_prove_it() -> None:
    X, y = two_irises()
    clf = nv.Perceptron().fit(X, y)
    verdict = clf.verdict_
    assert (clf.stop_reason_, clf.n_iter_, verdict.kind) == ("not_separable", 20, "overlap")
    assert len(verdict.support) == 6
    assert sums_to_zero(X, y, verdict.support, verdict.weights)
    assert verdict.check(X, y)
    moved = X.copy()
    moved[verdict.support[0], 0] += 0.1
    assert not verdict.check(moved, y)


def test_tumours_are_separable_though_the_perceptron_did_not_get_there() -> None:
    X, y = nv.example("breast-cancer")
    clf = nv.Perceptron(keep="average").fit(X, y)
    verdict = clf.verdict_
    assert (clf.stop_reason_, clf.n_iter_, verdict.separable, verdict.kind) == ("max_passes", 10_000, True, "complete")
    assert verdict.check(X, y)
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        score = sum(a * Fraction(v) for a, v in zip(verdict.w, x, strict=True)) + verdict.b
        assert score > 0 if label == "malignant" else score < 0
    assert learned(clf) == learned(nv.Perceptron(keep="average", train_patience=None).fit(X, y))
    found = nv.Perceptron().fit(X, y)
    assert (found.stop_reason_, found.n_iter_, found.score(X, y)) == ("separable", 20, 1.0)
    assert (found.verdict_.w, found.verdict_.b) == (verdict.w, verdict.b)


def test_sonar_echoes_are_separable(shared_data: Callable[[str], Path]) -> None:
    plain = read_plain(shared_data("separation/sonar.csv"))
    clf = nv.Perceptron().fit(plain.X, plain.y)
    assert (clf.stop_reason_, clf.verdict_.separable, clf.score(plain.X, plain.y)) == ("separable", True, 1.0)
    assert clf.verdict_.check(plain.X, plain.y)


def test_a_real_stall_of_ten_million_looks_asks() -> None:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60_000, 2))
    y = np.where(X[:, 0] + 0.3 * rng.standard_normal(60_000) > 0, 1, 0)
    how: dict[str, Any] = {"keep": "last", "order": "shuffle", "random_state": 0}
    clf = nv.Perceptron(**how).fit(X, y)
    assert clf.stop_reason_ == "train_stalled"
    assert clf.n_looks_ >= stops.AUTO_LOOKS
    assert clf.n_iter_ < 10_000
    assert clf.verdict_.check(X, y)
    plain = nv.Perceptron(train_patience=None, max_iter=clf.n_iter_, **how).fit(X, y)
    assert learned(clf) == learned(plain)


@pytest.mark.parametrize("keep", KEEPS)
@pytest.mark.parametrize("rule", RULES)
def test_asking_changes_nothing_that_is_learned_but_for_the_pocket_that_goes_on(rule: str, keep: str) -> None:
    X, y = two_irises()
    how = {"rule": rule, "keep": keep, "max_iter": 100, "random_state": 1, "C": 0.1}
    for order in (one for one in ORDERS if allowed(one, keep, rule)):
        request = nv.Perceptron(order=order, **how).fit(X, y)
        passes = {"max_iter": request.n_iter_, "train_patience": None}
        plain = nv.Perceptron(order=order, **how | passes).fit(X, y)
        fewest = keep == "pocket" and request.history_["pocket_errors"][-1] == 1  # no plane has fewer
        ended = "max_passes" if keep == "last" or (keep == "pocket" and not fewest) else "not_separable"
        assert (request.stop_reason_, plain.stop_reason_, plain.verdict_) == (ended, "max_passes", None)
        assert fewest or request.n_iter_ == (100 if keep in ("pocket", "last") else 20)
        assert request.verdict_.separable is False
        if keep == "pocket" and request.random_from_ is not None:
            before = request.random_from_ - 1
            request, plain = (
                nv.Perceptron(order=order, **how | {"max_iter": before}, train_patience=patience).fit(X, y)
                for patience in ("auto", None)
            )
        assert learned(request) == learned(plain)


@pytest.mark.parametrize("whole", [False, True])
def test_every_storage_stops_alike_with_the_same_proof(whole: bool) -> None:
    X, y = two_irises()
    X = np.rint(X) if whole else X
    info = {}
    for name, stored in storages_of(X):
        clf = nv.Perceptron(max_iter=100).fit(stored, y)
        info[name] = (*proof_of(clf), clf.coef_.tobytes(), clf.n_mistakes_.tolist())
    assert len(info) > 15
    assert all(other == info["C float64"] for other in info.values())
    assert info["C float64"][:2] == ("not_separable", False)


def test_a_plane_is_the_same_from_every_storage() -> None:
    X, y = nv.example("breast-cancer")
    X, y = X[:200], y[:200]
    info = {}
    for name, stored in storages_of(X):
        clf = nv.Perceptron(max_iter=100, keep="last").fit(stored, y)
        info[name] = (*proof_of(clf), clf.coef_.tobytes(), clf.n_mistakes_.tolist())
    assert all(other == info["C float64"] for other in info.values())
    assert info["C float64"][:2] == ("max_passes", True)


@pytest.mark.parametrize("fit_intercept", [False, True])
def test_with_and_without_a_bias_and_with_weights_of_classes(fit_intercept: bool) -> None:
    X, y = two_irises()
    for weight in (None, "balanced", {"versicolor": 3.0}):
        clf = nv.Perceptron(max_iter=100, fit_intercept=fit_intercept, class_weight=weight).fit(X, y)
        assert clf.verdict_.separable is False
        assert clf.verdict_.fit_intercept is fit_intercept
        assert clf.verdict_.check(X, y)


def test_enough_time_gives_the_same_answer_as_no_limit() -> None:
    X, y = two_irises()
    limited, free = (nv.Perceptron(max_iter=100, max_time=t).fit(X, y) for t in (1e6, None))
    assert proof_of(limited) == proof_of(free)
