"""Count the errors of many planes on dense rows: planes in the lanes of vectors, rows broadcast.  (compiled)

    S[r, k] = Σ_j X[i + r, j]·T[j, k]:  each weight is loaded once for ROWS rows, and no vector is summed across

Rows are converted to float32 a few at a time, which also brings them into the cache in order. Scores within the bound
of a float32 sum (`exact_sign.unit32`) are settled by the exact sign, so the counts are exact.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import LIMBS, norm2, unit32
from novikoff.kernels.mark import EXACT, LANES, ROWS, kernel, lane_scores, prefetch
from novikoff.kernels.row_signs import sign

CHUNK = 4 * ROWS  # rows converted together


@kernel(EXACT)
def count_in_lanes(X, C, T, pad, R2, y, errors):
    """Add to errors[k, 0], errors[k, 1] the number of negative, positive rows with y·(⟨w_k, x⟩ + b_k·pad) ≤ 0.

    C[k] = (w_k, b_k); T[j, k] holds the w_k in float32, padded with zeros to a multiple of LANES planes.
    """
    K, d = C.shape[0], C.shape[1] - 1
    F, S = np.zeros((CHUNK, d), np.float32), np.empty((CHUNK, T.shape[1]), np.float32)
    bias, far, wrong = np.empty(K), np.empty(K), np.zeros((2, K), np.int64)
    acc, settled = np.empty(LIMBS, np.int64), np.zeros(2, np.int64)
    for k in range(K):
        bias[k], far[k] = C[k, d] * pad, (d + 17) * unit32(norm2(C[k, :d], C[k, d]), R2)
    for lo in range(0, y.size, CHUNK):
        hi = min(y.size, lo + CHUNK)
        convert(X, lo, hi, F)
        score(F, T, S)
        if count(S, y, lo, hi, bias, far, wrong):
            settle(X, C, pad, y, lo, hi, S, bias, far, wrong, acc, settled)
    for k in range(K):
        errors[k, 0] += wrong[0, k]
        errors[k, 1] += wrong[1, k]


@kernel(EXACT)
def convert(X, lo, hi, F):
    """Set F = rows lo ≤ i < hi in float32; the rows after them are prefetched while these are scored."""
    for i in range(lo, hi):
        for j in range(0, X.shape[1], 64 // X.itemsize):
            prefetch(X, min(i + CHUNK, X.shape[0] - 1), j)
        for j in range(X.shape[1]):
            F[i - lo, j] = np.float32(X[i, j])


@kernel(EXACT)
def score(F, T, S):
    """Set S[r, k] = float32 score of row r under plane k."""
    for first in range(0, T.shape[1], LANES):
        for r in range(0, CHUNK, ROWS):
            lane_scores(F, r, F.shape[1], T, first, S)


@kernel(EXACT)
def count(S, y, lo, hi, bias, far, wrong):
    """Count rows on the wrong side where that is sure; return whether some other is in doubt."""
    sure = 0
    for i in range(lo, hi):
        side, at = (1.0, 1) if y[i] > 0 else (-1.0, 0)
        for k in range(bias.size):
            s = side * (S[i - lo, k] + bias[k])
            miss = np.int64(s < -far[k])
            wrong[at, k] += miss
            sure += miss + np.int64(s > far[k])
    return sure < (hi - lo) * bias.size


@kernel(EXACT)
def settle(X, C, pad, y, lo, hi, S, bias, far, wrong, acc, settled):
    """Count rows that are in doubt, by the exact sign."""
    d = C.shape[1] - 1
    for i in range(lo, hi):
        for k in range(C.shape[0]):
            if not (abs(S[i - lo, k] + bias[k]) > far[k]):
                g = sign(X, i, C[k, :d], C[k, d], pad, 0.0, acc, settled)
                wrong[1 if y[i] > 0 else 0, k] += float(y[i]) * g <= 0.0
