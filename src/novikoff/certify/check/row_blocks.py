"""The rows of a problem as checkers go over them with NumPy: tidy, in binary64, a cache full at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import NUMBERS
from novikoff.data.digest import in_order
from novikoff.data.problem import Problem


def tidy(points: Problem) -> Problem:
    """The points with the columns of sparse rows in order."""
    return points.tidied() if points.sparse and not in_order(points) else points


def row_blocks(points: Problem) -> Iterator[tuple[int, Any]]:
    """(number of the first row, rows as a float64 array or a SciPy matrix), a cache full at a time."""
    step = max(1, NUMBERS * points.n // max(points.stored, 1))
    for rows, at, lo, hi in points.pieces():
        whole = replace(points, rows=rows).matrix() if points.sparse else rows
        for a in range(lo, hi, step):
            yield at + a, whole[a : min(a + step, hi)].astype(np.float64, copy=False)


def dense_rows(points: Problem, numbers: np.ndarray) -> np.ndarray:
    """Some rows, signed and with the bias column, as one array of doubles."""
    part = tidy(points.part(numbers))
    rows = np.asarray(part.matrix().toarray() if part.sparse else part.rows, np.float64)
    Z = np.ones((len(numbers), points.d + int(points.pad)))
    Z[:, : points.d] = rows
    Z *= part.y[:, None]
    return Z
