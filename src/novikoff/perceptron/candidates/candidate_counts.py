"""Candidates of the pocket that are counted during the pass after them: more sums on each row that is looked at.

    errors[k] = number of rows with y·(⟨c_k, x⟩ + b_k·pad) ≤ 0, decided by the exact sign

From the notes: R7 (the pocket). A look reads the row anyway, so a second sum costs little. Every row must be looked at
once in the pass. There are one or three candidates: with the present weights two or four sums.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.kernels.dense import doubt, unit_beside
from novikoff.kernels.exact_sign import norm2, unit32
from novikoff.kernels.mark import EXACT, kernel
from novikoff.kernels.row_signs import sign

MOST = 3  # candidates
ONE_NEGATIVE, ONE_POSITIVE = 1, 1 << 32  # the errors of a stretch of looks in one number, negative and positive ones


class Candidates(NamedTuple):
    """Planes whose errors are counted beside the looks; `counting_pass` takes them in the place of the listed rows."""

    listed: Any  # the rows of the pass, where they are listed
    planes: Any  # (c, b) of each: one or three
    T: Any  # their weights, and perhaps the present ones, as `look_beside` takes them
    errors: Any  # by plane: negative, positive rows on the wrong side
    settled: Any  # doubtful scores settled by the second look, by the exact sum


@kernel(EXACT)
def bounds_of(planes, R2, pad):
    """Return b·pad of each candidate, then the units of the errors of their scores; R2 ≥ |x|² + pad² of all rows."""
    d, bounds = planes.shape[1] - 1, np.zeros(2 * MOST)
    for k in range(planes.shape[0]):
        W2 = norm2(planes[k, :d], planes[k, d])
        bounds[k] = planes[k, d] * pad
        bounds[MOST + k] = unit_beside(doubt(d + 2, W2, R2), unit32(W2, R2))
    return bounds


@kernel(EXACT, inside=True)
def count_beside(side, t0, t1, t2, size, bounds, several):
    """Return what a row adds to the errors of each candidate if it is surely wrong, and whether some are in doubt.

    The error of a score t is at most `size` units. Nothing branches on a row being wrong, which cannot be predicted.
    """
    one = ONE_POSITIVE if side > 0.0 else ONE_NEGATIVE
    s0, far0 = side * (t0 + bounds[0]), size * bounds[3]
    s1, far1 = side * (t1 + bounds[1]), size * bounds[4]
    s2, far2 = side * (t2 + bounds[2]), size * bounds[5]
    in_doubt = (not (abs(s0) > far0)) | (several & ((not (abs(s1) > far1)) | (not (abs(s2) > far2))))
    return one * np.int64(s0 < -far0), one * np.int64(s1 < -far1), one * np.int64(s2 < -far2), in_doubt


@kernel(EXACT)
def settle_beside(A, i, side, t0, t1, t2, size, bounds, pad, planes, errors, settled, acc):
    """Count row i under each candidate whose score leaves it in doubt, by the exact sign."""
    d = planes.shape[1] - 1
    for k in range(planes.shape[0]):
        t = t0 if k == 0 else t1 if k == 1 else t2
        if abs(side * (t + bounds[k])) > size * bounds[MOST + k]:
            continue
        if side * sign(A, i, planes[k, :d], planes[k, d], pad, 0.0, acc, settled) <= 0.0:
            errors[k, 1 if side > 0.0 else 0] += 1


@kernel(EXACT)
def add_counts(n0, n1, n2, errors):
    """Add the errors that a stretch of looks counted."""
    for k in range(errors.shape[0]):
        n = n0 if k == 0 else n1 if k == 1 else n2
        errors[k, 0] += n % ONE_POSITIVE
        errors[k, 1] += n // ONE_POSITIVE
