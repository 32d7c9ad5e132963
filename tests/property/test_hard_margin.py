"""`hard_margin_`, `objective_` and `gap_` of a soft margin at extreme scales, against exact numbers.

The margins of the plane are computed in fractions and held against the proved bounds of `novikoff.margin`.
"""

from __future__ import annotations

import itertools
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from oracles import soft_margin_gap as oracle

pytestmark = pytest.mark.slow  # where the compiler is off

STALLS = np.array([
    [-0.01053, 1.515e-08, -92800.0], [0.00932, -4.61e-09, 34400.0], [0.00919, 1.017e-08, 49400.0],
    [0.00137, -3.72e-09, 46500.0], [0.01355, -4.4e-09, 28800.0],
])  # fmt: skip


def points(seed: int) -> tuple[np.ndarray, np.ndarray, float]:
    """A few points whose columns differ by up to 10^15, both classes, and a C between 0.01 and 10^9."""
    draw = np.random.default_rng(seed)
    n, d = int(draw.integers(2, 9)), int(draw.integers(1, 4))
    y = np.where(draw.random(n) < 0.5, 1, 0)
    y[:2] = (1, 0)
    return draw.normal(size=(n, d)) * 10.0 ** draw.integers(-9, 6, size=d), y, 10.0 ** draw.uniform(-2, 9)


def fitted(X: np.ndarray, y: Any, **how: Any) -> nv.SoftMargin:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nv.SoftMargin(**how).fit(X, y)


def has_widest(clf: nv.SoftMargin, X: np.ndarray, y: Any) -> bool:
    """Whether the plane has 0.999 of the upper bound of the maximum margin, exactly."""
    free = clf.bias == "free"
    w = np.append(clf.coef_[0], clf.intercept_)
    least = min(oracle.margins(X, np.where(np.asarray(y) == 1, 1.0, -1.0), w))
    found = nv.margin(X, y)  # raises NotSeparableError
    high = Fraction((found.geometric if free else found.padded).gamma[1])
    size2 = sum((oracle.exact(v) ** 2 for v in (w[:-1] if free else w)), Fraction(0))
    return least > 0 and least**2 >= (Fraction(999, 1000) * high) ** 2 * size2


def test_no_hard_margin_is_claimed_of_a_run_that_stalled() -> None:
    clf = fitted(STALLS, [1, 1, 0, 1, 0], C=316635)
    assert (clf.stop_reason_, clf.hard_margin_) == ("stalled", False)


def test_no_hard_margin_is_claimed_of_a_run_that_a_limit_ended() -> None:
    X, y = nv.example("cornwell")
    limits = [fitted(X, y, C=1e6, bias="free", max_iter=steps) for steps in range(1, 12)]
    assert {clf.stop_reason_ for clf in limits} >= {"max_iter"}
    assert not any(clf.hard_margin_ for clf in limits if clf.stop_reason_ == "max_iter")
    assert fitted(X, y, C=1e6, bias="free").hard_margin_


@pytest.mark.parametrize("gap", ["auto", 1e-3])
def test_a_hard_margin_is_0_999_of_the_maximum_margin(gap: Any) -> None:
    hard = 0
    for seed, bias in itertools.product(range(80), ("free", "padded")):
        X, y, C = points(seed)
        clf = fitted(X, y, C=C, bias=bias, gap=gap)
        if clf.hard_margin_:
            hard += 1
            assert clf.stop_reason_ in ("gap", "precision"), seed
            assert has_widest(clf, X, y), seed
    assert hard > 20


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
def test_the_objective_is_rounded_down_and_its_gap_is_a_bound_of_the_relative_gap(loss: str) -> None:
    """Exactly: objective ≤ P(w), so that the quotient gap/objective is not less than gap/P(w)."""
    with oracle.precisely():
        for seed, bias in itertools.product(range(60), ("free", "padded")):
            X, y, C = points(seed + 5000)
            clf = fitted(X, y, C=C, bias=bias, loss=loss)
            costs, signs = np.full(len(y), C), np.where(y == 1, 1.0, -1.0)
            w = np.append(clf.coef_[0], clf.intercept_)
            if not np.isfinite(clf.gap_):
                continue
            P = oracle.primal(X, signs, costs, w, loss, bias == "free", False)
            P = P if isinstance(P, Fraction) else Fraction(float(P.mid()))
            assert Fraction(clf.objective_) <= P, seed
            assert Fraction(clf.gap_ / clf.objective_) >= Fraction(clf.gap_) / P, seed
            assert P - Fraction(clf.objective_) <= P / 10**6 + Fraction(clf.gap_), seed


def test_the_warning_rounds_the_proved_gap_up() -> None:
    with pytest.warns(UserWarning, match="relative gap of") as said:
        clf = nv.SoftMargin(C=316635).fit(STALLS, [1, 1, 0, 1, 0])
    text = str(said[0].message).partition("relative gap of ")[2].partition(";")[0]
    assert Fraction(text) >= Fraction(clf.gap_) / Fraction(clf.objective_)
