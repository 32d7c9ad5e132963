"""Compute R², the squared length of the longest row, exactly: floats find the rows that can be the longest."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.engines.engine import SERIAL, Engine, partitions_of
from novikoff.exact.integer_rows import whole_rows

EXACTLY = 1 << 18  # numbers computed exactly, at most, where floats cannot distinguish rows


def radius2(
    problem: Problem, engine: Engine = SERIAL, between: Callable[[], None] = lambda: None, exactly: int | None = None
) -> tuple[Fraction, Fraction]:
    """Return bounds of max |(x, pad)|²: equal unless very many rows are nearly as long as the longest.

    between: called before every partition and before the exact squares; it may raise. exactly: how many rows are
    computed exactly at most, if not about EXACTLY numbers.
    """
    between()
    longest = LongestRows(problem.d, EXACTLY // (problem.d + 1) if exactly is None else exactly)
    table = partitions_of(problem)
    parts = []
    for partition, found in zip(table, engine.map(longest, problem, table), strict=True):
        parts.append((partition, found))
        between()
    rows = np.concatenate([here + partition.first for partition, (here, _) in parts])
    squares = np.concatenate([squares for _, (_, squares) in parts])
    top = float(squares.max())
    rows = rows[longest.near(squares)]
    if rows.size > longest.most:
        slack = Fraction(longest.slack)
        return Fraction(top) * (1 - slack), Fraction(top) * (1 + slack) + Fraction(2) ** -900
    exact, step = Fraction(0), max(1, EXACTLY // (problem.d + 1))
    for lo in range(0, rows.size, step):
        part = problem.part(rows[lo : lo + step])
        numbers = part.matrix().toarray() if part.sparse else part.rows
        exact = max(exact, *(square(x) for x in np.unique(np.asarray(numbers, np.float64), axis=0)))
    exact += int(problem.pad)
    return exact, exact


class LongestRows:
    """Operation on a partition: the rows nearly as long as its longest, and the squares of their lengths.

    If they are more than `most`, the longest `most` + 1 of them.
    """

    def __init__(self, d: int, most: int) -> None:
        self.slack, self.most = 4.0 * (d + 8) * 2.0**-53, most

    def near(self, squares: np.ndarray) -> np.ndarray:
        """Return which squares are nearly the largest."""
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
    """Return |x|², exactly."""
    (whole,), (power,) = whole_rows(x[None, :])
    return Fraction(sum(v * v for v in whole)) * Fraction(4) ** power
