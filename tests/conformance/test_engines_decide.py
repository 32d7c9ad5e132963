"""`decide`, `margin` and `verify` through the seam: the same bits whatever engine, workers and partitions."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse as sp

import novikoff as nv
from data.clusters import cluster
from data.files import spilled
from novikoff.certify.numbers.signed_rows import points_of, worst
from novikoff.data.digest import digest_of
from novikoff.data.problem import problem_of
from novikoff.engines import parallel_digest, partitions
from novikoff.engines.engine import SERIAL
from novikoff.io.source import Points
from novikoff.io.writer import write

KINDS = ("separable", "overlap", "quasi-complete")
STORAGES = ("dense", "csr", "csc", "float32", "svm", "csv", "svm.gz", "parquet")


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Any]:
    with cluster(2) as client, nv.engine("dask", client) as two:
        yield two


@pytest.fixture
def numbers_of_a_partition(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`numbers_of_a_partition(800)`: the partitions of all points have about so many numbers from here on."""
    return lambda numbers: monkeypatch.setattr(partitions, "NUMBERS", numbers)


@pytest.fixture
def small_partitions(numbers_of_a_partition: Callable[[int], None]) -> None:
    numbers_of_a_partition(800)


def points(kind: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    X = np.round(rng.normal(size=(1500, 5)), 3)
    X[rng.random(X.shape) < 0.3] = 0.0
    score = X @ rng.normal(size=5) + 0.2
    X, score = X[np.abs(score) > 0.02], score[np.abs(score) > 0.02]
    y = (score > 0).astype(np.int64)
    if kind == "overlap":
        y[:3] = 1 - y[:3]
    if kind == "quasi-complete":
        X[:, 0] = 0.0
        y = (rng.random(len(X)) < 0.5).astype(np.int64)
        X[700:720, 0] = np.where(y[700:720], 1.0, -2.0)
    return X, y


def stored(X: np.ndarray, y: np.ndarray, storage: str, folder: Path) -> tuple[Any, Any]:
    made = {"dense": lambda: X, "csr": lambda: sp.csr_array(X), "csc": lambda: sp.csc_array(X),
            "float32": lambda: np.float32(X)}  # fmt: skip
    if storage in made:
        return made[storage](), y
    path = folder / f"points.{storage}"
    if storage == "parquet":
        table = pyarrow.table({**{f"x{j}": X[:, j] for j in range(X.shape[1])}, "y": y})
        pyarrow.parquet.write_table(table, path, row_group_size=130)
    else:
        plain = path.with_suffix("") if path.suffix == ".gz" else path
        write(Points(X, y, None), plain)
        if plain != path:
            path.write_bytes(gzip.compress(plain.read_bytes()))
    return spilled(path)


def info(v: Any) -> tuple[Any, ...]:
    return (v.separable, v.kind, v.w, v.b, v.support, v.weights, v.separated.tolist(), v.held, v.held_weights,
            v.rows_read, v.how)  # fmt: skip


def width(w: Any) -> tuple[Any, ...]:
    return w.gamma, w.gamma2, w.touching.tolist(), w.weights.tolist(), w.plane[0].tolist(), w.plane[1]


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("storage", STORAGES)
def test_every_engine_decides_alike(kind: str, storage: str, tmp_path: Path) -> None:
    """The plane, the rows of the proof, every weight and the digest of the certificate; and whole, in one partition."""
    X, y = stored(*points(kind), storage, tmp_path)
    serial = nv.decide(X, y)
    assert serial.kind == {"separable": "complete"}.get(kind, kind)
    assert len(partitions.partitions_of(serial._source.problem)) > 5 or storage in ("svm", "csv", "svm.gz")
    record = serial.certificate().record()
    for engine in (nv.engine("threads", 3), nv.engine("serial")):
        other = nv.decide(X, y, engine=engine)
        assert info(other) == info(serial)
        assert other.certificate().record() == record
        assert nv.verify(record, X, y, engine=engine) == serial.kind


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.compiled
@pytest.mark.parametrize("storage", ["csr", "svm", "parquet"])
def test_processes_decide_alike(storage: str, tmp_path: Path, two_processes: Any) -> None:
    for kind in KINDS:
        X, y = stored(*points(kind), storage, tmp_path)
        serial, other = nv.decide(X, y), nv.decide(X, y, engine=two_processes)
        assert info(other) == info(serial)
        assert other.certificate().record() == serial.certificate().record()
        assert nv.verify(other, X, y, engine=two_processes) == serial.kind


@pytest.mark.parametrize("storage", ["dense", "csr", "parquet"])
def test_one_partition_and_many_are_alike(
    storage: str, tmp_path: Path, numbers_of_a_partition: Callable[[int], None]
) -> None:
    for kind in KINDS:
        X, y = stored(*points(kind), storage, tmp_path)
        numbers_of_a_partition(1 << 20)
        whole = info(nv.decide(X, y))
        for numbers in (1, 100, 3000):
            numbers_of_a_partition(numbers)
            assert info(nv.decide(X, y)) == whole


@pytest.mark.usefixtures("small_partitions")
@pytest.mark.compiled
@pytest.mark.parametrize("storage", ["dense", "float32", "csr", "svm", "parquet"])
def test_every_engine_measures_alike(storage: str, tmp_path: Path, two_processes: Any) -> None:
    X, y = stored(*points("separable"), storage, tmp_path)
    serial = nv.margin(X, y)
    for engine in (nv.engine("threads", 3), two_processes):
        other = nv.margin(X, y, engine=engine)
        assert width(other.geometric) == width(serial.geometric)
        assert width(other.padded) == width(serial.padded)
        assert (other.radius2, other.mistake_bound) == (serial.radius2, serial.mistake_bound)
    X, y = stored(*points("overlap"), storage, tmp_path)
    with pytest.raises(nv.NotSeparableError) as error:
        nv.margin(X, y, engine=two_processes)
    assert info(error.value.verdict) == info(nv.decide(X, y))


@pytest.mark.parametrize("n", [1, 4095, 4096, 4097, 13000])
def test_the_digest_is_the_same_by_every_engine(n: int, numbers_of_a_partition: Callable[[int], None]) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.integers(-1, 2, (n, 3)).astype(float), np.array(["no", "yes"])[np.arange(n) % 2]
    for rows in (X, sp.csr_array(X)):
        problem = problem_of(rows, np.arange(n) % 2 if n > 1 else [0, 1][:n] or y)[0] if n > 1 else None
        problem = problem or points_of(rows, y, True).problem
        wanted = digest_of(problem, y)
        assert digest_of(problem, y, parallel_digest.hashed_by(SERIAL)) == wanted
        numbers_of_a_partition(5000)
        assert digest_of(problem, y, parallel_digest.hashed_by(nv.engine("threads", 3))) == wanted
        numbers_of_a_partition(1 << 20)


def test_refused_proofs_name_the_first_row_by_every_engine(numbers_of_a_partition: Callable[[int], None]) -> None:
    X, y = points("separable")
    record = nv.decide(X, y).certificate().record()
    X[[40, 1200]], y[[40, 1200]] = X[[41, 1201]], 1 - y[[41, 1201]]
    record["data"]["digest"] = digest_of(problem_of(X, y)[0], y)
    numbers_of_a_partition(800)
    for engine in (None, nv.engine("threads", 3)):
        with pytest.raises(nv.CertificateError, match=r"row 40 is on the wrong side"):
            nv.verify(record, X, y, engine=engine)


def test_the_worst_are_the_same_however_rows_are_cut() -> None:
    """Equal scores go by the row's number."""
    rng = np.random.default_rng(1)
    for most in (0, 1, 5, 40, 200):
        rows, m = np.arange(100), rng.integers(0, 6, 100).astype(float)
        parts = [worst(rows[a : a + 17], m[a : a + 17], most) for a in range(0, 100, 17)]
        both = worst(*(np.concatenate(one) for one in zip(*parts, strict=True)), most)
        whole = worst(rows, m, most)
        assert both[0].tolist() == whole[0].tolist()
        assert sorted(zip(m.tolist(), rows.tolist(), strict=True))[:most] == sorted(
            zip(whole[1].tolist(), whole[0].tolist(), strict=True)
        )


def test_a_stall_asks_with_the_engine_and_the_model_does_not_keep_it(tmp_path: Path) -> None:
    X, y = nv.example("xor")
    with pytest.warns(nv.NotSeparatedWarning):
        clf = nv.Perceptron(engine=nv.engine("threads", 2), train_patience="auto", max_iter=200).fit(X, y)
    assert nv.save(clf, tmp_path / "a.nvk") == nv.save(clf.set_params(engine=None), tmp_path / "b.nvk")
    assert nv.load(tmp_path / "a.nvk").engine is None


def test_what_is_no_engine_is_refused() -> None:
    X, y = nv.example("or")
    for given in ("threads", 2, "dask"):
        for ask in (nv.decide, nv.margin, lambda X, y, engine: nv.verify(nv.decide(X, y), X, y, engine=engine)):
            with pytest.raises(nv.InputError, match=r"engine: found .*novikoff.engine\('threads'\)"):
                ask(X, y, engine=given)


def test_points_of_read_are_taken_with_an_engine(tmp_path: Path) -> None:
    """In memory, or in their file: the verdict, the margin and the certificate are those of X and y."""
    X, y = points("separable")
    write(Points(X, y, None), tmp_path / "points.svm")
    wanted = nv.decide(sp.csr_array(X), y)
    for memory in (None, "100"):
        found = nv.read(tmp_path / "points.svm", memory=memory)
        verdict = nv.decide(found, engine=nv.engine("threads", 2))
        assert info(verdict) == info(wanted)
        assert verdict.certificate().record() == wanted.certificate().record()
        assert nv.verify(verdict, found) == nv.verify(wanted, found) == "complete"
        assert width(nv.margin(found).padded) == width(nv.margin(sp.csr_array(X), y).padded)
        assert [v.kind for v in nv.decide_pairs(found).values()] == ["complete"]
