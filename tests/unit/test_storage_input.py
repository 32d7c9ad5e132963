"""Bad numbers in every storage: a clear error that names the column or the row, and a model that stays as it was."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.data import contiguous_blocks
from novikoff.data.contiguous_blocks import DenseBlocks, dense_rows, sparse_rows
from novikoff.data.storages import rows_of

pytestmark = pytest.mark.bounds

X = np.array([[1.0, 0.0], [0.0, 1.0], [2.0, 3.0], [-1.0, -2.0]])
Y = np.array([0, 1, 1, 0])
FRAMES = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}
COLUMNS: dict[str, dict[str, Any]] = {
    "text": {"a": [1.0, 2.0], "kind": ["red", "blue"]},
    "dates": {"a": [1.0, 2.0], "kind": np.array(["2020-01-01", "2020-01-02"], "M8[ns]")},
}


@pytest.mark.parametrize("package", FRAMES)
@pytest.mark.parametrize("case", COLUMNS)
def test_columns_that_hold_no_numbers_are_refused_by_name(package: str, case: str) -> None:
    with pytest.raises(nv.InputError, match=r"X: column 'kind' holds .*, numbers were expected; drop it, or encode"):
        nv.Perceptron().fit(FRAMES[package](COLUMNS[case]), [0, 1])


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([1, 2], dtype="category"),
        pd.Series([1, 2], dtype=object),
        pd.Series([1 + 2j, 2]),
        pd.Series(["a", "b"], dtype="string"),
    ],
)
def test_categories_and_objects_of_pandas_are_refused_by_name(column: pd.Series) -> None:
    with pytest.raises(nv.InputError, match="column 'kind' holds"):
        nv.Perceptron().fit(pd.DataFrame({"a": [1.0, 2.0], "kind": column}), [0, 1])


def test_categories_of_polars_and_pyarrow_are_refused_by_name() -> None:
    words = pl.Series(["a", "b"], dtype=pl.Categorical)
    with pytest.raises(nv.InputError, match="column 'kind' holds Categorical"):
        nv.Perceptron().fit(pl.DataFrame({"kind": words}), [0, 1])
    with pytest.raises(nv.InputError, match="column 'kind' holds dictionary"):
        nv.Perceptron().fit(pa.table({"kind": pa.array(["a", "b"]).dictionary_encode()}), [0, 1])


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"a": pd.array([1, None, 3, 4], dtype="Int64"), "b": [1.0, 2.0, 3.0, 4.0]}),
        pd.DataFrame({"a": pd.array([True, None, False, True], dtype="boolean"), "b": [1.0, 2.0, 3.0, 4.0]}),
        pl.DataFrame({"a": [1, None, 3, 4], "b": [1.0, 2.0, 3.0, 4.0]}),
        pl.DataFrame({"a": [True, None, False, True], "b": [1.0, 2.0, 3.0, 4.0]}),
        pa.table({"a": [1, None, 3, 4], "b": [1.0, 2.0, 3.0, 4.0]}),
        pa.table({"a": [True, None, False, True], "b": [1.0, 2.0, 3.0, 4.0]}),
    ],
)
def test_missing_numbers_of_frames_are_refused_by_their_place(frame: Any) -> None:
    with pytest.raises(nv.InputError, match=r"contains NaN: row 2 \(1 counted from 0\), column 1"):
        nv.Perceptron().fit(frame, Y)


@pytest.mark.parametrize("package", FRAMES)
def test_names_of_columns_are_kept_and_must_come_again(package: str) -> None:
    make = FRAMES[package]
    clf = nv.Perceptron().fit(make({"a": X[:, 0], "b": X[:, 1]}), Y)
    assert clf.feature_names_in_.tolist() == ["a", "b"]
    before = pickle.dumps(clf)
    for bad in ({"b": X[:, 1], "a": X[:, 0]}, {"a": X[:, 0], "c": X[:, 1]}, {"a": X[:, 0]}):
        for ask in (clf.predict, clf.decision_function, lambda F: clf.partial_fit(F, Y)):
            with pytest.raises(ValueError, match=r"feature names should match|features"):
                ask(make(bad))
    assert pickle.dumps(clf) == before
    assert clf.predict(make({"a": X[:, 0], "b": X[:, 1]})).tolist() == Y.tolist()


@pytest.mark.parametrize("package", FRAMES)
def test_a_stream_of_frames_with_other_columns_stays_as_it_was(package: str) -> None:
    make = FRAMES[package]
    clf = nv.Perceptron().partial_fit(make({"a": X[:, 0], "b": X[:, 1]}), Y)
    before = pickle.dumps(clf)
    for bad in ({"b": X[:, 1], "a": X[:, 0]}, {"a": X[:, 0]}, {"a": X[:, 0], "b": X[:, 1], "c": X[:, 1]}):
        with pytest.raises(ValueError, match=r"feature names should match|features"):
            clf.partial_fit(make(bad), Y)
    assert pickle.dumps(clf) == before


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csc_array])
@pytest.mark.parametrize("index", [-1, 4, 2**31 - 1])
@pytest.mark.parametrize("dtype", ["float64", "int64"])
@pytest.mark.parametrize("numbers", [2, 100])
def test_indices_that_do_not_exist(
    kind: Any, index: int, dtype: str, numbers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In blocks or not, as numbers that kernels read or not."""
    monkeypatch.setattr(contiguous_blocks, "NUMBERS", numbers)
    S = kind(X.astype(dtype))
    S.indices[1] = index
    with pytest.raises(nv.InputError, match=f"index {index}"):
        nv.Perceptron().fit(S, Y)


