"""Connect to a dask cluster, or start one on this machine, and turn dask's errors into ours."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from novikoff.engines.worker_tasks import versions
from novikoff.errors import InputError, WorkerError

CONNECT = 5.0  # seconds to reach a scheduler
ARRIVE = 10.0  # seconds until a first worker is there
ANSWER = 30.0  # seconds until the workers have answered
MISSING = "does not have the package novikoff; install the same version there as here"


def connect(given: Any) -> tuple[Any, Callable[[], None]]:
    """Return a client of the cluster, and the function that closes what was made here."""
    try:
        from distributed import Client
    except ImportError:
        raise InputError("engine: 'dask' needs dask and distributed; pip install 'novikoff[dask]'") from None
    if given is None or type(given) is int:
        return _started(given or os.cpu_count() or 1)
    if isinstance(given, Client):
        _check_client(given)
        return given, lambda: None
    address = getattr(given, "scheduler_address", given)
    if not isinstance(address, str) or not address:
        raise InputError(
            f"found {given!r}; a distributed.Client, a cluster or the address of a scheduler was expected, as in "
            "engine('dask', 'tcp://10.0.0.1:8786'), or a number of workers",
            "scheduler",
        )
    try:
        if isinstance(given, str):
            _check_answer(given)
        client = Client(given, timeout=CONNECT, set_as_default=False)
    except Exception as error:  # whatever reading another protocol raises, MemoryError too
        raise InputError(
            f"{address}: no scheduler answers there ({_reason(error)}); start one (dask scheduler), or check the "
            "address",
            "scheduler",
        ) from None
    return client, partial(client.close, timeout=CONNECT)


def _started(workers: int) -> tuple[Any, Callable[[], None]]:
    """Start a cluster of so many processes on this machine; return a client of it, and the function that ends both."""
    from distributed import Client, LocalCluster

    with _without_ctrl_c():
        cluster = LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address=None,
            silence_logs=logging.CRITICAL,
        )
    try:
        client = Client(cluster, timeout=CONNECT, set_as_default=False)
    except BaseException:
        cluster.close()
        raise

    def end() -> None:
        client.close(timeout=CONNECT)
        cluster.close()

    return client, end


@contextmanager
def _without_ctrl_c() -> Iterator[None]:
    """Ignore Ctrl-C for the seconds that a cluster takes to start; processes that start inside ignore it for good."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _check_answer(address: str) -> None:
    """Raise an error unless a scheduler says there who it is, within a time; a Client would wait forever for it."""
    found = list[Exception | None]()

    def ask() -> None:
        try:
            asyncio.run(asyncio.wait_for(_ask(address), CONNECT))
            found.append(None)
        except Exception as error:
            found.append(error)

    asking = threading.Thread(target=ask, daemon=True)  # the caller's thread may have an event loop that runs
    asking.start()
    asking.join(2 * CONNECT)
    error = found[0] if found else TimeoutError()
    if error is not None:
        raise error


async def _ask(address: str) -> None:
    """Ask a scheduler for its identity."""
    from distributed import Security
    from distributed.comm import connect as open_comm
    from distributed.core import send_recv

    comm = await open_comm(address, timeout=CONNECT, **Security().get_connection_args("client"))
    try:
        kind = (await send_recv(comm, op="identity"))["type"]
        if kind in ("Worker", "Nanny"):
            raise ValueError(f"it is the address of a dask {kind.lower()}")
    finally:
        comm.abort()


def _reason(error: Exception) -> str:
    """Return why connecting failed, in one line."""
    if isinstance(error, TimeoutError):
        return f"nothing came within {CONNECT:g} s"
    if isinstance(error, OSError | ValueError | RuntimeError | TypeError):
        return str(error).split("\n")[0] or type(error).__name__
    return "what came is not the protocol of dask"


def _check_client(client: Any) -> None:
    if client.asynchronous:
        raise InputError("found an asynchronous client; make one with Client(address)", "scheduler")
    if client.status != "running":
        raise InputError(f"found a client that is {client.status}; give one that is connected", "scheduler")


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
        if isinstance(result, Exception) and _is_missing(result):
            raise WorkerError(f"engine: worker {worker} {MISSING}")


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
        raise WorkerError(f"engine: {where}: {_waited(client, timeout)}") from None
    except (CancelledError, CommClosedError):
        raise WorkerError(
            f"engine: {where}: the scheduler at {address_of(client)} was lost, or restarted, before the result came; "
            "run the same again when it is there"
        ) from None
    except Exception as error:
        if not _is_missing(error):
            raise
        raise WorkerError(f"engine: {where}: a worker {MISSING}") from None


def _is_missing(error: Exception) -> bool:
    """Return whether a function of this package could not be imported; dask may have made a text of the error."""
    return "No module named 'novikoff" in str(error)


def _waited(client: Any, timeout: float) -> str:
    try:
        many = len(client.sync(client.nthreads, callback_timeout=CONNECT))
        there = f"it has {many} worker{'' if many == 1 else 's'}"
    except Exception:  # whatever a connection that is lost raises
        there = "it does not answer"
    return (
        f"no result came within {timeout:g} s from the cluster at {address_of(client)} ({there}); give it more "
        "workers, or wait longer: in Python, engine('dask', …, timeout=)"
    )
