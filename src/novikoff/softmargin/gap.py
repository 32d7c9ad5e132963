"""A proved upper bound of P(w) − min P, from weights and multipliers; every rounding error is bounded.

    penalty l2      P(w) − D(a) = ½|w − v|² + Σ FY_i            (free bias: without the bias, Σ a_i y_i = 0)
    penalty l1      P(w) − D(a) = Σ_j (|w_j| − w_j v_j) + Σ FY_i,   |v|∞ ≤ 1
    FY_i = c_i ℓ(m_i) + c_i ℓ*(−a_i/c_i) + a_i m_i ≥ 0,   v = Σ a_i y_i x_i

Proof: Σ a_i m_i = w·v, and D(a) ≤ min P by Fenchel's duality. Every term is at least 0, so nothing cancels: the bound
can be far below 1e-16·P, which P minus D could not. With l2, P is 1-strongly convex in w: |w − w*|² ≤ 2·gap (free bias:
of w without the bias). Whatever solver found w and a, the bound holds for them.

The multipliers of the proof are feasible exactly. Below 0 or above the cost they are clipped. Free bias: they
are balanced, and the exact rest Σ a_i y_i, a correctly rounded sum, is moved to one row. l1: they are
scaled until the upper bound of |v|∞ is at most 1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from novikoff.kernels.compile import kernel_of
from novikoff.softmargin import gap_kernels
from novikoff.softmargin.gap_kernels import TINY, ULP
from novikoff.softmargin.losses import LOGISTIC, SQUARED_HINGE
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import SoftProblem, balanced

DOUBLED = 100_000  # up to n·d numbers sums are made in doubled precision
SCALINGS = 8  # attempts to scale multipliers to |v|∞ ≤ 1, of which rounding may need more than one
ENDS = (-math.inf, math.inf)
LARGEST = 2.0**400  # weights and multipliers beyond it may overflow: nothing is proved


@dataclass(frozen=True)
class ProvedGap:
    """Bounds P(w) − min P ≤ gap and objective ≤ P(w), a lower bound of the margins, and the dual point of the proof.

    objective: less than P(w) by rounding only, but that may be more than the gap. least: not above the margin of any
    row that has a cost.
    multipliers: the a_i; free bias: the row `row` has a_row − y_row·Σ a_i y_i instead, in real numbers.
    """

    gap: float
    objective: float
    multipliers: np.ndarray
    row: int = -1
    least: float = -math.inf


@dataclass(frozen=True, eq=False)
class _Sums:
    """margin = m + r ± e of each row; v + q ± f of each column."""

    m: np.ndarray
    r: np.ndarray
    e: np.ndarray
    v: np.ndarray
    q: np.ndarray
    f: np.ndarray


def proved_gap(problem: SoftProblem, w: np.ndarray, a: np.ndarray) -> ProvedGap:
    """Return a proved upper bound of P(w) − min P; infinite if the numbers are too large to be bounded."""
    a = _feasible(problem, a)
    if not (np.abs(w).max() < LARGEST and a.max(initial=0.0) < LARGEST):
        return ProvedGap(math.inf, math.inf, a)
    with np.errstate(over="ignore", invalid="ignore"):
        sums = _bounded_sums(problem, w, a)
        # twice the bound of the rounding of P(w): a quotient gap/objective is not too small then, either
        low, high = (np.nextafter(np.nextafter(sums.m + sums.r, to) + np.copysign(sums.e, to), to) for to in ENDS)
        objective = problem.primal(w, high) * (1.0 - 2.0 * (w.size + a.size + 20) * ULP) - TINY
        gap, a, row = (_l1_gap if problem.l1 else _l2_gap)(problem, w, a, sums)
    least = float(low[problem.costs > 0.0].min(initial=math.inf))
    return ProvedGap(gap if gap >= 0.0 else math.inf, max(objective, 0.0), a, row, least)


def _feasible(problem: SoftProblem, a: np.ndarray) -> np.ndarray:
    """Return multipliers of at least 0 and, but for the squared hinge, at most the costs."""
    most = np.where(problem.costs > 0.0, np.inf, 0.0) if problem.loss == SQUARED_HINGE else problem.costs
    a = np.clip(np.nan_to_num(a), 0.0, most)
    return balanced(problem, a) if problem.free else a


def _bounded_sums(problem: SoftProblem, w: np.ndarray, a: np.ndarray) -> _Sums:
    """Return margins and v with bounds of their errors."""
    products, y = problem.products, problem.y
    n, D = products.n, products.D
    m, r, t = np.empty(n), np.zeros(n), np.empty(n)
    v, q, A = np.empty(D), np.zeros(D), np.empty(D)
    if n * (D - 1) <= DOUBLED:
        rows = products if products.sparse else products.compressed
        run = kernel_of(gap_kernels.doubled_sums, gap_kernels, 10 * products.stored)
        run(rows.rows, y, w, a, m, r, t, v, q, A)
        k, kv = (8.0 * (_gamma(count) ** 2) for count in (_terms(rows), n + 2))
    else:
        m, v = problem.margins(w), products.combination(a * y)
        lengths = np.sqrt(products.squared_norms)
        t, A = math.sqrt(float(w @ w) + TINY) * lengths, np.full(D, a @ lengths)  # TINY: of squares that underflow
        if problem.l1:
            A = math.sqrt(float(a @ a) + TINY) * np.sqrt(products.curvature_diagonal(np.ones(n)) + TINY)
        k, kv = _gamma(_terms(products)), _gamma(n + 2)
    return _Sums(m, r, (1.0 + 1e-6) * k * t + TINY, v, q, (1.0 + 1e-6) * kv * A + TINY)


def _terms(products: RowProducts) -> int:
    """Return the largest number of terms of a score."""
    if not products.sparse:
        return products.D
    return int(np.diff(products.rows[2]).max(initial=0)) + 1


def _gamma(count: int) -> float:
    """Return γ_k = k·u/(1 − k·u), with four more operations."""
    return (count + 4) * ULP / (1.0 - (count + 4) * ULP)


def _terms_above(problem: SoftProblem, a: np.ndarray, sums: _Sums) -> np.ndarray:
    out = np.empty(a.size)
    run = kernel_of(gap_kernels.terms_above, gap_kernels, a.size)
    run(problem.loss, sums.m, sums.r, sums.e, a, problem.costs, out)
    return out


def _sum_above(terms: np.ndarray) -> float:
    """Return an upper bound of a sum of numbers ≥ 0."""
    return float(terms.sum()) * (1.0 + 2.0 * (terms.size + 8) * ULP)


def _l2_gap(problem: SoftProblem, w: np.ndarray, a: np.ndarray, sums: _Sums) -> tuple[float, np.ndarray, int]:
    """Return the bound, the multipliers, and the row that takes their rest."""
    k = -1
    terms = _terms_above(problem, a, sums)
    rest = np.abs((w - sums.v) - sums.q) * (1.0 + 8.0 * ULP) + sums.f
    if problem.free:
        k, moved, x = _moved_rest(problem, a, sums)
        if k < 0:
            return math.inf, a, k
        terms[k] = max(terms[k], _term(problem, sums, k, moved))
        rest = rest + abs(moved - a[k]) * (1.0 + 4.0 * ULP) * x
        rest[-1] = 0.0
    return 0.5 * _sum_above(rest * rest) * (1.0 + 8.0 * ULP) + _sum_above(terms), a, k


def _l1_gap(problem: SoftProblem, w: np.ndarray, a: np.ndarray, sums: _Sums) -> tuple[float, np.ndarray, int]:
    """Return the bound, the scaled multipliers, and the row that takes their rest."""
    for attempt in range(SCALINGS):
        v = sums.v + sums.q
        error = sums.f + 4.0 * ULP * np.abs(v)
        k, moved = -1, 0.0
        if problem.free:
            k, moved, x = _moved_rest(problem, a, sums)
            if k < 0:
                return math.inf, a, k
            error = error + abs(moved - a[k]) * (1.0 + 4.0 * ULP) * x
            v[-1] = error[-1] = 0.0
        top = float((np.abs(v) + error).max()) * (1.0 + 4.0 * ULP)
        if top <= 1.0:
            break
        a = a * ((1.0 - 8.0**attempt * 8.0 * ULP) / top)
        sums = _bounded_sums(problem, w, a)
    else:
        return math.inf, a, k
    p = problem.penalized(w)
    slack = 1.0 - np.sign(p) * v[: p.size]
    slack = np.maximum(slack + 2.0 * ULP * np.abs(slack) + error[: p.size], 0.0)
    terms = _terms_above(problem, a, sums)
    if k >= 0:
        terms[k] = max(terms[k], _term(problem, sums, k, moved))
    return (_sum_above(np.abs(p) * slack) + _sum_above(terms)) * (1.0 + 8.0 * ULP), a, k


def _term(problem: SoftProblem, sums: _Sums, k: int, a: float) -> float:
    """Return the upper bound of one row's term with another multiplier."""
    out, one = np.empty(1), slice(k, k + 1)
    run = kernel_of(gap_kernels.terms_above, gap_kernels, 1)
    run(problem.loss, sums.m[one], sums.r[one], sums.e[one], np.array([a]), problem.costs[one], out)
    return float(out[0])


