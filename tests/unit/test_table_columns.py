"""columns= and drop= choose the columns of a table in every format; a model finds its columns by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from commands import novikoff

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
    path, model = written(tmp_path, kind, ROWS), tmp_path / "m.nvk"
    assert novikoff("fit", path, "--columns", "a,b", "--max-passes", "3", "-o", model).code == 0
    wanted = novikoff("predict", model, path).out
    turned = [{"label": "?", "b": row["b"], "more": 7, "a": row["a"]} for row in ROWS]
    assert novikoff("predict", model, written(tmp_path, kind, turned, "new")).out == wanted
    without = novikoff("predict", model, written(tmp_path, kind, [{"b": 1.0, "c": 2, "label": "no"}] * 3, "less"))
    assert without.code == 3
    assert "'a'" in without.err
