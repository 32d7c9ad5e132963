"""Mixing gives the same bits from every storage, with every engine and any number of workers."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

import novikoff as nv
from damage.killed import FORMS
from data.clusters import cluster
from data.files import spilled, written
from data.small_sets import fit_quietly
from novikoff.data import contiguous_blocks
from novikoff.data.problem import Problem
from novikoff.io import text_blocks
from novikoff.perceptron.mixing import LocalPass

HOW: dict[str, Any] = {"mix": True, "partitions": 5, "max_iter": 13, "train_patience": None}
STORES: dict[str, Any] = {
    "float64": lambda X: X, "fortran": np.asfortranarray, "csr": sp.csr_array, "csc": sp.csc_array,
    "frame": pd.DataFrame, "unsorted": lambda X: unsorted(X), "coo": sp.coo_array,
}  # fmt: skip


def unsorted(X: np.ndarray) -> Any:
    """Compressed sparse rows whose columns are stored backwards."""
    rows = sp.csr_array(X)
    for lo, hi in zip(rows.indptr[:-1], rows.indptr[1:], strict=True):
        rows.indices[lo:hi], rows.data[lo:hi] = rows.indices[lo:hi][::-1].copy(), rows.data[lo:hi][::-1].copy()
    rows.has_sorted_indices = False
    return rows


def points(n: int = 400, d: int = 6, classes: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    X = np.round(rng.normal(size=(n, d)), 3)
    X[rng.random((n, d)) < 0.3] = 0.0
    X[0] = 1.0
    return X, (X @ rng.normal(size=(d, classes)) + 0.4 * rng.normal(size=(n, classes))).argmax(axis=1)


def info(clf: Any) -> tuple[Any, ...]:
    """All that a run says of itself but the seconds, to the bit."""
    history = {name: column for name, column in clf.history_.items() if name not in ("seconds", "loss", "norm")}
    counts = clf.n_mistakes_.tolist(), clf.partition_rows_.tolist(), clf.n_iter_, clf.n_updates_, clf.n_looks_
    return clf.coef_.tobytes(), clf.intercept_.tobytes(), counts, clf.stop_reason_, repr(history)


def fitted(X: Any, y: Any, **how: Any) -> tuple[Any, ...]:
    return info(fit_quietly(nv.Perceptron(**HOW | how), X, y))


@pytest.mark.parametrize("keep", ["auto", "pocket"])
@pytest.mark.parametrize("classes", [2, 3])
def test_every_storage_in_memory(classes: int, keep: str) -> None:
    X, y = points(classes=classes)
    wanted = fitted(X, y, keep=keep)
    for name, store in STORES.items():
        assert fitted(store(X), y, keep=keep) == wanted, name


def test_column_major_storage_of_many_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of rows: with one partition, with several, and with rows held out."""
    monkeypatch.setattr(contiguous_blocks, "NUMBERS", 100)
    X, y = points()
    for how in ({"partitions": 1, "order": "shuffle", "random_state": 0}, {}, {"early_stopping": True}):
        wanted = fitted(X, y, **how)
        for store in (sp.csc_array, np.asfortranarray, pd.DataFrame, lambda X: X[::-1][::-1]):
            assert fitted(store(X), y, **how) == wanted


def test_whole_numbers_in_every_type() -> None:
    X, y = points()
    X = np.round(5 * X)
    wanted = fitted(X, y)
    for kind in ("int8", "int16", "int64", "float32"):
        assert fitted(X.astype(kind), y) == wanted, kind
    wide = np.hstack([X] * 10)
    assert fitted(wide.astype("int8"), y) == fitted(wide, y) == fitted(wide.astype("float32"), y)


@pytest.mark.parametrize("order", ["auto", "shuffle"])
@pytest.mark.parametrize("form", FORMS)
def test_rows_in_temporary_files(form: str, order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_blocks, "BLOCK", 3000)
    X, y = points()
    rows = spilled(written(tmp_path, form, X, y, 3000))
    how = {"order": order, "random_state": 4}
    wanted = fitted(X, y, **how)
    assert fitted(*rows, **how) == wanted
    with nv.engine("threads", 2) as two:
        assert fitted(*rows, engine=two, **how) == wanted


@pytest.mark.parametrize("classes", [2, 3])
def test_threads_with_any_number_of_workers_and_random_delays(classes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = points(classes=classes)
    how = {"max_iter": 4, "order": "shuffle", "random_state": 0}
    wanted, call, chance = fitted(X, y, **how), LocalPass.__call__, np.random.default_rng(0)

    def late(self: Any, part: Problem) -> Any:
        threading.Event().wait(float(chance.uniform(0, 0.002)))
        return call(self, part)

    monkeypatch.setattr(LocalPass, "__call__", late)
    for workers in (1, 2, 3, 5):
        with nv.engine("threads", workers) as some:
            assert fitted(sp.csr_array(X) if workers == 2 else X, y, engine=some, **how) == wanted


@pytest.mark.compiled
def test_processes(tmp_path: Path) -> None:
    X, y = points(classes=3)
    rows = spilled(written(tmp_path, "parquet", X, y, 3000))
    how = {"keep": "pocket", "order": "shuffle", "random_state": 1, "max_iter": 2}
    wanted = fitted(X, y, **how)
    with cluster(2) as client, nv.engine("dask", client) as two:
        assert fitted(X, y, engine=two, **how) == wanted
        assert fitted(*rows, engine=two, **how) == wanted


def test_a_bad_row_of_a_partition_is_named_whatever_the_engine() -> None:
    X, y = points()
    X[301, 2] = np.nan
    for kind in ("serial", "threads"):
        with nv.engine(kind) as one, pytest.raises(nv.InputError, match=r"row 302 \(301 counted from 0\), column 3"):
            fitted(X, y, engine=one)


def test_the_default_partitions_do_not_depend_on_the_storage() -> None:
    X, y = np.random.default_rng(0).normal(size=(70_000, 2)), np.arange(70_000) % 2
    for store in (lambda X: X, sp.csr_array):
        clf = fit_quietly(nv.Perceptron(mix=True, max_iter=1), store(X), y)
        assert clf.partition_rows_.tolist() == [35_000, 35_000]


def test_rows_that_were_left_out_change_no_partition(tmp_path: Path) -> None:
    """The random numbers of a partition follow its place, not the numbers of its rows in the file."""
    X, y = points(60)
    lines = [",".join(map(repr, [*x, int(k)])) for x, k in zip(X.tolist(), y, strict=True)]
    whole, gaps = tmp_path / "whole.csv", tmp_path / "gaps.csv"
    whole.write_text("\n".join(["a,b,c,d,e,f,y", *lines]) + "\n")
    missing = [*lines[:7], ",2,3,4,5,6,1", *lines[7:31], ",1,1,1,1,1,0", *lines[31:]]
    gaps.write_text("\n".join(["a,b,c,d,e,f,y", *missing]) + "\n")
    how = {"order": "shuffle", "random_state": 2}
    one, other = (nv.Perceptron(**HOW | how) for _ in range(2))
    fit_quietly(one, nv.read(whole), None)
    fit_quietly(other, nv.read(gaps, missing="drop"), None)
    assert info(other) == info(one)
