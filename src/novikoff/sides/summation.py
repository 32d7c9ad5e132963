"""Sums whose bits depend neither on the machine nor on the storage.  (compiled)

    grid g      a power of two with Σ|w_j x_j| ≤ 2^51·g; every product is rounded to binary64, and that to a multiple of
                g; sums of such numbers below 2^53·g are exact, so any order of summation gives the same bits
    by halves   v_l + v_(l + size/2) for all l of the first half, and again: an order of summation that is defined,
                whose sums stand side by side, so that a machine makes many of them at once

A grid is handed over as 3·2^51·g: added to a number and taken away again it leaves the nearest multiple of g. Columns
that hold zeros, or that are not there, change no bit.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernel import EXACT, kernel

LANES = 1 << 14  # sums that are kept side by side
NEAR_ONE = 400  # numbers from 2^-400 to 2^400 are squared as they are
LOWEST = 2.0**-900  # no grid is made for smaller sums


@kernel(EXACT, inside=True)
def on_grid(a: float, b: float, grid: float) -> float:
    """a·b, rounded to the grid."""
    p = a * b
    return (p + grid) - grid


@kernel(EXACT)
def grid_for(most: float) -> float:
    """The grid for sums with Σ|terms| ≤ most."""
    _, power = math.frexp(max(most, LOWEST))
    return math.ldexp(3.0, power)


@kernel(EXACT)
def root_above(x: float) -> float:
    """The smallest power of two whose square is x or more, for 2^-1000 ≤ x ≤ 2^1000; 0 for 0."""
    if not (x > 0.0):
        return 0.0
    f, power = math.frexp(x)
    if f == 0.5:
        power -= 1
    return math.ldexp(1.0, (power + 1) // 2)


def length(numbers: np.ndarray) -> float:
    """The root of the sum of squares of all numbers of an array.

    Examples
    --------
    >>> length(np.array([3.0, 4.0])), length(np.array([3e-300, 4e-300]))
    (5.0, 5e-300)
    """
    return float(lengths(numbers.reshape(1, -1))[0])


def lengths(rows: np.ndarray) -> np.ndarray:
    """The root of the sum of squares of each row, summed by halves; nothing overflows or is lost on the way."""
    largest = float(np.abs(rows).max(initial=0.0))
    power = math.frexp(largest)[1]
    if largest > 0.0 and abs(power) > NEAR_ONE:
        return np.asarray(np.ldexp(lengths(np.ldexp(rows, -power)), power))
    n, d = rows.shape
    lanes = np.zeros((n, min(LANES, 1 << max(d - 1, 0).bit_length())))
    for at in range(0, d, lanes.shape[1]):
        part = rows[:, at : at + lanes.shape[1]]
        lanes[:, : part.shape[1]] += part * part
    while lanes.shape[1] > 1:
        half = lanes.shape[1] // 2
        lanes = lanes[:, :half] + lanes[:, half:]
    return np.asarray(np.sqrt(lanes[:, 0]))
