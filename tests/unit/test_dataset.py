"""open_data: the same rows, splits and preparations in memory and in a file, and as the command line makes them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from commands import answer
from data.limits import limits


@pytest.fixture(autouse=True)
def _small_blocks() -> Iterator[None]:
    with limits(text=300):
        yield


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Rows of two numbers, a category and a label of three classes."""
    rows = [f"{k % 7},{k / 4},{'red' if k % 3 else 'blue'},{'xyz'[k % 3]}\n" for k in range(90)]
    (tmp_path / "t.csv").write_text("a,b,color,label\n" + "".join(rows))
    return tmp_path / "t.csv"


def dense(data: Any) -> tuple[list[Any], list[Any]]:
    """All numbers and labels."""
    return (data.X.toarray() if hasattr(data.X, "toarray") else data.X).tolist(), data.y.tolist()


@pytest.mark.parametrize("split", [{"holdout": 0.25}, {"test_every": 4}], ids=str)
def test_rows_in_memory_and_in_temporary_files_are_split_and_prepared_alike(table: Path, split: dict[str, Any]) -> None:
    found = []
    for memory in ("1G", 1):
        data = nv.open_data(table, one_hot=True, memory=memory)
        train, test = data.prepare(scale=True).split(**split)
        assert train.n + test.n == data.n == 90
        assert (train.d, train.names) == (4, ("a", "b", "color=blue", "color=red"))
        rows = np.asarray(train.row_numbers).tolist(), np.asarray(test.row_numbers).tolist()
        found.append((dense(train), dense(test), rows, train.preparation.to_record()[0]))
    assert found[0] == found[1]


def test_a_fit_in_python_is_the_fit_of_the_command_line(table: Path) -> None:
    train, test = nv.open_data(table, one_hot=True, classes=("x", "y")).prepare(scale=True).split(holdout=0.25)
    clf = nv.Perceptron(train_patience="auto").fit(train)
    options = ["--one-hot", "--classes", "x,y", "--scale", "--holdout", "0.25"]
    document = answer("fit", table, *options)
    assert (clf.coef_[0].tolist(), clf.intercept_[0]) == (document["w"], document["b"])
    assert (test.n, clf.score(test)) == (document["test"]["n"], document["test"]["accuracy"])


def test_the_preparation_learns_from_the_training_rows_only(table: Path) -> None:
    data = nv.open_data(table, one_hot=True).prepare(scale=True)
    train, test = data.split(holdout=Fraction(1, 5))
    assert test.preparation is train.preparation
    assert train.preparation.report["rows"] == train.n == 72
    assert data.preparation.report["rows"] == 90


def test_folds_test_every_row_once(table: Path) -> None:
    for memory in ("1G", 1):
        folds = list(nv.open_data(table, one_hot=True, memory=memory).prepare().folds(4, seed=3))
        tested = np.concatenate([np.asarray(test.row_numbers) for _, test in folds])
        assert sorted(tested.tolist()) == list(range(90))
        assert all(train.n + test.n == 90 for train, test in folds)


def test_decide_takes_data_and_names_the_rows_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,label\n0,skip\n1,x\n2,y\n3,skip\n1,y\n")
    for memory in ("1G", 1):
        data = nv.open_data(tmp_path / "t.csv", classes=("x", "y"), memory=memory)
        assert data.numbering.tolist() == [1, 2, 4]
        assert nv.decide(data).separable is False


@given(st.integers(20, 90), st.fractions(0, Fraction(3, 5), max_denominator=50).filter(bool))
def test_holdout_keeps_out_the_stated_part_evenly(
    tmp_path_factory: pytest.TempPathFactory, n: int, F: Fraction
) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_text("a,label\n" + "".join(f"{k},{int(k % 8 in (0, 1, 6))}\n" for k in range(n)))
    data = nv.open_data(path)
    if n * F < 1:
        with pytest.raises(nv.InputError, match="no row"):
            data.split(holdout=F)
        return
    rows = np.asarray(data.split(holdout=F)[1].row_numbers)
    assert rows.size == int(n * F)
    assert np.ptp(np.diff(rows)) <= 1 if rows.size > 2 else True
    assert n != 20 or Fraction(1, 4) != F or rows.tolist() == [3, 7, 11, 15, 19]
