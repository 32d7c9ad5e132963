"""A dask cluster as the engine, and dask arrays and data frames as X and y: the bits of memory, or a clear error."""

from __future__ import annotations

import gc
import gzip
import pickle
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from distributed import Client
from sklearn.base import clone

import novikoff as nv
from commands import novikoff
from data.clusters import (
    WORKS,
    check_gone,
    children,
    cluster,
    cluster_elsewhere,
    decided_beside_a_stopped_worker,
    delayed,
    digest_of_result,
    kill_later,
    killed_during,
    listener,
    parquet_file,
    separable_points,
)
from data.limits import limits

pytestmark = [pytest.mark.compiled, pytest.mark.timeout(300)]
FORMS = ("array", "array of unknown lengths", "float32", "integers", "frame")


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    with cluster() as one:
        yield one


@pytest.fixture(scope="module")
def few() -> Iterator[Client]:
    """A client of workers that are threads of this process: quick to start."""
    with cluster(2, processes=False) as one:
        yield one


@pytest.fixture(autouse=True)
def _small_partitions() -> Iterator[None]:
    """Collections are computed in this thread, unless an engine has a cluster."""
    with limits(partition=800), dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def points(tmp_path: Path) -> Any:
    return nv.read(parquet_file(tmp_path), memory="1K")


# ---- the cluster as the engine


@pytest.mark.parametrize("work", WORKS)
def test_every_engine_and_every_number_of_workers_give_the_same_digest(
    work: str, client: Client, few: Client, tmp_path: Path
) -> None:
    """From memory and from a file, each operation begun after a random delay."""
    path = parquet_file(tmp_path)
    far, near, call = nv.read(path, memory="1K"), nv.read(path), WORKS[work]
    found = {"far": digest_of_result(call(far, None)), "near": digest_of_result(call(near, None))}
    with cluster(3, processes=False) as three:
        engines = {"threads 1": ("threads", 1), "threads 3": ("threads", 3), "dask 2": ("dask", client)}
        for name, chosen in (engines | {"dask few": ("dask", few), "dask 3": ("dask", three)}).items():
            engine = delayed(nv.engine(*chosen), 0.005)
            found[name] = digest_of_result(call(far, engine))
            if chosen[1] is client:
                found["dask, near"] = digest_of_result(call(near, engine))
    assert len(set(found.values())) == 1, found


@pytest.mark.parametrize("storage", ["dense", "csr", "svm", "svm.gz"])
def test_the_cluster_decides_alike_from_every_storage(storage: str, few: Client, tmp_path: Path) -> None:
    X, y = separable_points()
    y[:3] = 1 - y[:3]
    rows: Any = {"dense": X, "csr": sp.csr_array(X)}.get(storage)
    if rows is None:
        pd.DataFrame(X, columns=list("abcde")).assign(y=y).to_csv(tmp_path / "points.csv", index=False)
        assert novikoff("convert", tmp_path / "points.csv", tmp_path / "points.svm").code == 0
        (tmp_path / "points.svm.gz").write_bytes(gzip.compress((tmp_path / "points.svm").read_bytes()))
        read = nv.read(tmp_path / f"points.{storage}", memory="1K")
        rows, y = read.X, read.y
    serial, other = nv.decide(rows, y), nv.decide(rows, y, engine=nv.engine("dask", few))
    assert serial.kind == other.kind == "overlap"
    assert other.certificate().record() == serial.certificate().record()


def test_an_engine_is_cloned_as_itself_and_pickled_as_its_address(few: Client) -> None:
    engine = nv.engine("dask", few, timeout=30)
    assert clone(engine) is engine
    with pickle.loads(pickle.dumps(engine)) as other:
        assert repr(other) == repr(engine) == f"engine('dask', {few.scheduler.address!r})"
        assert other.timeout == 30
        assert nv.decide(*nv.example("or"), engine=other)


