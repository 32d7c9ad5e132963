"""Engine of a dask cluster: operations on partitions become tasks, and dask runs them again if a worker dies.

Every result is that of a pure function of its partition, and results are taken in the order of the partitions: which
worker made one, how often, and when, changes no bit. No task names a worker.

Operations and partitions are sent as arguments of tasks, not scattered: the scheduler keeps the arguments of a task, so
what a dead worker held is made again, and no call waits for a worker that does not answer.
"""

from __future__ import annotations

import contextlib
import pickle
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.dask_connection import CONNECT, address_of, check_workers, connect, plain_errors
from novikoff.engines.engine import Engine, Named, Op, Result, named, some_at_a_time
from novikoff.engines.partitions import Partition
from novikoff.engines.worker_tasks import run, same, versions

AT_ONCE = 16  # tasks in flight, at least; else two for each thread of the workers
INLINE = 1 << 14  # bytes of an operation that each task carries; a larger one is sent once
WAITING = ("pending", "lost")  # the status of a task that is not finished


class OfCollection(NamedTuple):
    """Points of a partition without their rows, and the future of these rows."""

    part: Problem
    block: Any


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

    def _parts(self, problem: Problem, table: Sequence[Partition]) -> Iterator[Named[Any]]:
        """Yield the points of each partition; those of a dask collection without rows, and the rows to compute."""
        rows = problem.rows
        if not isinstance(rows, DaskRows):
            yield from super()._parts(problem, table)
            return
        for k, (_, first, end) in enumerate(table, start=1):
            part = replace(problem, rows=np.zeros((0, problem.d)), y=problem.y[first:end],
                           origin=problem.numbers(slice(first, end)))  # fmt: skip
            block = self.connected()._client.compute(rows.lazy_rows(first, end))
            yield named(k, first, end, len(table)), OfCollection(part, block)

    def _in_order(self, op: Op[Any, Result], items: Iterator[Named[Any]]) -> Iterator[Result]:
        client, packed, under_way = self.connected()._client, pickle.dumps(op), deque[Named[Any]]()
        shared = packed if len(packed) <= INLINE else self._submit(same, packed)
        with plain_errors(client, self.timeout, "the workers"):
            threads = client.sync(client.nthreads, callback_timeout=self.timeout)
        started = ((where, self._submit(run, versions(), shared, *_sent(item))) for where, item in items)
        most = max(AT_ONCE, 2 * sum(threads.values()))
        try:
            yield from some_at_a_time(started, under_way, most, lambda: self._finished(under_way))
        finally:
            with contextlib.suppress(Exception):  # whatever a connection that is lost raises
                client.sync(client.cancel, [future for _, future in under_way], callback_timeout=CONNECT)

    def _submit(self, *task: Any) -> Any:
        """Return the future of a function and its arguments, which may be large: dask would warn of 10 MB."""
        import dask

        with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
            return self._client.submit(*task, pure=False)

    def _finished(self, under_way: deque[Named[Any]]) -> list[Any]:
        """Wait for the first task, and return the results of it and of those after it that are finished.

        The time limit counts from the last task that was finished, whichever it is.
        """
        from distributed import wait

        client, (where, first) = self._client, under_way[0]
        with plain_errors(client, self.timeout, where), client.as_current():
            while first.status in WAITING:
                if left := [future for _, future in under_way if future.status in WAITING]:
                    wait(left, timeout=self.timeout, return_when="FIRST_COMPLETED")
            if first.status != "finished":
                return [first.result(timeout=self.timeout)]
            done = [future for _, future in takewhile(lambda one: one[1].status == "finished", under_way)]
            found: list[Any] = client.sync(client.gather, done, callback_timeout=self.timeout)
            return found

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


def _sent(item: Any) -> tuple[bytes, Any]:
    """Return an item as bytes, and the rows that dask computes for it, or None."""
    return (pickle.dumps(item.part), item.block) if isinstance(item, OfCollection) else (pickle.dumps(item), None)
