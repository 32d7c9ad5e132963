"""Faults of a cluster: the same digest, or a clear error; never a hang, and nothing left running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from distributed import Client

import novikoff as nv
from data.clusters import (
    WORKS,
    Fatal,
    Sums,
    check_gone,
    children,
    cluster,
    cluster_elsewhere,
    delayed,
    digest_of_result,
    kill_later,
    killed_during,
    parquet_file,
    pids,
    separable_points,
    with_two_workers,
)
from novikoff.data.problem import problem_of
from novikoff.engines import partitions
from novikoff.engines.partitions import partitions_of

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster() as one:
        yield one


@pytest.fixture(autouse=True)
def small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "NUMBERS", 800)


@pytest.fixture
def points(tmp_path: Path) -> Any:
    return nv.read(parquet_file(tmp_path), memory="1K")


@pytest.mark.parametrize(("work", "seconds"), [*zip(WORKS, (0.02, 0.06, 0.15, 0.1, 0.2), strict=False)])
def test_a_worker_that_is_killed_changes_nothing(work: str, seconds: float, client: Client, points: Any) -> None:
    wanted = digest_of_result(WORKS[work](points, None))
    assert killed_during(client, WORKS[work], points, seconds) == {wanted}


def test_all_workers_are_killed_and_come_back(client: Client, points: Any) -> None:
    wanted = digest_of_result(WORKS["decide"](points, None))
    assert killed_during(client, WORKS["decide"], points, 0.1, all_of_them=True) == {wanted}


def test_points_in_memory_survive_the_death_of_all_workers(client: Client) -> None:
    """What dead workers held is sent to new ones."""
    X, y = separable_points()
    problem = problem_of(X, y)[0]
    table = partitions_of(problem, 1000)
    engine = nv.engine("dask", client)
    first = list(engine.map(Sums(), problem, table))
    before = pids(client)
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    assert list(engine.map(Sums(), problem, table)) == first
    with_two_workers(client)
    assert not set(before.values()) & set(pids(client).values())


def test_a_worker_that_is_stopped_for_a_while_changes_nothing(client: Client, points: Any) -> None:
    wanted = digest_of_result(WORKS["decide"](points, None))
    with_two_workers(client)
    pid = next(iter(pids(client).values()))
    timer = threading.Timer(2.0, os.kill, (pid, signal.SIGCONT))
    engine = delayed(nv.engine("dask", client), 0.005)
    os.kill(pid, signal.SIGSTOP)
    timer.start()
    try:
        assert digest_of_result(WORKS["decide"](points, engine)) == wanted
    finally:
        timer.join()


def test_a_partition_that_kills_every_worker_is_reported(client: Client) -> None:
    """After as many deaths as dask allows."""
    X, y = separable_points()
    problem = problem_of(X, y)[0]
    client.run_on_scheduler(_allow_failures, 1)
    try:
        with pytest.raises(nv.WorkerError, match=r"partition 1 of \d+ \(rows 1 to \d+\): 2 workers ended one after"):
            list(nv.engine("dask", client).map(Fatal(), problem, partitions_of(problem, 3000)))
    finally:
        client.run_on_scheduler(_allow_failures, 3)
    with_two_workers(client)


def _allow_failures(most: int, dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = most


def test_a_driver_that_is_killed_leaves_nothing_and_a_second_run_is_the_same(client: Client, points: Any) -> None:
    wanted = digest_of_result(WORKS["decide"](points, None))
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
import novikoff as nv
from data.clusters import Sleep, separable_points
from novikoff.data.problem import problem_of
from novikoff.engines.partitions import partitions_of
problem = problem_of(*separable_points())[0]
for _ in nv.engine("dask", {client.scheduler.address!r}).map(Sleep(0.2), problem, partitions_of(problem, 400)):
    print("working", flush=True)
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    assert driver.stdout.readline() == "working\n"
    driver.kill()
    driver.communicate()
    found = digest_of_result(WORKS["decide"](points, nv.engine("dask", client)))
    assert found == wanted
    end = time.monotonic() + 30
    while any(client.processing().values()) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(client.processing().values())


def test_a_cluster_that_is_lost_is_reported(points: Any) -> None:
    before = children()
    with cluster_elsewhere() as (address, process), nv.engine("dask", address, timeout=60) as engine:
        timer = kill_later(process.pid, 0.3)  # the scheduler is in this process
        late = delayed(engine, 0.02)
        lost = r"engine: .*(was lost, or restarted|no result came|does not answer)"
        with pytest.raises(nv.WorkerError, match=lost):
            [WORKS["decide"](points, late) for _ in range(100)]
        timer.join()
    check_gone(before)