def test_the_package_starts_without_dask() -> None:
    """Only the engine imports it."""
    code = (
        "import sys, novikoff as nv; nv.engine('threads'); nv.decide([[0], [1]], [0, 1]); print('dask' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"


# ---- what cannot be connected to

NO_CLUSTER = r"scheduler: found .*a distributed\.Client, a cluster or the address"
FAR = "tcp://127.0.0.1:9"
ENGINES: list[tuple[Any, dict[str, Any], str]] = [
    *((given, {}, NO_CLUSTER) for given in (1.5, "", ["tcp://127.0.0.1:1"])),
    *((where, {}, f"scheduler: {where}: no scheduler answers there") for where in (FAR, "127.0.0.1:9", "nowhere://x")),
    *((FAR, {"timeout": bad}, "timeout: found") for bad in (0, -1, "5", True, np.nan, np.inf, 1e10, 10**400)),
]


@pytest.mark.parametrize(("given", "more", "words"), ENGINES)
def test_what_is_no_scheduler_is_refused(given: Any, more: dict[str, Any], words: str) -> None:
    before = children()
    with limits(connect=1.0), pytest.raises(nv.InputError, match=words):
        nv.engine("dask", given, **more)
    check_gone(before)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"", r"nothing came within 1 s"),
        (b"SSH-2.0-OpenSSH_9.2p1 Debian\r\n", "what came is not the protocol of dask"),  # as a length: 3 EiB
        (b"\x05" + bytes(7) + b"hello", "what came is not the protocol of dask"),
    ],
    ids=["silence", "SSH", "short"],
)
def test_a_port_that_does_not_speak_as_a_scheduler_is_reported(said: bytes, why: str) -> None:
    before = threading.active_count()
    with limits(connect=1.0), listener(said) as address:
        with pytest.raises(nv.InputError, match=rf"scheduler: {address}: no scheduler answers there \({why}\)"):
            nv.engine("dask", address)
        gc.collect()  # no client that is half made complains
    assert threading.active_count() <= before


def test_a_worker_a_closed_client_and_a_cluster_without_workers_are_no_schedulers(few: Client) -> None:
    worker = next(iter(few.scheduler_info()["workers"]))
    with pytest.raises(nv.InputError, match=r"no scheduler answers there \(it is the address of a dask worker\)"):
        nv.engine("dask", worker)
    other = Client(few.scheduler.address, set_as_default=False)
    other.close()
    with pytest.raises(nv.InputError, match="found a client that is closed"):
        nv.engine("dask", other)
    lost = pytest.raises(nv.WorkerError, match=r"the scheduler at .* has no workers")
    with limits(arrive=0.3), cluster(0, processes=False) as none, lost:
        nv.engine("dask", none)


# ---- faults: the same digest, or a clear error; never a hang, and nothing left running


@pytest.mark.parametrize(
    ("work", "seconds", "workers"), [("decide", 0.02, 1), ("margin", 0.15, 1), ("mix", 0.2, 1), ("verify", 0.1, 2)]
)
def test_workers_that_are_killed_change_nothing(
    work: str, seconds: float, workers: int, client: Client, points: Any
) -> None:
    wanted = digest_of_result(WORKS[work](points, None))
    assert killed_during(client, WORKS[work], points, seconds, all_of_them=workers == 2) == {wanted}


def test_a_worker_that_is_stopped_for_a_while_changes_nothing(client: Client, points: Any) -> None:
    assert decided_beside_a_stopped_worker(client, points, 2.0) == digest_of_result(WORKS["decide"](points, None))


def test_a_driver_that_is_killed_leaves_nothing_and_a_second_run_is_the_same(client: Client, points: Any) -> None:
    wanted = digest_of_result(WORKS["decide"](points, None))
    code = f"""
import sys
sys.path[:0] = {sys.path!r}
import novikoff as nv
from data.clusters import delayed, separable_points
from data.limits import limits
engine = delayed(nv.engine("dask", {client.scheduler.address!r}), 0.4)
print("working", flush=True)
with limits(partition=800):
    nv.decide(*separable_points(), engine=engine)
"""
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert driver.stdout is not None
    assert driver.stdout.readline() == "working\n"
    while not any(client.processing().values()):
        time.sleep(0.01)
        assert driver.poll() is None
    driver.kill()
    driver.communicate()
    assert digest_of_result(WORKS["decide"](points, nv.engine("dask", client))) == wanted


