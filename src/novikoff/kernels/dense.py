"""Row operations for a dense array: X[i, 0..d).  (compiled)

`sparse` and `dense32` have the same operations with the same names in the same order; kernels are written against them.
w: weights; v: their float32 copy (`dense32` only); g: signed step; q: |x|².
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import put, reach
from novikoff.kernels.mark import EXACT, FAST, kernel, prefetch
from novikoff.kernels.score_tiles import WIDE, by_four_rows, by_row


@kernel(EXACT)
def doubt(n, W2, R2):
    """Return a bound on the error of a look's score."""
    return reach(n, W2, R2)


@kernel(FAST)
def first_look(X, i, w, v):
    """Return score and |x|² of an unchecked row; a NaN or inf in it shows in |x|²."""
    s = 0.0
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        s += w[j] * x
        q += x * x
    return s, q


@kernel(FAST)
def look(X, i, w, v):
    """Return the score of a row."""
    s = 0.0
    for j in range(X.shape[1]):
        s += w[j] * np.float64(X[i, j])
    return s


@kernel(EXACT, inside=True)
def look64(X, i, w, s):
    """Return the score of a row in binary64; s: that of `look`."""
    return s


@kernel(EXACT)
def ordered_look(X, i, w):
    """Return the score of a row, summed from its first column to its last: the same bits everywhere."""
    s = 0.0
    for j in range(X.shape[1]):
        s += w[j] * np.float64(X[i, j])
    return s


@kernel(EXACT, inside=True)
def ordered_sums(X, i, w):
    """Return the score of a row and |x|², each summed from its first column to its last."""
    s = 0.0
    q = 0.0
    for j in range(np.uint64(X.shape[1])):
        x = np.float64(X[i, j])
        s += w[j] * x
        q += x * x
    return s, q


@kernel(EXACT)
def ordered_scores(X, i, w, planes, S):
    """Set S[p] = the score of a row under w[planes[p]] and return |x|², each summed from its first column to its last.

    If these are as many planes as w has, they are all in their order.
    """
    q = 0.0
    K = np.uint64(planes.size)
    for p in range(K):
        S[p] = 0.0
    for j in range(np.uint64(X.shape[1])):
        x = np.float64(X[i, j])
        q += x * x
        if planes.size == w.shape[0]:
            for p in range(K):
                S[p] += w[p, j] * x
        else:
            for p in range(K):
                S[p] += w[np.uint64(planes[p]), j] * x
    return q


@kernel(EXACT, inside=True)
def ordered_step(X, i, w, k, g):
    """w[k] ← w[k] + g·x, each coordinate rounded twice."""
    for j in range(np.uint64(X.shape[1])):
        w[k, j] = w[k, j] + g * np.float64(X[i, j])


@kernel(FAST)
def tile(X, rows, m, K, T, S):
    """Set S[r, k] = float32 score of row rows[r] under plane T[k], r < m, k < K; rows[m..2m) come next.

    T and S have room for a multiple of four planes.
    """
    if K <= 4 or X.shape[1] < WIDE:
        by_row(X, rows, m, K, T, S)
    else:
        by_four_rows(X, rows, m, K, T, S)


@kernel(EXACT)
def fetch(X, i):
    """Prefetch a row that will soon be read."""
    for j in range(0, X.shape[1], 64 // X.itemsize):
        prefetch(X, i, j)


@kernel(FAST)
def fan(X, i, planes, m, T, S, r):
    """Set S[r, k] = float32 score of row i under plane T[k] for the first m of `planes`, three at a time."""
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
        S[r, k], S[r, k1], S[r, k2] = s0, s1, s2


@kernel(FAST)
def square(X, i):
    """Return |x|² in binary64."""
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        q += x * x
    return q


@kernel(FAST)
def square_at_most(X, i):
    """Return an upper bound of |x|², close to it; NaN or inf if the row has such a value."""
    return square(X, i)


@kernel(FAST)
def second_look(X, i, w, b, pad):
    """Return score, Σ|terms|, and 0 if weights and row are integers."""
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
    """Add side·⟨w, x⟩ to acc, exactly; side is 1 or −1."""
    for j in range(X.shape[1]):
        put(acc, w[j], side * np.float64(X[i, j]))


@kernel(EXACT)
def put_square(acc, X, i):
    """Add |x|² to acc, exactly."""
    for j in range(X.shape[1]):
        put(acc, np.float64(X[i, j]), np.float64(X[i, j]))


@kernel(EXACT)
def step(X, i, w, v, g):
    """w ← w + g·x, each coordinate rounded twice."""
    for j in range(X.shape[1]):
        w[j] = w[j] + g * np.float64(X[i, j])


@kernel(EXACT)
def mirror(X, i, w, T, k):
    """Update T's float32 copy of plane k after an update at row i."""
    for j in range(w.size):
        T[k, j] = np.float32(w[j])


@kernel(EXACT)
def step_and_mirror(X, i, w, v, g, T, k):
    """`step`, and update T's float32 copy of plane k."""
    step(X, i, w, v, g)
    mirror(X, i, w, T, k)


@kernel(EXACT)
def changed(X, i, w, ref):
    """Return a column of the row in which w differs from ref, or −1."""
    for j in range(w.size):
        if w[j] != ref[j]:
            return j
    return -1


@kernel(EXACT)
def add_row(X, i, sums, g):
    """sums ← sums + g·x, each coordinate rounded twice."""
    for j in range(X.shape[1]):
        sums[j] = sums[j] + g * np.float64(X[i, j])


@kernel(EXACT)
def finite(X, i):
    """Return whether all numbers of the row are finite."""
    for j in range(X.shape[1]):
        if not (abs(np.float64(X[i, j])) < np.inf):
            return False
    return True


@kernel(EXACT)
def tidy(X, lo, hi, d):
    """Return whether in rows lo..hi every column index occurs once and is in range."""
    return True


@kernel(EXACT)
def terms(X, i):
    """Return how many numbers the row stores."""
    return X.shape[1]
