"""A model of the command line predicts raw rows in Python as `novikoff predict` does: frames, dictionaries, texts."""

from __future__ import annotations

import csv
import io
import json
import lzma
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import novikoff as nv
from commands import novikoff

TRAIN = """PassengerId,Survived,Pclass,Name,Sex,Age,SibSp,Fare,Embarked
1,0,3,"Braund, Mr. Owen Harris",male,22,1,7.25,S
2,1,1,"Cumings, Mrs. John Bradley (Florence Briggs Thayer)",female,38,1,71.2833,C
3,1,3,"Heikkinen, Miss. Laina",female,26,0,7.925,S
4,1,1,"Futrelle, Mrs. Jacques Heath (Lily May Peel)",female,35,1,53.1,S
5,0,3,"Allen, Mr. William Henry",male,35,0,8.05,S
6,0,3,"Moran, Mr. James",male,,0,8.4583,Q
7,0,1,"McCarthy, Mr. Timothy J",male,54,0,51.8625,S
8,0,3,"Palsson, Master. Gosta Leonard",male,2,3,21.075,S
9,1,3,"Johnson, Mrs. Oscar W (Elisabeth Vilhelmina Berg)",female,27,0,11.1333,S
10,1,2,"Nasser, Mrs. Nicholas (Adele Achem)",female,14,1,30.0708,C
"""
NEW = """Cabin,Fare,Sex,Embarked,Pclass,Name,Age,SibSp
A5,7.8292,male,Q,3,"Kelly, Mr. James",34.5,0
,7,female,S,3,"Wilkes, Mrs. James",,1
B2,9.6875,male,X,2,"Myles, Mr. Thomas",62,0
,12.2875,female,,3,"Hirvonen, Miss. Helga",22,1
"""
PREPARATIONS = {
    "auto": ["--auto"],
    "one-hot": ["--category", "Sex", "--category", "Pclass", "--drop", "PassengerId,Name,Embarked", "--missing",
                "impute", "--scale"],
    "text": ["--text", "Name", "--one-hot", "--drop", "PassengerId", "--missing", "impute", "--normalize"],
    "hashed": ["--text", "Name", "--hash-bits", "6", "--columns", "Fare"],
    "products": ["--columns", "Fare,SibSp", "--features", "poly2", "--scale"],
    "plain": ["--columns", "Fare,SibSp"],
}  # fmt: skip


@pytest.fixture
def titanic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "train.csv").write_text(TRAIN)
    (tmp_path / "new.csv").write_text(NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def trained(*options: Any, data: str = "train.csv", label: str | None = "Survived") -> Any:
    named = [] if label is None else ["--label", label]
    ran = novikoff("fit", data, *named, "-o", "m.nvk", "--max-passes", 30, *options)
    assert ran.code == 0, ran.err
    return nv.load("m.nvk")


def scores_of_command(*new: Any) -> tuple[list[str], np.ndarray]:
    ran = novikoff("predict", "m.nvk", *new, "--scores", "--quiet")
    assert ran.code == 0, ran.err
    lines = [line.split("\t") for line in ran.out.splitlines()]
    return [label for label, *_ in lines], np.array([[float(v) for v in rest] for _, *rest in lines])


def tables(text: str) -> dict[str, Any]:
    """The same rows as tables of each kind."""
    frame = pd.read_csv(io.StringIO(text))
    spelled = list(csv.DictReader(io.StringIO(text)))
    return {
        "pandas": frame,
        "nullable": frame.convert_dtypes(),
        "objects": frame.astype(object),
        "shuffled": frame[frame.columns[::-1]],
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame, preserve_index=False),
        "texts": spelled,  # every cell is a text
        "dictionaries": json.loads(frame.to_json(orient="records")),
    }


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize("options", PREPARATIONS.values(), ids=PREPARATIONS)
def test_tables_in_memory_get_the_scores_of_the_command_bit_for_bit(titanic: Path, options: list[str]) -> None:
    clf = trained(*options)
    labels, scores = scores_of_command("new.csv")
    for kind, table in tables(NEW).items():
        assert [str(v) for v in clf.predict(table)] == labels, kind
        assert clf.decision_function(table).tobytes() == scores[:, 0].tobytes(), kind
        assert clf.score(table, clf.predict(table)) == 1, kind


