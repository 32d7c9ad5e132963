"""Row operations for compressed sparse rows that were checked, with float32 as a filter.  (compiled)

Scores use v, a float32 copy of the binary64 weights: half the memory is looked up. Scores within the wider error bound,
which counts the numbers of the row, are computed again in binary64, so the decision stays exact (`exact_sign.unit32`).
The caller sets v = w at the start; `step` updates both.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.exact_sign import unit32
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.reproducible_sums import off_grid, on_grid
from novikoff.kernels.sparse import (
    add_to,
    changed,
    fan,
    fetch,
    finite,
    first_look,
    mirror,
    ordered_look,
    put_row,
    put_square,
    second_look,
    square,
    square_at_most,
    terms,
    tidy,
    tile,
    with_both,
)

__all__ = [
    "add_to",
    "changed",
    "doubt",
    "fan",
    "fetch",
    "finite",
    "first_look",
    "look",
    "mirror",
    "ordered_look",
    "put_row",
    "put_square",
    "row_doubt",
    "second_look",
    "square",
    "square_at_most",
    "step",
    "step_and_sum",
    "terms",
    "tidy",
    "tile",
    "with_both",
]


@kernel(EXACT)
def doubt(n, W2, R2):
    """Return a bound on the error of a look's score."""
    return (n + 16) * unit32(W2, R2)


@kernel(EXACT, inside=True)
def row_doubt(A, i, far, unit, threshold):
    """Return a bound on the error of the score of this row, by how many numbers it has; `far` is that of all rows."""
    return (terms(A, i) + 18) * unit + 2.0**-50 * threshold


@kernel(FAST)
def look(A, i, w, v):
    """Return the score of a row."""
    val, col, ptr = A
    s = np.float32(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        s += v[np.uint32(col[j])] * np.float32(val[j])
    return np.float64(s)


@kernel(EXACT)
def step(A, i, w, v, g, grid):
    """w ← w + g·x, each coordinate rounded twice, and update v; return ⟨w, x⟩ before it as `sparse.step` does."""
    val, col, ptr = A
    total = np.int64(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        total += on_grid(w[c], x, grid)
        new = w[c] + g * x
        w[c] = new
        v[c] = np.float32(new)
    return off_grid(total, terms(A, i), grid)


@kernel(EXACT)
def step_and_sum(A, i, w, v, g, grid, u, h):
    """`step`, and u ← u + h·x, each coordinate rounded twice."""
    val, col, ptr = A
    total = np.int64(0)
    for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
        c = np.uint32(col[j])
        x = np.float64(val[j])
        total += on_grid(w[c], x, grid)
        new = w[c] + g * x
        w[c] = new
        v[c] = np.float32(new)
        u[c] = u[c] + h * x
    return off_grid(total, terms(A, i), grid)
