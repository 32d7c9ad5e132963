"""Row operations for a dense array of float32 or 8-bit numbers, with float32 as a filter.  (compiled)

Scores use v, a float32 copy of the binary64 weights. Scores within the wider error bound are computed again in
binary64, so the decision stays exact (`exact_sign.unit32`).
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.dense import (
    add_row,
    copy_row,
    fetch,
    fetch_weights,
    finite,
    look64,
    ordered_look,
    ordered_scores,
    ordered_sums,
    put_row,
    put_square,
    score_rows,
    scores,
    second_look,
    square,
    terms,
    tidy,
)
from novikoff.kernels.exact_sign import unit32
from novikoff.kernels.mark import EXACT, FAST, kernel

__all__ = [
    "add_row",
    "copy_row",
    "doubt",
    "fetch",
    "fetch_weights",
    "finite",
    "first_look",
    "look",
    "look64",
    "ordered_look",
    "ordered_scores",
    "ordered_sums",
    "put_row",
    "put_square",
    "score_rows",
    "scores",
    "second_look",
    "square",
    "terms",
    "tidy",
]


@kernel(EXACT)
def doubt(n, W2, R2):
    """Return a bound on the error of a look's score."""
    return (n + 16) * unit32(W2, R2)


@kernel(FAST, inside=True)
def first_look(X, i, w, v):
    """Return the score and an upper bound of |x|² (if it overflows to inf, use `square`)."""
    d = X.shape[1]
    s = np.float32(0)
    q = np.float32(0)
    for j in range(d):
        x = np.float32(X[i, j])
        s += v[j] * x
        q += x * x
    return np.float64(s), np.float64(q) * (1.0 + (d + 8) * 2.0**-22) + (d + 8) * 2.0**-120


@kernel(FAST, inside=True)
def look(X, i, w, v):
    """Return the score of a row."""
    s = np.float32(0)
    for j in range(X.shape[1]):
        s += v[j] * np.float32(X[i, j])
    return np.float64(s)
