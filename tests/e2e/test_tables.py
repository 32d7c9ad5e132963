"""Real tables: --auto, columns, gaps, dialects; and raw rows in Python, which a model of the command line prepares."""

from __future__ import annotations

import csv
import io
import json
import lzma
import random
import shlex
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from commands import Told, answer, novikoff

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
11,1,3,"Sandstrom, Miss. Marguerite Rut",female,4,1,16.7,S
12,1,1,"Bonnell, Miss. Elizabeth",female,58,0,26.55,
13,0,3,"Saundercock, Mr. William Henry",male,20,0,8.05,S
14,0,3,"Andersson, Mr. Anders Johan",male,39,1,31.275,S
"""
NEW = """Cabin,Fare,Sex,Embarked,Pclass,Name,Age,SibSp
A5,7.8292,male,Q,3,"Kelly, Mr. James",34.5,0
,7,female,S,3,"Wilkes, Mrs. James",,1
B2,9.6875,male,X,2,"Myles, Mr. Thomas",62,0
,12.2875,female,,3,"Hirvonen, Miss. Helga",22,1
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "train.csv").write_text(TRAIN)
    (tmp_path / "new.csv").write_text(NEW)
    monkeypatch.chdir(tmp_path)


def said(*args: object, code: int = 0) -> Told:
    told = novikoff(*args)
    assert told.code == code, told.err
    return told


def trained(*options: Any, data: str = "train.csv", label: str | None = "Survived") -> Any:
    said("fit", data, *(["--label", label] if label else []), "-o", "m.nvk", "--max-passes", 30, *options)
    return nv.load("m.nvk")


# ---- --auto and hints


def test_auto_prints_the_command_that_makes_the_same_model() -> None:
    info = said("fit", "train.csv", "--label", "Survived", "--auto", "-o", "t.nvk", "--max-passes", 15)
    (command,) = (line for line in info.err.splitlines() if "novikoff fit" in line)
    for words in ("--text Name", "--category Sex", "--category Embarked", "--drop PassengerId", "--missing impute",
                  "--scale", "--max-passes 15"):  # fmt: skip
        assert words in command
    assert "--auto" not in command
    assert "PassengerId numbers the rows" in info.err
    assert "imputed 1 of Age (median 27), 1 of Embarked (missing_value)" in info.err
    first = Path("t.nvk").read_bytes()
    assert said(*shlex.split(command.removeprefix("auto"))[1:]).out == info.out
    assert Path("t.nvk").read_bytes() == first
    Path("y.csv").write_text(TRAIN.replace("Survived", "y"))
    assert answer("fit", "y.csv", "--auto")["label"] == "y"  # a usual name of a label


def test_a_model_of_auto_predicts_rows_with_gaps_other_columns_and_another_order() -> None:
    trained("--auto")
    info = said("predict", "m.nvk", "new.csv")
    assert len(info.out.split()) == 4
    assert set(info.out.split()) <= {"0", "1"}
    assert "new.csv: 1 column is ignored, which the model does not have: Cabin" in info.err
    assert "column 'Embarked': 1 row has an unknown category" in info.err
    assert "2 rows have a missing value, which was imputed" in info.err
    assert answer("explain", "m.nvk", "new.csv", "--row", 2)["class"] in (0, 1)


def test_hints_without_auto() -> None:
    ask = ("fit", "train.csv", "--label", "Survived", "--one-hot", "--max-passes", 5, "--missing")
    for missing in ("drop", "impute"):
        assert "hint   column PassengerId numbers the rows: --drop PassengerId" in said(*ask, missing).err
    assert "hint   column Name has a different value in every row: --drop Name" in said(*ask, "impute").err
    wide = "".join(f"{k % 3},{(k * 7919) % 5000},{k % 2}\n" for k in range(20))
    Path("wide.csv").write_text("a,b,label\n" + wide)
    assert "hint   the columns have very different scales" in said("fit", "wide.csv", "--max-passes", 2).err
    for more in ("--scale", "--quiet"):
        assert "hint" not in said("fit", "wide.csv", "--max-passes", 2, more).err


def table(*cells: Callable[[int], object], header: str, mark: str = ",", n: int = 40) -> str:
    return "\n".join([header, *(mark.join(str(cell(k)) for cell in cells) for k in range(n))]) + "\n"


