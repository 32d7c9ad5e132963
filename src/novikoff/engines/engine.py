"""Run the same operation on every partition, serially or in parallel; results come in the order of the partitions.

    engine.map(op, problem)    op(points of a partition) for each of them
    engine.each(op, items)     op(item) for each of some rows, as they are read once

    serial       one after the other
    threads      some at a time: kernels release the GIL, readers in Python do not
    dask         some at a time, by the workers of a cluster (`dask_engine`); op and its result must be picklable, and
                 workers must see the files

The choice of engine changes no bit: the partitions do not depend on it, and every result is that of an operation on its
partition alone. If partitions fail, the error of the first one in order is raised.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeVar

from novikoff.data.problem import Problem
from novikoff.engines.partitions import Partition, partitions_of
from novikoff.errors import InputError, NumberedRowError

Result = TypeVar("Result")
Item = TypeVar("Item")
Op = Callable[[Problem], Result]


class Engine:
    """Worker pool for partitions, with a fixed number of them at a time.

    Threads start when first needed and stay for later calls; `close`, leaving a `with` block, or deleting the engine
    ends them.
    """

    def __init__(self, kind: str = "serial", workers: int | None = None) -> None:
        self.kind, self.workers = kind, workers
        self._pool: Any = None

    def map(self, op: Op[Result], problem: Problem, table: Sequence[Partition] | None = None) -> Iterator[Result]:
        """Yield op(partition) for each partition, in order."""
        table = partitions_of(problem) if table is None else table
        try:
            yield from self._results(op, problem, table)
        except NumberedRowError as error:
            raise (error if problem.files is None else problem.files.placed(error)) from None

    def _results(self, op: Op[Result], problem: Problem, table: Sequence[Partition]) -> Iterator[Result]:
        if len(table) == 1:
            yield op(problem)
        elif self.kind == "serial":
            yield from (op(part_of(problem, partition)) for partition in table)
        else:
            yield from self._map_parts(op, problem, table)

    def each(self, op: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield op(item) for each item, in order: rows that are read once, as they arrive."""
        if self.kind == "serial":
            yield from map(op, items)
        else:
            yield from self._some_at_a_time((op, item) for item in items)

    def _map_parts(self, op: Op[Result], problem: Problem, table: Sequence[Partition]) -> Iterator[Result]:
        """Yield op(partition) for each of two or more partitions, in order."""
        yield from self._some_at_a_time((op, part_of(problem, partition)) for partition in table)

    def close(self) -> None:
        """End the workers; the next call starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _some_at_a_time(self, calls: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Keep twice as many calls in flight as there are workers, so that memory stays bounded.

        If reading the next call fails, the results before it are yielded first.
        """
        many, under_way = self._many, list[Any]()
        try:
            pool = self._started()
            for call, error in each_or_error(calls):
                while under_way and (error is not None or len(under_way) == 2 * many):
                    yield under_way.pop(0).result()
                if error is not None:
                    raise error
                under_way.append(pool.submit(*call))
            while under_way:
                yield under_way.pop(0).result()
        finally:
            for future in under_way:
                future.cancel()

    @property
    def _many(self) -> int:
        return self.workers or os.cpu_count() or 1

    def _started(self) -> Any:
        if self._pool is None:
            from concurrent.futures import ThreadPoolExecutor

            self._pool = ThreadPoolExecutor(self._many)
            weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)
        return self._pool

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __sklearn_clone__(self) -> Engine:
        """Share the engine between an estimator and its clones."""
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Drop the threads: they cannot be pickled."""
        return {"kind": self.kind, "workers": self.workers, "_pool": None}

    def __repr__(self) -> str:
        return f"engine({self.kind!r}{'' if self.workers is None else f', workers={self.workers}'})"


SERIAL = Engine()


def engine_of(given: Any) -> Engine:
    """Return the given engine, or the serial one for None."""
    if given is None:
        return SERIAL
    if isinstance(given, Engine):
        return given
    raise InputError(f"engine: found {given!r}; novikoff.engine('threads') or the like was expected, or None")


def part_of(problem: Problem, partition: Partition) -> Problem:
    """Return the points of a partition, in memory, with their row numbers."""
    return problem.part(slice(partition.first, partition.end))


def each_or_error(calls: Iterable[Any]) -> Iterator[tuple[Any, Exception | None]]:
    """Yield (a call, None) for each, and at the end (None, the exception) if one was raised."""
    try:
        for call in calls:
            yield call, None
    except Exception as error:
        yield None, error
