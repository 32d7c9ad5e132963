"""Doubles around rational numbers and their roots, the radius, and the bound of the mistakes.

All is rational here, and floats are rounded outward at the very end.

From the notes: T4 R5 S10 C7 Z9 (mistakes ≤ (R/γ)²), S10a (from any start).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certify.whole import whole_rows
from novikoff.points.problem import Problem
from novikoff.spread.engine import SERIAL, Engine
from novikoff.spread.partitions import partitions_of

Interval = tuple[float, float]
EXACTLY = 1 << 18  # so many numbers, at most, are taken exactly where floats cannot tell rows apart


def below(q: Fraction) -> float:
    """The largest double ≤ q; −inf if there is none."""
    f = _near(q)
    while f == math.inf or (f != -math.inf and Fraction(f) > q):
        f = math.nextafter(f, -math.inf)
    return f


def above(q: Fraction) -> float:
    """The smallest double ≥ q; inf if there is none."""
    return -below(-q)


def roots(low: Fraction, high: Fraction) -> Interval:
    """Doubles around the square roots of 0 ≤ low ≤ high."""
    return _root_below(low), _root_above(high)


def root_near(q: Fraction) -> float:
    """√q, to the last digit or nearly."""
    power = (q.numerator.bit_length() - q.denominator.bit_length()) // 2
    scaled = q * Fraction(4) ** -power
    return math.ldexp(math.sqrt(_near(scaled)), power)


def _root_below(q: Fraction) -> float:
    f = math.nextafter(root_near(q), math.inf)
    while f == math.inf or Fraction(f) ** 2 > q:
        f = math.nextafter(f, 0.0)
    return f


def _root_above(q: Fraction) -> float:
    f = math.nextafter(root_near(q), 0.0)
    while Fraction(f) ** 2 < q:
        f = math.nextafter(f, math.inf)
    return f


def _near(q: Fraction) -> float:
    try:
        return q.numerator / q.denominator
    except OverflowError:
        return math.inf if q > 0 else -math.inf


# ---- the norms -----------------------------------------------------------------------------------------------------


def radius2(problem: Problem, engine: Engine = SERIAL) -> tuple[Fraction, Fraction]:
    """Bounds of max |(x, pad)|²: equal unless a great many rows are nearly as long as the longest."""
    longest = Longest(problem.d)
    table = partitions_of(problem)
    parts = list(zip(table, engine.map(longest, problem, table), strict=True))
    rows = np.concatenate([here + partition.first for partition, (here, _) in parts])
    squares = np.concatenate([squares for _, (_, squares) in parts])
    top = float(squares.max())
    rows = rows[longest.near(squares)]
    if rows.size > longest.most:
        slack = Fraction(longest.slack)
        return Fraction(top) * (1 - slack), Fraction(top) * (1 + slack) + Fraction(2) ** -900
    part = problem.part(rows)
    numbers = part.matrix().toarray() if part.sparse else part.rows
    exact = max(square(x) for x in np.unique(np.asarray(numbers, np.float64), axis=0))
    exact += int(problem.pad)
    return exact, exact


class Longest:
    """The rows of a partition that are nearly as long as its longest, and the squares of their lengths.

    Where they are more than `most`, the longest `most` + 1 of them.
    """

    def __init__(self, d: int) -> None:
        self.slack, self.most = 4.0 * (d + 8) * 2.0**-53, EXACTLY // (d + 1)

    def near(self, squares: np.ndarray) -> np.ndarray:
        """Which are nearly the largest."""
        return np.asarray(squares >= float(squares.max()) * (1.0 - self.slack) - 2.0**-900)

    def __call__(self, part: Problem) -> tuple[np.ndarray, np.ndarray]:
        squares = np.concatenate([_squares(part, rows)[lo:hi] for rows, _, lo, hi in part.pieces()])
        rows = np.flatnonzero(self.near(squares))
        if rows.size > self.most:
            rows = rows[np.argpartition(-squares[rows], self.most)[: self.most + 1]]
        return rows, squares[rows]


def _squares(problem: Problem, rows: Any) -> np.ndarray:
    if not problem.sparse:
        return np.asarray(np.einsum("ij,ij->i", rows, rows, dtype=np.float64) + problem.pad)
    values, _, starts = rows
    at = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.bincount(at, np.asarray(values, np.float64) ** 2, len(starts) - 1) + problem.pad


def square(x: np.ndarray) -> Fraction:
    """|x|², exactly."""
    (whole,), (power,) = whole_rows(x[None, :])
    return Fraction(sum(v * v for v in whole)) * Fraction(4) ** power


# ---- mistakes ------------------------------------------------------------------------------------------------------


def most_updates(a: Fraction, step: Fraction, w2: Fraction, start2: Fraction, radius2: Fraction) -> int:
    """The largest n with  a + n·step ≤ √(w2·(start2 + n·radius2)).

    a = ⟨w⁰, w⟩, step = η·min ⟨w, z⟩ > 0, w2 = |w|², start2 = |w⁰|², radius2 = η²R². From the notes: S10a.
    It holds for n = 0 (Cauchy and Schwarz); left is linear, right is concave, so it fails for good after the largest.
    """
    A, B, C = step * step, 2 * a * step - w2 * radius2, a * a - w2 * start2
    p, q = (B * B - 4 * A * C).as_integer_ratio()  # ≥ 0, for C ≤ 0
    root = Fraction(math.isqrt(p * q << 128) + 1, q << 64)  # a little more than √(p/q)
    n = (root - B) / (2 * A)
    whole = max(n.numerator // n.denominator, 0)
    while whole > 0 and not _holds(whole, a, step, w2, start2, radius2):
        whole -= 1
    return whole


def _holds(n: int, a: Fraction, step: Fraction, w2: Fraction, start2: Fraction, radius2: Fraction) -> bool:
    left = a + n * step
    return left <= 0 or left * left <= w2 * (start2 + n * radius2)
