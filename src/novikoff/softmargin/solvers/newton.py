"""Semismooth Newton method for the primal soft margin, with an exact line search.

    minimize  F(w) = ½|w|² + Σ c_i ℓ(m_i)        squared hinge and logistic: g = w − v, v = Σ a_i y_i x_i, a = −c·ℓ'(m)
    hinge, proximal point method on the dual (Rockafellar 1976):  around centres a0 and a width μ the inner problem has
        a_i = clip(a0_i + (1 − m_i)/μ, 0, c_i),   h_i = 1/μ where 0 < a_i < c_i;
        once ½|g|² is less than the Fenchel–Young terms, a0 ← a and μ ← μ/2

Each step solves (I + X' diag(h) X) p = −g (`newton_direction`) and moves to the minimum of F along p. F is strongly
convex and piecewise smooth, so the steps converge superlinearly (Qi and Sun 1993), for the squared hinge in finitely
many steps (Mangasarian 2002). ½|g|² + Σ FY is P(w) − D(a) at every step: the run ends by its own gap.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from novikoff.softmargin import loss_sums
from novikoff.softmargin.losses import HINGE
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem, balanced
from novikoff.softmargin.solvers.newton_direction import Directions

SAMPLE_GAP = 0.03  # of the first solution, of a tenth of the rows
PRECISE = 1e-9  # for smaller gaps matrices are formed in binary64


class Start(NamedTuple):
    """Where a solver begins: weights, multipliers, and for the hinge the width μ."""

    w: np.ndarray | None = None
    a: np.ndarray | None = None
    mu: float | None = None


@dataclass(eq=False)
class _Point:
    """The present point: weights, margins, multipliers, curvatures, and the gradient."""

    w: np.ndarray
    m: np.ndarray
    a0: np.ndarray
    mu: float
    a: np.ndarray
    h: np.ndarray
    g: np.ndarray
    curved: int = 0
    residual: float = 0.0  # what the multipliers lack as a solution of the inner problem: ½|g|² for a padded bias
    terms: float = 0.0  # Σ FY: what the centres and μ lack


def newton(
    problem: SoftProblem,
    limits: Limits,
    start: Start | None = None,
    gram: np.ndarray | None = None,
    sample: bool = True,
) -> BestPoints:
    """Return the best points found; gram: products of the rows with each other, if known; sample: begin with a tenth
    of the rows if there are many.
    """
    products = problem.products
    if start is None and sample and products.n > 20 * products.D and products.stored > 10**6:
        start = _sampled_start(problem, limits)
    point = _first_point(problem, start or Start())
    best = BestPoints(limits, point.w, np.zeros(products.n))
    single = products.is_single and limits.gap >= PRECISE
    direction = Directions(products, problem.free, single, gram)
    while True:
        _evaluate(problem, point, best)
        if best.is_done():
            break
        if problem.loss == HINGE and point.residual < point.terms:
            point.a0, point.mu = point.a.copy(), 0.5 * point.mu
            _evaluate(problem, point, best)
            if best.is_done():
                break
        _move(problem, point, direction(point.h, point.g, point.curved))
        best.steps += 1
    best.mu = point.mu
    return best


def _first_point(problem: SoftProblem, start: Start) -> _Point:
    n, D = problem.products.n, problem.products.D
    w = np.zeros(D) if start.w is None else start.w.copy()
    m = problem.margins(w) if w.any() else np.zeros(n)
    a0 = np.zeros(n) if start.a is None else np.minimum(start.a, problem.costs)
    mu = 0.5 / problem.mean_cost if start.mu is None else start.mu
    return _Point(w, m, a0, mu, np.empty(n), np.empty(n), np.empty(D))


def _sampled_start(problem: SoftProblem, limits: Limits) -> Start:
    """Solve a tenth of the rows loosely, with costs scaled up."""
    n = problem.products.n
    k = max(n // 10, 5 * problem.products.D)
    which = np.sort(np.random.default_rng(0).choice(n, k, replace=False))
    part = SoftProblem(
        problem.products.select(which), problem.y[which], problem.costs[which] * (n / k), problem.loss, problem.free
    )
    if not part.costs.any() or abs(part.y.sum()) == k:
        return Start()
    found = newton(part, limits.part(SAMPLE_GAP, limits.max_steps), sample=False)
    w, a = found.points()
    whole = np.zeros(n)
    whole[which] = a * (k / n)
    return Start(w, whole, None if found.mu is None else found.mu * n / k)


def _evaluate(problem: SoftProblem, point: _Point, best: BestPoints) -> None:
    """Compute multipliers, gradient and gap of the present point, and offer it to the best ones."""
    products, y, w = problem.products, problem.y, point.w
    sums = problem.run(loss_sums.dual_point, point.m, problem.costs, point.a0, point.mu, point.a, point.h)
    P, D, terms, point.curved = sums
    v = products.combination(point.a * y)
    point.g, a = w - v, point.a
    if problem.free:
        point.g[-1], v[-1] = -v[-1], 0.0
        a = balanced(problem, point.a)
        v += products.combination((a - point.a) * y)
        D = problem.run(loss_sums.dual_sum, a, problem.costs)
    p, u = problem.penalized(w), problem.penalized(v)
    size, rest = 0.5 * float(p @ p), p - u
    pair_gap = 0.5 * float(rest @ rest)
    pair_gap += problem.run(loss_sums.fenchel_young_sum, point.m, a, problem.costs) if problem.free else terms
    point.terms, point.residual = terms, pair_gap - terms
    best.offer(P + size, D - 0.5 * float(u @ u), w, a, pair_gap)


def _move(problem: SoftProblem, point: _Point, p: np.ndarray) -> None:
    """Move to the minimum along the direction p."""
    q = problem.y * problem.products.scores(p)
    w, d = problem.penalized(point.w), problem.penalized(p)
    t = problem.run(loss_sums.line_minimum, point.m, q, problem.costs, point.a0, point.mu, float(w @ d), float(d @ d))
    point.w = point.w + t * p
    point.m += t * q
