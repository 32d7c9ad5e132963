"""A cluster on this machine: what a round costs, how many rounds and rows a decision takes, what a killed worker costs.

    round     8 tiny partitions of 1,000 columns, 2 workers: almost no computing, so it is the engine; wall time
    decide    rounds, and rows that travel to the driver, at 10 and 30 columns
    mixing    rounds of a decision against rounds of parameter mixing until it separates the same points
    killed    the same scans with one worker killed in the middle, against none
    decoding  one scan of a file by two processes, against one
    memory    of the driver while it decides a file, against one of half of the rows

The bars are of a quiet machine. Nothing here is asserted by a test.
"""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

import novikoff as nv
from benchmarks import data, files
from benchmarks.harness import CORES, FULL, Figures, Row, Size, interleave
from novikoff.data.problem import Problem, problem_of
from novikoff.engines.engine import Engine, partitions_of
from novikoff.exact.signed_rows import RowScores, Signed

KILLED, SHIPPED, TWO, FLAT = 2.0, 0.005, 1.6, 1.05
PARTS, WIDTH, WORKERS = 8, 1000, 2
MIXED_COLUMNS, MIXED_MARGINS, MOST_ROUNDS, ROUNDS = 10, (1e-2, 1e-4), 200, 0.1
MOST_LINES = 50_000  # of the svmlight file


class Weights:
    """The operation of a round: weights arrive, and as many numbers go back."""

    def __init__(self, w: np.ndarray) -> None:
        self.w = w

    def __call__(self, part: Problem) -> np.ndarray:
        return self.w * 0.5


class Largest:
    """The operation of a scan: the largest number."""

    def __call__(self, part: Problem) -> float:
        pieces = [rows[0] if isinstance(rows, tuple) else rows for rows, _, _, _ in part.pieces()]
        return max(float(np.max(values, initial=-np.inf)) for values in pieces)


