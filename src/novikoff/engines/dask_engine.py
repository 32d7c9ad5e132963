"""Engine of a dask cluster: operations on partitions become tasks, and dask runs them again if a worker dies.

Every result is that of a pure function of its partition, and results are taken in the order of the partitions: which
worker made one, how often, and when, changes no bit. No task names a worker. Partitions are held by the workers between
calls (`worker_tasks.HeldPart`), as far as the memory of the cluster allows.

Operations and partitions are sent as arguments of tasks, not scattered: the scheduler keeps the arguments of a task, so
what a dead worker held is made again, and no call waits for a worker that does not answer.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import time
import weakref
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.dask_connection import CONNECT, address_of, check_cluster, connect, plain_errors
from novikoff.engines.engine import Engine, Item, Op, Result, each_or_error, sent
from novikoff.engines.partitions import Partition
from novikoff.engines.worker_tasks import Digest, hold, run, run_item, same, versions
from novikoff.errors import InputError
from novikoff.io.stream.chunk_source import Source
from novikoff.io.stream.file_rows import FileRows
from novikoff.io.stream.range_scan import Range

AT_ONCE = 16  # tasks in flight, at least; else two for each thread of the workers
INLINE = 1 << 14  # bytes of an operation that each task carries; a larger one is sent once
SHARE = 0.4  # of the cluster's memory for held partitions
UNLIMITED = 1 << 30  # bytes that count as the memory of a worker without a limit
REMEMBERED = 2  # sets of points that are held
FRESH = 10.0  # seconds for which the number of workers is believed
WAITING = ("pending", "lost")  # the status of a task that is not finished
SPARSE, DENSE = 12, 8  # bytes of a stored number, about
Part = Any  # a future of a HeldPart, or the pickled (problem, partition)


@dataclass
class HeldPoints:
    """Points whose partitions are held by workers: a future of each, and the digest of the rows that were read."""

    problem: Problem
    table: Sequence[Partition]
    futures: list[Any]
    digests: list[Digest]


class DaskEngine(Engine):
    """Workers of a dask cluster. Pickled, it is the address of the scheduler."""

    def __init__(self, given: Any, timeout: float) -> None:
        super().__init__("dask")
        self.given, self.timeout, self.address = given, timeout, ""
        self._reset()

    def _reset(self) -> None:
        self._client: Any = None
        self._close: Any = None  # closes a client that was made here
        self._held: OrderedDict[Any, HeldPoints] = OrderedDict()
        self._cluster = (-FRESH, 1, 0.0)  # when it was seen, its threads, its memory in bytes

    def connected(self) -> DaskEngine:
        """Connect, and check the versions of the scheduler and the workers; do nothing if connected."""
        if self._client is None:
            client, own = connect(self.given)
            try:
                check_cluster(client)
            except BaseException:
                if own:
                    client.close(timeout=CONNECT)
                raise
            self._client, self.address = client, address_of(client)
            if own:
                self._close = weakref.finalize(self, client.close, timeout=CONNECT)
        return self

    def close(self) -> None:
        """Release what workers hold, and close the client unless it was given; the next call connects again."""
        close = self._close
        self._reset()
        if close is not None:
            close()

    def each(self, op: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield op(item) for each item, in order; items are sent to the workers."""
        named = ((f"item {k}", pickle.dumps(_absolute(item))) for k, item in enumerate(items, start=1))
        for _, result in self._in_order(run_item, op, named):
            yield result

    def _map_parts(self, op: Op[Result], problem: Problem, table: Sequence[Partition]) -> Iterator[Result]:
        held = self._held_points(problem, table)
        try:
            found = self._in_order(run, op, self._parts(held))
            for k, (digest, result) in enumerate(found):
                held.digests[k] = held.digests[k] or digest
                if digest != held.digests[k]:
                    raise _changed(problem, table[k])
                yield result
        except Exception:
            self._held.clear()
            raise

    def _held_points(self, problem: Problem, table: Sequence[Partition]) -> HeldPoints:
        """Return the held partitions of these points; forget those of others."""
        key = (id(problem.rows), id(problem.y), id(problem.origin), problem.pad, problem.d, tuple(table))
        if key not in self._held:
            self._held[key] = HeldPoints(problem, table, [None] * len(table), [None] * len(table))
        self._held.move_to_end(key)
        while len(self._held) > REMEMBERED:
            self._held.popitem(last=False)
        return self._held[key]

    def _parts(self, held: HeldPoints) -> Iterator[tuple[str, Part]]:
        """Yield each partition: its name in messages, and a future of it, or what a worker reads it from."""
        client, here, room = self.connected()._client, versions(), SHARE * self._seen()[1]
        problem, each = held.problem, (SPARSE if held.problem.sparse else DENSE) / max(held.problem.n, 1)
        for k, partition in enumerate(held.table):
            room -= (partition.end - partition.first) * each * problem.stored
            where = f"partition {k + 1} of {len(held.table)} (rows {partition.first + 1:,} to {partition.end:,})"
            known = held.futures[k]
            if known is not None and known.status not in ("error", "cancelled", "lost"):
                yield where, known
                continue
            packed, lazy = _packed(problem, partition)
            held.futures[k] = None
            part: Part = packed
            if room > 0 or lazy is not None:
                part = _submit(client, hold, here, packed, None if lazy is None else client.compute(lazy))
            if room > 0:
                held.futures[k] = part
            yield where, part

    def _in_order(
        self, task: Callable[..., Any], op: Callable[..., Any], parts: Iterable[tuple[str, Part]]
    ) -> Iterator[Any]:
        """Yield task(versions, op, part) for each part, in order, with a bounded number of them in flight."""
        client, here, packed = self.connected()._client, versions(), pickle.dumps(op)
        shared = packed if len(packed) <= INLINE else _submit(client, same, packed)
        under_way: deque[tuple[str, Any]] = deque()
        source, failed = each_or_error(parts), None
        try:
            while True:
                most = max(AT_ONCE, 2 * self._seen()[0]) - len(under_way)
                new = [] if failed else list(itertools.islice(source, most))
                if new and new[-1][1] is not None:
                    failed = new.pop()[1]
                if new:
                    names, some = zip(*(one for one, _ in new), strict=True)
                    futures = client.map(task, [here] * len(some), [shared] * len(some), some, pure=False)
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

    def _seen(self) -> tuple[int, float]:
        """Return the number of threads of the workers, and their memory in bytes."""
        if time.monotonic() - self._cluster[0] >= FRESH:
            client = self.connected()._client
            with plain_errors(client, self.timeout, "the workers"):
                found = client.sync(client.scheduler.identity, n_workers=-1, callback_timeout=self.timeout)
            workers = found["workers"].values()
            threads = sum(one["nthreads"] for one in workers)
            self._cluster = time.monotonic(), threads, float(sum(one["memory_limit"] or UNLIMITED for one in workers))
        return self._cluster[1:]

    def __enter__(self) -> DaskEngine:
        return self

    def __getstate__(self) -> dict[str, Any]:
        """Keep the address: a connection cannot be pickled."""
        return {"kind": self.kind, "workers": None, "_pool": None, "address": self.address, "timeout": self.timeout}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"given": state["address"]})
        self._reset()

    def __repr__(self) -> str:
        return f"engine('dask', {self.address!r})"


