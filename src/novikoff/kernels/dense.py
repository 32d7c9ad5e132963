"""Row operations for a dense array: X[i, 0..d).  (compiled)

`sparse` has the same operations with the same names in the same order; kernels are written against them.
w: weights; v: these, or their float32 copy, for fast scores; g: signed step; q: |x|². A fast score filters: one within
its error bound (`exact_sign.doubt`) is computed again in binary64, so the decision stays exact.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import put
from novikoff.kernels.mark import EXACT, FAST, add_columns, kernel, prefetch


@kernel(FAST, inside=True)
def first_look(X, i, v):
    """Return the score of an unchecked row and |x|², or an upper bound of it; a NaN or inf in the row shows there.

    In float32, |x|² may overflow to inf; then `square` has it.
    """
    kind, d = v.dtype.type, X.shape[1]
    s = kind(0)
    q = kind(0)
    for j in range(d):
        x = kind(X[i, j])
        s += v[j] * x
        q += x * x
    if v.itemsize == 4:
        return np.float64(s), np.float64(q) * (1.0 + (d + 8) * 2.0**-22) + (d + 8) * 2.0**-120
    return np.float64(s), np.float64(q)


@kernel(FAST, inside=True)
def look(X, i, v):
    """Return the score of a row, summed in the type of the weights v."""
    kind = v.dtype.type
    s = kind(0)
    for j in range(X.shape[1]):
        s += v[j] * kind(X[i, j])
    return np.float64(s)


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


@kernel(FAST)
def scores(X, i, V, shown, S):
    """Set S[k] = the score of a row under V[:, k], in the type of V, for the planes with shown[k] ≠ 0."""
    kind = V.dtype.type
    for k in range(shown.size):
        if shown[k] != 0:
            s = kind(0)
            for j in range(X.shape[1]):
                s += V[j, k] * kind(X[i, j])
            S[k] = s


@kernel(FAST)
def score_rows(X, i, m, V, S):
    """Set S[r, k] = the score of row i + r under V[:, k], for m ≤ 4 rows and an even number of planes, in float32.

    Four rows under two planes need the fewest loads: six for eight products.
    """
    i1, i2, i3 = i + min(1, m - 1), i + min(2, m - 1), i + m - 1
    for k in range(0, V.shape[1], 2):
        a0 = a1 = a2 = a3 = np.float32(0)
        b0 = b1 = b2 = b3 = np.float32(0)
        for j in range(X.shape[1]):
            a, b = V[j, k], V[j, k + 1]
            x0, x1, x2, x3 = np.float32(X[i, j]), np.float32(X[i1, j]), np.float32(X[i2, j]), np.float32(X[i3, j])
            a0 += x0 * a
            a1 += x1 * a
            a2 += x2 * a
            a3 += x3 * a
            b0 += x0 * b
            b1 += x1 * b
            b2 += x2 * b
            b3 += x3 * b
        S[0, k], S[1, k], S[2, k], S[3, k] = a0, a1, a2, a3
        S[0, k + 1], S[1, k + 1], S[2, k + 1], S[3, k + 1] = b0, b1, b2, b3


@kernel(EXACT)
def ordered_scores(X, i, V, S):
    """Set S[k] = the score of a row under V[:, k], summed from its first column to its last in the type of V."""
    kind, end = V.dtype.type, X.shape[1] & ~3
    for k in range(S.size):
        S[k] = 0
    for j in range(0, end, 4):
        x = kind(X[i, j]), kind(X[i, j + 1]), kind(X[i, j + 2]), kind(X[i, j + 3])
        add_columns(S, V, (j, j + 1, j + 2, j + 3), x)
    for j in range(end, X.shape[1]):
        add_columns(S, V, (j,), (kind(X[i, j]),))


@kernel(EXACT)
def fetch_weights(X, i, V):
    """Do nothing: the weights of a dense row follow each other in memory."""


@kernel(EXACT)
def fetch(X, i, listed):
    """Prefetch a row that will soon be read; in whatever order, the CPU waits for rows without it."""
    for j in range(0, X.shape[1], 64 // X.itemsize):
        prefetch(X, i, j)


@kernel(FAST)
def square(X, i):
    """Return |x|² in binary64."""
    q = 0.0
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        q += x * x
    return q


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
def copy_row(X, i, w, v):
    """Copy the weights in the columns of a row to v, their float32 copy."""
    for j in range(w.size):
        v[j] = np.float32(w[j])


@kernel(EXACT)
def add_row(X, i, w, g):
    """w ← w + g·x, each coordinate rounded twice."""
    for j in range(X.shape[1]):
        w[j] = w[j] + g * np.float64(X[i, j])


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
