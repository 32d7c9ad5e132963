"""Rows of files as preparation takes them; files written and read again; the cache."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from novikoff.errors import InputError
from novikoff.io.find_categories import with_categories
from novikoff.io.reader import open_source, read
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.row_labels import class_numbers
from novikoff.io.rows import Form, ModelColumns, form_of, read_rows
from novikoff.io.source import Points
from novikoff.io.table_layout import layout_of
from novikoff.io.transpose import Transposed
from novikoff.io.writer import write

pytestmark = pytest.mark.bounds


def points(sparse: bool = False) -> Points:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(7, 4)) * (rng.random((7, 4)) < 0.6)
    X[0] = [1e-300, 1 / 3, -(2.0**60), 5]
    return Points(csr_array(X) if sparse else X, np.array([1, 2] * 3 + [1]), None)


def dense(X: Any) -> np.ndarray:
    return (
        X.toarray() if hasattr(X, "toarray") else np.column_stack(X.columns) if hasattr(X, "schema") else np.asarray(X)
    )


# ---- written and read again


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("name", ["p.csv", "p.svm", "p.npz"])
def test_what_is_written_reads_back_to_the_bit(name: str, sparse: bool, tmp_path: Path) -> None:
    write(points(sparse), tmp_path / name)
    back = read(tmp_path / name)
    assert dense(back.X).tolist() == dense(points().X).tolist()
    assert back.y.tolist() == points().y.tolist()
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_labels_of_words_and_names_of_columns_survive(tmp_path: Path) -> None:
    p = Points(np.array([[1.0, 2.0], [3.0, 4.5]]), np.array(["yes, sir", "no"]), ("a b", "label"))
    write(p, tmp_path / "p.csv")
    back = read(tmp_path / "p.csv")
    assert (back.y.tolist(), back.names) == (p.y.tolist(), ("a b", "label_"))
    with pytest.raises(InputError, match="labels of one word"):
        write(p, tmp_path / "p.svm")


def test_a_format_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    for name, found in (("p.arrow", "arrow"), ("p.parquet", "parquet"), ("p.csv.gz", "a compressed file")):
        with pytest.raises(InputError, match=f"cannot be written as {found}; expected csv, svmlight, npz"):
            write(points(), tmp_path / name)


# ---- who is who


def test_new_rows_may_come_without_the_label() -> None:
    by_name = Reading(label="kind", trained=3)
    assert layout_of(["a", "b", "kind"], ",", "f", by_name).label == 2
    assert layout_of(["a", "b"], ",", "f", by_name).label is None
    by_place = Reading(label=0, text=(1,), trained=2)
    assert layout_of(["ham", "hello"], ",", "f", by_place).text == (1,)
    alone = layout_of(["hello"], ",", "f", by_place)
    assert (alone.label, alone.text) == (None, (0,))
    assert layout_of(["1", "2"], ",", "f", Reading(trained=3)).label is None
    assert layout_of(["1", "2"], ",", "f", Reading(trained=2)).label == 1


def test_categories_are_found_in_the_first_rows(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text("age,city,size,label\n1,Rome,2,a\n2,?,NA,b\n")
    found = with_categories(path, DEFAULT)
    assert (found.categories, found.header) == ((1,), True)
    path.write_text("1,Rome,a\n2,Oslo,b\n")
    found = with_categories(path, DEFAULT)
    assert (found.categories, found.header) == ((1,), None)  # the reader finds out
    assert layout_of(["1", "Rome", "a"], ",", "f", found).header is None


@pytest.mark.parametrize("text", ["a,b,c\n1,2,3\n", "1;2\n3;4\n"])
def test_a_table_is_transposed(text: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    rows = [line.replace(";", ",").split(",") for line in text.splitlines()]
    table = Transposed(tmp_path / "t.csv", DEFAULT)
    turned_rows = [line.split(",") for line in Path(table.path).read_text().splitlines()]
    assert turned_rows == [list(column) for column in zip(*rows, strict=True)]
    del table
    assert not [name for name in os.listdir(tempfile.gettempdir()) if name.startswith("t.csv.transposed.")]


def test_a_table_with_a_short_row_is_not_transposed(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("1,2,3\n4,5\n")
    with pytest.raises(InputError, match="line 2: found 2 cells; 3 as in the first were expected"):
        Transposed(tmp_path / "t.csv", DEFAULT)


def test_labels_are_found_however_they_are_written() -> None:
    classes = np.array([-1, 1])
    assert class_numbers(["+1", "1.0", "-1"], classes, "f").tolist() == [1, 1, 0]
    assert class_numbers(np.array([1.0, -1.0]), classes, "f").tolist() == [1, 0]
    with pytest.raises(InputError, match=r"f: found the label '2' in row 13; .*: -1, 1\. .*label_as="):
        class_numbers(["1", "1", "2"], classes, "f", np.array([10, 11, 12]))


def test_sparse_columns_of_new_rows_are_those_of_the_model(tmp_path: Path) -> None:
    path = tmp_path / "t.svm"
    path.write_text("1 1:5 9:7\n-1 2:3\n")
    rows = read_rows(open_source(path), model=ModelColumns(3, (), (), 1))
    assert rows.raw.numbers.toarray().tolist() == [[5, 0, 0], [0, 3, 0]]
    assert rows.beyond == 1
    rows = read_rows(open_source(path), model=ModelColumns(3, (), (), 0))
    assert rows.raw.numbers.toarray().tolist() == [[0, 5, 0], [0, 0, 3]]
    assert rows.beyond == 1
    path.write_text("1 0:5\n")
    with pytest.raises(InputError, match="found column 0, but in the first rows columns are numbered from 1"):
        read_rows(open_source(path), model=ModelColumns(3, (), (), 1))


def test_files_of_a_pattern_are_one_file(tmp_path: Path) -> None:
    for k in range(3):
        (tmp_path / f"part-{k}.csv").write_text(f"a,label\n{k},x\n{k + 10},y\n")
    rows = read_rows(open_source(tmp_path / "part-*.csv"))
    assert rows.raw.numbers.ravel().tolist() == [0, 10, 1, 11, 2, 12]
    (tmp_path / "part-2.csv").write_text("b,label\n1,x\n")
    with pytest.raises(InputError, match=r"part-2.csv: found other columns"):
        read_rows(open_source(tmp_path / "part-*.csv"))
    with pytest.raises(InputError, match="no file matches this pattern"):
        open_source(tmp_path / "none-*.csv")


def test_the_form_goes_through_a_record_and_nothing_else_does() -> None:
    form = Form("y", (1, "t"), ("c",), 4, None)
    assert form_of(json.loads(json.dumps(form.plain()))) == form
    for bad in ({"nosuch": 1}, {"label": [1]}, {"width": "3"}, {"first": -1}, {"text": 3}, {"text": [None]}):
        with pytest.raises(InputError, match="how a file was read"):
            form_of(bad)
