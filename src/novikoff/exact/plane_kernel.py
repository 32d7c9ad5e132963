"""Compute the exact sign of every row under one plane of integers of any size, in one pass.  (compiled)

The plane is a sum of planes of doubles, C[0] + C[1] + …, where C[0] is the plane rounded. A row is scored under C[0];
the rest, |plane − C[0]| ≤ rest and coordinate by coordinate ≤ share of C[0], widens the bounds of `exact_sign`. A row
within the bounds gets the exact sum over all C, in limbs.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import finite, first_look, ordered_look, put_row, second_look, square, terms, tidy
from novikoff.kernels.exact_sign import BIG, LIMBS, TINY, clear, doubt, norm2, put, sign_of, value_of
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.row_signs import FINE, NOT_FINITE, NOT_TIDY, TOO_LARGE


@kernel(FAST)
def margins(A, y, lo, hi, C, v, rest, share, pad, ranked, out):
    """Set out[i] = y_i·(⟨w, x_i⟩ + b·pad) with the exact sign, 0 only at a tie; return (fault, its row).

    NaN where all the C do not determine the sign: share ≥ 1 means that they are not the whole plane. Numbers ≤ ranked
    are summed in a defined order, so that a choice among them is the same everywhere; of the others only the sign is.
    """
    d = C.shape[1] - 1
    w, b = C[0, :d], C[0, d]
    W2 = norm2(w, b)
    acc = np.empty(LIMBS, np.int64)
    for i in range(lo, hi):
        if not tidy(A, i, i + 1, d):
            return NOT_TIDY, i
        s, q = first_look(A, i, v)
        s += b * pad
        if not (q < BIG):
            q = square(A, i)
            if not (q < BIG):
                return (TOO_LARGE if finite(A, i) else NOT_FINITE), i
        q = (q + pad * pad) * 1.01 + TINY
        if not (abs(s) > doubt(terms(A, i) + 1, W2, q, v.itemsize == 4) + rest * np.sqrt(q)):
            s = settled(A, i, C, share, pad, acc)
        m = float(y[i]) * s
        if m <= ranked and m != 0.0:
            t = float(y[i]) * (ordered_look(A, i, w) + b * pad)
            m = t if t != 0.0 and (t > 0.0) == (m > 0.0) else np.sign(m) * TINY
        out[i] = m
    return FINE, hi


@kernel(EXACT)
def settled(A, i, C, share, pad, acc):
    """Return the score of a doubtful row with its exact sign, or NaN."""
    d = C.shape[1] - 1
    n = terms(A, i) + 11
    s, a, f = second_look(A, i, C[0, :d], C[0, d], pad)
    if abs(s) > (n * 2.0**-53 * 1.01 + share) * a + n * 2.0**-1070 and a < np.inf:
        return s
    if share == 0.0 and f == 0.0 and a < 2.0**53 * 0.99:
        return s
    if share >= 1.0:
        return np.nan
    clear(acc)
    for k in range(C.shape[0]):
        put(acc, C[k, d], pad)
        put_row(acc, A, i, C[k, :d], 1.0)
    return value_of(acc) if sign_of(acc) != 0 else 0.0
