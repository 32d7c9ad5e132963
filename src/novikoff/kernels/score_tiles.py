"""Compute the float32 scores of a few dense rows under many planes (a tile), in two ways.  (compiled)

    S[r, k] = ⟨T[k], X[rows[r]]⟩,  r < m,  k < K

One row under four planes reads each row once, sequentially: best while memory bandwidth is the limit. From five planes
and some columns on arithmetic is the limit, and four rows under two planes need the fewest loads, six for eight
products. `dense.tile` chooses between them; `exact_sign.unit32` has the error bound of a float32 sum.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import FAST, kernel, prefetch

WIDE = 64  # from this many columns on a tile is made of four rows at a time


@kernel(FAST)
def by_row(X, rows, m, K, T, S):
    """Compute a tile row by row, four planes at a time: best for few planes or columns."""
    for r in range(m):
        i = rows[r]
        for k in range(0, K, 4):
            s0 = np.float32(0)
            s1 = np.float32(0)
            s2 = np.float32(0)
            s3 = np.float32(0)
            for j in range(X.shape[1]):
                x = np.float32(X[i, j])
                s0 += x * T[k, j]
                s1 += x * T[k + 1, j]
                s2 += x * T[k + 2, j]
                s3 += x * T[k + 3, j]
            S[r, k], S[r, k + 1], S[r, k + 2], S[r, k + 3] = s0, s1, s2, s3


@kernel(FAST)
def by_four_rows(X, rows, m, K, T, S):
    """Compute a tile four rows and two planes at a time: six loads for eight products.

    The arithmetic takes longer than loading the next rows, so these are prefetched meanwhile, in small parts.
    """
    line = 64 // X.itemsize
    part = -(-2 * X.shape[1] // (K * line)) * line
    for r in range(0, m, 4):
        i, i1, i2, i3 = rows[r], rows[min(r + 1, m - 1)], rows[min(r + 2, m - 1)], rows[min(r + 3, m - 1)]
        for k in range(0, K, 2):
            for q in range(m + r, min(m + r + 4, 2 * m)):
                for j in range(part * (k // 2), min(part * (k // 2 + 1), X.shape[1]), line):
                    prefetch(X, rows[q], j)
            a0 = np.float32(0)
            a1 = np.float32(0)
            a2 = np.float32(0)
            a3 = np.float32(0)
            c0 = np.float32(0)
            c1 = np.float32(0)
            c2 = np.float32(0)
            c3 = np.float32(0)
            for j in range(X.shape[1]):
                a = T[k, j]
                c = T[k + 1, j]
                x = np.float32(X[i, j])
                a0 += x * a
                c0 += x * c
                x = np.float32(X[i1, j])
                a1 += x * a
                c1 += x * c
                x = np.float32(X[i2, j])
                a2 += x * a
                c2 += x * c
                x = np.float32(X[i3, j])
                a3 += x * a
                c3 += x * c
            S[r, k], S[r, k + 1] = a0, c0
            S[min(r + 1, m - 1), k], S[min(r + 1, m - 1), k + 1] = a1, c1
            S[min(r + 2, m - 1), k], S[min(r + 2, m - 1), k + 1] = a2, c2
            S[min(r + 3, m - 1), k], S[min(r + 3, m - 1), k + 1] = a3, c3
