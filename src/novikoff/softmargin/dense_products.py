"""RowProducts of dense rows, with a column of ones behind them, and vectors.  (compiled)

`sparse_products` has the same functions. X: (n, d) in C order; a vector of weights has d + 1 numbers, the
bias last. Rows with the factor 0 are not read.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import FAST, kernel


@kernel(FAST)
def scores(X, w, out):
    """Set out[i] = w·x_i + b."""
    n, d = X.shape
    for i in range(n):
        s = w[d]
        for j in range(d):
            s += w[j] * np.float64(X[i, j])
        out[i] = s


@kernel(FAST)
def combination(X, f, out):
    """Set out = Σ f_i·(x_i, 1)."""
    n, d = X.shape
    for j in range(d + 1):
        out[j] = 0.0
    for i in range(n):
        g = f[i]
        if g != 0.0:
            for j in range(d):
                out[j] += g * np.float64(X[i, j])
            out[d] += g


@kernel(FAST)
def curvature_times(X, h, p, out):
    """Set out = Σ h_i·⟨(x_i, 1), p⟩·(x_i, 1), reading each row once."""
    n, d = X.shape
    for j in range(d + 1):
        out[j] = 0.0
    for i in range(n):
        if h[i] != 0.0:
            s = p[d]
            for j in range(d):
                s += p[j] * np.float64(X[i, j])
            s *= h[i]
            for j in range(d):
                out[j] += s * np.float64(X[i, j])
            out[d] += s


@kernel(FAST)
def curvature_diagonal(X, h, out):
    """Set out_j = Σ h_i·x_ij²."""
    n, d = X.shape
    for j in range(d + 1):
        out[j] = 0.0
    for i in range(n):
        g = h[i]
        if g != 0.0:
            for j in range(d):
                x = np.float64(X[i, j])
                out[j] += g * x * x
            out[d] += g


@kernel(FAST)
def squared_norms(X, out):
    """Set out[i] = |x_i|² + 1."""
    n, d = X.shape
    for i in range(n):
        s = 1.0
        for j in range(d):
            x = np.float64(X[i, j])
            s += x * x
        out[i] = s


@kernel(FAST)
def scaled_rows(X, which, factor, out):
    """Set out[k] = factor[which[k]]·(x, 1) of the row which[k]."""
    d = X.shape[1]
    for k in range(which.shape[0]):
        i = which[k]
        f = factor[i]
        for j in range(d):
            out[k, j] = f * np.float64(X[i, j])
        out[k, d] = f
