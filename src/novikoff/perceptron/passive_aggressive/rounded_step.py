"""The step of the passive-aggressive rules: score and |x|² are exact sums rounded once.  (compiled)

    step = η·(1 − m)/|x|²   from   m = y·(⟨w, x⟩ + b·pad)   and   |x|² + pad²   (pa1, pa2: `rules`)

A step has the same bits on every machine because both sums are correctly rounded. The exact sum is rarely needed:

    1. two parts    the sum in about twice 53 bits, and a bound e on its error (`reproducible_sums.two_parts`)
                    hi + (lo − e) and hi + (lo + e) round to the same number  ⇒  so does the exact sum
    2. exact parts  where they differ, a test whether hi + lo is exact: then e = 0, also for a sum that is halfway
                    between two numbers, as happens often where the points are whole numbers
    3. exact sum    in limbs (`exact_sign`), the rest: the bound holds two numbers, or the sum is near 0
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import parts_are_exact, put_square, score_parts, square_parts, terms
from novikoff.kernels.exact_sign import BIG, LIMBS, TINY, clear, put, value_of
from novikoff.kernels.mark import EXACT, kernel
from novikoff.kernels.reproducible_sums import NORMAL, error_of_rests, fine_grid, grid_above, is_exact, two_parts
from novikoff.kernels.row_signs import exact_sum
from novikoff.perceptron import slots
from novikoff.perceptron.rules import pa, pa1, pa2

PA, PA1, PA2 = 2, 3, 4  # places in RULES


@kernel(EXACT)
def rounded_score(A, i, w, b, num):
    """Return ⟨w, x⟩ + b·pad, the exact sum rounded once."""
    pad, n = num[slots.PAD], terms(A, i)
    grid = grid_above(num[slots.W2], num[slots.R2])
    hi, lo = score_parts(A, i, w, grid)
    multiple, rest = two_parts(b, pad, grid)
    hi, lo, off = hi + multiple, lo + rest, error_of_rests(n + 1, grid)
    value = hi + (lo - off)
    if value == hi + (lo + off) and abs(value) > NORMAL:
        return value
    fine = fine_grid(n + 1, grid)
    if fine > NORMAL and is_exact(b, pad, grid, fine) and parts_are_exact(A, i, w, grid, fine):
        return hi + lo + 0.0  # no −0.0
    return exact_score(A, i, w, b, pad)


@kernel(EXACT)
def rounded_square(A, i, num):
    """Return |x|² + pad², the exact sum rounded once."""
    pad, n = num[slots.PAD], terms(A, i)
    grid = grid_above(num[slots.R2], num[slots.R2])
    hi, lo = square_parts(A, i, grid)
    multiple, rest = two_parts(pad, pad, grid)
    hi, lo, off = hi + multiple, lo + rest, error_of_rests(n + 1, grid)
    value = hi + (lo - off)
    if value == hi + (lo + off) and value > NORMAL:
        return value
    return exact_square(A, i, pad)


@kernel(EXACT)
def exact_score(A, i, w, b, pad):
    """Return ⟨w, x⟩ + b·pad from the exact sum."""
    acc = np.empty(LIMBS, np.int64)
    exact_sum(A, i, w, b, pad, 0.0, acc)
    return value_of(acc)


@kernel(EXACT)
def exact_square(A, i, pad):
    """Return |x|² + pad² from the exact sum."""
    acc = np.empty(LIMBS, np.int64)
    clear(acc)
    put(acc, pad, pad)
    put_square(acc, A, i)
    return value_of(acc)


@kernel(EXACT)
def step_length(m, q, rule, C):
    """Return the step of the rule for the score m of a point with |x|² = q."""
    return pa(m, q) if rule == PA else pa1(m, q, C) if rule == PA1 else pa2(m, q, C)


@kernel(EXACT)
def grow_by_score(m, q, rate, num):
    """Set the bound on |w|² after the update w + rate·y·x.

    |w + ηyx|² = |w|² + η(2m + η|x|²), and a margin for the roundings of the update, of m and |x|², and of this sum.
    """
    length2 = rate * (rate * q)
    W2 = num[slots.W2] + rate * (2.0 * m + rate * q) + 2.0**-46 * (num[slots.W2] + length2) + TINY
    num[slots.W2] = max(W2, TINY) if W2 < BIG else BIG
