"""RowProducts of compressed sparse rows, with a column of ones behind them, and vectors.  (compiled)

The functions of `dense_products`. A = (values, columns, starts), columns rising in each row; a vector of weights has
d + 1 numbers, the bias last. Rows with the factor 0 are not read.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import FAST, kernel


@kernel(FAST)
def scores(A, w, out):
    """Set out[i] = w·x_i + b."""
    val, col, ptr = A
    for i in range(out.shape[0]):
        s = w[w.shape[0] - 1]
        for k in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
            s += w[np.uint32(col[k])] * np.float64(val[k])
        out[i] = s


@kernel(FAST)
def combination(A, f, out):
    """Set out = Σ f_i·(x_i, 1)."""
    val, col, ptr = A
    for j in range(out.shape[0]):
        out[j] = 0.0
    total = 0.0
    for i in range(f.shape[0]):
        g = f[i]
        if g != 0.0:
            for k in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
                out[np.uint32(col[k])] += g * np.float64(val[k])
            total += g
    out[out.shape[0] - 1] = total


@kernel(FAST)
def curvature_times(A, h, p, out):
    """Set out = Σ h_i·⟨(x_i, 1), p⟩·(x_i, 1), reading each row once."""
    val, col, ptr = A
    last = out.shape[0] - 1
    for j in range(out.shape[0]):
        out[j] = 0.0
    total = 0.0
    for i in range(h.shape[0]):
        if h[i] != 0.0:
            lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
            s = p[last]
            for k in range(lo, hi):
                s += p[np.uint32(col[k])] * np.float64(val[k])
            s *= h[i]
            for k in range(lo, hi):
                out[np.uint32(col[k])] += s * np.float64(val[k])
            total += s
    out[last] = total


@kernel(FAST)
def curvature_diagonal(A, h, out):
    """Set out_j = Σ h_i·x_ij²."""
    val, col, ptr = A
    for j in range(out.shape[0]):
        out[j] = 0.0
    total = 0.0
    for i in range(h.shape[0]):
        g = h[i]
        if g != 0.0:
            for k in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
                x = np.float64(val[k])
                out[np.uint32(col[k])] += g * x * x
            total += g
    out[out.shape[0] - 1] = total


@kernel(FAST)
def squared_norms(A, out):
    """Set out[i] = |x_i|² + 1."""
    val, _, ptr = A
    for i in range(out.shape[0]):
        s = 1.0
        for k in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
            x = np.float64(val[k])
            s += x * x
        out[i] = s


@kernel(FAST)
def hessian(A, h, H):
    """Set the upper triangle of H = Σ h_i·(x_i, 1)(x_i, 1)'."""
    val, col, ptr = A
    last = H.shape[0] - 1
    for r in range(H.shape[0]):
        for j in range(H.shape[0]):
            H[r, j] = 0.0
    for i in range(h.shape[0]):
        g = h[i]
        if g != 0.0:
            hi = np.uint64(ptr[i + 1])
            for k in range(np.uint64(ptr[i]), hi):
                f = g * np.float64(val[k])
                r = np.uint32(col[k])
                for p in range(k, hi):
                    H[r, np.uint32(col[p])] += f * np.float64(val[p])
                H[r, last] += f
            H[last, last] += g


@kernel(FAST)
def gram_rows(A, bias, first, row, G):
    """Set rows and columns `first`, `first` + 1, … of G_ij = ⟨x_i, x_j⟩ + bias; row: d zeros, restored."""
    val, col, ptr = A
    for i in range(first, G.shape[0]):
        lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
        for k in range(lo, hi):
            row[np.uint32(col[k])] = np.float64(val[k])
        for j in range(i + 1):
            s = bias
            for k in range(np.uint64(ptr[j]), np.uint64(ptr[j + 1])):
                s += row[np.uint32(col[k])] * np.float64(val[k])
            G[i, j] = s
            G[j, i] = s
        for k in range(lo, hi):
            row[np.uint32(col[k])] = 0.0
