"""Dual coordinates, then Newton's method on the rows that matter, with their Gram matrix kept.

Sparse rows of many columns have no Hessian that can be stored. But rows with margins above 1 have the multiplier 0, so
a solution of the others, S, is one of all rows once every margin outside of S is at least 1. Coordinates find S
roughly; then Newton's method runs on S, whose Gram matrix K makes a step cost |W|³/3. S grows by the rows it violates:

    (diag(1/h) + K_W) z = X_W g,   p = −g + X_W' z       W: the rows of S with h > 0  (`newton_direction`)

P is always that of all rows, and multipliers of S with zeros elsewhere are feasible: the gap is that of all rows.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.compile import kernel_of
from novikoff.softmargin import loss_sums, row_kernels
from novikoff.softmargin.losses import HINGE
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem
from novikoff.softmargin.solvers.coordinates import coordinates
from novikoff.softmargin.solvers.newton import Start, newton

SWITCH = 1e-2  # relative gap at which coordinates end
MOST = 4000  # rows of the Gram matrix; with more, coordinates continue
ROUNDS = 30
NEAR = (0.05, 0.02)  # rows with margins up to 1 + this are taken, in the first round and later


def gram_finish(problem: SoftProblem, limits: Limits, start: Start | None = None, seed: int = 0) -> BestPoints:
    """Return the best points found; rows must be sparse."""
    best = coordinates(problem, limits.part(max(limits.gap, SWITCH), limits.max_steps), start, seed)
    best.limits = limits
    if best.is_done():
        return best
    n, products = problem.products.n, problem.products
    chosen, gram = np.zeros(0, np.int64), np.zeros((0, 0))
    mu, (w, a) = 0.05 * float(products.squared_norms.mean()), (best.w, best.a)
    for round_ in range(ROUNDS):
        near = (a > 0.0) | (problem.margins(w) < 1.0 + NEAR[min(round_, 1)])
        near &= problem.costs > 0.0
        near[chosen] = False
        added = np.flatnonzero(near)
        if chosen.size + added.size > MOST:
            return _continued(problem, best, a, seed)
        chosen = np.concatenate([chosen, added])
        part = SoftProblem(
            products.select(chosen), problem.y[chosen], problem.costs[chosen], problem.loss, problem.free
        )
        gram = _grown(part, gram)
        share = best.gap / abs(best.primal)
        inner = limits.part(max(0.3 * limits.gap, min(0.03 * share, 1e-2)), 100)
        found = newton(part, inner, Start(w, a[chosen], mu), gram, sample=False)
        w, some = found.points()
        a = np.zeros(n)
        a[chosen] = np.clip(some, 0.0, problem.costs[chosen] if problem.loss == HINGE else np.inf)
        mu = found.mu or mu
        best.steps += found.steps
        m = problem.margins(w)
        v = products.combination(a * problem.y)
        D = float(problem.run(loss_sums.dual_sum, a, problem.costs)) - 0.5 * float(v @ v)
        outside = problem.primal(w, m) - part.primal(w, m[chosen])  # of rows that are not chosen
        best.offer(problem.primal(w, m), D, w, a, found.gap + max(outside, 0.0))
        if best.is_done():
            return best
        if not added.size and round_ > 0 and found.reason == "precision":
            best.reason = "precision"
            return best
    return _continued(problem, best, a, seed)


def _grown(part: SoftProblem, gram: np.ndarray) -> np.ndarray:
    """Return the Gram matrix of all rows of the part; `gram` is that of the first ones."""
    rows, known = part.products, len(gram)
    whole = np.empty((rows.n, rows.n))
    whole[:known, :known] = gram
    run = kernel_of(row_kernels.sparse_gram, rows.verbs, rows.stored * max(1, rows.n - known))
    run(rows.rows, 0.0 if part.free else 1.0, known, np.zeros(rows.D), whole)
    return whole


def _continued(problem: SoftProblem, best: BestPoints, a: np.ndarray, seed: int) -> BestPoints:
    """Continue with coordinates from multipliers."""
    last = coordinates(problem, best.limits, Start(a=a), seed)
    last.history = best.history + last.history
    last.steps += best.steps
    return last
