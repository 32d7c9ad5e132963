"""Compute means and variances of columns exactly, with one rounding at the end.

    mean = Σx / n        variance = (n·Σx² − (Σx)²) / n²        rounded once, to binary64

Every number is written in base 2^18, x = Σ_k a_k·2^(18·k) with whole |a_k| < 2^18. Sums of a_k, and of a_j·a_k, over up
to 2^16 rows stay below 2^53, so binary64 forms them without rounding, in any order; they are kept as whole numbers by
their place k or j + k. So the result depends on the numbers alone: not on chunks, the order of the rows, the storage
(dense or sparse), nor the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError

BASE = 18
ROWS = 1 << 16  # 2^18·2^18·2^16 < 2^53
AT_ONCE = 1 << 19  # numbers of a dense block: its digits are some megabytes for each place
LEAST = 1e-300  # of a variance that is not 0
Places = dict[int, np.ndarray]  # Σ_k t_k·2^(18·k) of each column, exactly: Python integers t_k by place k


class Moments:
    """Σx and Σx² of each of d columns, exactly, updated as rows arrive."""

    def __init__(self, d: int) -> None:
        self.n, self._d = 0, d
        self._sums, self._squares = Places({0: np.zeros(d, object)}), Places({0: np.zeros(d, object)})

    def look(self, X: Any) -> None:
        """Add rows: a dense array, or compressed sparse rows without duplicate columns."""
        sparse = hasattr(X, "indptr")
        rows = ROWS if sparse else min(ROWS, max(1, AT_ONCE // max(1, X.shape[1])))
        for start in range(0, X.shape[0], rows):
            block = X[start : start + rows]
            self._add(block.data if sparse else block, block.indices if sparse else None)
        self.n += X.shape[0]

    def _add(self, values: np.ndarray, columns: np.ndarray | None) -> None:
        """Add a block: an array, or numbers in these columns."""

        def total(to: Places, place: int, a: np.ndarray) -> None:
            found = a.sum(axis=0) if columns is None else np.bincount(columns, a, self._d)
            to[place] = to.get(place, 0) + found.astype(np.int64).astype(object)  # up to 2^53

        found: list[tuple[int, np.ndarray]] = []
        for place, a in digits(np.asarray(values, dtype=np.float64)):
            total(self._sums, place, a)
            total(self._squares, 2 * place, a * a)
            for other, b in found:
                total(self._squares, place + other, 2 * (a * b))
            found.append((place, a))

    def mean(self, counts: np.ndarray | None = None) -> np.ndarray:
        """Return the mean of each column. counts: how many numbers each has, if missing ones were added as 0."""
        sums, place = _whole(self._sums)
        of = [self.n] * self._d if counts is None else counts.tolist()
        means = [total / (n << -BASE * place) for total, n in zip(sums.tolist(), of, strict=True)]
        return np.array(means, dtype=np.float64)

    def variance(self, names: Sequence[str]) -> np.ndarray:
        """Return the variance (dividing by n) of each column: 0 if and only if the column is constant."""
        (sums, place), (squares, of_squares) = _whole(self._sums), _whole(self._squares)
        unit = min(2 * place, of_squares)
        exact = self.n * squares << BASE * (of_squares - unit)
        exact -= sums * sums << BASE * (2 * place - unit)
        whole = self.n**2 << -BASE * unit
        return np.array([_rounded(e, whole, name) for e, name in zip(exact.tolist(), names, strict=True)])


def _whole(sums: Places) -> tuple[np.ndarray, int]:
    """Return the sums as integers, and the place of their unit, at most 0."""
    unit = min(sums)
    return sum((total << BASE * (place - unit) for place, total in sums.items()), np.zeros(1, object)), unit


def _rounded(exact: int, unit: int, name: str) -> float:
    try:
        rounded = exact / unit
    except OverflowError:
        rounded = 0.0
    if exact and rounded < LEAST:
        raise InputError(
            f"scale=True: the variance of column {name!r} is not within {LEAST} to 1e308, the safe range of binary64; "
            "multiply the column by a constant first"
        )
    return rounded


def digits(values: np.ndarray) -> Iterator[tuple[int, np.ndarray]]:
    """Yield (k, a_k) of values = Σ_k a_k·2^(18·k), from the highest place on; places with zeros only are omitted.

    Examples
    --------
    >>> [(k, a.tolist()) for k, a in digits(np.array([2.0**18 + 3, 0.5]))]
    [(1, [1.0, 0.0]), (0, [3.0, 0.0]), (-1, [0.0, 131072.0])]
    """
    if not values.any():
        return
    place = -(-int(np.frexp(np.abs(values).max())[1]) // BASE)
    while values.any():
        place -= 1
        a = np.trunc(_times(values, -BASE * place))
        if a.any():
            yield place, a
            values = values - _times(a, BASE * place)


def _times(values: np.ndarray, power: int) -> np.ndarray:
    """Return values·2^power, without rounding wherever the result is used."""
    return values * 2.0**power if abs(power) < 1000 else np.ldexp(values, power)