def _moved_rest(problem: SoftProblem, a: np.ndarray, sums: _Sums) -> tuple[int, float, np.ndarray]:
    """Return (row, multiplier, |x| of the row) so that with a multiplier between its own and that one Σ a_i y_i = 0.

    The row has room for the change, and the smallest |1 − m|, or for the logistic loss the most room; row −1: none has.
    """
    y, costs = problem.y, problem.costs
    rest = math.fsum((a * y).tolist())
    if rest == 0.0:
        return 0, float(a[0]), np.zeros(problem.products.D)
    down = (y > 0) == (rest > 0)  # rows whose multiplier is to be smaller
    most = costs if problem.loss != SQUARED_HINGE else np.where(costs > 0.0, np.inf, 0.0)
    room = np.where(down, a, most - a)
    fits = room >= 4.0 * abs(rest) + TINY
    if not fits.any():
        return -1, 0.0, np.zeros(0)
    away = -np.minimum(a, costs - a) if problem.loss == LOGISTIC else np.abs(1.0 - sums.m)
    k = int(np.argmin(np.where(fits, away, np.inf)))
    change = abs(rest) * (1.0 + 8.0 * ULP) + TINY
    moved = math.nextafter(a[k] - change, -math.inf) if down[k] else math.nextafter(a[k] + change, math.inf)
    one = np.zeros(problem.products.n)
    one[k] = 1.0
    return k, moved, np.abs(problem.products.combination(one))
