"""Compute the exact median of each column, of rows in memory or of rows that are read several times.

    median = x_(k) for n = 2k − 1 numbers, (x_(k) + x_(k+1))/2 for n = 2k, rounded once; NaN is ignored

The numbers of rows that are not in memory are found digit by digit: binary64 numbers are ordered as the 64-bit integers
of `keys`, and every reading of the rows counts how many keys that begin with the digits found so far have each next
digit. So the result depends on the numbers alone, not on chunks or on the order of the rows, and memory does not grow
with the rows.
"""

from __future__ import annotations

from typing import Any

import numpy as np

DIGITS = ((53, 11), (42, 11), (31, 11), (20, 11), (9, 11), (0, 9))  # (lowest bit, bits) of each reading
TOP = np.uint64(1 << 63)


def keys(values: np.ndarray) -> np.ndarray:
    """Return an unsigned integer for each number, in the same order; those of 0 and −0 are equal.

    Examples
    --------
    >>> found = keys(np.array([-1.5, -0.0, 0.0, 2.0]))
    >>> bool((np.diff(found.astype(object)) >= 0).all()), bool(found[1] == found[2]), numbers_of(found).tolist()
    (True, True, [-1.5, 0.0, 0.0, 2.0])
    """
    bits = (np.asarray(values, np.float64) + 0.0).view(np.uint64)
    return np.where(bits & TOP, ~bits, bits | TOP)


def numbers_of(found: np.ndarray) -> np.ndarray:
    """Return the numbers of keys."""
    return np.where(found & TOP, found ^ TOP, ~found).astype(np.uint64).view(np.float64)


def middle(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return (low + high)/2, also where the sum is beyond binary64."""
    with np.errstate(over="ignore"):
        sums = low + high
    return np.asarray(np.where(np.isfinite(sums), sums / 2, low / 2 + high / 2)) + 0.0


def medians_of(X: Any) -> np.ndarray:
    """Return the median of each column of an array; NaN for a column without numbers."""
    found = np.full(X.shape[1], np.nan)
    for j in range(X.shape[1]):
        column = np.asarray(X[:, j], np.float64)
        column = np.sort(column[~np.isnan(column)])
        if column.size:
            found[j] = middle(column[(column.size - 1) // 2] + 0.0, column[column.size // 2] + 0.0)
    return found


class Medians:
    """The medians of d columns, of rows that are read once for each of `DIGITS`: `look` at all, then `next`."""

    def __init__(self, d: int) -> None:
        self.d, self.round = d, 0
        self.n = np.zeros(d, np.int64)
        self._found = np.zeros((d, 2), np.uint64)  # the digits of both middle numbers found so far
        self._rank = np.zeros((d, 2), np.int64)  # their ranks among the keys that begin with these digits
        self._counts = self._zeros()

    def _zeros(self) -> np.ndarray:
        return np.zeros((self.d, 2, 1 << DIGITS[self.round][1]), np.int64)

    @property
    def done(self) -> bool:
        """Whether all digits are found."""
        return self.round == len(DIGITS)

    def look(self, X: Any) -> None:
        """Count the next digit of the numbers of some rows."""
        lowest, bits = DIGITS[self.round]
        for j in range(self.d):
            column = np.asarray(X[:, j], np.float64)
            found = keys(column[~np.isnan(column)])
            self.n[j] += found.size if self.round == 0 else 0
            digit = ((found >> np.uint64(lowest)) & np.uint64((1 << bits) - 1)).astype(np.int64)
            for side in (0, 1):
                same = digit
                if self.round:
                    same = digit[found >> np.uint64(lowest + bits) == self._found[j, side]]
                self._counts[j, side] += np.bincount(same, minlength=1 << bits)

    def next(self) -> None:
        """Choose the next digit of both middle numbers, after all rows were counted."""
        _, bits = DIGITS[self.round]
        if self.round == 0:
            self._rank = np.stack([(self.n - 1) // 2, self.n // 2], axis=1)
        for j in np.flatnonzero(self.n):
            for side in (0, 1):
                below = np.cumsum(self._counts[j, side])
                digit = int(np.searchsorted(below, self._rank[j, side], side="right"))
                self._rank[j, side] -= below[digit] - self._counts[j, side, digit]
                self._found[j, side] = (self._found[j, side] << np.uint64(bits)) | np.uint64(digit)
        self.round += 1
        if not self.done:
            self._counts = self._zeros()

    def values(self) -> np.ndarray:
        """Return the medians; NaN for a column without numbers."""
        found = numbers_of(self._found)
        return np.where(self.n > 0, middle(found[:, 0], found[:, 1]), np.nan)
