"""The length of a plane, and products summed in a fixed order."""

from __future__ import annotations

import math

import numpy as np

SAFE = (2.0**-800, 2.0**1000)  # a sum of squares between them has not over- or underflowed


def length(w: np.ndarray, b: float = 0.0) -> float:
    """Return the Euclidean norm of (w, b), without overflow or underflow in between.

    Examples
    --------
    >>> length(np.array([3.0, 4.0])), length(np.array([3 * 2.0**-900]), 2.0**-898) == 5 * 2.0**-900
    (5.0, True)
    """
    with np.errstate(over="ignore"):
        total = float(np.einsum("j,j->", w, w)) + b * b  # without BLAS, whose threads would wait for each other
    if SAFE[0] < total < SAFE[1]:
        return math.sqrt(total)
    largest = max(float(np.abs(w).max(initial=0.0)), abs(b))
    if largest == 0.0:
        return 0.0
    power = math.frexp(largest)[1]
    return math.ldexp(length(np.ldexp(w, -power), math.ldexp(b, -power)), power)


def ordered_products(rows: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return ⟨w, row⟩ of each row, summed from the first column to the last: the same bits on every machine.

    Examples
    --------
    >>> ordered_products(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0])).tolist()
    [21.0, 43.0]
    """
    sums = np.zeros(len(rows))
    for column, weight in zip(rows.T, w, strict=True):
        sums += column * weight
    return sums
