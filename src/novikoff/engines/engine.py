"""Run the same operation on every partition, serially or in parallel; results come in the order of the partitions.

    engine.map(op, problem)    op(points of a partition) for each of them
    engine.each(op, items)     op(item) for each of some rows, as they are read once

    serial       one after the other
    threads      some at a time: kernels release the GIL, readers in Python do not
    dask         some at a time, by the workers of a cluster (`dask_engine`); op and its result must be picklable, and
                 workers must see the files

The choice of engine changes no bit: the partitions do not depend on it, and every result is that of an operation on its
partition alone. If partitions fail, the error of the first one in order is raised.

Partitions are contiguous ranges of rows, in order, without gaps. They depend on the points alone: rows are split after
a fixed count of numbers.
"""

from __future__ import annotations

import itertools
import os
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from novikoff.data.digest import BLOCK, Hashed, block_digests
from novikoff.data.problem import Problem
from novikoff.errors import InputError, NumberedRowError

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


Result = TypeVar("Result")
Item = TypeVar("Item")
Op = Callable[[Item], Result]
Named = tuple[str, Item]  # what messages call an item, and the item


class Engine:
    """Worker pool for partitions, with a fixed number of them at a time.

    Threads start when first needed and stay for later calls; `close`, leaving a `with` block, or deleting the engine
    ends them.
    """

    def __init__(self, kind: str = "serial", workers: int | None = None) -> None:
        self.kind, self.workers = kind, workers
        self._pool: ThreadPoolExecutor | None = None

    def map(
        self, op: Op[Problem, Result], problem: Problem, table: Sequence[Partition] | None = None
    ) -> Iterator[Result]:
        """Yield op(partition) for each partition, in order."""
        table = partitions_of(problem) if table is None else table
        try:
            if len(table) == 1:
                yield op(problem)
            else:
                yield from self._in_order(op, self._parts(problem, table))
        except NumberedRowError as error:
            raise (error if problem.files is None else problem.files.placed(error)) from None

    def each(self, op: Op[Item, Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield op(item) for each item, in order: rows that are read once, as they arrive."""
        yield from self._in_order(op, ((f"item {k}", item) for k, item in enumerate(items, start=1)))

    def close(self) -> None:
        """End the workers; the next call starts new ones."""
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._pool = None

    def _parts(self, problem: Problem, table: Sequence[Partition]) -> Iterator[Named[Any]]:
        """Yield the points of each partition, in memory, with their row numbers."""
        for k, (_, first, end) in enumerate(table, start=1):
            yield named(k, first, end, len(table)), problem.part(slice(first, end))

    def _in_order(self, op: Op[Any, Result], items: Iterator[Named[Any]]) -> Iterator[Result]:
        """Yield op(item) for each item, in order."""
        if self.kind == "serial":
            yield from (op(item) for _, item in items)
            return
        many = self.workers or os.cpu_count() or 1
        if self._pool is None:
            self._pool = ThreadPoolExecutor(many)
            weakref.finalize(self, self._pool.shutdown, wait=False, cancel_futures=True)
        pool, under_way = self._pool, deque[Any]()
        try:
            started = ((where, pool.submit(op, item)) for where, item in items)
            yield from some_at_a_time(started, under_way, 2 * many, lambda: [under_way[0][1].result()])
        finally:
            for _, future in under_way:
                future.cancel()

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


def named(number: int, first: int, end: int, many: int) -> str:
    """Return what messages call a partition."""
    return f"partition {number} of {many} (rows {first + 1:,} to {end:,})"


def some_at_a_time(
    started: Iterator[Named[Any]], under_way: deque[Named[Any]], most: int, finished: Callable[[], list[Result]]
) -> Iterator[Result]:
    """Yield results in order, with at most so many calls in flight, so that memory stays bounded.

    started: starts the next call when it is asked for one. finished: waits for the first call in flight and returns its
    result, and those of the next ones if they are there. If starting a call fails, the results before it are yielded
    first.
    """
    failed: Exception | None = None
    while True:
        try:
            under_way.extend(islice(started, most - len(under_way) if failed is None else 0))
        except Exception as error:
            failed = error
        if not under_way:
            break
        for result in finished():
            under_way.popleft()
            yield result
    if failed is not None:
        raise failed


def _of_partition(texts: list[str], part: Problem) -> list[bytes]:
    """Return the SHA-256 of each block of rows of a partition, whose y are the indices of the label texts."""
    return block_digests(part, texts, part.y)


def hashed_by(engine: Engine) -> Hashed:
    """Return the same as `digest.block_digests`, partition by partition."""

    def blocks(problem: Problem, texts: list[str], codes: Any) -> Iterator[bytes]:
        found = engine.map(partial(_of_partition, texts), replace(problem, y=codes), partitions_of(problem, of=BLOCK))
        return chain.from_iterable(found)

    return blocks