class CountedEngine(Engine):
    """Counts the rounds that look for violated rows, and the row numbers with scores that they return."""

    def __init__(self) -> None:
        super().__init__("serial")
        self.rounds = self.rows = 0

    def map(self, op: Any, problem: Any, table: Any = None) -> Iterator[Any]:
        """Yield op(partition) for each partition, in order."""
        self.rounds += isinstance(op, RowScores)
        for found in super().map(op, problem, table):
            if isinstance(op, RowScores):
                self.rows += len(found[1][1])
            yield found


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question."""
    share = min(1.0, size.dense[0] / FULL.dense[0])
    yield from decisions(max(500, round(200_000 * share)))
    for margin in MIXED_MARGINS:
        yield mixing(max(500, round(20_000 * share)), margin)
    with all_cores():
        with cluster() as client:
            yield rounds(client, size.repeats)
            yield killed(client, 40 if share >= 1 else 5)
        yield from decoding(size)
        yield memory(2 * size.file)


@contextmanager
def all_cores() -> Iterator[None]:
    """Use all cores inside the block."""
    before = os.sched_getaffinity(0) if CORES else CORES
    if CORES:
        os.sched_setaffinity(0, CORES)
    yield
    if CORES:
        os.sched_setaffinity(0, before)


@contextmanager
def cluster() -> Iterator[Any]:
    """A client of a cluster of two processes on the loopback interface."""
    from distributed import Client, LocalCluster

    chosen: dict[str, Any] = {"n_workers": WORKERS, "threads_per_worker": 1, "host": "127.0.0.1",
                              "dashboard_address": ":0", "silence_logs": logging.CRITICAL}  # fmt: skip
    with LocalCluster(**chosen) as local, Client(local, set_as_default=False) as client:
        yield client


def wall(name: str, call: Callable[[], object]) -> Callable[[], Figures]:
    """The job that gives the wall seconds of one call."""

    def job() -> Figures:
        begin = time.perf_counter()
        call()
        return {name: time.perf_counter() - begin}

    return job


def rounds(client: Any, repeats: int) -> Row:
    """One round over tiny partitions."""
    problem = problem_of(np.ones((4 * PARTS, WIDTH)), np.arange(4 * PARTS) % 2)[0]
    table, op = partitions_of(problem, 4 * WIDTH), Weights(np.ones(WIDTH))
    engine = nv.engine("dask", client)
    found = interleave([wall("round", lambda: list(engine.map(op, problem, table)))], max(3, repeats))
    return Row(f"a round over {len(table)} partitions, {WIDTH:,} weights", found.typical("round"), "s")


def decisions(n: int) -> Iterator[Row]:
    """Rounds of a decision, and the share of the rows that travel."""
    for d, margin in ((10, 1e-4), (30, 1e-4)):
        X, y = data.teacher(n, d, margin)
        engine = CountedEngine()
        with rows_of_driver() as read:
            verdict = nv.decide(X, y, engine=engine)
        what = f"decide {n:,} × {d}, margin {margin:g}"
        note = (
            f"scale: {what}: {verdict.kind}; the driver read {len(read):,} rows, and {engine.rows:,} row numbers with "
            f"scores came back in {engine.rounds} rounds"
        )
        yield Row(f"{what}: rows that the driver reads, share of all", len(read) / n, "", bar=SHIPPED, note=note)
        yield Row(f"{what}: rounds", engine.rounds, "")


def mixing(n: int, margin: float) -> Row:
    """Rounds of a decision, against rounds of parameter mixing until it separates the same points."""
    X, y = data.teacher(n, MIXED_COLUMNS, margin)
    engine = CountedEngine()
    nv.decide(X, y, engine=engine)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        clf = nv.Perceptron(mix=True, partitions=PARTS, max_iter=MOST_ROUNDS, train_patience=None).fit(X, y)
    what = f"decide {n:,} × {MIXED_COLUMNS}, margin {margin:g}: rounds"
    peer = f"mixing, {PARTS} partitions"
    note = f"scale: {what}: mixing ended as {clf.stop_reason_}, at most {MOST_ROUNDS:,} rounds"
    ratio = engine.rounds / clf.n_iter_
    return Row(what, engine.rounds, "", peer, clf.n_iter_, ratio, "the rounds", ROUNDS, note)


@contextmanager
def rows_of_driver() -> Iterator[set[int]]:
    """The numbers of the rows whose values the driver reads inside the block."""
    plain, seen = Signed.floats, set[int]()

    def counted(points: Signed, which: np.ndarray) -> np.ndarray:
        seen.update(which.tolist())
        return plain(points, which)

    Signed.floats = counted  # type: ignore[method-assign]
    yield seen
    Signed.floats = plain  # type: ignore[method-assign]


def killed(client: Any, scans: int) -> Row:
    """Scans with one worker killed in the middle, against none."""
    problem = problem_of(*data.teacher(20_000, 50, 0.0))[0]
    table = partitions_of(problem, 125_000)

    def run(kill: bool) -> float:
        client.wait_for_workers(WORKERS, timeout=60)
        engine, begin = nv.engine("dask", client), time.perf_counter()
        for k in range(scans):
            if kill and k == scans // 2:
                pid = sorted(client.run(os.getpid).values())[0]
                threading.Timer(0.005, os.kill, (pid, signal.SIGKILL)).start()
            list(engine.map(Largest(), problem, table))
        return time.perf_counter() - begin

    run(False)
    clean, broken = run(False), run(True)
    return Row(f"{scans} scans, a worker killed", broken, "s", "none killed", clean, broken / clean, "the time", KILLED)


def decoding(size: Size) -> Iterator[Row]:
    """One scan of a file by two processes, against one."""
    for name, path in (
        ("Parquet", files.parquet(size.file)),
        ("svmlight", files.svmlight(min(size.text[0], MOST_LINES), size.text[1])),
    ):
        points = nv.read(path, memory="1M")
        problem = problem_of(points.rows, points.labels, many=True)[0]
        table = partitions_of(problem)
        times = []
        for workers in (1, 2):
            with nv.engine("dask", workers) as engine:
                list(engine.map(Largest(), problem, table[:2]))  # starts them
                begin = time.perf_counter()
                list(engine.map(Largest(), problem, table))
                times.append(time.perf_counter() - begin)
        what = f"one scan of {name}, {len(table)} partitions: two processes"
        yield Row(what, times[1], "s", "one process", times[0], times[0] / times[1], "the speed", TWO)


def memory(n: int) -> Row:
    """Peak memory of the driver that decides a file, against half of the rows: more than 1,000 rows a column, as the
    first working set of the solver is smaller below.
    """
    small, large = (_peak(files.csv(rows)) for rows in (n // 2, n))
    what = f"decide a CSV file of {n:,} rows out of core: driver memory, MiB"
    return Row(what, large, "", f"{n // 2:,} rows", small, large / small, "the memory", FLAT)


def _peak(path: Path) -> float:
    """MiB of a process that decides the points of a file out of core; ru_maxrss would have this process's before it."""
    code = (
        f"import novikoff as nv, re; nv.decide(nv.read({str(path)!r}, memory='1M'), max_time=60); "
        "print(re.search('VmHWM:[^0-9]*([0-9]+)', open('/proc/self/status').read())[1])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return round(int(done.stdout) / 1024, 1)
