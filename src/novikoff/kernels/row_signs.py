"""Compute exact signs and scores of rows, and count rows on the wrong side.  (compiled)

Written against the row operations of `dense`; `bind` substitutes those of the other storages. A plane is (w, b) on rows
padded by `pad` (1 with a bias, 0 without). Counts and scores have the exact sign of ⟨w, x⟩ + b·pad.

From the notes: C4, Z12.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import (
    finite,
    first_look,
    look,
    put_row,
    put_square,
    score_rows,
    second_look,
    square,
    terms,
    tidy,
)
from novikoff.kernels.exact_sign import BIG, LIMBS, TINY, clear, doubt, norm2, put, sign_of, sure, unit32, value_of
from novikoff.kernels.mark import EXACT, FAST, kernel

FINE, NOT_FINITE, TOO_LARGE, NOT_TIDY = 0, 1, 2, 3  # faults of a row


@kernel(EXACT)
def exact_sum(A, i, w, b, pad, plus, acc):
    """Set acc = ⟨w, x⟩ + b·pad + plus, exactly."""
    clear(acc)
    put(acc, b, pad)
    put(acc, plus, 1.0)
    put_row(acc, A, i, w, 1.0)


@kernel(EXACT)
def sign(A, i, w, b, pad, plus, acc):
    """Return the exact sign (−1, 0 or 1) of ⟨w, x⟩ + b·pad + plus, for a row whose fast score is within its error
    bound.
    """
    s, a, f = second_look(A, i, w, b, pad)
    g = sure(terms(A, i) + 2, s + plus, a + abs(plus), f + abs(plus - np.floor(plus)))
    if g != 2:
        return g
    exact_sum(A, i, w, b, pad, plus, acc)
    return sign_of(acc)


@kernel(FAST)
def survey(A, lo, hi, d, R2, pad):
    """Check rows before training: return (fault, its row, R2 ≥ |x|² + pad² of all rows so far)."""
    for i in range(lo, hi):
        if not tidy(A, i, i + 1, d):
            return NOT_TIDY, i, R2
        q = square(A, i)
        if not (q < BIG):
            return (TOO_LARGE if finite(A, i) else NOT_FINITE), i, R2
        R2 = max(R2, (q + pad * pad) * 1.01 + TINY)
    return FINE, hi, R2


@kernel(EXACT)
def longest(A, lo, hi, pad, most):
    """Return the largest of |x|² + pad², each exact sum rounded up once, and of `most`; for checked rows."""
    acc = np.empty(LIMBS, np.int64)
    for i in range(lo, hi):
        if (square(A, i) + pad * pad) * 1.01 + TINY > most:
            clear(acc)
            put(acc, pad, pad)
            put_square(acc, A, i)
            near = value_of(acc)  # the limbs are still the sum
            put(acc, -near, 1.0)
            most = max(most, np.nextafter(near, np.inf) if sign_of(acc) > 0 else near)
    return most


@kernel(FAST)
def row_scores(A, lo, hi, w, v, b, pad, out):
    """Set out[i] = ⟨w, x_i⟩ + b·pad with the exact sign, 0 only at a tie; return (fault, its row)."""
    d = w.size
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
        out[i] = s
        if not (abs(s) > doubt(terms(A, i) + 1, W2, (q + pad * pad) * 1.01 + TINY, v.itemsize == 4)):
            g = sign(A, i, w, b, pad, 0.0, acc)
            if not (g * s > 0.0):
                exact_sum(A, i, w, b, pad, 0.0, acc)
                out[i] = value_of(acc)
    return FINE, hi


@kernel(FAST)
def count_errors(A, y, w, v, b, pad, R2, errors):
    """Set errors[0], errors[1] = number of negative, positive rows with y·(⟨w, x⟩ + b·pad) ≤ 0."""
    acc = np.empty(LIMBS, np.int64)
    far = doubt(w.size + 1, norm2(w, b), R2, v.itemsize == 4)
    for i in range(y.size):
        side = float(y[i])
        s = side * (look(A, i, v) + b * pad)
        if s > far:
            continue
        if s < -far or side * sign(A, i, w, b, pad, 0.0, acc) <= 0.0:
            errors[1 if side > 0.0 else 0] += 1


@kernel(EXACT)
def compare(A, i, w, b, w1, b1, pad, acc):
    """Return the exact sign (−1, 0 or 1) of a row's score under (w, b) minus that under (w1, b1)."""
    s, a, f = second_look(A, i, w, b, pad)
    s1, a1, f1 = second_look(A, i, w1, b1, pad)
    g = sure(2 * terms(A, i) + 3, s - s1, a + a1, f + f1)
    if g != 2:
        return g
    clear(acc)
    put(acc, b, pad)
    put(acc, b1, -pad)
    put_row(acc, A, i, w, 1.0)
    put_row(acc, A, i, w1, -1.0)
    return sign_of(acc)