def test_more_entries_than_32_bit_starts_can_count() -> None:
    entries = 2**31 + 8
    S = sp.csr_matrix((4, 2))
    S.data = np.broadcast_to(np.float32(1), entries)
    S.indices = np.broadcast_to(np.int32(0), entries)
    S.indptr = np.array([0, 1, 2, 3, -(2**31) + 8], np.int32)
    with pytest.raises(nv.InputError, match=r"2,147,483,656 entries, but the row starts .* 64-bit"):
        rows_of(S)


@pytest.mark.parametrize("dtype", ["int64", "uint64"])
def test_whole_numbers_that_binary64_does_not_hold(dtype: str) -> None:
    good = (X + 3).astype(dtype)
    good[0, 0] = 2**60  # held exactly
    assert rows_of(good)[0, 0] == 2.0**60
    for value in (2**53 + 1, 2**63 - 1):
        bad = good.copy()
        bad[2, 1] = value
        for store in (np.array, np.asfortranarray, sp.csr_matrix, sp.csc_matrix, pd.DataFrame, pl.DataFrame):
            with pytest.raises(nv.InputError, match=str(value)):
                rows_of(store(bad))
        with pytest.raises(nv.InputError, match=f"column 'b': {value}"):
            rows_of(pa.table({"a": bad[:, 0], "b": bad[:, 1]}))


def test_what_is_read_as_it_lies_and_what_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contiguous_blocks, "NUMBERS", 4)
    wide = np.ones((4, 64))
    for dtype in (np.float32, np.float64, np.int8, np.uint8):
        stored = wide.astype(dtype)
        assert dense_rows(stored) is stored
        stored.flags.writeable = False
        assert np.shares_memory(dense_rows(stored), stored)
    assert np.shares_memory(dense_rows(wide > 0), dense_rows(wide > 0)) is False
    assert isinstance(dense_rows(X.astype(np.int8)), DenseBlocks)
    assert isinstance(dense_rows(np.asfortranarray(X)), DenseBlocks)
    assert rows_of(sp.csr_matrix(X.astype(int)))[0].dtype == np.float64
    S = sp.csr_matrix(X)
    assert all(np.shares_memory(a, b) for a, b in zip(sparse_rows((S.data, S.indices, S.indptr)),
                                                      (S.data, S.indices, S.indptr), strict=True))  # fmt: skip
    frame = pd.DataFrame(X)
    assert np.shares_memory(rows_of(frame).array, frame.to_numpy())