def test_a_cluster_that_is_lost_is_reported(points: Any) -> None:
    with cluster_elsewhere() as (address, process), nv.engine("dask", address, timeout=60) as engine:
        timer = kill_later(process.pid, 0.3)  # the scheduler is in this process
        late = delayed(engine, 0.02)
        lost = r"engine: .*(was lost, or restarted|no result came|does not answer)"
        with pytest.raises(nv.WorkerError, match=lost):
            [WORKS["decide"](points, late) for _ in range(100)]
        timer.join()


# ---- arrays and frames of dask as X and y


def collections(form: str) -> tuple[Any, Any, Any, np.ndarray]:
    """(X, y) of dask, and the same in memory."""
    X, y = separable_points(400)
    if form == "frame":
        frame = pd.DataFrame(X, columns=list("abcde"))
        lazy = dd.from_pandas(frame.assign(y=y), npartitions=7)
        return lazy[list("abcde")], lazy["y"], frame, y
    X = {"float32": np.float32(X), "integers": np.round(1000 * X).astype(np.int32)}.get(form, X)
    lazy = da.from_array(X, chunks=(70, -1))
    if form == "array of unknown lengths":
        lazy = lazy[lazy[:, 0] < np.inf]
    return lazy, da.from_array(y, chunks=101), X, y


@pytest.mark.filterwarnings("ignore::novikoff.NotSeparatedWarning")
@pytest.mark.parametrize("form", FORMS)
def test_every_call_gives_the_bits_of_memory(form: str, few: Client) -> None:
    lazy, labels, X, y = collections(form)
    wanted = nv.decide(X, y)
    for engine in (None, nv.engine("dask", few)):
        found = nv.decide(lazy, labels, engine=engine)
        assert found.certificate().record() == wanted.certificate().record()
        assert nv.verify(found, lazy, labels, engine=engine) == "complete"
        for parts in (1, 5):
            mixed, same = (nv.Perceptron(mix=True, partitions=parts, max_iter=6, engine=e) for e in (engine, None))
            assert mixed.fit(lazy, labels).coef_.tobytes() == same.fit(X, y).coef_.tobytes()
            assert mixed.n_mistakes_.tolist() == same.n_mistakes_.tolist()
    assert nv.margin(lazy, labels).padded.gamma2 == nv.margin(X, y).padded.gamma2
    clf = nv.Perceptron(max_iter=3, keep="last").fit(X[:60], y[:60])
    assert 0.5 < clf.score(lazy, labels) == clf.score(lazy, y) == clf.score(X, y) < 1.0


@pytest.mark.parametrize(
    ("form", "kind"),
    [*((form, "Perceptron") for form in FORMS), ("array", "many"), ("frame", "MaxMargin"), ("float32", "SoftMargin")],
)
def test_predictions_are_those_of_memory(form: str, kind: str) -> None:
    lazy, _, X, y = collections(form)
    labels = np.array(["no", "maybe", "yes"])[y + (X[:, 0] > 1)] if kind == "many" else y
    model = nv.Perceptron(max_iter=3) if kind in ("Perceptron", "many") else getattr(nv, kind)()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", nv.NotSeparatedWarning)
        model.fit(X, labels)
    for method in ("predict", "decision_function"):
        found, wanted = getattr(model, method)(lazy), getattr(model, method)(X)
        assert found.dtype == wanted.dtype
        assert found.tolist() == wanted.tolist()


def test_a_dask_collection_predicts_lazily_by_its_own_map() -> None:
    """As the guide says."""
    lazy, _, frame, y = collections("frame")
    clf = nv.MaxMargin().fit(frame, y)
    assert lazy.map_partitions(clf.predict, meta=("y", y.dtype)).compute().tolist() == clf.predict(frame).tolist()
    array, _, X, _ = collections("array")
    clf.fit(X, y)
    assert array.map_blocks(clf.predict, dtype=y.dtype, drop_axis=1).compute().tolist() == clf.predict(X).tolist()


