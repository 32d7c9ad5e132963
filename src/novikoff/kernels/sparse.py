"""The verbs of a row in compressed sparse rows: A = (values, columns, starts).  (compiled)

The same verbs as `dense`. Column numbers are read as unsigned: without the test for negative ones a look is 1.5 to 2
times faster; `tidy` has seen every row before another verb touches it.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import put, reach
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.reproducible_sums import off_grid, on_grid


@kernel(EXACT)
def doubt(n, W2, R2):
    """How far a look's score may be from the exact one."""
    return reach(n, W2, R2)


@kernel(FAST)
def first_look(A, i, w, v):
    """Score and |x|² of a row that was never seen; a NaN or inf in it shows in |x|²."""
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
    """Score of a row."""
    val, col, ptr = A
    s = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        s += w[np.uint32(col[j])] * np.float64(val[j])
    return s


@kernel(FAST)
def tile(A, rows, m, K, T, S):
    """S[r, k] = score in float32 of row rows[r] under plane k, r < m; T[column] holds all planes of a column.

    The rows that come next need not be fetched: they follow in the memory.
    """
    val, col, ptr = A
    K = T.shape[1]
    for r in range(m):
        i = rows[r]
        lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
        if K == 2:
            s0 = np.float32(0)
            s1 = np.float32(0)
            for j in range(lo, hi):
                x = np.float32(val[j])
                c = np.uint32(col[j])
                s0 += x * T[c, 0]
                s1 += x * T[c, 1]
            S[r, 0], S[r, 1] = s0, s1
            continue
        for k in range(K):
            S[r, k] = np.float32(0)
        whole = lo + ((hi - lo) & ~np.uint64(3))
        for j in range(lo, whole, np.uint64(4)):
            c0, c1 = np.uint32(col[j]), np.uint32(col[j + np.uint64(1)])
            c2, c3 = np.uint32(col[j + np.uint64(2)]), np.uint32(col[j + np.uint64(3)])
            x0, x1 = np.float32(val[j]), np.float32(val[j + np.uint64(1)])
            x2, x3 = np.float32(val[j + np.uint64(2)]), np.float32(val[j + np.uint64(3)])
            for k in range(K):
                S[r, k] += x0 * T[c0, k] + x1 * T[c1, k] + x2 * T[c2, k] + x3 * T[c3, k]
        for j in range(whole, hi):
            x = np.float32(val[j])
            c = np.uint32(col[j])
            for k in range(K):
                S[r, k] += x * T[c, k]


@kernel(EXACT)
def fetch(A, i):
    """A row that will soon be looked at: the machine finds it by itself, it lies after the one before."""


@kernel(FAST)
def fan(A, i, planes, m, T, S, r):
    """S[k] = score in float32 of a row under plane k for the k in `planes`."""
    val, col, ptr = A
    for p in range(m):
        S[r, planes[p]] = np.float32(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float32(val[j])
        c = np.uint32(col[j])
        for p in range(m):
            S[r, planes[p]] += x * T[c, planes[p]]


@kernel(FAST)
def square(A, i):
    """|x|² in binary64."""
    val, _, ptr = A
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        q += x * x
    return q


@kernel(FAST)
def with_both(A, i, w, r):
    """⟨w, x⟩, ⟨r, x⟩ and |x|² in binary64."""
    val, col, ptr = A
    s = 0.0
    t = 0.0
    q = 0.0
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        x = np.float64(val[j])
        c = np.uint32(col[j])
        s += w[c] * x
        t += r[c] * x
        q += x * x
    return s, t, q


@kernel(FAST)
def square_at_most(A, i):
    """|x|² or a little more; NaN or inf where a number of the row is none."""
    return square(A, i)


@kernel(FAST)
def second_look(A, i, w, b, pad):
    """Score, Σ|terms|, and 0 if weights and row are whole numbers."""
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
    """acc += side·⟨w, x⟩, exactly; side is 1 or −1."""
    val, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        put(acc, w[np.uint32(col[j])], side * np.float64(val[j]))


@kernel(EXACT)
def put_square(acc, A, i):
    """acc += |x|², exactly."""
    val, _, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        put(acc, np.float64(val[j]), np.float64(val[j]))


@kernel(EXACT)
def step(A, i, w, v, g, grid):
    """w ← w + g·x, each coordinate rounded twice; returns ⟨w, x⟩ before it, on the grid of `reproducible_sums`."""
    val, col, ptr = A
    total = np.int64(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        total += on_grid(w[c], x, grid)
        w[c] = w[c] + g * x
    return off_grid(total, terms(A, i), grid)


@kernel(EXACT)
def mirror(A, i, w, T, k):
    """T's float32 copy of plane k after an update at row i."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        T[c, k] = np.float32(w[c])


@kernel(EXACT)
def changed(A, i, w, ref):
    """A column of the row in which w differs from ref, or −1."""
    _, col, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        if w[c] != ref[c]:
            return np.int64(c)
    return np.int64(-1)


@kernel(EXACT)
def step_and_sum(A, i, w, v, g, grid, u, h):
    """`step`, and u ← u + h·x, each coordinate rounded twice."""
    val, col, ptr = A
    total = np.int64(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        total += on_grid(w[c], x, grid)
        w[c] = w[c] + g * x
        u[c] = u[c] + h * x
    return off_grid(total, terms(A, i), grid)


@kernel(EXACT)
def finite(A, i):
    """Whether all numbers of the row are finite."""
    val, _, ptr = A
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        if not (abs(np.float64(val[j])) < np.inf):
            return False
    return True


@kernel(EXACT)
def tidy(A, lo, hi, d):
    """Whether in rows lo..hi every column is named once and exists: strictly rising from 0 or more to less than d."""
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
    """How many numbers the row stores."""
    _, _, ptr = A
    return np.int64(ptr[i + 1]) - np.int64(ptr[i])
