"""Engine of a dask cluster: operations on partitions become tasks, and dask runs them again if a worker dies.

Every result is that of a pure function of its partition, and results are taken in the order of the partitions: which
worker made one, how often, and when, changes no bit. No task names a worker.

Operations and partitions are sent as arguments of tasks, not scattered: the scheduler keeps the arguments of a task, so
what a dead worker held is made again, and no call waits for a worker that does not answer.
"""

from __future__ import annotations

import contextlib
import itertools
import pickle
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.dask_connection import CONNECT, address_of, check_workers, connect, plain_errors
from novikoff.engines.engine import Engine, Item, Op, Result, each_or_error, part_of
from novikoff.engines.partitions import Partition
from novikoff.engines.worker_tasks import run, same, versions

AT_ONCE = 16  # tasks in flight, at least; else two for each thread of the workers
INLINE = 1 << 14  # bytes of an operation that each task carries; a larger one is sent once
WAITING = ("pending", "lost")  # the status of a task that is not finished
Sent = tuple[str, bytes, Any]  # (what it is, in messages; the pickled item; the rows of a dask collection, or None)


class DaskEngine(Engine):
    """Workers of a dask cluster: a new one on this machine (given None, or the number of workers), or the given one.

    Pickled, it is the address of the given scheduler, or the number of workers.
    """

    def __init__(self, given: Any, timeout: float) -> None:
        super().__init__("dask")
        self.given, self.timeout, self.address = given, timeout, ""
        self._client: Any = None
        self._close: Any = None  # closes a client and a cluster that were made here

    def connected(self) -> DaskEngine:
        """Connect, or start a cluster; do nothing if connected."""
        if self._client is None:
            client, close = connect(self.given)
            try:
                check_workers(client)
            except BaseException:
                close()
                raise
            self._client, self.address = client, address_of(client)
            self._close = weakref.finalize(self, close)
        return self

    def close(self) -> None:
        """Close the client and end the cluster, unless they were given; the next call connects again."""
        if self._close is not None:
            self._close()
        self._client = self._close = None

    def each(self, op: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield op(item) for each item, in order; items are sent to the workers."""
        sent_items = ((f"item {k}", pickle.dumps(item), None) for k, item in enumerate(items, start=1))
        yield from self._in_order(op, sent_items)

    def _map_parts(self, op: Op[Result], problem: Problem, table: Sequence[Partition]) -> Iterator[Result]:
        yield from self._in_order(op, self._parts(problem, table))

    def _parts(self, problem: Problem, table: Sequence[Partition]) -> Iterator[Sent]:
        """Yield what is sent of each partition."""
        for k, partition in enumerate(table):
            first, end = partition.first, partition.end
            where = f"partition {k + 1} of {len(table)} (rows {first + 1:,} to {end:,})"
            rows, here = problem.rows, slice(first, end)
            if isinstance(rows, DaskRows):
                empty = np.zeros((0, problem.d))
                part = replace(problem, rows=empty, y=problem.y[here], origin=problem.numbers(here))
                block = self.connected()._client.compute(rows.lazy_rows(first, end))
                yield where, pickle.dumps(part), block
            else:
                yield where, pickle.dumps(part_of(problem, partition)), None

    def _in_order(self, op: Callable[..., Any], items: Iterable[Sent]) -> Iterator[Any]:
        """Yield op(item) for each item, in order, with a bounded number of them in flight."""
        client, here, packed = self.connected()._client, versions(), pickle.dumps(op)
        shared = packed if len(packed) <= INLINE else _submit(client, same, packed)
        with plain_errors(client, self.timeout, "the workers"):
            threads = client.sync(client.nthreads, callback_timeout=self.timeout)
        most = max(AT_ONCE, 2 * sum(threads.values()))
        under_way: deque[tuple[str, Any]] = deque()
        source, failed = each_or_error(items), None
        try:
            while True:
                new = [] if failed else list(itertools.islice(source, most - len(under_way)))
                if new and new[-1][1] is not None:
                    failed = new.pop()[1]
                if new:
                    names, some, blocks = zip(*(one for one, _ in new), strict=True)
                    futures = client.map(run, [here] * len(some), [shared] * len(some), some, blocks, pure=False)
                    under_way.extend(zip(names, futures, strict=True))
                if not under_way:
                    break
                yield from self._finished(client, under_way)
            if failed is not None:
                raise failed
        finally:
            _cancel(client, [future for _, future in under_way])

    def _finished(self, client: Any, under_way: deque[tuple[str, Any]]) -> Iterator[Any]:
        """Wait for the first task; take and yield the results of it and of those after it that are finished.

        The time limit counts from the last task that was finished, whichever it is.
        """
        from distributed import wait

        where, first = under_way[0]
        with plain_errors(client, self.timeout, where), client.as_current():
            while first.status in WAITING:
                left = [future for _, future in under_way if future.status in WAITING]
                if left:
                    wait(left, timeout=self.timeout, return_when="FIRST_COMPLETED")
        if first.status == "finished":
            done = list(itertools.takewhile(lambda one: one[1].status == "finished", under_way))
            with plain_errors(client, self.timeout, where):
                results = client.sync(client.gather, [future for _, future in done], callback_timeout=self.timeout)
        else:
            with plain_errors(client, self.timeout, where):
                results = [first.result(timeout=self.timeout)]
        for result in results:
            under_way.popleft()
            yield result

    def __enter__(self) -> DaskEngine:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Keep the address: a connection cannot be pickled."""
        given = self.given if self.given is None or type(self.given) in (int, str) else self.address
        return {"given": given, "timeout": self.timeout}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]

    def __repr__(self) -> str:
        return f"engine('dask', {self.__getstate__()['given']!r})"


def _submit(client: Any, task: Callable[..., Any], *arguments: Any) -> Any:
    """Return the future of a task, whose arguments may be large: dask would warn of 10 MB."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
        return client.submit(task, *arguments, pure=False)


def _cancel(client: Any, futures: list[Any]) -> None:
    """Cancel tasks whose results are no longer needed."""
    if futures:
        with contextlib.suppress(Exception):  # whatever a connection that is lost raises
            client.sync(client.cancel, futures, callback_timeout=CONNECT)