def _changed(problem: Problem, partition: Partition) -> InputError:
    """Return the error for a partition whose rows are not those that were read first; it names their file."""
    first, many = problem.number(partition.first), partition.end - partition.first
    find = None if problem.files is None else problem.files.find
    file, row = (problem.rows.name, first) if find is None else find(first)
    return InputError(f"{file}: rows {row + 1:,} to {row + many:,} were changed since they were first read; run again")


def _submit(client: Any, task: Callable[..., Any], *arguments: Any) -> Any:
    """Return the future of a task, whose arguments may be large: dask would warn of 10 MB."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
        return client.submit(task, *arguments, pure=False)


def _packed(problem: Problem, partition: Partition) -> tuple[bytes, Any]:
    """Return the pickled (problem, partition), and the rows as a `Delayed` if they are of a dask collection."""
    rows, here = problem.rows, slice(partition.first, partition.end)
    if isinstance(rows, DaskRows):
        part = replace(problem, rows=np.zeros((0, problem.d)), y=problem.y[here], origin=problem.numbers(here))
        return pickle.dumps((part, partition)), rows.lazy_rows(partition.first, partition.end)
    part = sent(problem, partition)
    if isinstance(part.rows, FileRows):
        _make_absolute(part.rows.source)
    return pickle.dumps((part, partition)), None


def _absolute(item: Any) -> Any:
    """Return an item whose range of a file has an absolute path."""
    if not isinstance(item, Range):
        return item
    file = copy(item.file)
    _make_absolute(file)
    return item._replace(file=file)


def _make_absolute(source: Source) -> None:
    """Make the paths of a copy of a source absolute: workers may run in other folders."""
    for one in source.files:
        path = getattr(one, "path", None)
        if path is not None:
            one.path = type(path)(os.path.abspath(path))  # type: ignore[attr-defined]


def _cancel(client: Any, futures: list[Any]) -> None:
    """Cancel tasks whose results are no longer needed."""
    if futures:
        with contextlib.suppress(Exception):  # whatever a connection that is lost raises
            client.sync(client.cancel, futures, callback_timeout=CONNECT)
