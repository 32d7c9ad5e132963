"""The engine of a dask cluster: the same bits as serially, clear errors, nothing left running."""

from __future__ import annotations

import gc
import gzip
import os
import pickle
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from distributed import Client
from sklearn.base import clone

import novikoff as nv
from data.clusters import (
    WORKS,
    FirstRow,
    Sleep,
    SlowFirst,
    Sums,
    Wide,
    check_gone,
    children,
    cluster,
    delayed,
    digest_of_result,
    kill_later,
    listener,
    parquet_file,
    separable_points,
)
from data.files import spilled
from novikoff.data.problem import Problem, problem_of
from novikoff.engines import dask_connection, dask_engine, partitions, worker_tasks
from novikoff.engines.partitions import partitions_of
from novikoff.io.source import Points
from novikoff.io.writer import write

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


@pytest.fixture
def small_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "NUMBERS", 800)


def in_file(path: Path) -> Problem:
    return problem_of(*spilled(path))[0]


def in_memory(n: int = 200) -> Problem:
    return problem_of(np.arange(2.0 * n).reshape(n, 2), np.arange(n) % 2)[0]


# ---- the same bits


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.parametrize("work", WORKS)
def test_every_engine_and_every_number_of_workers_give_the_same_digest(
    work: str, client: Client, tmp_path: Path
) -> None:
    """1, 2, 3 and 5 workers, from memory and from a file, each operation begun after a random delay."""
    points = nv.read(parquet_file(tmp_path), memory="1K")
    wanted = digest_of_result(WORKS[work](points, None))
    found = {"memory": digest_of_result(WORKS[work](Points(*separable_points(), points.names), None))}
    for workers in (1, 2, 3, 5):
        with delayed(nv.engine("threads", workers), 0.005) as engine:
            found[f"threads {workers}"] = digest_of_result(WORKS[work](points, engine))
        if workers == 2:
            engine = delayed(nv.engine("dask", client), 0.005)
            found["dask 2"] = digest_of_result(WORKS[work](points, engine))
            found["dask 2, memory"] = digest_of_result(WORKS[work](Points(*separable_points(), points.names), engine))
            continue
        with cluster(workers, processes=False) as some, delayed(nv.engine("dask", some), 0.005) as engine:
            found[f"dask {workers}"] = digest_of_result(WORKS[work](points, engine))
    assert set(found.values()) == {wanted}, found


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.parametrize("storage", ["dense", "csr", "svm", "svm.gz"])
def test_the_cluster_decides_alike_from_every_storage(storage: str, client: Client, tmp_path: Path) -> None:
    X, y = separable_points()
    y[:3] = 1 - y[:3]
    rows: Any = {"dense": X, "csr": sp.csr_array(X)}.get(storage)
    if rows is None:
        write(Points(X, y, None), tmp_path / "points.svm")
        (tmp_path / "points.svm.gz").write_bytes(gzip.compress((tmp_path / "points.svm").read_bytes()))
        points = nv.read(tmp_path / f"points.{storage}", memory="1K")
        rows, y = points.rows, points.labels
    serial, other = nv.decide(rows, y), nv.decide(rows, y, engine=nv.engine("dask", client))
    assert serial.kind == other.kind == "overlap"
    assert other.certificate().record() == serial.certificate().record()


def test_results_come_in_order_and_tasks_in_flight_are_bounded(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_engine, "AT_ONCE", 4)
    problem, sent = in_memory(), list[int]()
    engine = nv.engine("dask", client)
    plain = engine._parts  # type: ignore[attr-defined]

    def counted(*points: Any) -> Iterator[Any]:
        for one in plain(*points):
            sent.append(1)
            yield one

    engine._parts = counted  # type: ignore[attr-defined]
    found = []
    for first in engine.map(FirstRow(), problem, partitions_of(problem, 20)):
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
        found.extend(engine.each(Sums(), items()))
    assert found == [Sums()(in_memory(5 + k)) for k in range(30)]


def test_a_wide_operation_is_sent_once(client: Client) -> None:
    """Large arguments of dask's own `map` have failed; and dask warns of 10 MB, here are 16."""
    problem = in_memory()
    for size in (10, 200_000, 2_000_000):
        found = list(nv.engine("dask", client).map(Wide(size), problem, partitions_of(problem, 40)))
        assert found == [(20, float(size))] * 10