def test_blocks_of_any_size_are_the_same_rows() -> None:
    X, y = separable_points(60)
    wanted = nv.decide(X, y).certificate().record()
    for rows in (1, 7, 5000):
        assert nv.decide(da.from_array(X, chunks=(rows, -1)), y).certificate().record() == wanted


def test_the_columns_of_a_frame_are_remembered_and_compared() -> None:
    lazy, labels, frame, y = collections("frame")
    clf = nv.Perceptron(mix=True, partitions=2).fit(lazy, labels)
    assert clf.feature_names_in_.tolist() == list("abcde")
    assert clf.predict(frame).tolist() == clf.predict(lazy).tolist()
    for other in (list("edcba"), list("abcd")):
        for rows in (frame, lazy):
            with pytest.raises(ValueError, match="feature names should match"):
                clf.predict(rows[other])
    array, _, X, _ = collections("array")
    with pytest.raises(ValueError, match=r"X has 3 features, but Perceptron is expecting 5 features"):
        nv.Perceptron(max_iter=50).fit(X, y).predict(array[:, :3])


TWO = np.arange(6) % 2
LAZY = da.ones((6, 4), chunks=(3, -1))
HOLES = np.where(np.arange(600).reshape(300, 2) == 435, np.nan, 1.0)
REFUSED: dict[str, tuple[Callable[[Any], Any], str]] = {
    "columns": (lambda _: nv.decide(da.ones((6, 4), chunks=(3, 2)), TWO), r"split by columns \(blocks of 2, 2 .*rechu"),
    "one dimension": (lambda _: nv.decide(da.ones(6, chunks=3), TWO), "X: Expected 2D array, got 1D array instead"),
    "complex": (lambda _: nv.decide(LAZY.astype(complex), TWO), "X: found a dask array of complex128; numbers were"),
    "sparse": (lambda _: nv.decide(LAZY.map_blocks(sp.csr_array), TWO), "X: found a dask array of sparse blocks; dens"),
    "no rows": (lambda _: nv.decide(da.ones((0, 2), chunks=(3, 2)), TWO), r"X: Found array with 0 sample"),
    "words": (
        lambda _: nv.decide(dd.from_pandas(pd.DataFrame({"a": [1.0] * 6, "t": list("abcdef")}), npartitions=2), TWO),
        "X: column 't' holds",
    ),
    "labels": (lambda _: nv.decide(LAZY, [0, 1]), "6 rows and 2 labels"),
    "fit": (lambda _: nv.Perceptron().fit(LAZY, TWO), "X: found a dask collection, which fit trains on only with mix"),
    "soft": (lambda _: nv.SoftMargin().fit(LAZY, TWO), "a dask collection, and a soft margin needs all rows in memory"),
    "separation": (lambda _: nv.separation(LAZY, TWO), "a dask collection, and separation needs all rows in memory"),
    "cluster": (
        lambda one: nv.Perceptron(engine=nv.engine("dask", one)).fit(*nv.example("or")),
        r"engine: engine\('dask', .*only with mix=True",
    ),
    **{
        f"a hole, {name}": (call, r"NaN: row 218 \(217 counted from 0\), column 2")
        for name, call in {
            "lazy": lambda _: nv.decide(da.from_array(HOLES, chunks=(50, -1)), np.arange(300) % 2),
            "lazy in a cluster": lambda one: nv.decide(
                da.from_array(HOLES, chunks=(50, -1)), np.arange(300) % 2, engine=nv.engine("dask", one)
            ),
            "in a cluster": lambda one: nv.decide(HOLES, np.arange(300) % 2, engine=nv.engine("dask", one)),
        }.items()
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_used_is_refused(case: str, few: Client) -> None:
    call, words = REFUSED[case]
    with pytest.raises(nv.InputError, match=words):
        call(few)
