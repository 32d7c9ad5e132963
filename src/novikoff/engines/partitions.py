"""Divide points into partitions: contiguous ranges of rows, in order, without gaps.

The partitions depend on the points alone, not on the engine: rows are split after a fixed count of numbers.
"""

from __future__ import annotations

import itertools
from typing import NamedTuple

from novikoff.data.problem import Problem

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
    cuts = {-(-cut // of) * of for cut in range(rows, problem.n, rows)}
    table = itertools.pairwise([0, *sorted(cut for cut in cuts if cut < problem.n), problem.n])
    return [Partition(k, first, end) for k, (first, end) in enumerate(table)]
