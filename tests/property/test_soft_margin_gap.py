"""The stated gap of a soft margin is at least the exact P(w) − D(a) of the dual point that it names.

The dual point is checked to be feasible in exact numbers, so D(a) is a lower bound of the minimum.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from novikoff.softmargin import gap as gap_module
from novikoff.softmargin.gap import proved_gap
from novikoff.softmargin.losses import LOSSES
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import Limits, SoftProblem, with_middle_bias
from novikoff.softmargin.solvers.choose_solver import solve
from oracles import soft_margin_gap as oracle

pytestmark = pytest.mark.slow  # where the compiler is off

KINDS = [
    (loss, free, l1)
    for loss, free, l1 in itertools.product(LOSSES, (False, True), (False, True))
    if not (loss == "hinge" and l1)
]
PROBLEMS = 110  # of each kind: 1,100 in all


def problem_of(seed: int, loss: str, free: bool, l1: bool) -> tuple[SoftProblem, np.ndarray]:
    """A small problem: sizes over many powers of ten, repeated rows, zero columns, rows of cost 0."""
    draw = np.random.default_rng(seed)
    n, d = int(draw.integers(2, 13)), int(draw.integers(1, 5))
    X = draw.normal(size=(n, d)) * 10.0 ** draw.integers(-3, 4)
    if seed % 3 == 0:
        X = np.round(X)
    if seed % 5 == 0:
        X = X.astype(np.float32)
    y = np.where(draw.random(n) < 0.5, 1.0, -1.0)
    y[:2] = (1.0, -1.0)
    costs = np.full(n, 10.0 ** draw.integers(-3, 4)) * draw.integers(0, 3, n)
    costs[:2] = np.maximum(costs[:2], 1e-3)
    return SoftProblem(RowProducts(X, d), y, costs, LOSSES[loss], free, l1), X


def points_of(problem: SoftProblem, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Weights and multipliers: solved loosely or tightly, or drawn at random."""
    if seed % 4 == 3:
        draw = np.random.default_rng(seed)
        return draw.normal(size=problem.products.D), draw.random(problem.products.n) * problem.costs
    best, _ = solve(problem, Limits((1e-2, 1e-6, 1e-13)[seed % 4], 60))
    w, a = best.points()
    return with_middle_bias(problem, w), a


@pytest.mark.parametrize(("loss", "free", "l1"), KINDS)
@pytest.mark.parametrize("doubled", [True, False])
def test_the_stated_gap_is_at_least_the_exact_one(
    loss: str, free: bool, l1: bool, doubled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On 1,100 problems in each precision of the sums."""
    if not doubled:
        monkeypatch.setattr(gap_module, "DOUBLED", 0)
    with oracle.precisely():
        for seed in range(PROBLEMS):
            problem, X = problem_of(seed, loss, free, l1)
            w, a = points_of(problem, seed)
            stated = proved_gap(problem, w, a)
            P = oracle.primal(X, problem.y, problem.costs, w, loss, free, l1)
            point = oracle.dual_point(stated.multipliers, problem.y, stated.row, free)
            assert oracle.is_feasible(X, problem.y, problem.costs, point, loss, free, l1), seed
            D = oracle.dual(X, problem.y, problem.costs, point, loss, free, l1)
            assert oracle.is_above(stated.gap, P, D), (seed, stated.gap)
            low = oracle.exact(stated.objective)
            assert oracle.is_above(0.0, low if isinstance(P, Fraction) else oracle.ball(low), P), seed  # rounded down
            assert float(P) - stated.objective <= 1e-9 * float(P) + min(stated.gap, 1e-5 * float(P)) + 1e-12, seed


@pytest.mark.parametrize(("loss", "free", "l1"), KINDS)
def test_the_stated_gap_is_close_to_the_exact_one(loss: str, free: bool, l1: bool) -> None:
    """In doubled precision it is at most 3 times as large (the logistic bound by χ²), plus 1e-12 of the objective."""
    with oracle.precisely():
        for seed in range(60):
            problem, X = problem_of(seed, loss, free, l1)
            if seed % 4 == 3:
                continue
            w, a = points_of(problem, seed)
            stated = proved_gap(problem, w, a)
            P = oracle.primal(X, problem.y, problem.costs, w, loss, free, l1)
            point = oracle.dual_point(stated.multipliers, problem.y, stated.row, free)
            D = oracle.dual(X, problem.y, problem.costs, point, loss, free, l1)
            true = float((P - D).mid()) if loss == "logistic" else float(P - D)
            assert stated.gap <= 3.0 * true + 1e-12 * abs(float(P)), (seed, stated.gap, true)


@pytest.mark.parametrize(("loss", "free"), [(loss, free) for loss in LOSSES for free in (False, True)])
def test_the_weights_are_within_the_root_of_twice_the_gap(loss: str, free: bool) -> None:
    """|w − w*| ≤ √(2·gap): of two solutions, the distance is at most the sum of their roots."""
    for seed in range(0, 40, 4):
        problem, _ = problem_of(seed, loss, free, False)
        loose, tight = (solve(problem, Limits(gap, 200))[0].points() for gap in (0.1, 1e-13))
        bounds = [math.sqrt(2.0 * proved_gap(problem, *points).gap) for points in (loose, tight)]
        distance = np.linalg.norm(problem.penalized(loose[0]) - problem.penalized(tight[0]))
        assert distance <= sum(bounds) * (1 + 1e-9)
