"""Divide points into partitions: contiguous ranges of rows, in order, without gaps.

The partitions depend on the points alone, not on the engine: rows in memory are split after a fixed count of numbers,
rows in a file at chunk boundaries, so that no chunk is read twice.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from novikoff.data.problem import Problem
from novikoff.io.stream.file_rows import FileRows

NUMBERS = 1 << 20  # of a partition, about


class Partition(NamedTuple):
    """Rows first ≤ i < end."""

    number: int
    first: int
    end: int


def partitions_of(problem: Problem, numbers: int | None = None, of: int = 1) -> list[Partition]:
    """Return the partitions of the points, each of about this many numbers (NUMBERS if None) and at least one row; all
    but the last have `of` rows or a multiple.
    """
    rows = max(1, (NUMBERS if numbers is None else numbers) * problem.n // max(problem.stored, 1))
    starts = problem.rows.starts if isinstance(problem.rows, FileRows) else range(0, problem.n, rows)
    cuts = {-(-cut // of) * of for cut in _cuts([int(start) for start in starts], problem.n, rows)}
    table = itertools.pairwise([0, *sorted(cut for cut in cuts if cut < problem.n), problem.n])
    return [Partition(k, first, end) for k, (first, end) in enumerate(table)]


def _cuts(starts: list[int], n: int, rows: int) -> Iterator[int]:
    """Yield the allowed boundaries at which at least `rows` rows have accumulated."""
    last = 0
    for start in starts:
        if start - last >= rows and start < n:
            yield start
            last = start
