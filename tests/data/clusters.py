"""Dask clusters on this machine for tests: started by the tests, on the loopback interface, and gone after them."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow
import pyarrow.parquet
from distributed import Client, LocalCluster

import novikoff as nv

Work = Callable[[Any, Any], Any]  # (points of `read`, engine) -> something that `digest_of_result` hashes


@contextmanager
def cluster(workers: int = 2, processes: bool = True, **options: Any) -> Iterator[Any]:
    """A client of a cluster; afterwards no process that it started is left."""
    before = children()
    chosen = {"n_workers": workers, "threads_per_worker": 1, "processes": processes, "host": "127.0.0.1", "protocol": "tcp://",
              "dashboard_address": ":0", "silence_logs": logging.CRITICAL}  # fmt: skip
    with LocalCluster(**(chosen | options)) as local, Client(local, set_as_default=False) as client:
        yield client
    if processes:
        check_gone(before)


def children() -> set[int]:
    """The processes that this one started, without Python's own helper of shared resources."""
    found = psutil.Process().children(recursive=True)
    return {one.pid for one in found if _is_worker(one)}


def _is_worker(process: psutil.Process) -> bool:
    try:
        return process.status() != psutil.STATUS_ZOMBIE and "resource_tracker" not in " ".join(process.cmdline())
    except psutil.NoSuchProcess:
        return False


def check_gone(before: set[int], seconds: float = 30.0) -> None:
    """Fail if a process is left that was not there before."""
    end = time.monotonic() + seconds
    while (left := children() - before) and time.monotonic() < end:
        time.sleep(0.05)
    assert not left, [psutil.Process(pid).cmdline() for pid in left]


def pids(client: Any) -> dict[str, int]:
    """The process of each worker, by address."""
    return dict(client.run(os.getpid))


# ---- works: what faults must not change


def _decided(points: Any, engine: Any) -> Any:
    return nv.decide(points, engine=engine).certificate().record()


def _verified(points: Any, engine: Any) -> Any:
    verdict = nv.decide(points)
    return [verdict.certificate().record(), nv.verify(verdict, points, engine=engine)]


def _measured(points: Any, engine: Any) -> Any:
    m = nv.margin(points, engine=engine)
    return [str(m.geometric.gamma2), str(m.padded.gamma2), m.padded.touching.tolist(), str(m.radius2)]


def _mixed(points: Any, engine: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        fitted = nv.Perceptron(mix=True, partitions=9, max_iter=12, engine=engine).fit(points)
    return [fitted.coef_.tolist(), fitted.intercept_.tolist(), fitted.n_updates_, fitted.n_mistakes_.tolist()]


WORKS: dict[str, Work] = {"decide": _decided, "verify": _verified, "margin": _measured, "mix": _mixed}
"""A work is one line here; every fault is tried on every work."""


def digest_of_result(found: Any) -> str:
    """The SHA-256 of a result."""
    return hashlib.sha256(json.dumps(found, sort_keys=True, default=str).encode()).hexdigest()


def separable_points(n: int = 1500) -> tuple[np.ndarray, np.ndarray]:
    """Separable points with a narrow margin: `decide` needs some rounds."""
    rng = np.random.default_rng(4)
    X = np.round(rng.normal(size=(n, 5)), 3)
    score = X @ rng.normal(size=5) + 0.2
    X, score = X[np.abs(score) > 0.01], score[np.abs(score) > 0.01]
    return X, (score > 0).astype(np.int64)


def parquet_file(folder: Path, n: int = 1500, rows: int = 130) -> Path:
    """The same points in a Parquet file of some row groups."""
    X, y = separable_points(n)
    path = folder / "points.parquet"
    table = pyarrow.table({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "y": y})
    pyarrow.parquet.write_table(table, path, row_group_size=rows)
    return path


# ---- operations on a partition, which workers import from here


def first_row(part: Any) -> int:
    return int(part.origin[0])


def wide(w: np.ndarray, part: Any) -> tuple[int, float]:
    """How many rows there are, and the sum of the weights, of which there are many."""
    return part.n, float(w.sum())


def slow(seconds: float, of_the_first: float, part: Any) -> int:
    """Nothing, slowly; the partition that begins with row 0 takes another time."""
    time.sleep(of_the_first if first_row(part) == 0 else seconds)
    return 0


def fatal(part: Any) -> None:
    """What no worker survives."""
    os.kill(os.getpid(), 9)


def summed(part: Any) -> float:
    """The sum of the rows: another number if one number of them is another."""
    return float(part.rows.sum())


def _late(op: Any, most: float, part: Any) -> Any:
    time.sleep(random.uniform(0, most))
    return op(part)


def delayed(engine: Any, most: float) -> Any:
    """The engine, whose operations begin after a random delay."""
    plain = engine._in_order
    engine._in_order = lambda op, items: plain(partial(_late, op, most), items)
    return engine


# ---- faults


def kill_later(pid: int, seconds: float) -> threading.Timer:
    """Kill a process after some time, unless it has ended."""

    def kill() -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)

    timer = threading.Timer(seconds, kill)
    timer.start()
    return timer