@kernel(EXACT)
def room_for(C, V, R2):
    """Return room for the scores of four rows, the error unit of each plane, and limbs.

    A score of n terms has an error of at most (n + 16) units.
    """
    unit = np.empty(C.shape[0])
    for k in range(C.shape[0]):
        unit[k] = unit32(norm2(C[k, :-1], C[k, -1]), R2)
    return np.empty((4, V.shape[1]), np.float32), unit, np.empty(LIMBS, np.int64)


@kernel(EXACT)
def score_row(A, lo, i, hi, V, tile):
    """Set tile[(i − lo) & 3] = the scores of row i, lo ≤ i < hi; those of four rows are computed at the first one."""
    if (i - lo) & 3 == 0:
        score_rows(A, i, min(4, hi - i), V, tile)


@kernel(EXACT)
def signs(A, lo, hi, C, V, pad, R2, out):
    """Set out[k, i − lo] = the exact sign of ⟨w_k, x_i⟩ + b_k·pad, for lo ≤ i < hi.

    C[k] = (w_k, b_k); V[:, k] is w_k in float32, see `score_rows`.
    """
    tile, unit, acc = room_for(C, V, R2)
    d = C.shape[1] - 1
    for i in range(lo, hi):
        score_row(A, lo, i, hi, V, tile)
        size = terms(A, i) + 17
        for k in range(unit.size):
            s = tile[(i - lo) & 3, k] + C[k, d] * pad
            g = 1 if s > 0.0 else -1
            if not (abs(s) > size * unit[k]):
                g = sign(A, i, C[k, :d], C[k, d], pad, 0.0, acc)
            out[k, i - lo] = g


@kernel(EXACT)
def highest(A, lo, hi, C, V, pad, R2, allowed, winner, alone):
    """Set winner[i − lo] = the allowed class with the highest exact score, the first of equal ones; alone[…]: no other
    is equal.

    C and V as in `signs`; allowed: (rows, classes), or (1, classes) for all rows.
    """
    tile, unit, acc = room_for(C, V, R2)
    d = C.shape[1] - 1
    for i in range(lo, hi):
        score_row(A, lo, i, hi, V, tile)
        S, best, n = tile[(i - lo) & 3], -1, terms(A, i) + 17
        for k in range(unit.size):
            if not allowed[min(i - lo, allowed.shape[0] - 1), k]:
                continue
            gap = 1.0
            if best >= 0:
                gap = (S[k] + C[k, d] * pad) - (S[best] + C[best, d] * pad)
                if not (abs(gap) > n * (unit[k] + unit[best])):
                    gap = float(compare(A, i, C[k, :d], C[k, d], C[best, :d], C[best, d], pad, acc))
            if gap > 0.0:
                best = k
                alone[i - lo] = True
            elif gap == 0.0:
                alone[i - lo] = False
        winner[i - lo] = best


@kernel(EXACT)
def sums_to_zero(values, rows, starts, times, y):
    """Return whether Σ times_i·y_i·x_i is exactly zero; x in compressed sparse columns (values, rows, starts).

    If it is, no plane has all these points on its own side (Gordan).
    """
    acc = np.empty(LIMBS, np.int64)
    for j in range(starts.size - 1):
        clear(acc)
        for p in range(starts[j], starts[j + 1]):
            i = rows[p]
            put(acc, float(times[i]) * float(y[i]), np.float64(values[p]))
        if sign_of(acc) != 0:
            return False
    return True
