"""The pass of the passive-aggressive rules: ordered sums, a bound on |w|², and when a run is clean."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.kernel_mode import RunKernels
from data.small_sets import fit_quietly
from novikoff.kernels import dense, exact_sign, sparse
from novikoff.kernels.mark import record
from novikoff.perceptron import RULES
from novikoff.perceptron.look import PA, PA1, grow
from novikoff.perceptron.state import PLANE, RUN
from novikoff.scoring.scorer import side_by_side
from oracles.twins import ordered_sum, rounded

MODES = ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)]


AGGRESSIVE = record(np.zeros(1, RUN), 0)
AGGRESSIVE.rule = PA


def plane_of(norm2: float) -> Any:
    """The record of a plane with this bound on its length."""
    plane = record(np.zeros(1, PLANE), 0)
    plane.norm2 = norm2
    return plane


def products(a: np.ndarray, b: np.ndarray) -> Fraction:
    return sum((Fraction(u) * Fraction(v) for u, v in zip(a.tolist(), b.tolist(), strict=True)), Fraction(0))


def test_sums_are_made_in_the_order_of_the_columns() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        w, x = rng.standard_normal((3, 9)) * 10.0 ** rng.integers(-9, 9, (3, 9)), rng.standard_normal(9)
        x[rng.random(9) < 0.4] = 0.0
        at = np.flatnonzero(x)
        for verbs, A in ((dense, x[None]), (sparse, (x[at], at, np.array([0, at.size])))):
            scores = np.zeros(4)
            verbs.scores(A, 0, side_by_side(w, np.float64), scores)
            assert scores.tolist() == [*(ordered_sum([*plane], [*x]) for plane in w), 0.0]
            assert verbs.ordered_sums(A, 0, w[1]) == (scores[1], ordered_sum([*x], [*x]))


@pytest.mark.parametrize("power", [-230, -20, 0, 20, 230])
def test_the_bound_on_the_length_holds_and_stays_close(power: int) -> None:
    """After 300 updates W2 is still at least |w|², and not two hundredths above it."""
    rng = np.random.default_rng(power + 1000)
    scale = 2.0**power
    w, plane = np.zeros(5), plane_of(exact_sign.TINY)
    for _ in range(300):
        x, side = rng.standard_normal(5) * scale, float(rng.choice([-1.0, 1.0]))
        m, q = side * ordered_sum([*w], [*x]), ordered_sum([*x], [*x])
        rate = (1.0 - m) / q if m < 1.0 else 0.0
        assert grow(plane, AGGRESSIVE, m, q, rate, 5, False) == (plane.norm2 < exact_sign.BIG / 4.0)
        w = w + (rate * side) * x
        assert products(w, w) <= Fraction(float(plane.norm2))
    assert float(plane.norm2) <= 1.02 * float(products(w, w))


def test_a_step_without_end_gives_the_largest_bound() -> None:
    for m, q, rate in ((-(2.0**900), 2.0**-900, math.inf), (0.0, 0.0, math.inf), (-1.0, 2.0**600, 2.0**300)):
        with np.errstate(all="ignore"):
            plane = plane_of(0.0)
            assert not grow(plane, AGGRESSIVE, np.float64(m), np.float64(q), np.float64(rate), 1, False)
            assert plane.norm2 == exact_sign.BIG


@pytest.mark.parametrize("mode", MODES)
def test_weights_beyond_the_limit_are_refused_at_their_row(mode: Any, run_kernels: RunKernels) -> None:
    run_kernels(mode)
    X, y = np.array([[1.0, 1.0], [0.0, 1e-160]]), np.array([0, 1])
    with pytest.raises(nv.InputError, match=r"the weights would pass 2\^500 at row 2"):
        nv.Perceptron(rule="pa", fit_intercept=False, eta0=1e30).fit(X, y)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("order", ["cyclic", "shuffle", "first"])
@pytest.mark.parametrize("keep", ["last", "pocket"])
def test_only_a_count_says_that_a_plane_separates(keep: str, order: str, mode: Any, run_kernels: RunKernels) -> None:
    """The ordered sum of the first point is 1, its exact score −2: no update is needed, and the point is wrong."""
    run_kernels(mode)
    X, y = np.array([[-3.0, 2.0**60, -(2.0**60)], [-9.0, 0.0, 0.0]]), np.array([1, 0])
    how = {"keep": keep, "order": order, "rule": "pa", "max_iter": 4, "train_patience": None, "random_state": 0}
    twin = rounded(X, [1, -1], order=order, keep=keep, rule="pa", passes=4, w0=[1.0, 1.0, 1.0], b0=1.0)
    for rows in (X, sp.csr_matrix(X)):
        clf = fit_quietly(nv.Perceptron(**how), rows, y, coef_init=[[1.0, 1.0, 1.0]], intercept_init=[1.0])
        assert (clf.stop_reason_, clf.n_updates_, clf.history_["errors"][-1]) == ("max_passes", 0, 1)
        assert (twin.stop, len(twin.rows), twin.looks) == ("max_passes", 0, clf.n_looks_)


def test_a_plane_of_several_rests_only_where_a_count_says_so() -> None:
    X = np.array([[-3.0, 2.0**60, -(2.0**60)], [-9.0, 0.0, 0.0], [-9.0, 0.0, 0.0]])
    start = np.array([[1.0, 1.0, 1.0], [-1.0, 0.0, 0.0], [-1.0, 0.0, 0.0]])
    clf = nv.Perceptron(rule="pa", keep="last", multi_class="ova", max_iter=1)
    fit_quietly(clf, X, [0, 1, 2], coef_init=start, intercept_init=[1.0, 0.0, 0.0])
    assert clf.coef_[0].tolist() == [1.0, 1.0, 1.0]
    assert clf.stop_reason_ == "max_passes"


def test_the_rules_have_their_places() -> None:
    assert [RULES[place] for place in (PA, PA1, PA1 + 1)] == ["pa", "pa1", "pa2"]
