"""Engine of a dask cluster: operations on partitions become tasks, and dask runs them again if a worker dies.

Every result is that of a pure function of its partition, and results are taken in the order of the partitions: which
worker made one, how often, and when, changes no bit. No task names a worker.

Operations and partitions are sent as arguments of tasks, not scattered: the scheduler keeps the arguments of a task, so
what a dead worker held is made again, and no call waits for a worker that does not answer.

It connects to a cluster, or starts one on this machine, and turns dask's errors into ours.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import pickle
import signal
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.engine import Engine, Named, Op, Partition, Result, named, some_at_a_time
from novikoff.engines.worker_tasks import run, same, versions
from novikoff.errors import InputError, WorkerError

CONNECT = 5.0  # seconds to reach a scheduler
ARRIVE = 10.0  # seconds until a first worker is there
ANSWER = 30.0  # seconds until the workers have answered


def connect(given: Any) -> tuple[Any, Callable[[], None]]:
    """Return a client of the cluster, and the function that closes what was made here."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("engine: 'dask' needs dask and distributed; pip install 'novikoff[dask]'") from None
    if given is None or type(given) is int:
        return _started(given or os.cpu_count() or 1)
    if isinstance(given, Client):
        if given.asynchronous or given.status != "running":
            state = "asynchronous" if given.asynchronous else given.status
            raise InputError(f"found a client that is {state}; give one that is connected: Client(address)",
                             "scheduler")  # fmt: skip
        return given, lambda: None
    address = getattr(given, "scheduler_address", given)
    if not isinstance(address, str) or not address:
        raise InputError(
            f"found {given!r}; a distributed.Client, a cluster or the address of a scheduler was expected, as in "
            "engine('dask', 'tcp://10.0.0.1:8786'), or a number of workers",
            "scheduler",
        )
    try:
        if isinstance(given, str):  # a thread: that of the caller may have an event loop that runs
            with ThreadPoolExecutor(1) as thread:
                thread.submit(lambda: asyncio.run(asyncio.wait_for(_check_answer(given), CONNECT))).result()
        client = Client(given, timeout=CONNECT, set_as_default=False)
    except Exception as error:  # whatever reading another protocol raises, MemoryError too
        reason = "what came is not the protocol of dask"
        if isinstance(error, TimeoutError):
            reason = f"nothing came within {CONNECT:g} s"
        elif isinstance(error, OSError | ValueError | RuntimeError | TypeError):
            reason = str(error).split("\n")[0] or type(error).__name__
        raise InputError(
            f"{address}: no scheduler answers there ({reason}); start one (dask scheduler), or check the address",
            "scheduler",
        ) from None
    return client, partial(client.close, timeout=CONNECT)


async def _check_answer(address: str) -> None:
    """Raise an error unless a scheduler says there who it is; a Client would wait forever for it."""
    from distributed import Security
    from distributed.comm import connect as open_comm
    from distributed.core import send_recv

    comm = await open_comm(address, timeout=CONNECT, **Security().get_connection_args("client"))
    try:
        kind = (await send_recv(comm, op="identity"))["type"]
    finally:
        comm.abort()
    if kind in ("Worker", "Nanny"):
        raise ValueError(f"it is the address of a dask {kind.lower()}")


def _started(workers: int) -> tuple[Any, Callable[[], None]]:
    """Start a cluster of so many processes on this machine; return a client of it, and the function that ends both."""
    from distributed import Client, LocalCluster

    ours = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if ours else None  # workers that start now ignore Ctrl-C
    try:
        cluster = LocalCluster(n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None,
                               silence_logs=logging.CRITICAL)  # fmt: skip
    finally:
        if ours:
            signal.signal(signal.SIGINT, before)
    end = ExitStack()
    end.callback(cluster.close)
    try:
        client = Client(cluster, timeout=CONNECT, set_as_default=False)
    except BaseException:
        end.close()
        raise
    end.callback(client.close, timeout=CONNECT)
    return client, end.close


def check_workers(client: Any) -> None:
    """Raise WorkerError unless the cluster has a worker soon, and its workers have the package.

    Each task checks the versions; a worker without the package could not even read a task.
    """
    at = address_of(client)
    try:
        client.wait_for_workers(1, timeout=ARRIVE)
    except TimeoutError:
        raise WorkerError(f"engine: the scheduler at {at} has no workers; start some (dask worker {at})") from None
    try:
        found = client.sync(client.run, versions, on_error="return", callback_timeout=ANSWER)
    except TimeoutError:
        return  # a worker is busy or stopped
    for worker, result in sorted(found.items()):
        if "No module named 'novikoff" in str(result):  # dask may have made a text of the error
            raise WorkerError(
                f"engine: worker {worker} does not have the package novikoff; install the same version there as here"
            )


def address_of(client: Any) -> str:
    """Return the address of the scheduler of a client."""
    return str(getattr(getattr(client, "scheduler", None), "address", "unknown"))


@contextmanager
def plain_errors(client: Any, timeout: float, where: str) -> Iterator[None]:
    """Raise WorkerError in place of dask's errors; where: the partition that is waited for."""
    from distributed import CancelledError, KilledWorker
    from distributed.comm.core import CommClosedError

    try:
        yield
    except KilledWorker as error:
        raise WorkerError(
            f"engine: {where}: {error.allowed_failures + 1} workers ended one after the other while they worked on it, "
            f"the last at {error.last_worker.address}: it may need more memory than they have; give workers more "
            "memory, or, on machines that are often taken away, raise dask's setting "
            "distributed.scheduler.allowed-failures"
        ) from None
    except TimeoutError:
        raise WorkerError(f"engine: {where}: {_no_result(client, timeout)}") from None
    except (CancelledError, CommClosedError):
        raise WorkerError(
            f"engine: {where}: the scheduler at {address_of(client)} was lost, or restarted, before the result came; "
            "run the same again when it is there"
        ) from None


def _no_result(client: Any, timeout: float) -> str:
    try:
        there = f"its workers: {len(client.sync(client.nthreads, callback_timeout=CONNECT))}"
    except Exception:  # whatever a connection that is lost raises
        there = "it does not answer"
    return (
        f"no result came within {timeout:g} s from the cluster at {address_of(client)} ({there}); give it more "
        "workers, or wait longer: in Python, engine('dask', …, timeout=)"
    )


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
