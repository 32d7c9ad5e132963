"""Sums whose bits depend neither on the machine nor on the storage.  (compiled)

    grid g      a power of two with Σ|w_j x_j| ≤ 2^51·g; every product is rounded to binary64, and that to a multiple of
                g; the multiples are summed as whole numbers, so any order of summation gives the same bits
    by halves   v_l + v_(l + size/2) for all l of the first half, and again: an order of summation that is defined,
                whose sums stand side by side, so that a machine makes many of them at once

A grid is passed as 3·2^51·g. A number added to it is rounded to the nearest multiple of g, and as adjacent binary64
numbers there differ by g, the difference of the bits is that multiple. Columns that are zero or missing change no bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from novikoff.kernels.mark import EXACT, kernel

LANES = 1 << 14  # parallel sums
PART = 1 << 11  # of them, that are added up together
FEW = 64  # up to this many numbers Python is faster than NumPy
THIRD = 2.0**-51 / 3.0  # of it and a grid 3·2^51·g the product is exactly g
SAFE = (2.0**-800, 2.0**1000)  # a sum of squares between them has not over- or underflowed
LOWEST = 2.0**-900  # the smallest sum that has a grid
NO_COLUMN = np.empty(0)


@kernel(EXACT, inside=True)
def on_grid(a, b, grid):  # type: ignore[no-untyped-def]
    """Return the bits of a·b + grid: a·b, rounded to the grid, in multiples of g, above the bits of the grid."""
    return np.float64(a * b + grid).view(np.int64)


@kernel(EXACT, inside=True)
def off_grid(total, count, grid):  # type: ignore[no-untyped-def]
    """Return the sum of `count` products on the grid, from the total of their bits modulo 2^64."""
    multiples = total - np.int64(count) * np.float64(grid).view(np.int64)
    return np.float64(multiples) * (grid * THIRD)


@kernel(EXACT)
def grid_for(most: float) -> float:
    """Return the grid for sums with Σ|terms| ≤ most."""
    _, power = math.frexp(max(most, LOWEST))
    return math.ldexp(3.0, power)


@kernel(EXACT)
def root_above(x: float) -> float:
    """Return the smallest power of two whose square is at least x, for 2^-1000 ≤ x ≤ 2^1000; 0 for 0."""
    if not (x > 0.0):
        return 0.0
    f, power = math.frexp(x)
    if f == 0.5:
        power -= 1
    return math.ldexp(1.0, (power + 1) // 2)


@kernel(EXACT)
def sums_of_squares(rows, last, sums):  # type: ignore[no-untyped-def]
    """Compute sums[i], the sum of squares of row i, by halves; last: one more column, or none."""
    lanes = np.empty(lanes_of(rows.shape[1] + (last.size > 0)))
    for i in range(rows.shape[0]):
        sums[i] = sum_of_squares(rows[i], last[i : i + 1], lanes)


@kernel(EXACT)
def lanes_of(count: int) -> int:
    """Return how many sums side by side so many numbers need."""
    size = 1
    while size < min(count, LANES):
        size *= 2
    return size


@kernel(EXACT)
def sum_of_squares(row: np.ndarray, last: np.ndarray, lanes: np.ndarray) -> float:
    """Compute the sum of squares of a row and of the number in `last`, if there is one, by halves.

    lanes: room for `lanes_of` sums; they are added up in parts that fit the CPU's first cache.
    """
    d, size = row.size, lanes.size
    for first in range(0, size, PART):
        end = min(first + PART, size)
        for j in range(np.uint64(first), np.uint64(end)):
            lanes[j] = 0.0
        for start in range(0, d, size):
            at = np.uint64(start)  # unsigned: no test for negative indices, so that the CPU adds several at once
            for j in range(np.uint64(first), np.uint64(min(end, d - start))):
                lanes[j] += row[at + j] * row[at + j]
    if last.size:
        lanes[d % size] += last[0] * last[0]
    half = size // 2
    while half > 0:
        for j in range(half):
            lanes[j] += lanes[half + j]
        half //= 2
    return float(lanes[0])


def ordered_products(rows: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return ⟨w, row⟩ of each row, summed from the first column to the last.

    Examples
    --------
    >>> ordered_products(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0])).tolist()
    [21.0, 43.0]
    """
    sums = np.zeros(len(rows))
    for column, weight in zip(rows.T, w, strict=True):
        sums += column * weight
    return sums


def length(numbers: np.ndarray) -> float:
    """Return the Euclidean norm of an array.

    Examples
    --------
    >>> length(np.array([3.0, 4.0])), length(np.array([3 * 2.0**-900, 2.0**-898])) == 5 * 2.0**-900
    (5.0, True)
    """
    return lengths(numbers.reshape(1, -1))[0]


def lengths(
    rows: np.ndarray,
    compiled: Callable[[np.ndarray, np.ndarray, np.ndarray], None] | None = None,
    last: np.ndarray = NO_COLUMN,
) -> list[float]:
    """Return the Euclidean norm of each row, summed by halves, without overflow or underflow in between.

    compiled: `sums_of_squares` as machine code; without it NumPy, or Python for a few numbers, computes the same sums.
    last: one more column of the rows.
    """
    if compiled is not None and rows.size > FEW:
        sums = np.empty(len(rows))
        compiled(rows, last, sums)
        return roots(sums, rows, last)
    rows = np.column_stack([rows, last]) if last.size else rows
    totals = [_by_halves(row) for row in rows.tolist()] if rows.size <= FEW else _by_lanes(rows)
    return roots(np.array(totals), rows, NO_COLUMN)


def roots(totals: np.ndarray, rows: np.ndarray, last: np.ndarray) -> list[float]:
    """Return the norm of each row from its sum of squares, without overflow or underflow."""
    return [
        math.sqrt(total) if SAFE[0] < total < SAFE[1] else _scaled(np.append(rows[i], last[i : i + 1]))
        for i, total in enumerate(totals.tolist())
    ]


def _by_lanes(rows: np.ndarray) -> list[float]:
    """Return the sum of squares of each row."""
    n, d = rows.shape
    lanes = np.zeros((n, min(LANES, 1 << max(d - 1, 0).bit_length())))
    with np.errstate(over="ignore"):
        for at in range(0, d, lanes.shape[1]):
            part = rows[:, at : at + lanes.shape[1]]
            lanes[:, : part.shape[1]] += part * part
        while lanes.shape[1] > 1:
            half = lanes.shape[1] // 2
            lanes = lanes[:, :half] + lanes[:, half:]
    sums: list[float] = lanes[:, 0].tolist()
    return sums


def _by_halves(row: list[float]) -> float:
    """Do the same for one row of a few numbers."""
    squares, size = [v * v for v in row], 1
    while size < len(row):
        size *= 2
    while size > 1:
        size //= 2
        for k in range(size, len(squares)):
            squares[k - size] += squares[k]
        del squares[size:]
    return squares[0]


def _scaled(row: np.ndarray) -> float:
    """Return the norm of numbers whose squares are too small or too large for binary64, or all 0."""
    largest = float(np.abs(row).max(initial=0.0))
    if largest == 0.0:
        return 0.0
    power = math.frexp(largest)[1]
    return math.ldexp(length(np.ldexp(row, -power)), power)
