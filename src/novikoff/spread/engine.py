"""One seam, several engines: the same operation on every partition, the results in the order of the partitions.

    map_partitions(op, problem, engine)    op(points of a partition) for each of them

    serial       one after the other
    threads      some at a time: kernels let go of the interpreter's lock, readers in Python do not
    processes    some at a time, in processes of their own; op and its result must be picklable

Which engine it is changes no bit: the table of partitions does not depend on it, and every result is that of an
operation on its partition alone. An error in one partition is raised as it would be in order: that of the first
partition that has one.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from novikoff.errors import InputError
from novikoff.points.problem import Problem
from novikoff.sides.judge import Judge
from novikoff.spread.partitions import NUMBERS, Partition, partitions_of

ENGINES = ("serial", "threads", "processes")
Result = TypeVar("Result")
Op = Callable[[Problem], Result]


def map_partitions(
    op: Op[Result], problem: Problem, engine: str = "serial", workers: int | None = None, numbers: int = NUMBERS
) -> Iterator[Result]:
    """op(partition) for each partition, in their order; `workers` at a time, by default as many as there are CPUs."""
    if engine not in ENGINES:
        raise InputError(f"engine: found {engine!r}; {', '.join(ENGINES)} was expected")
    table, many = partitions_of(problem, numbers), workers or os.cpu_count() or 1
    if engine == "serial":
        yield from (op(part_of(problem, partition)) for partition in table)
    elif engine == "threads":
        with ThreadPoolExecutor(many) as pool:
            yield from _some_at_a_time(pool, op, problem, table, many)
    else:
        with ProcessPoolExecutor(many, multiprocessing.get_context("spawn")) as pool:
            yield from _some_at_a_time(pool, op, problem, table, many)


def part_of(problem: Problem, partition: Partition) -> Problem:
    """The points of a partition, in memory, with the numbers of their rows."""
    return problem.part(slice(partition.first, partition.end))


def _some_at_a_time(
    pool: Executor, op: Op[Result], problem: Problem, table: list[Partition], many: int
) -> Iterator[Result]:
    """Twice as many partitions under way as there are workers, so that memory stays bounded."""
    under_way: list[Any] = []
    for partition in table:
        if len(under_way) == 2 * many:
            yield under_way.pop(0).result()
        under_way.append(pool.submit(_apply, op, _sent(problem, partition, pool), partition))
    while under_way:
        yield under_way.pop(0).result()


def _sent(problem: Problem, partition: Partition, pool: Executor) -> Problem:
    """What a worker is given: rows of a file to be read there, or the rows of the partition alone."""
    if hasattr(problem.rows, "source"):
        return replace(problem, rows=copy(problem.rows))
    return part_of(problem, partition) if isinstance(pool, ProcessPoolExecutor) else problem


def _apply(op: Op[Result], problem: Problem, partition: Partition) -> Result:
    alone = problem.n == partition.end - partition.first
    return op(problem if alone and problem.origin is not None else part_of(problem, partition))


# ---- operations ----------------------------------------------------------------------------------------------------


class Errors:
    """How many points each plane (w, b) has on the wrong side or on itself: whole numbers, which add up exactly."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Judge(part)
        judge.survey()
        return judge.errors(self.planes)


class Winners:
    """The class with the highest score of each point, exactly, under one plane (w, b) for each class."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Judge(part)
        judge.survey()
        return judge.classes(self.planes)


class Scores:
    """⟨w, x⟩ + b of each point, with the exact sign."""

    def __init__(self, plane: np.ndarray) -> None:
        self.plane = plane

    def __call__(self, part: Problem) -> np.ndarray:
        return Judge(part, filtered=False).scores(self.plane[:-1], float(self.plane[-1]))
