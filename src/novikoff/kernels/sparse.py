"""Row operations for compressed sparse rows: A = (values, columns, starts).  (compiled)

The same operations as `dense`. Column indices are read as unsigned: without the test for negative ones a look is 1.5 to
2 times faster; `tidy` checks every row before another operation reads it.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import put, reach
from novikoff.kernels.mark import EXACT, FAST, kernel, prefetch
from novikoff.kernels.score_tiles import GROUP, by_group

FETCHED = np.uint64(512)  # numbers of a row that are prefetched


@kernel(EXACT)
def doubt(n, W2, R2):
    """Return a bound on the error of a look's score."""
    return reach(n, W2, R2)


@kernel(FAST)
def first_look(A, i, w, v):
    """Return score and |x|² of an unchecked row; a NaN or inf in it shows in |x|²."""
    val, col, ptr = A
    s = 0.0
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        s += w[np.uint32(col[j])] * x
        q += x * x
    return s, q


@kernel(FAST)
def look(A, i, w, v):
    """Return the score of a row."""
    val, col, ptr = A
    s = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        s += w[np.uint32(col[j])] * np.float64(val[j])
    return s


@kernel(EXACT, inside=True)
def look64(A, i, w, s):
    """Return the score of a row in binary64; s: that of `look`."""
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
def ordered_scores(A, i, w, planes, S):
    """Set S[p] = the score of a row under w[planes[p]] and return |x|², each summed from its first column to its last.

    If these are as many planes as w has, they are all in their order.
    """
    val, col, ptr = A
    q = 0.0
    K = np.uint64(planes.size)
    for p in range(K):
        S[p] = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        q += x * x
        if planes.size == w.shape[0]:
            for p in range(K):
                S[p] += w[p, c] * x
        else:
            for p in range(K):
                S[p] += w[np.uint64(planes[p]), c] * x
    return q


@kernel(EXACT, inside=True)
def ordered_step(A, i, w, k, g):
    """w[k] ← w[k] + g·x, each coordinate rounded twice."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        w[k, c] = w[k, c] + g * np.float64(val[j])


@kernel(FAST)
def tile(A, rows, m, K, T, S):
    """Set S[r, k] = float32 score of row rows[r] under plane k, r < m; T[0, column] holds all planes of a column.

    The next rows need no prefetch: they are adjacent in memory.
    """
    val, col, ptr = A
    for r in range(m):
        lo, hi = np.uint64(ptr[rows[r]]), np.uint64(ptr[rows[r] + 1])
        for k in range(0, K, GROUP):
            by_group(val, col, lo, hi, k, T, S, r, k)


@kernel(EXACT)
def fetch(A, i):
    """Prefetch the beginning of a row that will soon be read; the CPU itself follows a long one."""
    val, col, ptr = A
    lo = np.uint64(ptr[i])
    hi = min(np.uint64(ptr[i + 1]), lo + FETCHED)
    for j in range(lo, hi, np.uint64(64 // val.itemsize)):
        prefetch(val, 0, j)
    for j in range(lo, hi, np.uint64(64 // col.itemsize)):
        prefetch(col, 0, j)


@kernel(FAST)
def fan(A, i, planes, m, T, S, r):
    """Set S[r, k] = float32 score of a row under plane k for the first m of `planes`."""
    val, col, ptr = A
    for p in range(m):
        S[r, planes[p]] = np.float32(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float32(val[j])
        c = np.uint32(col[j])
        for p in range(m):
            S[r, planes[p]] += x * T[0, c, planes[p]]


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
def square_at_most(A, i):
    """Return an upper bound of |x|², close to it; NaN or inf if the row has such a value."""
    return square(A, i)


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
def step(A, i, w, v, g):
    """w ← w + g·x, each coordinate rounded twice."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        w[c] = w[c] + g * np.float64(val[j])


@kernel(EXACT)
def mirror(A, i, w, T, k):
    """Update T's copy of plane k after an update at row i."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        T[0, c, k] = w[c]


@kernel(EXACT)
def step_and_mirror(A, i, w, v, g, T, k):
    """`step`, and update T's float32 copy of plane k; if T has binary64 weights, `step` on these instead of w."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        if T.itemsize == 8:
            T[0, c, k] = T[0, c, k] + g * x
        else:
            new = w[c] + g * x
            w[c] = new
            T[0, c, k] = np.float32(new)


@kernel(EXACT)
def changed(A, i, w, ref):
    """Return a column of the row in which w differs from ref, or −1."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        if w[c] != ref[c]:
            return np.int64(c)
    return np.int64(-1)


@kernel(EXACT)
def add_row(A, i, sums, g):
    """sums ← sums + g·x, each coordinate rounded twice."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        sums[c] = sums[c] + g * np.float64(val[j])


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
