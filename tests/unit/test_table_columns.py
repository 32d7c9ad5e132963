"""columns= and drop= choose the columns of a table in every format; a model finds its columns by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.io.reading import Reading
from novikoff.io.table_layout import layout_of

ROWS = [
    {"id": k, "a": k % 5, "word": "xyz"[k % 3], "b": (k * 7) % 11 - 5.5, "label": "no" if k % 5 < 2 else "yes"}
    for k in range(20)
]
KINDS = ["csv", "tsv", "quoted.csv", "parquet", "arrow"]


def written(folder: Path, kind: str, rows: list[dict[str, Any]], name: str = "t") -> Path:
    """The rows as a file."""
    path = folder / f"{name}.{kind}"
    if kind.endswith("csv") or kind == "tsv":
        mark, quote = ("\t", "") if kind == "tsv" else (",", '"' if kind == "quoted.csv" else "")
        lines = [mark.join(rows[0]), *(mark.join(f"{quote}{v}{quote}" for v in row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    else:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(rows)
        _ = frame.to_parquet(path) if kind == "parquet" else frame.to_feather(path)
    return path


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_points_from_columns_and_from_drop(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, kind, ROWS)
    for how in ({"columns": ["a", "b"]}, {"drop": ["id", "word"]}, {"columns": [1, 3]}, {"drop": [0, 2]}):
        data = nv.open_data(path, **how)
        assert data.names == ("a", "b")
        assert np.asarray(data.X).tolist() == [[row["a"], row["b"]] for row in ROWS]
        assert data.y.tolist() == [row["label"] for row in ROWS]
        assert data.label == "label"
    if kind not in ("parquet", "arrow"):
        points = nv.read(path, columns=["b"])
        assert points.names == ("b",)
        assert points.X.ravel().tolist() == [row["b"] for row in ROWS]


@pytest.mark.parametrize("kind", KINDS)
def test_an_unknown_column_is_an_error_with_the_columns(kind: str, tmp_path: Path) -> None:
    path = written(tmp_path, kind, ROWS)
    for how in ({"columns": ["a", "age"]}, {"drop": ["age"]}):
        with pytest.raises(nv.InputError, match="no column is named 'age'; the columns are id, a, word, b, label"):
            nv.open_data(path, **how)
    with pytest.raises(nv.InputError, match=r"drop=\['label'\]: this column is the label"):
        nv.open_data(path, label="label", drop=["label", "word"])


def test_the_label_is_the_last_column_that_is_not_dropped() -> None:
    first = ["a", "b", "kind", "note"]
    assert layout_of(first, ",", "f", Reading(header=True, drop=("note",))).label == 2
    layout = layout_of(first, ",", "f", Reading(header=True, columns=("b",)))
    assert layout.label == 3
    assert layout.numbers == (1,)
    assert layout.ignored == (0, 2)
    assert layout_of(first, ",", "f", Reading(columns=("b", "kind"), label="kind")).ignored == (0, 3)


def test_a_single_text_is_no_list_of_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "csv", ROWS)
    with pytest.raises(nv.InputError, match="columns: found 'ab'; a list of names or numbers was expected"):
        nv.open_data(path, columns="ab")


def test_formats_without_columns_refuse_them(tmp_path: Path) -> None:
    (tmp_path / "t.svm").write_text("+1 1:2\n-1 1:3\n")
    with pytest.raises(nv.InputError, match=r"drop: is for csv, tsv, parquet, arrow; .* is read as svmlight"):
        nv.open_data(tmp_path / "t.svm", drop=["a"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_model_finds_its_columns_by_name_and_names_the_others(kind: str, tmp_path: Path) -> None:
    from novikoff.io.model_reader import model_reader_of

    data = nv.open_data(written(tmp_path, kind, ROWS), columns=["a", "b"]).prepare(scale=True)
    clf = nv.Perceptron().fit(data.X, data.y)
    order = ["b", "extra", "label", "a", "more"]
    new = [{name: {"extra": "?!", "more": "x"}.get(name) or row.get(name) for name in order} for row in ROWS]
    reader = model_reader_of(data.preparation)
    X, y = reader.labelled(str(written(tmp_path, kind, new, "new")), clf.classes_)
    assert np.asarray(X).tobytes() == np.asarray(data.X).tobytes()
    assert y.tolist() == data.y.tolist()
    assert [line for line in reader.report() if "ignored" in line] == [
        f"{tmp_path / f'new.{kind}'}: 2 columns are ignored, which the model does not have: extra, more"
    ]


@pytest.mark.parametrize("kind", KINDS)
def test_a_missing_column_of_a_model_is_an_error_that_names_it(kind: str, tmp_path: Path) -> None:
    from novikoff.io.model_reader import model_reader_of

    data = nv.open_data(written(tmp_path, kind, ROWS), columns=["a", "b"]).prepare(scale=True)
    _ = data.X
    new = written(tmp_path, kind, [{"a": 1, "z": 2, "label": "no"}, {"a": 2, "z": 2, "label": "yes"}], "new")
    with pytest.raises(nv.InputError, match="number column 'b': missing, but it was in training"):
        model_reader_of(data.preparation).labelled(str(new), np.array(["no", "yes"]))


def test_dropped_columns_of_a_table_without_names_are_dropped_again(tmp_path: Path) -> None:
    from novikoff.io.model_reader import model_reader_of

    path = tmp_path / "t.csv"
    path.write_text("".join(f"{k},{k % 5},w{k},{k % 5 < 2:d}\n" for k in range(20)))
    data = nv.open_data(path, header=False, label=3, drop=[0, 2]).prepare(scale=True)
    X = np.asarray(data.X)
    assert X.shape == (20, 1)
    assert list(data.preparation.names) == ["x2"]
    reader = model_reader_of(data.preparation)
    again, _ = reader.labelled(str(path), np.array([0, 1]), Reading(header=False))
    assert np.asarray(again).tobytes() == X.tobytes()
    (tmp_path / "new.csv").write_text("7,3,w\n8,4,w\n")  # without the label
    (_, raw, _), *_ = reader.raws(str(tmp_path / "new.csv"), Reading(header=False))
    assert raw.numbers.tolist() == [[3.0], [4.0]]


def test_new_rows_have_the_format_of_training_if_their_name_has_none(tmp_path: Path) -> None:
    from novikoff.io.model_reader import model_reader_of

    path = written(tmp_path, "tsv", ROWS).rename(tmp_path / "t.txt")
    data = nv.open_data(path, format="tsv", columns=["a", "b"]).prepare()
    _ = data.X
    reader = model_reader_of(data.preparation)
    assert reader.format_for("new.txt") == "tsv"
    assert reader.format_for("new.csv") == "csv"
    X, _ = reader.labelled(str(path), np.array(["no", "yes"]))
    assert np.asarray(X).shape == (20, 2)
