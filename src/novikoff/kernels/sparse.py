"""Row operations for compressed sparse rows: A = (values, columns, starts).  (compiled)

The same operations as `dense`. Column indices are read as unsigned: without the test for negative ones a look is 1.5 to
2 times faster; `tidy` checks every row before another operation reads it.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import put
from novikoff.kernels.mark import EXACT, FAST, add_columns, kernel, prefetch

FETCHED = np.uint64(512)  # numbers of a row that are prefetched


@kernel(FAST, inside=True)
def first_look(A, i, v):
    """Return score and |x|² of an unchecked row; a NaN or inf in it shows in |x|²."""
    val, col, ptr = A
    s = 0.0
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        s += v[np.uint32(col[j])] * x
        q += x * x
    return s, q


@kernel(FAST, inside=True)
def look(A, i, v):
    """Return the score of a row."""
    val, col, ptr = A
    s = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        s += v[np.uint32(col[j])] * np.float64(val[j])
    return s


@kernel(EXACT)
def ordered_look(A, i, w):
    """Return the score of a row, summed from its first column to its last: the same bits everywhere."""
    val, col, ptr = A
    s = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        s += w[np.uint32(col[j])] * np.float64(val[j])
    return s


@kernel(EXACT, inside=True)
def ordered_sums(A, i, w):
    """Return the score of a row and |x|², each summed from its first column to its last."""
    val, col, ptr = A
    s = 0.0
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        s += w[np.uint32(col[j])] * x
        q += x * x
    return s, q


@kernel(EXACT)
def scores(A, i, V, shown, S):
    """Set S[k] = the score of a row under V[:, k]; those of all planes cost less than a choice."""
    ordered_scores(A, i, V, S)


@kernel(EXACT)
def score_rows(A, i, m, V, S):
    """Set S[r, k] = the score of row i + r under V[:, k], for m ≤ 4 rows."""
    for r in range(m):
        ordered_scores(A, i + r, V, S[r])


@kernel(EXACT)
def ordered_scores(A, i, V, S):
    """Set S[k] = the score of a row under V[:, k], summed from its first column to its last in the type of V."""
    val, col, ptr = A
    kind, one, two, three = V.dtype.type, np.uint64(1), np.uint64(2), np.uint64(3)
    lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
    end = lo + ((hi - lo) & ~three)
    for k in range(S.size):
        S[k] = 0
    for j in range(lo, end, np.uint64(4)):
        c = np.uint32(col[j]), np.uint32(col[j + one]), np.uint32(col[j + two]), np.uint32(col[j + three])
        add_columns(S, V, c, (kind(val[j]), kind(val[j + one]), kind(val[j + two]), kind(val[j + three])))
    for j in range(end, hi):
        add_columns(S, V, (np.uint32(col[j]),), (kind(val[j]),))


@kernel(EXACT)
def fetch_weights(A, i, V):
    """Prefetch V[column] for the columns of a row that will soon be scored."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        for k in range(0, V.shape[1], 64 // V.itemsize):
            prefetch(V, np.uint32(col[j]), k)


@kernel(EXACT)
def fetch(A, i, listed):
    """Prefetch the beginning of a listed row that will soon be read; the CPU itself follows long ones, and an order."""
    if not listed:
        return
    val, col, ptr = A
    lo = np.uint64(ptr[i])
    hi = min(np.uint64(ptr[i + 1]), lo + FETCHED)
    for j in range(lo, hi, np.uint64(64 // val.itemsize)):
        prefetch(val, 0, j)
    for j in range(lo, hi, np.uint64(64 // col.itemsize)):
        prefetch(col, 0, j)


@kernel(FAST)
def square(A, i):
    """Return |x|² in binary64."""
    val, _, ptr = A
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        q += x * x
    return q


@kernel(FAST)
def second_look(A, i, w, b, pad):
    """Return score, Σ|terms|, and 0 if weights and row are integers."""
    val, col, ptr = A
    s = b * pad
    a = abs(b * pad)
    f = abs(b - np.floor(b)) + abs(pad - np.floor(pad))
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        u = w[np.uint32(col[j])]
        s += u * x
        a += abs(u * x)
        f += abs(x - np.floor(x)) + abs(u - np.floor(u))
    return s, a, f


@kernel(EXACT)
def put_row(acc, A, i, w, side):
    """Add side·⟨w, x⟩ to acc, exactly; side is 1 or −1."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        put(acc, w[np.uint32(col[j])], side * np.float64(val[j]))


@kernel(EXACT)
def put_square(acc, A, i):
    """Add |x|² to acc, exactly."""
    val, _, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        put(acc, np.float64(val[j]), np.float64(val[j]))


@kernel(EXACT)
def copy_row(A, i, w, v):
    """Copy the weights in the columns of a row to v, their float32 copy."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        v[np.uint32(col[j])] = np.float32(w[np.uint32(col[j])])


@kernel(EXACT)
def add_row(A, i, w, g):
    """w ← w + g·x, each coordinate rounded twice."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        w[c] = w[c] + g * np.float64(val[j])


@kernel(EXACT)
def finite(A, i):
    """Return whether all numbers of the row are finite."""
    val, _, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        if not (abs(np.float64(val[j])) < np.inf):
            return False
    return True


@kernel(EXACT)
def tidy(A, lo, hi, d):
    """Return whether in rows lo..hi the column indices are strictly increasing and in range 0..d."""
    _, col, ptr = A
    falls = 0
    for j in range(np.uint64(ptr[lo]) + np.uint64(1), np.uint64(ptr[hi])):
        if col[j] <= col[j - np.uint64(1)]:
            falls += 1
    for r in range(lo, hi):
        p, e = np.uint64(ptr[r]), np.uint64(ptr[r + 1])
        if p == e:
            continue
        if p > np.uint64(ptr[lo]) and col[p] <= col[p - np.uint64(1)]:
            falls -= 1  # a new row may begin anew
        if col[p] < 0 or col[e - np.uint64(1)] >= d:
            return False
    return falls == 0


@kernel(EXACT)
def terms(A, i):
    """Return how many numbers the row stores."""
    _, _, ptr = A
    return np.int64(ptr[i + 1]) - np.int64(ptr[i])