def test_the_error_of_the_first_bad_partition_is_raised(client: Client) -> None:
    X, y = np.ones((300, 2)), np.arange(300) % 2
    X[[217, 290], 1] = np.nan, np.inf
    with pytest.raises(nv.InputError, match=r"NaN: row 218 \(217 counted from 0\), column 2"):
        nv.decide(X, y, engine=nv.engine("dask", client))


# ---- a cluster on this machine


def test_a_cluster_is_started_and_ended_and_a_worker_that_is_killed_costs_no_result() -> None:
    before, problem = children(), in_memory()
    table = partitions_of(problem, 40)
    with nv.engine("dask", 2) as engine:
        assert repr(engine) == "engine('dask', 2)"
        assert list(engine.map(FirstRow(), problem, table)) == list(range(0, 200, 20))
        workers = engine._client.run(os.getpid)  # type: ignore[attr-defined]
        assert len(workers) == 2
        timer = kill_later(next(iter(workers.values())), 0.1)
        assert list(engine.map(Sleep(0.1), problem, table)) == [0] * 10
        timer.join()
    check_gone(before)
    with pytest.raises(nv.InputError, match="line 1: bad"), nv.engine("dask", 1) as engine:
        raise nv.InputError("line 1: bad")
    check_gone(before)


# ---- connections


def test_a_given_client_stays_open_and_one_that_was_made_is_closed(few: Client) -> None:
    before = children()
    problem = in_memory()
    with nv.engine("dask", few) as given:
        assert len(list(given.map(FirstRow(), problem, partitions_of(problem, 40)))) == 10
    assert few.status == "running"
    assert len(list(given.map(FirstRow(), problem, partitions_of(problem, 40)))) == 10
    with nv.engine("dask", few.scheduler.address) as made:
        own = made._client  # type: ignore[attr-defined]
        assert own.status == "running"
    assert own.status == "closed"
    assert len(list(made.map(FirstRow(), problem, partitions_of(problem, 40)))) == 10
    made.close()
    check_gone(before)


def test_an_engine_is_cloned_as_itself_and_pickled_as_its_address(few: Client) -> None:
    engine = nv.engine("dask", few, timeout=30)
    assert clone(engine) is engine
    with pickle.loads(pickle.dumps(engine)) as other:
        assert repr(other) == repr(engine) == f"engine('dask', {few.scheduler.address!r})"
        assert other.timeout == 30
        problem = in_memory()
        assert len(list(other.map(FirstRow(), problem, partitions_of(problem, 40)))) == 10


@pytest.mark.parametrize("given", [1.5, "", ["tcp://127.0.0.1:1"]])
def test_what_is_no_cluster_is_refused(given: Any) -> None:
    with pytest.raises(nv.InputError, match=r"scheduler: found .*a distributed\.Client, a cluster or the address"):
        nv.engine("dask", given)


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nowhere://x"])
def test_a_scheduler_that_does_not_answer_is_reported_soon(address: str) -> None:
    start, before = time.monotonic(), children()
    with pytest.raises(nv.InputError, match=rf"scheduler: {address}: no scheduler answers there"):
        nv.engine("dask", address)
    assert time.monotonic() - start < 60  # far above the limit of 5 s: a machine may be busy
    check_gone(before)


