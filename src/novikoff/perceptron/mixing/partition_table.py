"""Divide n rows into the partitions of parameter mixing.

    partition k of K    the rows  ⌊n·k/K⌋ ≤ i < ⌊n·(k + 1)/K⌋        K = ⌈n/65,536⌉ unless it is given

The table depends on the number of rows and on K alone: not on the storage, the engine or the number of workers.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novikoff.data.contiguous_blocks import ColumnBlocks
from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.partitions import Partition
from novikoff.errors import InputError
from novikoff.perceptron.orders import BLOCK


def mixing_table(n: int, partitions: int | None) -> list[Partition]:
    """Return the partitions of n rows; partitions: how many, None for one for each 65,536 rows.

    Examples
    --------
    >>> [(part.first, part.end) for part in mixing_table(10, 3)], len(mixing_table(200_000, None))
    ([(0, 3), (3, 6), (6, 10)], 4)
    """
    count = -(-n // BLOCK) if partitions is None else int(partitions)
    if count > n:
        raise InputError(
            f"found {count:,} for {n:,} rows; at most one partition for each row was expected", "partitions"
        )
    return [Partition(k, n * k // count, n * (k + 1) // count) for k in range(count)]


def in_partitions(problem: Problem, partitions: int) -> Problem:
    """Return the same points in the layout from which partitions are taken in every round.

    Only column-major sparse storage is copied, or a single partition that kernels cannot read.
    """
    if isinstance(problem.rows, DaskRows) or (partitions > 1 and not isinstance(problem.rows, ColumnBlocks)):
        return problem
    return problem.ready(None, "cyclic")


def rows_of_each(table: Sequence[Partition]) -> np.ndarray:
    """Return the number of rows of each partition."""
    return np.array([part.end - part.first for part in table], np.int64)
