"""Proximal Newton method for the l1 penalty, with a working set of columns.

    minimize  P(w) = |w|₁ + Σ c_i ℓ(m_i)       ℓ smooth: squared hinge or logistic

Each step minimizes the second-order model −v·(x − w) + ½(x − w)'H(x − w) + |x|₁, v = Σ a_i y_i x_i, H = X' diag(h) X,
by coordinates, and then searches along x − w for a sufficient decrease (Lee, Sun and Saunders 2014; Yuan, Ho and Lin
2012). With many columns only those that violate |v_j| ≤ 1 most are in the model, twice as many as are not 0
(Massias, Gramfort and Salmon 2018). A dual point is a scaled until |v|∞ ≤ 1: the gap is that of all columns.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.kernels.compile import kernel_of
from novikoff.softmargin import loss_sums
from novikoff.softmargin.losses import HINGE
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem, balanced
from novikoff.softmargin.solvers import quadratic_kernel
from novikoff.softmargin.solvers.newton import Start

FEW = 400  # columns that are all in the model
FIRST = 50  # columns of the first working set
SWEEPS = 5000
HALVINGS = 40


def proximal_newton_l1(problem: SoftProblem, limits: Limits, start: Start | None = None) -> BestPoints:
    """Return the best points found."""
    if problem.loss == HINGE:
        raise InputError(
            "found 'l1' with loss='hinge'; the solver needs a smooth loss: use loss='squared_hinge' or 'logistic', or "
            "penalty='l2'",
            "penalty",
        )
    D = problem.products.D
    w = np.zeros(D) if start is None or start.w is None else start.w.copy()
    best = BestPoints(limits, w, np.zeros(problem.products.n))
    if D <= FEW:
        _descend(problem, best, w, problem.margins(w))
        return best
    columns, size = _ColumnSets(problem.products), FIRST
    while True:
        v = _offer(problem, best, w, problem.margins(w))[0]
        if best.is_done():
            return best
        used = np.flatnonzero(w)
        size = min(D, max(size, 2 * used.size))
        score = np.abs(v)
        score[used] = score[-1] = np.inf  # the bias is always in the model
        which = np.sort(np.argpartition(-score, size - 1)[:size])
        part = SoftProblem(columns.select(which[:-1]), problem.y, problem.costs, problem.loss, problem.free, True)
        share = best.gap / abs(best.primal)
        inner = BestPoints(limits.part(max(0.3 * limits.gap, 0.1 * min(share, 0.1)), 100), w, best.a)
        _descend(part, inner, w[which], part.margins(w[which]))
        w = np.zeros(D)
        w[which] = inner.points()[0]
        best.steps += max(1, inner.steps)
        size = min(D, int(1.3 * size))


def _offer(
    problem: SoftProblem, best: BestPoints, w: np.ndarray, m: np.ndarray
) -> tuple[np.ndarray, np.ndarray, float]:
    """Offer a point and the dual point scaled from it; return v, the curvatures and P."""
    n = m.size
    a, h = np.empty(n), np.empty(n)
    problem.run(loss_sums.dual_point, m, problem.costs, a, 1.0, a, h)
    v = problem.products.combination(a * problem.y)
    P = problem.primal(w, m)
    if problem.free:
        scaled = balanced(problem, a)
        u = problem.products.combination(scaled * problem.y)
        u[-1] = 0.0
    else:
        scaled, u = a, v
    scale = min(1.0, 1.0 / max(float(np.abs(u).max()), 1e-300))
    scaled = scale * scaled
    D = float(problem.run(loss_sums.dual_sum, scaled, problem.costs))
    terms = float(problem.run(loss_sums.fenchel_young_sum, m, scaled, problem.costs))
    p = problem.penalized(w)
    slack = float((np.abs(p) * np.maximum(1.0 - np.sign(p) * scale * u[: p.size], 0.0)).sum())
    best.offer(P, D, w, scaled, terms + slack)
    return v, h, P


def _descend(problem: SoftProblem, best: BestPoints, w: np.ndarray, m: np.ndarray) -> None:
    """Do steps on all columns until the gap or a limit is reached."""
    D = problem.products.D
    weights = np.ones(D)
    weights[-1] = 0.0 if problem.free else 1.0
    go: Any = kernel_of(quadratic_kernel.minimize_quadratic, quadratic_kernel, 20 * D * D)
    while True:
        v, h, P = _offer(problem, best, w, m)
        if best.is_done():
            return
        lower = problem.products.hessian(h, np.full(D, 1e-12), False)
        H = np.tril(lower) + np.tril(lower, -1).T
        x = w.copy()
        share = min(1.0, max(best.gap / abs(best.primal), 0.1 * best.limits.gap))
        go(np.ascontiguousarray(H), -v, w, x, weights, 0.01 * share, SWEEPS)
        w, m = _search(problem, w, m, x - w, P, -float(v @ (x - w)))
        best.steps += 1


def _search(
    problem: SoftProblem, w: np.ndarray, m: np.ndarray, p: np.ndarray, P: float, along: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the point after a step along p that decreases P enough; along: the slope of the loss."""
    q = problem.y * problem.products.scores(p)
    before, after = problem.penalized(w), problem.penalized(w + p)
    decrease = along + float(np.abs(after).sum() - np.abs(before).sum())
    t = 1.0
    for _ in range(HALVINGS):
        found = problem.primal(w + t * p, m + t * q)
        if found <= P + 1e-4 * t * decrease or abs(decrease) < 1e-13 * P:
            break
        t *= 0.5
    return w + t * p, m + t * q


class _ColumnSets:
    """The points by column, for working sets."""

    def __init__(self, products: RowProducts) -> None:
        self.sparse, self.n = products.sparse, products.n
        if products.sparse:
            from scipy.sparse import csr_matrix

            self.matrix: Any = csr_matrix(products.rows, shape=(products.n, products.D - 1), copy=False).tocsc()
        else:
            self.matrix = products.rows

    def select(self, which: np.ndarray) -> RowProducts:
        """Return the products of some columns, which are copied."""
        if not self.sparse:
            return RowProducts(np.ascontiguousarray(self.matrix[:, which]), which.size)
        part = self.matrix[:, which].tocsr()
        return RowProducts((part.data, part.indices, part.indptr), which.size)
