"""The verbs of a row in a dense array of float32 or 8-bit numbers, with float32 as a filter.  (compiled)

Scores are taken with v, a float32 copy of the binary64 weights; what falls inside the wider bound is looked at again in
binary64, so the decision stays exact (`exact.unit32`).
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import (
    changed,
    fan,
    fetch,
    finite,
    put_row,
    put_square,
    second_look,
    square,
    terms,
    tidy,
    tile,
    with_both,
)
from novikoff.kernels.exact_sign import unit32
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.kernels.reproducible_sums import off_grid, on_grid

__all__ = [
    "changed",
    "doubt",
    "fan",
    "fetch",
    "finite",
    "first_look",
    "look",
    "mirror",
    "put_row",
    "put_square",
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
    """How far a look's score may be from the exact one."""
    return (n + 16) * unit32(W2, R2)


@kernel(FAST)
def first_look(X, i, w, v):
    """Score, and a bound of |x|² from above (it may overflow to inf: then `square` tells)."""
    d = X.shape[1]
    s = np.float32(0)
    q = np.float32(0)
    for j in range(d):
        x = np.float32(X[i, j])
        s += v[j] * x
        q += x * x
    return np.float64(s), np.float64(q) * (1.0 + (d + 8) * 2.0**-22) + (d + 8) * 2.0**-120


@kernel(FAST)
def square_at_most(X, i):
    """|x|² or a little more (it may overflow to inf: then `square` tells)."""
    d = X.shape[1]
    q = np.float32(0)
    for j in range(d):
        x = np.float32(X[i, j])
        q += x * x
    return np.float64(q) * (1.0 + (d + 8) * 2.0**-22) + (d + 8) * 2.0**-120


@kernel(FAST)
def look(X, i, w, v):
    """Score of a row."""
    s = np.float32(0)
    for j in range(X.shape[1]):
        s += v[j] * np.float32(X[i, j])
    return np.float64(s)


@kernel(EXACT)
def step(X, i, w, v, g, grid):
    """w ← w + g·x, each coordinate rounded twice; v follows; returns ⟨w, x⟩ before it as `dense.step` does."""
    total = np.int64(0)
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        total += on_grid(w[j], x, grid)
        new = w[j] + g * x
        w[j] = new
        v[j] = np.float32(new)
    return off_grid(total, X.shape[1], grid)


@kernel(EXACT)
def mirror(X, i, w, T, k):
    """T's float32 copy of plane k after an update at row i: `step` has made it already."""


@kernel(EXACT)
def step_and_sum(X, i, w, v, g, grid, u, h):
    """`step`, and u ← u + h·x, each coordinate rounded twice."""
    total = np.int64(0)
    for j in range(X.shape[1]):
        x = np.float64(X[i, j])
        total += on_grid(w[j], x, grid)
        new = w[j] + g * x
        w[j] = new
        v[j] = np.float32(new)
        u[j] = u[j] + h * x
    return off_grid(total, X.shape[1], grid)
