"""Extract rows from compressed sparse columns, reading each entry once.  (compiled)

`at[j]` is the next unread entry of column j; its row indices are increasing.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import EXACT, kernel


@kernel(EXACT)
def count_rows(rows, starts, at, lo, hi, ends):
    """Set ends[r + 1] = number of entries in rows lo..lo + r; columns continue at row lo."""
    for j in range(at.size):
        p = at[j]
        while p < starts[j + 1] and rows[p] < lo:
            p += 1
        at[j] = p
        while p < starts[j + 1] and rows[p] < hi:
            ends[rows[p] - lo + 1] += 1
            p += 1
    for r in range(hi - lo):
        ends[r + 1] += ends[r]


@kernel(EXACT)
def move_rows(values, rows, starts, at, lo, hi, ends, out, columns):
    """Move the entries of rows lo..hi into row order; columns continue at row hi."""
    free = ends.copy()
    for j in range(at.size):
        p = at[j]
        while p < starts[j + 1] and rows[p] < hi:
            q = free[rows[p] - lo]
            free[rows[p] - lo] = q + 1
            out[q] = values[p]
            columns[q] = np.int64(j)
            p += 1
        at[j] = p