def half(k: int) -> str:
    return "ab"[k >= 20]


SHUFFLED = random.Random(1).sample(range(60), 40)
INDICES: dict[str, tuple[str, Callable[[int], object], str]] = {
    "nameless": ("", lambda k: k, "column 1 has no name, as an index"),
    "shuffled": ("", SHUFFLED.__getitem__, "column 1 has no name, as an index"),
    "constant": ("", lambda k: k // 20, "column 1 has no name, as an index"),
    "of pandas": ("Unnamed: 0", lambda k: k // 20, "Unnamed: 0 has no name, as an index"),
    "counting": ("id", lambda k: 7 + k, "id numbers the rows"),
    "with gaps": ("id", lambda k: k * k, "id rises from row to row, as numbers of rows do"),
    "downwards": ("id", lambda k: -(k + k // 3), "id falls from row to row, as numbers of rows do"),
    "out of order": ("id", SHUFFLED.__getitem__, "id has 40 different whole numbers, as numbers of rows are"),
    "words": ("id", lambda k: f"p{max(k, 2)}", "id has 38 different values in 40 rows"),
}


@pytest.mark.parametrize("name", INDICES)
def test_auto_leaves_out_an_index_and_says_how_to_use_it(name: str) -> None:
    title, cell, reason = INDICES[name]
    Path("t.csv").write_text(table(cell, lambda k: k * 7 % 11, half, header=f"{title},x,label"))
    info = said("fit", "t.csv", "--max-passes", 5, "--auto", "--json")
    assert f"auto   {reason}: not used, unless --columns names it\n" in info.err
    assert info.json["d"] == 1
    kept = said("fit", "t.csv", "--max-passes", 5, "--auto", "--json", "--columns", f"{title or 1},x")
    assert "not used" not in kept.err
    assert kept.json["d"] == (39 if name == "words" else 2)
    (typed,) = (line for line in info.err.splitlines() if line.startswith("auto   novikoff "))
    assert said(*shlex.split(typed.removeprefix("auto   novikoff "))).json["w"] == info.json["w"]


@pytest.mark.parametrize("verb", ["fit", "cv", "certify"])
def test_without_auto_a_column_without_a_name_is_named(verb: str) -> None:
    Path("t.csv").write_text(table(SHUFFLED.__getitem__, lambda k: k * 7 % 11, half, header=",x,label"))
    told = "t.csv: column 1 has no name, as an index, and is used; --drop 1 leaves it out\n"
    assert told in novikoff(verb, "t.csv").err
    for more in (("--drop", 1), *([("--quiet",)] if verb != "certify" else [])):
        assert "no name" not in novikoff(verb, "t.csv", *more).err
    pd.read_csv("t.csv").to_csv("u.csv", index=False)
    told = "u.csv: Unnamed: 0 has no name, as an index, and is used; --drop 'Unnamed: 0' leaves it out\n"
    assert told in novikoff(verb, "u.csv").err


# ---- separators, decimal commas, measurements as labels, cells that are neither


POINTS = table(lambda k: k * 7 % 11 + 0.5, lambda k: k % 3, half, header="x,z,label")
COMMAS = POINTS.replace(",", ";").replace(".", ",")


@pytest.mark.parametrize(("name", "mark"), [("t.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t")])
def test_auto_finds_decimal_commas(name: str, mark: str) -> None:
    Path("p.csv").write_text(POINTS)
    Path(name).write_text(COMMAS.replace(";", mark))
    info = said("fit", name, "--auto", "--json", "--max-passes", 5)
    assert "auto   x has decimal commas: --decimal-comma\n" in info.err
    assert " --decimal-comma " in info.err
    assert info.json["w"] == said("fit", "p.csv", "--auto", "--json", "--max-passes", 5).json["w"]


def test_new_rows_between_commas_are_read_by_a_model_of_semicolons() -> None:
    Path("t.csv").write_text(COMMAS)
    Path("new.csv").write_text(POINTS)
    said("fit", "t.csv", "--decimal-comma", "-o", "m.nvk", "--max-passes", 5)
    same, other = (said("predict", "m.nvk", name, "--scores") for name in ("t.csv", "new.csv"))
    assert (same.out, same.err) == (other.out, "")
    assert "new.csv: commas separate its cells, not semicolons or tabs as in training" in other.err
    accuracy = [answer("evaluate", "m.nvk", name)["accuracy"] for name in ("t.csv", "new.csv")]
    assert accuracy[0] == accuracy[1]


def test_auto_names_a_cell_that_makes_a_column_words() -> None:
    Path("m.csv").write_text("a,label\n" + "".join(f"{k * 7 % 13},{k % 2}\n" for k in range(30)) + "oops,1\n")
    told = "auto   a has numbers, but 'oops' in row 31: read as words; mend the cell, or do not use it"
    assert told in said("fit", "m.csv", "--auto", "--max-passes", 2).err


@pytest.mark.parametrize("verb", ["fit", "fit --soft hinge", "cv", "certify", "separation", "report -o r.html"])
def test_a_measurement_as_the_label_is_named(verb: str) -> None:
    Path("reg.csv").write_text(table(lambda k: k * 7 % 11, lambda k: k % 3, lambda k: k * 0.37 + 2, header="a,b,price"))
    first, *more = verb.split()
    found = "label price is a measurement (40 different values); classes or counts are needed; --label names another"
    assert said(first, "reg.csv", *more, code=3).err.endswith(f"error: reg.csv: {found} column\n")
    with pytest.raises(nv.InputError, match=r"^y: Unknown label type: continuous\. y is a measurement \(40 different"):
        nv.Perceptron().fit(nv.read("reg.csv"))
    assert answer("fit", "reg.csv", "--label", "b", "--max-passes", 2)["d"] == 2


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf_16_is_refused_with_the_way_out(encoding: str) -> None:
    mark, rows = "" if encoding == "utf-16" else "\ufeff", table(lambda k: k % 11, lambda k: k % 3, half, header="")
    Path("t.csv").write_bytes(f"{mark}a,b,label{rows}".encode(encoding))
    for more in ([], ["--auto"], ["--one-hot"], ["--transpose"]):
        assert said("fit", "t.csv", *more, code=3).err == (
            "novikoff: error: t.csv: found text in UTF-16; UTF-8 was expected: save it so, as by iconv -f UTF-16 -t "
            "UTF-8 OLD > NEW\n"
        )
    Path("t.csv").write_bytes(Path("t.csv").read_bytes().decode("utf-16").encode())
    said("fit", "t.csv", "--max-passes", 2)


# ---- columns, the label, gaps


@pytest.mark.parametrize("verb", ["fit", "cv", "certify", "margin", "separation", "trace", "convert", "evaluate",
                                  "explain"])  # fmt: skip
def test_every_verb_that_reads_tables_takes_columns_and_prints_the_label(verb: str) -> None:
    words = [verb, "train.csv", *(["t.csv"] if verb == "convert" else []), "--label", "Survived"]
    if verb in ("evaluate", "explain"):
        trained("--columns", "Pclass,Sex", "--one-hot")
        words = [verb, "m.nvk", *(["train.csv"] if verb == "evaluate" else [])]
    else:
        assert novikoff(*words, "--columns", "Pclass,Fare").code in (0, 1)
        assert "no column is named 'Fair'; the columns are PassengerId, Survived" in said(
            *words, "--columns", "Pclass,Fair", code=3).err  # fmt: skip
        said(*words, "--drop", "Nobody", code=3)
        words += ["--columns", "Pclass,Sex", "--one-hot"]
    if verb != "convert":
        out = novikoff(*words).out
        assert all(word in out for word in ("Survived", "0", "1"))
        assert novikoff(*words, "--json").json["label"] == "Survived"


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_blank_lines_are_in_their_places(engine: str) -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(-9, 10, 40_000)
    lost = rng.random(values.size) < 0.1
    lost[[0, 1, -1]] = True
    Path("t.csv").write_text("a,label\n-1,x\n1,y\n")
    Path("new.csv").write_text("a\n" + "".join(f"{'?' if out else v}\n" for v, out in zip(values, lost, strict=True)))
    said("fit", "t.csv", "-o", "m.nvk")
    lines = said("predict", "m.nvk", "new.csv", "--engine", engine).out.split("\n")[:-1]
    assert [line == "" for line in lines] == lost.tolist()
    assert all(line == ("y" if v > 0 else "x") for line, v in zip(lines, values, strict=True) if line and v)


def test_nulls_are_blank_or_imputed() -> None:
    old = [{"a": k % 5, "c": "xy"[k % 2], "label": "no" if k % 5 < 2 else "yes"} for k in range(12)]
    new = [{"z": "?", "c": c, "a": a} for c, a in ((None, 1.0), ("x", None), ("y", 4.0), ("w", 0.0))]
    for name, rows in (("old", old), ("new", new)):
        pd.DataFrame(rows).to_parquet(f"{name}.parquet")
    said("fit", "old.parquet", "--one-hot", "-o", "m.nvk")
    said("predict", "m.nvk", "new.parquet", "--on-missing", "fail", code=3)
    info = said("predict", "m.nvk", "new.parquet")
    assert (info.out, "column 'c': 1 row has an unknown category" in info.err) == ("\n\nyes\nno\n", True)
    said("fit", "old.parquet", "--one-hot", "--missing", "impute", "-o", "m.nvk")
    info = said("predict", "m.nvk", "new.parquet")
    assert info.out.split("\n")[2:4] == ["yes", "no"]
    assert "2 rows have a missing value, which was imputed" in info.err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_evaluate_asks_for_a_label_that_a_pipeline_does_not_know(ending: str) -> None:
    """The only column that the model does not have, or one with a usual name, is the label; else it is asked for."""
    X = pd.DataFrame({"a": [k * 7 % 13 for k in range(30)], "b": [k % 3 for k in range(30)]})
    y, a, b = pd.Series(["xy"[v > 5] for v in X["a"]]), X["a"], X["b"]
    nv.save(make_pipeline(StandardScaler(), nv.Perceptron()).fit(X, y), "named.nvk")
    nv.save(make_pipeline(StandardScaler(), nv.Perceptron()).fit(X.to_numpy(), y), "positions.nvk")

    def evaluated(model: str, *options: str, **columns: pd.Series) -> str:
        frame, name = pd.DataFrame(columns), f"t.{ending}"
        frame.to_csv(name, index=False) if ending == "csv" else frame.to_parquet(name)
        info = novikoff("evaluate", model, name, *options, "--json")
        return info.err if info.code else f"{info.json['label']} {info.json['accuracy']}"

    assert evaluated("named.nvk", kind=y, a=a, b=b) == evaluated("named.nvk", a=a, b=b, kind=y) == "kind 1.0"
    asked = f"novikoff: error: t.{ending}: which column is the label? The model does not know: give --label, one of:"
    assert evaluated("named.nvk", a=a, kind=y, b=b, other=y[::-1]) == f"{asked} kind, other\n"
    assert evaluated("named.nvk", "--label", "kind", a=a, kind=y, b=b, other=y[::-1]) == "kind 1.0"
    if ending == "csv":
        assert evaluated("positions.nvk", kind=y, a=a, b=b) == f"{asked} kind, a, b\n"
        for label in ("kind", "1"):
            assert evaluated("positions.nvk", "--label", label, kind=y, a=a, b=b) == "kind 1.0"
        assert evaluated("positions.nvk", label=y, a=a, b=b) == "label 1.0"


# ---- raw rows in Python get the scores of the command


def tables(text: str) -> dict[str, Any]:
    """The same rows as tables of each kind."""
    frame = pd.read_csv(io.StringIO(text))
    return {
        "pandas": frame,
        "nullable": frame.convert_dtypes(),
        "objects": frame.astype(object),
        "shuffled": frame[frame.columns[::-1]],
        "polars": pl.from_pandas(frame),
        "arrow": pa.Table.from_pandas(frame, preserve_index=False),
        "texts": list(csv.DictReader(io.StringIO(text))),  # every cell is a text
        "dictionaries": json.loads(frame.to_json(orient="records")),
    }


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize("options", [
    "--auto", "--category Sex --category Pclass --drop PassengerId,Name,Embarked --missing impute --scale",
    "--text Name --one-hot --drop PassengerId --missing impute --normalize",
    "--text Name --hash-bits 6 --columns Fare", "--columns Fare,SibSp --features poly2 --scale", "--columns Fare,SibSp",
])  # fmt: skip
def test_tables_in_memory_get_the_scores_of_the_command_bit_for_bit(options: str) -> None:
    clf = trained(*options.split())
    lines = [line.split("\t") for line in said("predict", "m.nvk", "new.csv", "--scores", "--quiet").out.splitlines()]
    for kind, rows in tables(NEW).items():
        assert [str(v) for v in clf.predict(rows)] == [label for label, _ in lines], kind
        assert clf.decision_function(rows).tolist() == [float(score) for _, score in lines], kind
        assert clf.score(rows, clf.predict(rows)) == 1, kind


def test_python_warns_of_unknown_categories_in_the_words_of_the_command() -> None:
    clf = trained("--auto")
    for kind, rows in tables(NEW).items():
        with pytest.warns(nv.UnknownCategoryWarning) as found:
            clf.predict(rows)
        words = "X: column 'Embarked': 1 row has an unknown category"
        assert [(str(one.message), one.filename) for one in found] == [(words, __file__)], kind
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        clf.predict(pd.read_csv("train.csv"))


def test_a_table_without_names_is_taken_by_position() -> None:
    Path("h.csv").write_text("red,1,0,yes\nblue,4,0,no\nred,2,1,yes\nblue,3,1,no\n")
    clf = trained("--one-hot", "--scale", "--no-header", data="h.csv", label=None)
    frame = pd.DataFrame([["blue", 3.5, 0.5], ["red", 0.0, 0.0]])
    for rows in (frame, frame.assign(label=["no", "yes"])):
        assert clf.predict(rows).tolist() == ["no", "yes"]
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
def test_rows_that_cannot_be_prepared_are_refused_by_name(change: Any, message: str) -> None:
    drop = "PassengerId,Name,Embarked,Pclass,SibSp"
    clf = trained("--category", "Sex", "--drop", drop, "--missing", "impute", "--scale")
    with pytest.raises(ValueError, match=message):
        clf.predict(change(pd.read_csv("new.csv")))


def test_the_rows_of_adult_get_the_same_labels_in_the_shell_in_python_and_as_onnx(
    shared_data: Callable[[str], Path],
) -> None:
    """The census table, 16,281 rows to predict, whose missing categories are ?; with names of columns and without."""
    pytest.importorskip("skl2onnx", reason="skl2onnx is not installed: the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: the graph is not run")
    names = ",".join(f"c{j}" for j in range(14))
    for name in ("train", "test"):
        rows = lzma.decompress((shared_data("adult") / f"adult-{name}.csv.xz").read_bytes()).decode()
        Path(f"{name}.csv").write_text("".join(f"{line}\n" for line in rows.splitlines() if "," in line))
        Path(f"named-{name}.csv").write_text(f"{names},label\n" + Path(f"{name}.csv").read_text())
    for prefix, header, how in (("", None, ["--label", 15, "--no-header"]), ("named-", 0, ["--label", "label"])):
        told = said("fit", f"{prefix}train.csv", *how, "--auto", "--max-passes", 2, "-o", "m.nvk")
        assert "--missing impute --impute-categories level --scale" in told.err
        alike = ["--label-as", "<=50K.:<=50K", "--label-as", ">50K.:>50K"]
        assert answer("evaluate", "m.nvk", f"{prefix}test.csv", *how[2:], *alike)["accuracy"] > 0.8
        told = said("predict", "m.nvk", f"{prefix}test.csv", *how[2:], "--quiet")
        frame = pd.read_csv(f"{prefix}test.csv", header=header, skipinitialspace=True)
        clf = nv.load("m.nvk")
        assert clf.predict(frame).tolist() == clf.predict(frame.iloc[:, :-1]).tolist() == told.out.splitlines()
    said("convert", "m.nvk", "m.onnx")
    session = runtime.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
    feeds = {column: frame[[column]].to_numpy(np.float64) for column in clf.preparation_.columns.named}
    for column in clf.preparation_.columns.categories:
        feeds[column] = frame[[column]].replace("?", "").to_numpy(object)
    assert session.run(["label"], feeds)[0].tolist() == told.out.splitlines()
