"""The engine of a dask cluster by its operations on partitions: their order, errors, limits, and faults of workers."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from distributed import Client

import novikoff as nv
from data.clusters import (
    check_gone,
    children,
    cluster,
    fatal,
    first_row,
    kill_later,
    pids,
    separable_points,
    slow,
    summed,
    wide,
    with_two_workers,
)
from novikoff.data.problem import Problem, problem_of
from novikoff.engines import dask_engine, worker_tasks
from novikoff.engines.engine import partitions_of

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(300)]


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster() as one:
        yield one


@pytest.fixture(scope="module")
def few() -> Iterator[Client]:
    """A client of workers that are threads of this process: quick to start."""
    with cluster(1, processes=False) as one:
        yield one


def in_memory(n: int = 200) -> Problem:
    return problem_of(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)[0]


def mapped(engine: Any, op: Any, numbers: int = 40) -> Iterator[Any]:
    """The results of an operation on 200 rows, in partitions of so many numbers."""
    problem = in_memory()
    found: Iterator[Any] = engine.map(op, problem, partitions_of(problem, numbers))
    return found


TENS = list(range(0, 200, 20))


def test_results_come_in_order_and_tasks_in_flight_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A wide operation is sent once: large arguments of dask's own `map` have failed; dask warns of 10 MB."""
    for size in (10, 2_000_000):
        assert list(mapped(nv.engine("dask", client), partial(wide, np.ones(size)))) == [(20, float(size))] * 10
    monkeypatch.setattr(dask_engine, "AT_ONCE", 4)
    sent, engine = list[int](), nv.engine("dask", client)
    plain = engine._parts  # type: ignore[attr-defined]

    def counted(*points: Any) -> Iterator[Any]:
        for one in plain(*points):
            sent.append(1)
            yield one

    engine._parts = counted  # type: ignore[attr-defined]
    found = []
    for first in mapped(engine, first_row, 20):
        found.append(first)
        assert len(sent) - len(found) < 2 * 4
    assert found == list(range(0, 200, 10))


def test_items_that_are_read_once_come_in_order_and_an_error_of_the_reader_comes_after_them(client: Client) -> None:
    def items() -> Iterator[Problem]:
        for k in range(30):
            yield in_memory(5 + k)
        raise nv.InputError("line 31: bad")

    engine, found = nv.engine("dask", client), []
    with pytest.raises(nv.InputError, match="line 31: bad"):
        found.extend(engine.each(summed, items()))
    assert found == [summed(in_memory(5 + k)) for k in range(30)]


def test_a_cluster_is_started_and_ended_and_a_worker_that_is_killed_costs_no_result() -> None:
    before = children()
    with nv.engine("dask", 2) as engine:
        assert repr(engine) == "engine('dask', 2)"
        assert list(mapped(engine, first_row)) == TENS
        workers = pids(engine._client)  # type: ignore[attr-defined]
        assert len(workers) == 2
        timer = kill_later(next(iter(workers.values())), 0.1)
        assert list(mapped(engine, partial(slow, 0.1, 0.1))) == [0] * 10
        timer.join()
    check_gone(before)
    with pytest.raises(nv.InputError, match="line 1: bad"), nv.engine("dask", 1) as engine:
        raise nv.InputError("line 1: bad")
    check_gone(before)


def test_a_given_client_stays_open_and_one_that_was_made_is_closed(few: Client) -> None:
    with nv.engine("dask", few) as given:
        assert list(mapped(given, first_row)) == TENS
    assert few.status == "running"
    assert list(mapped(given, first_row)) == TENS
    with nv.engine("dask", few.scheduler.address) as made:
        own = made._client  # type: ignore[attr-defined]
        assert own.status == "running"
    assert own.status == "closed"
    assert list(mapped(made, first_row)) == TENS
    made.close()