def test_a_table_without_names_is_taken_by_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("h.csv").write_text("red,1,0,yes\nblue,4,0,no\nred,2,1,yes\nblue,3,1,no\n")
    clf = trained("--one-hot", "--scale", "--no-header", data="h.csv", label=None)
    frame = pd.DataFrame([["blue", 3.5, 0.5], ["red", 0.0, 0.0]])
    assert clf.predict(frame).tolist() == ["no", "yes"]
    assert clf.predict(frame.assign(label=["no", "yes"])).tolist() == ["no", "yes"]
    with pytest.raises(nv.InputError, match=r"found 2 columns; 3 were expected, in the order of the training rows"):
        clf.predict(frame[[0, 1]])


@pytest.mark.parametrize(("change", "message"), [
    (lambda f: f.drop(columns="Age"), r"X: no column is named 'Age', but training had one; found Cabin, Fare, Sex, Em"),
    (lambda f: [{"Fare": 1}], r"X: no column is named 'Age', but training had one; found Fare"),
    (lambda f: f.assign(Age="old"), r"X: column 'Age', row 1 \(0 counted from 0\): found str 'old'"),
    (lambda f: f.assign(Age=np.inf), r"X: column 'Age', row 1 \(0 counted from 0\): found inf"),
    (lambda f: f[["Age", "Fare", "Age"]], r"X: found two columns called 'Age'; column names must be unique"),
    (lambda f: ["text"], r"X: found a list of texts; the model was trained on the columns Age, "),
    (lambda f: [[1.0, "male"]], r"This model prepares its rows: give raw rows as a data frame, as a list of dict"),
])  # fmt: skip
def test_rows_that_cannot_be_prepared_are_refused_by_name(titanic: Path, change: Any, message: str) -> None:
    clf = trained(
        "--category", "Sex", "--drop", "PassengerId,Name,Embarked,Pclass,SibSp", "--missing", "impute", "--scale"
    )
    frame = pd.read_csv("new.csv")
    with pytest.raises(ValueError, match=message):
        clf.predict(change(frame))


def test_the_rows_of_adult_get_the_same_labels_in_the_shell_in_python_and_as_onnx(
    shared_data: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """16,281 rows with missing categories, from a table with names and from one without."""
    pytest.importorskip("skl2onnx", reason="skl2onnx is not installed: the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: the graph is not run")
    folder = shared_data("adult")
    monkeypatch.chdir(tmp_path)
    for name in ("train", "test"):
        rows = lzma.decompress((folder / f"adult-{name}.csv.xz").read_bytes()).decode()
        Path(f"{name}.csv").write_text("".join(f"{line}\n" for line in rows.splitlines() if "," in line))
        names = ",".join(f"c{j}" for j in range(14))
        Path(f"named-{name}.csv").write_text(f"{names},label\n" + Path(f"{name}.csv").read_text())
    for prefix, header, how in (("", None, ["--label", 15, "--no-header"]), ("named-", 0, ["--label", "label"])):
        told = novikoff("fit", f"{prefix}train.csv", *how, "--auto", "--max-passes", 2, "-o", "m.nvk", "--quiet")
        assert told.code == 0, told.err
        told = novikoff("predict", "m.nvk", f"{prefix}test.csv", *how[2:], "--quiet")
        frame = pd.read_csv(f"{prefix}test.csv", header=header, skipinitialspace=True)
        clf = nv.load("m.nvk")
        assert clf.predict(frame).tolist() == told.out.splitlines()
        assert clf.predict(frame.iloc[:, :-1]).tolist() == told.out.splitlines()
    assert novikoff("convert", "m.nvk", "m.onnx").code == 0
    session = runtime.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
    feeds = {column: frame[[column]].to_numpy(np.float64) for column in clf.preparation_.columns.named}
    for column in clf.preparation_.columns.categories:
        feeds[column] = frame[[column]].replace("?", "").to_numpy(object)
    assert session.run(["label"], feeds)[0].tolist() == told.out.splitlines()


# ---- frames that are not as the file -------------------------------------------------------------------------------


def test_python_warns_of_unknown_categories_in_the_words_of_the_command(titanic: Path) -> None:
    clf = trained("--auto")
    said = [line for line in novikoff("predict", "m.nvk", "new.csv").err.splitlines() if "unknown category" in line]
    assert said == ["column 'Embarked': 2 rows have an unknown category"]  # X, and a missing one
    for kind, table in tables(NEW).items():
        with pytest.warns(nv.UnknownCategoryWarning) as found:
            clf.predict(table)
        assert [str(one.message) for one in found] == [f"X: {said[0]}"], kind
        assert found[0].filename == __file__, kind
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.predict(pd.read_csv("train.csv"))
