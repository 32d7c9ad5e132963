"""Means and variances of columns, exact until the one rounding at the end.

    mean = Σx / n        variance = (n·Σx² − (Σx)²) / n²        rounded once, to binary64

A block's numbers are cut into limbs of 18 bits below the column's largest power of two, x = Σ_k a_k·2^(top − 18·(k+1)):
sums of a_k and of a_j·a_k over up to 2^16 rows stay below 2^53, so binary64 forms them without rounding in any order.
What is kept from block to block is whole numbers: Σx in units of 2^-SMALLEST, Σx² in units of 2^(-2·SMALLEST). So the
result depends on the numbers alone: not on chunks, the order of rows, dense or sparse storage, nor the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError

LIMB = 18
ROWS = 1 << 16  # 2^18·2^18·2^16 < 2^53
AT_ONCE = 1 << 19  # numbers of a dense block: its limbs are some megabytes each
SMALLEST = 1074 + LIMB  # no bit of a binary64 number is below 2^-1074
LEAST = 1e-300  # of a variance that is not 0
Totals = Callable[[np.ndarray], np.ndarray]


class Moments:
    """Σx and Σx² of each of d columns, exactly, as rows come in."""

    def __init__(self, d: int) -> None:
        self.n = 0
        self._sums, self._squares = [0] * d, [0] * d

    def look(self, X: Any) -> None:
        """More rows: a dense array, or compressed sparse rows that name no column twice in a row."""
        sparse = hasattr(X, "indptr")
        rows = ROWS if sparse else min(ROWS, max(1, AT_ONCE // max(1, X.shape[1])))
        for start in range(0, X.shape[0], rows):
            block = X[start : start + rows]
            self._add(list(_sparse_limbs(block) if sparse else _dense_limbs(block)))
        self.n += X.shape[0]

    def _add(self, limbs: list[tuple[np.ndarray, np.ndarray, Totals]]) -> None:
        for k, (a, shift, totals) in enumerate(limbs):
            _add(self._sums, totals(a), shift + SMALLEST)
            for j, (b, other, _) in enumerate(limbs[: k + 1]):
                _add(self._squares, totals(a * b) * (1 if j == k else 2), shift + other + 2 * SMALLEST)

    def mean(self) -> np.ndarray:
        """The mean of each column."""
        unit = self.n << SMALLEST
        return np.array([total / unit for total in self._sums], dtype=np.float64)

    def variance(self, names: Sequence[str]) -> np.ndarray:
        """The variance (dividing by n) of each column: 0 if and only if the column is constant."""
        unit = self.n * self.n << 2 * SMALLEST
        return np.array([self._variance(j, unit, names) for j in range(len(self._sums))], dtype=np.float64)

    def _variance(self, j: int, unit: int, names: Sequence[str]) -> float:
        exact = self.n * self._squares[j] - self._sums[j] ** 2
        try:
            rounded = exact / unit
        except OverflowError:
            rounded = 0.0
        if exact and rounded < LEAST:
            raise InputError(
                f"--scale: the variance of column {names[j]!r} is not within {LEAST} to 1e308, what binary64 holds "
                "well; multiply the column by a constant first"
            )
        return rounded


def _limbs(values: np.ndarray, top: np.ndarray) -> Iterator[tuple[np.ndarray, int]]:
    """(a_k, 18·(k+1)) of each k, until nothing is left; `top`: of each value a power of two above it."""
    below = 0
    while values.any():
        below += LIMB
        a = np.trunc(np.ldexp(values, below - top))
        if a.any():
            yield a, below
            values = values - np.ldexp(a, top - below)


def _dense_limbs(X: np.ndarray) -> Iterator[tuple[np.ndarray, np.ndarray, Totals]]:
    """(limb, its power of two in each column, how to sum over rows) of a block."""
    values = np.asarray(X, dtype=np.float64)
    top = np.frexp(np.abs(values).max(axis=0))[1]
    for a, below in _limbs(values, top):
        yield a, top - below, lambda products: products.sum(axis=0)


def _sparse_limbs(X: Any) -> Iterator[tuple[np.ndarray, np.ndarray, Totals]]:
    """The same of compressed sparse rows: a zero that is not stored adds nothing."""
    values, columns, d = X.data.astype(np.float64), X.indices, X.shape[1]
    largest = np.zeros(d)
    np.maximum.at(largest, columns, np.abs(values))
    top = np.frexp(largest)[1]
    for a, below in _limbs(values, top[columns]):
        yield a, top - below, lambda products: np.bincount(columns, products, d)


def _add(kept: list[int], totals: np.ndarray, shift: np.ndarray) -> None:
    """kept_j += total_j·2^shift_j."""
    for j in np.flatnonzero(totals).tolist():
        kept[j] += int(totals[j]) << int(shift[j])
