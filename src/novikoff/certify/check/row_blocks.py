"""Convert the rows of a problem for checkers: blocks of doubles, Python numbers, or integers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certify.check.verify import Whole
from novikoff.data.contiguous_blocks import NUMBERS
from novikoff.data.digest import in_order
from novikoff.data.problem import Problem
from novikoff.data.text.plain_files import Row


def tidy(points: Problem) -> Problem:
    """Return the points with the columns of sparse rows in order."""
    return points.tidied() if points.sparse and not in_order(points) else points


def row_blocks(points: Problem) -> Iterator[tuple[int, Any]]:
    """Yield (number of the first row, rows as a float64 array or a SciPy matrix), in blocks that fit the cache."""
    step = max(1, NUMBERS * points.n // max(points.stored, 1))
    for rows, at, lo, hi in points.pieces():
        whole = replace(points, rows=rows).matrix() if points.sparse else rows
        for a in range(lo, hi, step):
            yield at + a, whole[a : min(a + step, hi)].astype(np.float64, copy=False)


def dense_rows(points: Problem) -> np.ndarray:
    """Return rows in memory, signed and with the bias column, as one array of doubles."""
    part = tidy(points)
    rows = np.asarray(part.matrix().toarray() if part.sparse else part.rows, np.float64)
    Z = np.ones((points.n, points.d + int(points.pad)))
    Z[:, : points.d] = rows
    Z *= part.y[:, None]
    return Z


def plain_rows(points: Problem, labels: list[Any]) -> Iterator[Row]:
    """Yield (label, {column: number}) of each point as Python numbers; the columns of sparse rows are in order."""
    for rows, at, lo, hi in points.pieces():
        for i in range(lo, hi):
            yield labels[at + i], _fields(rows, i, points.sparse)


def _fields(rows: Any, i: int, sparse: bool) -> dict[int, float]:
    if not sparse:
        return dict(enumerate(rows[i].tolist()))
    values, columns, starts = rows
    here = slice(starts[i], starts[i + 1])
    return dict(zip(columns[here].tolist(), values[here].tolist(), strict=True))


def plain_row(rows: Any, i: int) -> dict[int, float]:
    """Return {column: number} of a row of `row_blocks`."""
    if isinstance(rows, np.ndarray):
        return dict(enumerate(rows[i].tolist()))
    return _fields((rows.data, rows.indices, rows.indptr), i, True)


def exact_rows(points: Problem, numbers: Sequence[int]) -> list[Whole]:
    """Return some signed rows in integers."""
    part = tidy(points.part(np.array(numbers)))
    return [exact_row(points, _fields(part.rows, i, points.sparse), int(sign)) for i, sign in enumerate(part.y)]


def exact_row(points: Problem, x: dict[int, float], sign: int) -> Whole:
    """Return a signed row in integers, with the bias column."""
    ratios = {j: value.as_integer_ratio() for j, value in x.items() if value}
    scale = max((q for _, q in ratios.values()), default=1)
    z = {j: sign * p * (scale // q) for j, (p, q) in ratios.items()}
    return Whole(scale, z | {points.d: sign * scale} if points.pad else z)