def with_two_workers(client: Any) -> None:
    """Wait for two workers; a nanny whose worker dies while it starts gives up, and the cluster then starts another."""
    try:
        client.wait_for_workers(2, timeout=15)
    except TimeoutError:
        client.cluster.scale(1)
        client.cluster.scale(2)
        client.wait_for_workers(2, timeout=60)


def decided_beside_a_stopped_worker(client: Any, points: Any, seconds: float) -> str:
    """The digest of a decision during which a worker is stopped for some seconds."""
    with_two_workers(client)
    pid = next(iter(pids(client).values()))
    timer = threading.Timer(seconds, os.kill, (pid, signal.SIGCONT))
    engine = delayed(nv.engine("dask", client), 0.005)
    os.kill(pid, signal.SIGSTOP)
    timer.start()
    try:
        return digest_of_result(WORKS["decide"](points, engine))
    finally:
        timer.join()


def killed_at(client: Any, work: Work, points: Any, seconds: float, all_of_them: bool = False) -> tuple[str, bool]:
    """The digest of a work during which a worker is killed (or all), and whether the kill came before its end."""
    with_two_workers(client)
    here = sorted(pids(client).values())
    with delayed(nv.engine("dask", client, timeout=90), 0.02) as engine:
        timers = [kill_later(pid, seconds) for pid in (here if all_of_them else here[:1])]
        found = digest_of_result(work(points, engine))
    in_time = all(timer.finished.is_set() for timer in timers)
    for timer in timers:
        timer.cancel()
        timer.join()
    return found, in_time


def killed_during(client: Any, work: Work, points: Any, seconds: float, all_of_them: bool = False) -> set[str]:
    """The digests of a work, repeated with earlier kills until one comes before its end."""
    found: set[str] = set()
    for part in (1.0, 0.5, 0.25, 0.1, 0.0):
        digest, in_time = killed_at(client, work, points, part * seconds, all_of_them)
        found.add(digest)
        if in_time:
            return found
    raise AssertionError("no kill came before the end of the work")


@contextmanager
def cluster_elsewhere() -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """The address of a cluster of one worker that is another process group, and its first process."""
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
from data.clusters import cluster
if __name__ == "__main__":
    with cluster(1) as client:
        print(client.scheduler.address, flush=True)
        sys.stdin.read()
"""
    before = children()
    with tempfile.TemporaryDirectory() as scripts:
        script = Path(scripts) / "start_cluster.py"
        script.write_text(code)
        process = subprocess.Popen(
            [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
    check_gone(before)


@contextmanager
def listener(said: bytes) -> Iterator[str]:
    """The address of a port where something is said to whoever connects, and nothing else."""
    held: list[socket.socket] = []

    def accept() -> None:
        with contextlib.suppress(OSError):  # the port is closed
            while True:
                held.append(port.accept()[0])
                held[-1].sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as port:
        accepting = threading.Thread(target=accept, daemon=True)
        accepting.start()
        try:
            yield f"tcp://127.0.0.1:{port.getsockname()[1]}"
        finally:
            port.shutdown(socket.SHUT_RDWR)
            accepting.join()
            for one in held:
                one.close()
