"""The verbs of a row in a dense float32 array, with float32 as a filter.  (compiled)

Scores are taken with v, a float32 copy of the binary64 weights; what falls inside the wider bound is looked at again in
binary64, so the decision stays exact:

    |s32 − s| ≤ 1.01 (n+16) 2^-24 |w||x| + √n 2^-148 (|w| + |x|) + (n+16) 2^-146

and nothing is decided (the bound is inf) where float32 could overflow.
"""

from __future__ import annotations

import numpy as np

from novikoff.compile import EXACT, FAST, kernel
from novikoff.sides.dense import changed, finite, put_row, put_square, second_look, square, terms, tidy

__all__ = [
    "changed",
    "doubt",
    "fan",
    "finite",
    "first_look",
    "look",
    "put_row",
    "put_square",
    "second_look",
    "square",
    "step",
    "step_and_sum",
    "terms",
    "tidy",
    "tile",
]


@kernel(EXACT)
def doubt(n, W2, R2):
    """How far a look's score may be from the exact one."""
    wn, rn = np.sqrt(W2), np.sqrt(R2)
    if not (wn < 2.0**100 and rn < 2.0**100 and wn * rn < 2.0**100):
        return np.inf
    roots = np.sqrt(np.float64(n)) * 2.0**-148 * (wn + rn)
    return (n + 16) * 2.0**-24 * (wn * rn) * 1.01 + roots + (n + 16) * 2.0**-146


@kernel(FAST)
def first_look(X, i, w, v):
    """Score, and a bound of |x|² from above (it may overflow to inf: then `square` tells)."""
    d = X.shape[1]
    s = np.float32(0)
    q = np.float32(0)
    for j in range(d):
        x = X[i, j]
        s += v[j] * x
        q += x * x
    return np.float64(s), np.float64(q) * (1.0 + (d + 8) * 2.0**-22) + (d + 8) * 2.0**-120


@kernel(FAST)
def look(X, i, w, v):
    """Score of a row."""
    s = np.float32(0)
    for j in range(X.shape[1]):
        s += v[j] * X[i, j]
    return np.float64(s)


@kernel(FAST)
def tile(X, rows, m, T, S):
    """S[r, k] = score of row rows[r] under plane T[k], r < m; four rows and two planes at a time."""
    K = T.shape[0]
    for r in range(0, m, 4):
        i, i1, i2, i3 = rows[r], rows[min(r + 1, m - 1)], rows[min(r + 2, m - 1)], rows[min(r + 3, m - 1)]
        for k in range(0, K, 2):
            k1 = min(k + 1, K - 1)
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
                c = T[k1, j]
                a0 += a * X[i, j]
                a1 += a * X[i1, j]
                a2 += a * X[i2, j]
                a3 += a * X[i3, j]
                c0 += c * X[i, j]
                c1 += c * X[i1, j]
                c2 += c * X[i2, j]
                c3 += c * X[i3, j]
            S[r, k], S[r, k1] = a0, c0
            if r + 1 < m:
                S[r + 1, k], S[r + 1, k1] = a1, c1
            if r + 2 < m:
                S[r + 2, k], S[r + 2, k1] = a2, c2
            if r + 3 < m:
                S[r + 3, k], S[r + 3, k1] = a3, c3


@kernel(FAST)
def fan(X, i, planes, T, S):
    """S[k] = score of a row under plane T[k] for the k in `planes`; three at a time."""
    m = planes.size
    for p in range(0, m, 3):
        k, k1, k2 = planes[p], planes[min(p + 1, m - 1)], planes[min(p + 2, m - 1)]
        s0 = np.float32(0)
        s1 = np.float32(0)
        s2 = np.float32(0)
        for j in range(X.shape[1]):
            x = X[i, j]
            s0 += x * T[k, j]
            s1 += x * T[k1, j]
            s2 += x * T[k2, j]
        S[k], S[k1], S[k2] = s0, s1, s2


@kernel(EXACT)
def step(X, i, w, v, g):
    """w ← w + g·x, each coordinate rounded twice; v follows."""
    for j in range(X.shape[1]):
        new = w[j] + g * np.float64(X[i, j])
        w[j] = new
        v[j] = np.float32(new)


@kernel(EXACT)
def step_and_sum(X, i, w, v, g, u, h):
    """w ← w + g·x and u ← u + h·x, each coordinate rounded twice; v follows w."""
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        new = w[j] + g * x
        w[j] = new
        v[j] = np.float32(new)
        u[j] = u[j] + h * x
