"""Products of rows, with a 1 behind them, and vectors, for dense and compressed sparse rows.  (compiled)

A vector of weights has d + 1 numbers, the bias last. Rows with the factor 0 are not read.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import add_row, look, square
from novikoff.kernels.mark import FAST, kernel


@kernel(FAST)
def scores(A, w, out):
    """Set out[i] = w·x_i + b."""
    for i in range(out.shape[0]):
        out[i] = look(A, i, w) + w[w.shape[0] - 1]


@kernel(FAST)
def combination(A, f, out):
    """Set out = Σ f_i·(x_i, 1)."""
    last = out.shape[0] - 1
    for j in range(last + 1):
        out[j] = 0.0
    for i in range(f.shape[0]):
        if f[i] != 0.0:
            add_row(A, i, out, f[i])
            out[last] += f[i]


@kernel(FAST)
def curvature_times(A, h, p, out):
    """Set out = Σ h_i·⟨(x_i, 1), p⟩·(x_i, 1), reading each row once."""
    last = out.shape[0] - 1
    for j in range(last + 1):
        out[j] = 0.0
    for i in range(h.shape[0]):
        if h[i] != 0.0:
            s = h[i] * (look(A, i, p) + p[last])
            add_row(A, i, out, s)
            out[last] += s


@kernel(FAST)
def squared_norms(A, out):
    """Set out[i] = |x_i|² + 1."""
    for i in range(out.shape[0]):
        out[i] = square(A, i) + 1.0


@kernel(FAST)
def scaled_rows(X, which, factor, out):
    """Set out[k] = factor[which[k]]·(x, 1) of the dense row which[k]."""
    d = X.shape[1]
    for k in range(which.shape[0]):
        i = which[k]
        f = factor[i]
        for j in range(d):
            out[k, j] = f * np.float64(X[i, j])
        out[k, d] = f


# ---- compressed sparse rows: (values, columns, starts), columns rising in each row -----------------------------------


@kernel(FAST)
def sparse_hessian(A, h, H):
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
def sparse_gram(A, bias, first, row, G):
    """Set rows and columns `first`, `first` + 1, … of G_ij = ⟨x_i, x_j⟩ + bias; row: d zeros, restored."""
    val, col, ptr = A
    for i in range(first, G.shape[0]):
        lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
        for k in range(lo, hi):
            row[np.uint32(col[k])] = np.float64(val[k])
        for j in range(i + 1):
            G[i, j] = look(A, j, row) + bias
            G[j, i] = G[i, j]
        for k in range(lo, hi):
            row[np.uint32(col[k])] = 0.0