SPOKEN = [
    ("silence", b"", r"nothing came within 1 s"),
    ("SSH", b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n", "what came is not the protocol of dask"),  # as a length: 3 EiB
    ("HTTP", b"HTTP/1.1 400 Bad Request\r\n\r\n", "what came is not the protocol of dask"),
    ("a short message", b"\x05" + bytes(7) + b"hello", "what came is not the protocol of dask"),
]


@pytest.mark.parametrize(("said", "why"), [one[1:] for one in SPOKEN], ids=[one[0] for one in SPOKEN])
def test_a_port_that_does_not_speak_as_a_scheduler_is_reported_soon(
    said: bytes, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dask_connection, "CONNECT", 1.0)
    before, start = threading.active_count(), time.monotonic()
    with listener(said) as address:
        with pytest.raises(nv.InputError, match=rf"scheduler: {address}: no scheduler answers there \({why}\)"):
            nv.engine("dask", address)
        gc.collect()  # no client that is half made complains
    assert time.monotonic() - start < 30
    assert threading.active_count() <= before


def test_the_address_of_a_worker_is_not_that_of_a_scheduler(few: Client) -> None:
    worker = next(iter(few.scheduler_info()["workers"]))
    with pytest.raises(nv.InputError, match=r"no scheduler answers there \(it is the address of a dask worker\)"):
        nv.engine("dask", worker)


def test_a_closed_client_is_refused(few: Client) -> None:
    other = Client(few.scheduler.address, set_as_default=False)
    other.close()
    with pytest.raises(nv.InputError, match="found a client that is closed"):
        nv.engine("dask", other)


@pytest.mark.parametrize("timeout", [0, -1, "5", True, float("nan"), float("inf"), 1e10, 10**400])
def test_a_timeout_is_a_positive_number(timeout: Any) -> None:
    with pytest.raises(nv.InputError, match="timeout: found"):
        nv.engine("dask", "tcp://127.0.0.1:9", timeout=timeout)


def test_a_cluster_without_workers_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_connection, "ARRIVE", 0.3)
    with (
        cluster(0, processes=False) as none,
        pytest.raises(nv.WorkerError, match=r"the scheduler at .* has no workers"),
    ):
        nv.engine("dask", none)


@pytest.mark.parametrize(("here", "other"), [(r"numpy ", "numpy 0."), (r"sources \w+", "sources 0123456789ab")])
def test_other_versions_are_refused_in_each_task(
    here: str, other: str, few: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The versions have a digest of the package's modules, and that of the compiler."""
    versions = worker_tasks.versions()
    assert re.fullmatch(r"novikoff \S+ \(sources [0-9a-f]{12}\), Python \S+, numpy \S+, numba \S+", versions)
    engine, problem = nv.engine("dask", few), in_memory()
    monkeypatch.setattr(dask_engine, "versions", lambda: re.sub(here, other, versions))
    with pytest.raises(nv.WorkerError, match=rf"engine: worker \S+ has novikoff .* this program has .*{other}"):
        list(engine.map(FirstRow(), problem, partitions_of(problem, 40)))


def test_a_worker_with_another_version_is_named() -> None:
    with cluster(1) as one:
        (worker,) = one.scheduler_info()["workers"]
        one.run(_set_version)
        problem, engine = in_memory(), nv.engine("dask", one)
        wanted = rf"engine: worker {worker} has novikoff 0\.0\.1 \(sources .* this program has"
        with pytest.raises(nv.WorkerError, match=wanted):
            list(engine.map(FirstRow(), problem, partitions_of(problem, 40)))


def test_a_worker_without_the_package_is_named() -> None:
    """On a cluster of its own: a task still on its way would break the worker, and its nanny would start a new one."""
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


def test_a_call_that_takes_too_long_is_cancelled_and_the_cluster_works_on(client: Client) -> None:
    problem = in_memory()
    table = partitions_of(problem, 40)
    engine = nv.engine("dask", client, timeout=0.5)
    with pytest.raises(nv.WorkerError, match=r"partition 1 of 10 \(rows 1 to 20\): no result came within 0\.5 s"):
        list(engine.map(Sleep(2), problem, table))
    assert list(nv.engine("dask", client).map(FirstRow(), problem, table)) == list(range(0, 200, 20))


def test_the_time_limit_counts_from_the_last_finished_partition(client: Client) -> None:
    """The first partition takes longer than the limit; others are finished meanwhile."""
    problem = in_memory()
    table = partitions_of(problem, 40)
    engine = nv.engine("dask", client, timeout=3.0)
    assert len(list(engine.map(SlowFirst(4.5, 0.4), problem, table))) == 10


def test_a_caller_that_stops_leaves_no_tasks(client: Client) -> None:
    problem, engine = in_memory(), nv.engine("dask", client)
    results = engine.map(Sleep(0.05), problem, partitions_of(problem, 20))
    next(iter(results))
    results.close()  # type: ignore[attr-defined]
    engine.close()
    end = time.monotonic() + 20
    while any(client.processing().values()) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(client.processing().values())


def test_the_package_starts_without_dask() -> None:
    """Only the engine imports it."""
    import subprocess
    import sys

    code = (
        "import sys, novikoff as nv; nv.engine('threads'); nv.decide([[0], [1]], [0, 1]); print('dask' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ), check=True)
    assert ran.stdout == "False\n"