@pytest.mark.parametrize(("here", "other"), [(r"numpy ", "numpy 0."), (r"sources \w+", "sources 0123456789ab")])
def test_other_versions_are_refused_in_each_task(
    here: str, other: str, few: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The versions have a digest of the package's modules, and that of the compiler."""
    versions = worker_tasks.versions()
    assert re.fullmatch(r"novikoff \S+ \(sources [0-9a-f]{12}\), Python \S+, numpy \S+, numba \S+", versions)
    monkeypatch.setattr(dask_engine, "versions", lambda: re.sub(here, other, versions))
    with pytest.raises(nv.WorkerError, match=rf"engine: worker \S+ has novikoff .* this program has .*{other}"):
        list(mapped(nv.engine("dask", few), first_row))


def test_a_worker_with_another_version_or_without_the_package_is_named() -> None:
    """On clusters of their own: a task still on its way would break the worker, and its nanny would start a new one."""
    with cluster(1) as one:
        (worker,) = one.scheduler_info()["workers"]
        one.run(_set_version)
        wanted = rf"engine: worker {worker} has novikoff 0\.0\.1 \(sources .* this program has"
        with pytest.raises(nv.WorkerError, match=wanted):
            list(mapped(nv.engine("dask", one), first_row))
    with cluster(1) as one:
        (worker,) = one.scheduler_info()["workers"]
        one.run(_forget_the_package)
        with pytest.raises(nv.WorkerError, match=rf"engine: worker {worker} does not have the package novikoff"):
            nv.engine("dask", one)


def _set_version() -> None:
    import novikoff
    from novikoff.engines import worker_tasks

    novikoff.__version__ = "0.0.1"
    worker_tasks.versions.cache_clear()


def _forget_the_package() -> None:
    import sys

    for name in [name for name in sys.modules if name.partition(".")[0] == "novikoff"]:
        del sys.modules[name]
    sys.modules["novikoff"] = None  # type: ignore[assignment]


def test_the_time_limit_counts_from_the_last_finished_partition_and_the_cluster_works_on(client: Client) -> None:
    with pytest.raises(nv.WorkerError, match=r"partition 1 of 10 \(rows 1 to 20\): no result came within 0\.5 s"):
        list(mapped(nv.engine("dask", client, timeout=0.5), partial(slow, 2, 2)))
    assert list(mapped(nv.engine("dask", client), first_row)) == TENS
    limited = nv.engine("dask", client, timeout=3.0)  # the first takes longer; others are finished meanwhile
    assert len(list(mapped(limited, partial(slow, 0.4, 4.5)))) == 10


def test_a_caller_that_stops_leaves_no_tasks(client: Client) -> None:
    engine = nv.engine("dask", client)
    results = mapped(engine, partial(slow, 0.05, 0.05), 20)
    next(results)
    results.close()  # type: ignore[attr-defined]
    engine.close()
    end = time.monotonic() + 20
    while any(client.processing().values()) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(client.processing().values())


def test_points_in_memory_survive_the_death_of_all_workers(client: Client) -> None:
    """What dead workers held is sent to new ones."""
    problem = problem_of(*separable_points())[0]
    engine, table = nv.engine("dask", client), partitions_of(problem, 1000)
    first = list(engine.map(summed, problem, table))
    before = pids(client)
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    assert list(engine.map(summed, problem, table)) == first
    with_two_workers(client)
    assert not set(before.values()) & set(pids(client).values())


def test_a_partition_that_kills_every_worker_is_reported(client: Client) -> None:
    """After as many deaths as dask allows."""
    client.run_on_scheduler(_allow_failures, 1)
    try:
        with pytest.raises(nv.WorkerError, match=r"partition 1 of \d+ \(rows 1 to \d+\): 2 workers ended one after"):
            list(mapped(nv.engine("dask", client), fatal, 200))
    finally:
        client.run_on_scheduler(_allow_failures, 3)
    with_two_workers(client)


def _allow_failures(most: int, dask_scheduler: Any) -> None:
    dask_scheduler.allowed_failures = most
