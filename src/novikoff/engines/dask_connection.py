"""Connect to a dask cluster, or start one on this machine, and turn dask's errors into ours."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any

from novikoff.engines.worker_tasks import versions
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
