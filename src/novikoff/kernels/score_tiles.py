"""Compute the float32 scores of a few rows under many planes (a tile), in ways that suit the storage.  (compiled)

    S[r, k] = ⟨T[k], X[rows[r]]⟩,  r < m,  k < K

One row under four planes reads each row once, sequentially: best while memory bandwidth is the limit. From five planes
and some columns on arithmetic is the limit, and four rows under two planes need the fewest loads, six for eight
products. `dense.tile` chooses between them; `exact_sign.unit32` has the error bound of a float32 sum.

Sparse rows: T[0, column] holds the weights of all planes in a column, side by side, and GROUP planes are scored at a
time: one load of the CPU reads their weights, and the sums of a row stay in registers. T is a float32 copy of the
weights of all planes, or has the binary64 weights of one group themselves.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import EXACT, FAST, FUSED, kernel, prefetch

WIDE = 64  # from this many columns on a tile is computed four rows at a time
GROUP = 4  # planes of a group, for sparse rows


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


@kernel(FUSED, inside=True, slp=True)
def by_group(val, col, lo, hi, first, T, S, r, k):
    """Set S[r, k..k + 4) = float32 scores of the row in lo ≤ j < hi under the planes from `first` on, four sums each.

    Values and columns are given apart: taking them from the tuple of the row would cost atomic counts of references.
    """
    f0, f1, f2, f3 = np.uint64(first), np.uint64(first + 1), np.uint64(first + 2), np.uint64(first + 3)
    whole = lo + ((hi - lo) & ~np.uint64(3))
    a0 = a1 = a2 = a3 = np.float32(0)
    b0 = b1 = b2 = b3 = np.float32(0)
    c0 = c1 = c2 = c3 = np.float32(0)
    d0 = d1 = d2 = d3 = np.float32(0)
    for j in range(lo, whole, np.uint64(4)):
        x, n = np.float32(val[j]), np.uint32(col[j])
        x1, n1 = np.float32(val[j + np.uint64(1)]), np.uint32(col[j + np.uint64(1)])
        x2, n2 = np.float32(val[j + np.uint64(2)]), np.uint32(col[j + np.uint64(2)])
        x3, n3 = np.float32(val[j + np.uint64(3)]), np.uint32(col[j + np.uint64(3)])
        a0 += x * T[0, n, f0]
        a1 += x * T[0, n, f1]
        a2 += x * T[0, n, f2]
        a3 += x * T[0, n, f3]
        b0 += x1 * T[0, n1, f0]
        b1 += x1 * T[0, n1, f1]
        b2 += x1 * T[0, n1, f2]
        b3 += x1 * T[0, n1, f3]
        c0 += x2 * T[0, n2, f0]
        c1 += x2 * T[0, n2, f1]
        c2 += x2 * T[0, n2, f2]
        c3 += x2 * T[0, n2, f3]
        d0 += x3 * T[0, n3, f0]
        d1 += x3 * T[0, n3, f1]
        d2 += x3 * T[0, n3, f2]
        d3 += x3 * T[0, n3, f3]
    for j in range(whole, hi):
        x, n = np.float32(val[j]), np.uint32(col[j])
        a0 += x * T[0, n, f0]
        a1 += x * T[0, n, f1]
        a2 += x * T[0, n, f2]
        a3 += x * T[0, n, f3]
    S[r, k] = (a0 + b0) + (c0 + d0)
    S[r, k + 1] = (a1 + b1) + (c1 + d1)
    S[r, k + 2] = (a2 + b2) + (c2 + d2)
    S[r, k + 3] = (a3 + b3) + (c3 + d3)


@kernel(FUSED, inside=True, slp=True)
def by_group64(val, col, lo, hi, T, S):
    """Set S[0, 0..4) = binary64 scores of the row in lo ≤ j < hi under the planes of the group, two sums each."""
    whole = lo + ((hi - lo) & ~np.uint64(1))
    a0 = a1 = a2 = a3 = 0.0
    b0 = b1 = b2 = b3 = 0.0
    for j in range(lo, whole, np.uint64(2)):
        x, n = np.float64(val[j]), np.uint32(col[j])
        x1, n1 = np.float64(val[j + np.uint64(1)]), np.uint32(col[j + np.uint64(1)])
        a0 += x * T[0, n, 0]
        a1 += x * T[0, n, 1]
        a2 += x * T[0, n, 2]
        a3 += x * T[0, n, 3]
        b0 += x1 * T[0, n1, 0]
        b1 += x1 * T[0, n1, 1]
        b2 += x1 * T[0, n1, 2]
        b3 += x1 * T[0, n1, 3]
    for j in range(whole, hi):
        x, n = np.float64(val[j]), np.uint32(col[j])
        a0 += x * T[0, n, 0]
        a1 += x * T[0, n, 1]
        a2 += x * T[0, n, 2]
        a3 += x * T[0, n, 3]
    S[0, 0] = a0 + b0
    S[0, 1] = a1 + b1
    S[0, 2] = a2 + b2
    S[0, 3] = a3 + b3


@kernel(EXACT, inside=True)
def fetch_columns(col, lo, hi, W):
    """Prefetch W[column] for the columns in lo ≤ j < hi, those of the row that will be scored next."""
    for j in range(lo, hi):
        prefetch(W, np.uint32(col[j]), 0)


@kernel(EXACT, slp=True)
def fill_group(w, first, after, T):
    """Set the only group of T to the weights of the planes first ≤ k < after."""
    if after - first == GROUP:
        for c in range(w.shape[1]):
            T[0, c, 0] = w[first, c]
            T[0, c, 1] = w[first + 1, c]
            T[0, c, 2] = w[first + 2, c]
            T[0, c, 3] = w[first + 3, c]
        return
    for c in range(w.shape[1]):
        for k in range(GROUP):
            T[0, c, k] = w[first + k, c] if first + k < after else 0.0


@kernel(EXACT, slp=True)
def empty_group(T, w, first, after):
    """Store the weights of the only group of T in the planes first ≤ k < after."""
    if after - first == GROUP:
        for c in range(w.shape[1]):
            w[first, c] = T[0, c, 0]
            w[first + 1, c] = T[0, c, 1]
            w[first + 2, c] = T[0, c, 2]
            w[first + 3, c] = T[0, c, 3]
        return
    for k in range(first, after):
        for c in range(w.shape[1]):
            w[k, c] = T[0, c, k - first]
