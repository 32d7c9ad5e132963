"""Dual coordinate ascent with shrinking, for the padded bias.

    maximize  D(a) = Σ −c_i ℓ*(−a_i/c_i) − ½|v|²,  v = Σ a_i y_i (x_i, 1),    over 0 ≤ a_i (≤ c_i)

one multiplier at a time, in a random order; w = v is kept up to date, so a change costs one row (Hsieh, Chang, Lin,
Keerthi and Sundararajan 2008; for the logistic loss Yu, Huang and Lin 2011). Rows whose multiplier is at a bound and
whose gradient lies outside the range of the last pass are shrunk: not looked at until the others are solved.

Every few passes the gap of all rows is computed. The dual value converges long before the primal one, so P is taken at
the best point between the best weights so far and the present ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.kernels.compile import kernel_of
from novikoff.softmargin import loss_sums
from novikoff.softmargin.losses import LOGISTIC, SQUARED_HINGE
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem
from novikoff.softmargin.solvers import coordinate_kernels
from novikoff.softmargin.solvers.newton import Start

SEED = 88172645463325252
LOOSEST, TIGHTEST = 0.1, 1e-12  # ranges of the projected gradient at which shrunk rows are looked at again
PATIENCE = 400  # looks at the gap
SPARSE = 0.25  # dense rows with a smaller share of non-zero numbers are compressed first


def coordinates(problem: SoftProblem, limits: Limits, start: Start | None = None, seed: int = 0) -> BestPoints:
    """Return the best points found."""
    if problem.free:
        raise InputError(
            "found 'coordinates' with bias='free'; its multipliers have to sum to 0, which one coordinate at a time "
            "cannot keep: use solver='newton' or bias='padded'",
            "solver",
        )
    run = _Ascent(problem, limits, start or Start(), seed)
    while not run.step():
        pass
    return run.best


class _Ascent:
    """The state of a run."""

    def __init__(self, problem: SoftProblem, limits: Limits, start: Start, seed: int) -> None:
        self.problem, n = problem, problem.products.n
        self.order = np.flatnonzero(problem.costs > 0.0)
        self.state = np.array([self.order.size, np.inf, -np.inf])
        self.seed, self.tightness = np.uint64(SEED + seed), LOOSEST
        self.a = self._first(start.a)
        self.w = problem.products.combination(self.a * problem.y)
        self.best = BestPoints(limits, self.w.copy(), np.zeros(n), patience=PATIENCE)
        self.margins: np.ndarray | None = None  # of the best weights
        self.read = self.passes = 0
        self.go: Any = kernel_of(coordinate_kernels.one_pass, problem.products.verbs, 4 * problem.products.stored)

    def _first(self, a: np.ndarray | None) -> np.ndarray:
        """Return multipliers to begin with, within their bounds; those of the logistic loss not at them."""
        costs, loss = self.problem.costs, self.problem.loss
        if loss == LOGISTIC:
            inside = 1e-3 * costs if a is None or a.max() < 1e-7 else np.clip(a, 1e-12 * costs, (1.0 - 1e-12) * costs)
            return np.asarray(inside)
        if a is None:
            return np.zeros(costs.size)
        return np.where(costs > 0.0, np.clip(a, 0.0, np.inf if loss == SQUARED_HINGE else costs), 0.0)

    def step(self) -> bool:
        """Do one pass, and look at the gap if it is time; return whether the run ends."""
        p = self.problem
        wide, read, seed = self.go(
            p.loss, p.products.rows, p.y, p.costs, p.products.squared_norms, self.a, self.w, self.order, self.state,
            self.seed,
        )  # fmt: skip
        self.seed = np.uint64(seed)
        self.passes, self.read = self.passes + 1, self.read + int(read)
        if not self._is_time(wide):
            return False
        self.read, self.best.steps = 0, self.passes
        self._look()
        if self.best.is_done():
            return True
        if p.loss != LOGISTIC and wide <= self.tightness and self.state[0] < self.order.size:
            self.state[:] = (self.order.size, np.inf, -np.inf)
            self.tightness = max(0.1 * self.tightness, TIGHTEST)
        return False

    def _is_time(self, wide: float) -> bool:
        """Return whether to look at the gap: after some passes, or when the active rows are solved."""
        passes = self.read / max(1, self.problem.products.stored)
        if self.problem.loss == LOGISTIC:
            return passes >= min(6.0, max(1.99, self.passes / 3))
        solved = wide <= self.tightness and self.state[0] < self.order.size
        return passes >= min(6.0, 1.5 + self.passes / 3) or solved or not wide > TIGHTEST

    def _look(self) -> None:
        """Compute P and D of all rows, and offer the best point between the best weights and the present ones."""
        p, best = self.problem, self.best
        w, m = self.w.copy(), p.margins(self.w)
        square = float(w @ w)
        P = p.primal(w, m)
        D = float(p.run(loss_sums.dual_sum, self.a, p.costs)) - 0.5 * square
        terms = float(p.run(loss_sums.fenchel_young_sum, m, self.a, p.costs))
        if self.margins is not None and p.loss != LOGISTIC:
            way = w - best.w
            t = p.run(loss_sums.segment_minimum, self.margins, m, p.costs, float(best.w @ way), float(way @ way))
            between, mixed = best.w + t * way, self.margins + t * (m - self.margins)
            least = p.primal(between, mixed)
            if least < min(P, best.primal):
                self.margins = mixed
                best.offer(least, D, between, self.a, np.inf)
        if best.primal > P:
            self.margins = m
        best.offer(P, D, w, self.a, terms)
