"""The verbs of a row in a dense array: X[i, 0..d).  (compiled)

`sparse` and `dense32` have the same verbs under the same names in the same order; kernels are written against these.
w: weights; v: their float32 copy (`dense32` only); g: signed step; q: |x|².
"""

from __future__ import annotations

import numpy as np

from novikoff.kernel import EXACT, FAST, kernel
from novikoff.sides.exact import put, reach


@kernel(EXACT)
def doubt(n, W2, R2):
    """How far a look's score may be from the exact one."""
    return reach(n, W2, R2)


@kernel(FAST)
def first_look(X, i, w, v):
    """Score and |x|² of a row that was never seen; a NaN or inf in it shows in |x|²."""
    s = 0.0
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        s += w[j] * x
        q += x * x
    return s, q


@kernel(FAST)
def look(X, i, w, v):
    """Score of a row."""
    s = 0.0
    for j in range(X.shape[1]):
        s += w[j] * np.float64(X[i, j])
    return s


@kernel(FAST)
def tile(X, rows, m, T, S):
    """S[r, k] = score in float32 of row rows[r] under plane T[k], r < m; four planes at a time (T has 4, 8, … rows)."""
    for r in range(m):
        i = rows[r]
        for k in range(0, T.shape[0], 4):
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
def grid(X, rows, m, T, S):
    """The same four rows and two planes at a time: faster for many columns and planes, slower for few."""
    for r in range(0, m, 4):
        i, i1, i2, i3 = rows[r], rows[min(r + 1, m - 1)], rows[min(r + 2, m - 1)], rows[min(r + 3, m - 1)]
        for k in range(0, T.shape[0], 2):
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


@kernel(FAST)
def fan(X, i, planes, T, S):
    """S[k] = score in float32 of a row under plane T[k] for the k in `planes`; three at a time."""
    m = planes.size
    for p in range(0, m, 3):
        k, k1, k2 = planes[p], planes[min(p + 1, m - 1)], planes[min(p + 2, m - 1)]
        s0 = np.float32(0)
        s1 = np.float32(0)
        s2 = np.float32(0)
        for j in range(X.shape[1]):
            x = np.float32(X[i, j])
            s0 += x * T[k, j]
            s1 += x * T[k1, j]
            s2 += x * T[k2, j]
        S[k], S[k1], S[k2] = s0, s1, s2


@kernel(FAST)
def square(X, i):
    """|x|² in binary64."""
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        q += x * x
    return q


@kernel(FAST)
def with_both(X, i, w, r):
    """⟨w, x⟩, ⟨r, x⟩ and |x|² in binary64."""
    s = 0.0
    t = 0.0
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        s += w[j] * x
        t += r[j] * x
        q += x * x
    return s, t, q


@kernel(FAST)
def second_look(X, i, w, b, pad):
    """Score, Σ|terms|, and 0 if weights and row are whole numbers."""
    s = b * pad
    a = abs(b * pad)
    f = abs(b - np.floor(b)) + abs(pad - np.floor(pad))
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        s += w[j] * x
        a += abs(w[j] * x)
        f += abs(x - np.floor(x)) + abs(w[j] - np.floor(w[j]))
    return s, a, f


@kernel(EXACT)
def put_row(acc, X, i, w, side):
    """acc += side·⟨w, x⟩, exactly; side is 1 or −1."""
    for j in range(X.shape[1]):
        put(acc, w[j], side * np.float64(X[i, j]))


@kernel(EXACT)
def put_square(acc, X, i):
    """acc += |x|², exactly."""
    for j in range(X.shape[1]):
        put(acc, np.float64(X[i, j]), np.float64(X[i, j]))


@kernel(EXACT)
def step(X, i, w, v, g):
    """w ← w + g·x, each coordinate rounded twice."""
    for j in range(X.shape[1]):
        w[j] = w[j] + g * np.float64(X[i, j])


@kernel(EXACT)
def mirror(X, i, w, T, k):
    """T's float32 copy of plane k after an update at row i."""
    for j in range(w.size):
        T[k, j] = np.float32(w[j])


@kernel(EXACT)
def changed(X, i, w, ref):
    """A column of the row in which w differs from ref, or −1."""
    for j in range(w.size):
        if w[j] != ref[j]:
            return j
    return -1


@kernel(EXACT)
def step_and_sum(X, i, w, v, g, u, h):
    """w ← w + g·x and u ← u + h·x, each coordinate rounded twice."""
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        w[j] = w[j] + g * x
        u[j] = u[j] + h * x


@kernel(EXACT)
def finite(X, i):
    """Whether all numbers of the row are finite."""
    for j in range(X.shape[1]):
        if not (abs(np.float64(X[i, j])) < np.inf):
            return False
    return True


@kernel(EXACT)
def tidy(X, lo, hi, d):
    """Whether in rows lo..hi every column is named once and exists."""
    return True


@kernel(EXACT)
def terms(X, i):
    """How many numbers the row stores."""
    return X.shape[1]
