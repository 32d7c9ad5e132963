"""The proved gap of a soft margin: no plane has an objective below `objective_ − gap_`, in exact numbers."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from oracles import soft_margin_gap as oracle

pytestmark = pytest.mark.slow  # where the compiler is off
SOLVERS = ("newton", "coordinates", "coordinates_newton", "gram")  # with the penalty l2
CASES = [
    ("auto", loss, "l2", bias) for loss in ("hinge", "squared_hinge", "logistic") for bias in ("padded", "free")
] + [(solver, loss, "l2", "padded") for solver in SOLVERS for loss in ("hinge", "squared_hinge", "logistic")] + [
    ("auto", loss, "l1", bias) for loss in ("squared_hinge", "logistic") for bias in ("padded", "free")
]  # fmt: skip


def problem(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, float]:
    """A small problem: sizes over many powers of ten, whole numbers, float32, rows of weight 0; and C."""
    draw = np.random.default_rng(seed)
    n, d = int(draw.integers(3, 13)), int(draw.integers(1, 5))
    X = draw.normal(size=(n, d)) * 10.0 ** draw.integers(-2, 3)
    X = np.round(X) if seed % 3 == 0 else X.astype(np.float32) if seed % 5 == 0 else X
    y = np.where(draw.random(n) < 0.5, 1, 0)
    y[:2] = 1, 0
    weights = draw.integers(0, 3, n).astype(float)
    weights[:2] = 1
    return X, y, weights, 10.0 ** draw.integers(-2, 3)


def fitted(X: np.ndarray, y: np.ndarray, weights: np.ndarray, **how: Any) -> nv.SoftMargin:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nv.SoftMargin(**how).fit(X, y, sample_weight=weights)


@pytest.mark.parametrize(("solver", "loss", "penalty", "bias"), CASES)
def test_no_plane_is_better_than_the_proved_gap_allows(solver: str, loss: str, penalty: str, bias: str) -> None:
    """Planes of loose and tight fits, planes near them and zero: each objective is computed exactly."""
    how = {"solver": solver, "loss": loss, "penalty": penalty, "bias": bias}
    reached = 0
    with oracle.precisely():
        for seed in range(10):
            X, y, weights, C = problem(seed)
            fits = [fitted(X, y, weights, C=C, gap=gap, **how) for gap in (1e-1, 1e-5)]
            reached += fits[1].stop_reason_ == "gap"
            signs, costs = np.where(y == 1, 1.0, -1.0), C * weights

            def objective(w: np.ndarray, signs: Any = signs, costs: Any = costs, X: Any = X) -> Fraction:
                found = oracle.primal(X, signs, costs, w, loss, bias == "free", penalty == "l1")
                return found if isinstance(found, Fraction) else Fraction(float(found.mid()))

            planes = [np.append(clf.coef_[0], clf.intercept_) for clf in fits]
            draw = np.random.default_rng(seed)
            others = [w * (1 + 1e-4 * draw.normal(size=w.size)) for w in planes]
            least = min(map(objective, [*planes, *others, 0 * planes[0]]))
            for clf, w in zip(fits, planes, strict=True):
                P = objective(w)
                assert Fraction(clf.objective_) <= P  # rounded down
                assert P - Fraction(clf.objective_) <= P / 10**6 + Fraction(clf.gap_)
                assert P - least <= Fraction(clf.gap_) * (1 + Fraction(1, 10**9)), (seed, clf.gap_)
                assert clf.stop_reason_ != "gap" or clf.gap_ <= clf.gap * clf.objective_
    assert reached >= 8


@pytest.mark.parametrize(
    ("loss", "bias"), list(itertools.product(("hinge", "squared_hinge", "logistic"), ("padded", "free")))
)
def test_the_weights_are_within_the_root_of_twice_the_gap(loss: str, bias: str) -> None:
    """|w − w*| ≤ √(2·gap): of two solutions, the distance is at most the sum of their roots."""
    for seed in range(0, 40, 4):
        X, y, weights, C = problem(seed)
        loose, tight = (fitted(X, y, weights, C=C, gap=gap, loss=loss, bias=bias) for gap in (0.1, 1e-12))
        apart = np.append(loose.coef_ - tight.coef_, (loose.intercept_ - tight.intercept_) * (bias == "padded"))
        assert np.linalg.norm(apart) <= (np.sqrt(2 * loose.gap_) + np.sqrt(2 * tight.gap_)) * (1 + 1e-9)


REFERENCES = {  # objectives of runs to a relative gap of 1e-9, padded bias, for C = 0.01, 1 and 100
    ("ijcnn1", "hinge"): (95.9983949997, 8590.69409735, 853926.509757),
    ("spambase", "squared_hinge"): (13.8685850827, 1215.29530744, 119353.675159),
    ("spambase", "logistic"): (13.9721694974, 973.918798355, 91466.840324),
    ("mnist_38", "hinge"): (12.7460727244, 772.931366953, 64095.3806955),
    ("news20", "squared_hinge"): (22.5890659405, 604.546038314, 3619.53555183),
}


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "loss"), REFERENCES)
def test_real_sets_end_within_the_stated_gap_of_the_optimum(
    name: str, loss: str, shared_data: Callable[[str], Path]
) -> None:
    from benchmarks import softmargin_sets as sets

    if sets.why_absent(name):
        shared_data(name)
    X, y = sets.problem(name)
    for C, reference in zip((0.01, 1.0, 100.0), REFERENCES[name, loss], strict=True):
        clf = nv.SoftMargin(loss=loss, C=C, gap=1e-4, multi_class="ova").fit(X, y)
        assert clf.stop_reason_ == "gap"
        assert -2e-9 * reference <= clf.objective_ - reference <= clf.gap_ + 2e-9 * reference