@pytest.mark.parametrize("numbers", [2, 1000])
def test_starts_that_lead_past_the_entries(numbers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contiguous_blocks, "NUMBERS", numbers)
    csc, bsr, short = sp.csc_matrix(X), sp.bsr_matrix(X, blocksize=(1, 1)), sp.csc_matrix(X)
    csc.indptr = np.array([0, 2, 40], np.int32)
    bsr.indptr[-1] = 10**8
    short.indices = short.indices[:1]
    for bad in (csc, bsr, short):
        with pytest.raises(nv.InputError, match=r"starts .* do not grow from 0 to the number of entries"):
            nv.Perceptron().fit(bad, Y)


def test_entries_named_twice_are_summed_as_numbers() -> None:
    values, rows, columns = np.array([100, 100, 1, 1, 1, 1, 1], np.int8), [0, 0, 0, 1, 2, 3, 3], [0, 0, 1, 0, 1, 0, 1]
    coo = sp.coo_matrix((values, (rows, columns)), shape=(4, 2))
    csr = sp.csr_matrix((values, columns, [0, 3, 4, 5, 7]), shape=(4, 2))
    dense = np.array([[200.0, 1.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    fits = [nv.Perceptron(keep="last", max_iter=1, train_patience=None) for _ in range(3)]
    with pytest.warns(nv.NotSeparatedWarning):
        weights = [clf.fit(A, Y).coef_.tolist() for clf, A in zip(fits, (coo, csr, dense), strict=True)]
    assert weights[0] == weights[1] == weights[2]


@pytest.mark.parametrize(
    "value", [np.int64(2**53 + 1), np.longdouble(1) / 3, Decimal("0.1"), 2**53 + 1, Fraction(1, 3)]
)
def test_objects_and_lists_are_not_rounded(value: Any) -> None:
    with pytest.raises(nv.InputError, match="cannot be stored exactly in binary64"):
        rows_of(np.array([[value], [1.0]], dtype=object))
    with pytest.raises(nv.InputError, match=r"cannot be stored exactly in binary64|wider than binary64"):
        rows_of([[value], [1.0]])


@pytest.mark.parametrize("label", [None, float("nan"), pd.NA])
def test_missing_labels_are_called_so(label: Any) -> None:
    for y in (np.array([1, 0, 1, label], dtype=object), ["a", "b", "a", label]):
        with pytest.raises(nv.InputError, match=r"missing label|mixed types"):
            nv.Perceptron().fit(X, y)
        with pytest.raises(nv.InputError, match=r"missing label|mixed types"):
            nv.Perceptron().partial_fit(X, y)


def test_columns_of_the_validation_points_and_of_a_warm_start_must_be_the_same() -> None:
    frame = pd.DataFrame(X, columns=["a", "b"])
    with pytest.raises(nv.InputError, match=r"X_valid: columns \['b', 'a'\]"):
        nv.Perceptron().fit(frame, Y, X_valid=frame[["b", "a"]], y_valid=Y)
    clf = nv.Perceptron(warm_start=True).fit(frame, Y)
    with pytest.raises(ValueError, match="feature names should match"):
        clf.fit(frame[["b", "a"]], Y)


def test_a_lazy_frame_is_to_be_collected() -> None:
    with pytest.raises(nv.InputError, match=r"X\.collect\(\)"):
        nv.Perceptron().fit(pl.DataFrame(X).lazy(), Y)


def test_a_schedule_is_not_refused_for_updates_that_never_come() -> None:
    clf = nv.Perceptron(schedule=lambda k: 1.0 if k <= 50 else 0.0).fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1])
    assert clf.stop_reason_ == "separated"


def test_rows_sorted_by_class_are_told_of() -> None:
    rng = np.random.default_rng(0)
    A, y = rng.standard_normal((60, 3)), np.repeat([0, 1], 30)
    with pytest.warns(nv.NotSeparatedWarning, match="sorted by class"):
        nv.Perceptron(max_iter=2).fit(A, y)
    with pytest.warns(nv.NotSeparatedWarning) as info:
        nv.Perceptron(max_iter=2, order="shuffle", random_state=0).fit(A, y)
    assert "sorted" not in str(info[0].message)
