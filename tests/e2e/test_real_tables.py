"""Real tables from the command line: missing values, columns, the label's name, --auto."""

from __future__ import annotations

import itertools
import lzma
import shlex
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import novikoff as nv
from commands import answer, novikoff

HEAD = "PassengerId,Survived,Pclass,Name,Sex,Age,SibSp,Fare,Embarked"
PASSENGERS = [
    '1,0,3,"Braund, Mr. Owen Harris",male,22,1,7.25,S',
    '2,1,1,"Cumings, Mrs. John Bradley (Florence Briggs Thayer)",female,38,1,71.2833,C',
    '3,1,3,"Heikkinen, Miss. Laina",female,26,0,7.925,S',
    '4,1,1,"Futrelle, Mrs. Jacques Heath (Lily May Peel)",female,35,1,53.1,S',
    '5,0,3,"Allen, Mr. William Henry",male,35,0,8.05,S',
    '6,0,3,"Moran, Mr. James",male,,0,8.4583,Q',
    '7,0,1,"McCarthy, Mr. Timothy J",male,54,0,51.8625,S',
    '8,0,3,"Palsson, Master. Gosta Leonard",male,2,3,21.075,S',
    '9,1,3,"Johnson, Mrs. Oscar W (Elisabeth Vilhelmina Berg)",female,27,0,11.1333,S',
    '10,1,2,"Nasser, Mrs. Nicholas (Adele Achem)",female,14,1,30.0708,C',
    '11,1,3,"Sandstrom, Miss. Marguerite Rut",female,4,1,16.7,S',
    '12,1,1,"Bonnell, Miss. Elizabeth",female,58,0,26.55,',
    '13,0,3,"Saundercock, Mr. William Henry",male,20,0,8.05,S',
    '14,0,3,"Andersson, Mr. Anders Johan",male,39,1,31.275,S',
]
NEW = """Cabin,Fare,Sex,Embarked,Pclass,Name,Age,SibSp
A5,7.8292,male,Q,3,"Kelly, Mr. James",34.5,0
,7,female,S,3,"Wilkes, Mrs. James",,1
B2,9.6875,male,X,2,"Myles, Mr. Thomas",62,0
"""
CLASSES = {"0", "1"}


@pytest.fixture
def titanic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with titanic.csv and new.csv, which is the current one."""
    (tmp_path / "titanic.csv").write_text("\n".join([HEAD, *PASSENGERS]) + "\n")
    (tmp_path / "new.csv").write_text(NEW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- --auto --------------------------------------------------------------------------------------------------------


def test_auto_prints_the_command_that_makes_the_same_model(titanic: Path) -> None:
    info = novikoff("fit", "titanic.csv", "--label", "Survived", "--auto", "-o", "t.nvk", "--max-passes", 15)
    assert info.code == 0, info.err
    line = next(line for line in info.err.splitlines() if "novikoff fit" in line)
    command = line.removeprefix("auto").strip()
    for words in ("--text Name", "--category Sex", "--category Embarked", "--drop PassengerId", "--missing impute",
                  "--scale", "--max-passes 15"):  # fmt: skip
        assert words in command
    assert "--auto" not in command
    assert "PassengerId numbers the rows" in info.err
    assert "imputed 1 of Age (median 27), 1 of Embarked (missing_value)" in info.err
    first = (titanic / "t.nvk").read_bytes()
    again = novikoff(*shlex.split(command)[1:])
    assert again.code == 0
    assert again.out == info.out
    assert (titanic / "t.nvk").read_bytes() == first


def test_a_model_of_auto_predicts_rows_with_gaps_other_columns_and_another_order(titanic: Path) -> None:
    assert novikoff("fit", "titanic.csv", "--label", "Survived", "--auto", "-o", "t.nvk").code == 0
    info = novikoff("predict", "t.nvk", "new.csv")
    assert info.code == 0
    assert len(info.out.splitlines()) == 3
    assert set(info.out.split()) <= CLASSES
    assert "new.csv: 1 column is ignored, which the model does not have: Cabin" in info.err
    assert "column 'Embarked': 1 row has an unknown category" in info.err
    assert "1 row has a missing value, which was imputed" in info.err
    assert answer("explain", "t.nvk", "new.csv", "--row", 2)["class"] in (0, 1)


def test_auto_needs_the_label(titanic: Path) -> None:
    info = novikoff("fit", "titanic.csv", "--auto", "-o", "t.nvk")
    assert info.code == 3
    assert "which column is the label?" in info.err
    assert "PassengerId, Survived, Pclass, Name, Sex, Age, SibSp, Fare, Embarked" in info.err
    assert not (titanic / "t.nvk").exists()
    (titanic / "y.csv").write_text((titanic / "titanic.csv").read_text().replace("Survived", "y"))
    assert answer("fit", "y.csv", "--auto")["label"] == "y"


def test_hints_without_auto(titanic: Path) -> None:
    info = novikoff("fit", "titanic.csv", "--label", "Survived", "--one-hot", "--missing", "drop", "--max-passes", 5)
    assert "hint   column PassengerId numbers the rows: --drop PassengerId" in info.err  # also where rows are dropped
    info = novikoff("fit", "titanic.csv", "--label", "Survived", "--one-hot", "--missing", "impute", "--max-passes", 5)
    assert "hint   column PassengerId numbers the rows: --drop PassengerId" in info.err
    assert "hint   column Name has a different value in every row: --drop Name" in info.err
    (titanic / "wide.csv").write_text(
        "a,b,label\n" + "".join(f"{k % 3},{(k * 7919) % 5000},{k % 2}\n" for k in range(20))
    )
    assert "hint   the columns have very different scales" in novikoff("fit", "wide.csv", "--max-passes", 2).err
    assert "hint" not in novikoff("fit", "wide.csv", "--max-passes", 2, "--scale").err
    assert "hint" not in novikoff("fit", "wide.csv", "--max-passes", 2, "--quiet").err


def test_auto_says_which_columns_may_be_read_wrongly(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("m.csv").write_text("a,label\n" + "".join(f"{k * 7 % 13},{k % 2}\n" for k in range(30)) + "oops,1\n")
    info = novikoff("fit", "m.csv", "--auto", "--max-passes", 2)
    assert "auto   a has numbers, but 'oops' in row 31: read as words; mend the cell, or do not use it" in info.err
    Path("d.csv").write_text("a;label\n" + "".join(f"{k * 7 % 13},5;{k % 2}\n" for k in range(30)))
    info = novikoff("fit", "d.csv", "--auto", "--max-passes", 2)
    assert "auto   a has decimal commas: --decimal-comma\n" in info.err
    command = next(line for line in info.err.splitlines() if line.startswith("auto   novikoff "))
    again = novikoff(*shlex.split(command.removeprefix("auto   novikoff ")), "--json")
    assert again.json["w"] == answer("fit", "d.csv", "--auto", "--max-passes", 2)["w"]
    assert again.json["d"] == 1


# ---- columns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["fit", "cv", "certify", "margin", "separation", "trace", "convert"])
def test_every_verb_that_reads_tables_takes_columns(verb: str, titanic: Path) -> None:
    words = [verb, "titanic.csv", *(["t.csv"] if verb == "convert" else []), "--label", "Survived"]
    assert novikoff(*words, "--columns", "Pclass,Fare").code in (0, 1)
    info = novikoff(*words, "--columns", "Pclass,Fair")
    assert info.code == 3
    assert "no column is named 'Fair'; the columns are PassengerId, Survived" in info.err
    assert novikoff(*words, "--drop", "Nobody").code == 3


@pytest.mark.parametrize("verb", ["fit", "cv", "certify", "margin", "separation", "trace", "evaluate", "explain"])
def test_the_label_and_the_classes_are_printed(verb: str, titanic: Path) -> None:
    read = ["--label", "Survived", "--columns", "Pclass,Sex", "--one-hot"]
    words = [verb, "titanic.csv", *read]
    if verb in ("evaluate", "explain"):
        assert novikoff("fit", "titanic.csv", *read, "-o", "t.nvk").code == 0
        words = [verb, "t.nvk", *(["titanic.csv"] if verb == "evaluate" else [])]
    info = novikoff(*words)
    assert "Survived" in info.out
    assert "0" in info.out
    assert "1" in info.out
    assert novikoff(*words, "--json").json["label"] == "Survived"


# ---- missing values ------------------------------------------------------------------------------------------------

TABLE = ["--label", "Survived", "--drop", "PassengerId,Name", "--one-hot"]


def test_imputation_is_fitted_on_the_training_rows_only(titanic: Path) -> None:
    words = [*TABLE, "--missing", "impute", "--test-every", "2", "-o", "t.nvk"]
    assert novikoff("fit", "titanic.csv", *words).code == 0
    (titanic / "odd.csv").write_text("\n".join([HEAD, *PASSENGERS[::2]]) + "\n")
    assert novikoff("fit", "odd.csv", *TABLE, "--missing", "impute", "-o", "odd.nvk").code == 0
    fill = [nv.load(name).preparation_.columns.cells.fill.tolist() for name in ("t.nvk", "odd.nvk")]
    assert fill[0] == fill[1]


def test_rows_that_cannot_be_answered_are_blank_or_an_error(titanic: Path) -> None:
    assert novikoff("fit", "titanic.csv", *TABLE, "--missing", "drop", "-o", "t.nvk").code == 0
    strict = novikoff("predict", "t.nvk", "new.csv", "--on-missing", "fail", "-o", "out.txt")
    assert strict.code == 3
    assert "new.csv, row 2: found a missing value" in strict.err
    assert "--on-missing blank answers the other rows" in strict.err
    assert not (titanic / "out.txt").exists()
    info = novikoff("predict", "t.nvk", "new.csv")
    first, second, third = info.out.split("\n")[:3]
    assert {first, third} <= CLASSES
    assert second == ""
    assert info.out.count("\n") == 3
    assert "new.csv: 1 row has a missing value and a blank line" in info.err
    scores = novikoff("predict", "t.nvk", "new.csv", "--scores").out.split("\n")
    assert scores[1] == ""
    assert len(scores[0].split("\t")) == 2


@pytest.mark.parametrize("engine", ["serial", "threads"])
def test_blank_lines_are_in_their_places(engine: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    values = rng.integers(-9, 10, 40_000)
    lost = rng.random(values.size) < 0.1
    lost[[0, 1, -1]] = True
    (tmp_path / "t.csv").write_text("a,label\n-1,x\n1,y\n")
    (tmp_path / "new.csv").write_text(
        "a\n" + "".join(f"{'?' if out else v}\n" for v, out in zip(values, lost, strict=True))
    )
    assert novikoff("fit", tmp_path / "t.csv", "-o", tmp_path / "m.nvk").code == 0
    words = ["predict", tmp_path / "m.nvk", tmp_path / "new.csv", "--engine", engine]
    lines = novikoff(*words).out.split("\n")[:-1]
    assert len(lines) == values.size
    assert [line == "" for line in lines] == lost.tolist()
    assert all(line == ("y" if v > 0 else "x") for line, v in zip(lines, values, strict=True) if line and v)


def test_nulls_are_blank_or_imputed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    old = pandas.DataFrame([{"a": k % 5, "c": "xy"[k % 2], "label": "no" if k % 5 < 2 else "yes"} for k in range(12)])
    new = pandas.DataFrame([{"z": "?", "c": c, "a": a} for c, a in ((None, 1.0), ("x", None), ("y", 4.0), ("w", 0.0))])
    for name, frame in (("old", old), ("new", new)):
        frame.to_parquet(f"{name}.parquet")
    roles = ["--one-hot"]
    assert novikoff("fit", "old.parquet", *roles, "-o", "m.nvk").code == 0
    assert novikoff("predict", "m.nvk", "new.parquet", "--on-missing", "fail").code == 3
    info = novikoff("predict", "m.nvk", "new.parquet")
    assert info.out == "\n\nyes\nno\n"
    assert "column 'c': 1 row has an unknown category" in info.err
    assert novikoff("fit", "old.parquet", *roles, "--missing", "impute", "-o", "m.nvk").code == 0
    info = novikoff("predict", "m.nvk", "new.parquet")
    assert info.out.split("\n")[2:4] == ["yes", "no"]
    assert "2 rows have a missing value, which was imputed" in info.err


# ---- bad input -----------------------------------------------------------------------------------------------------


def test_adult_with_its_question_marks(
    shared_data: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The census table, whose missing categories are ?: without other options, above 80 % of its test rows."""
    folder = shared_data("adult")
    for name in ("train", "test"):
        with lzma.open(folder / f"adult-{name}.csv.xz", "rt") as file:
            (tmp_path / f"{name}.csv").write_text("".join(itertools.islice(file, 5000)))
    monkeypatch.chdir(tmp_path)
    fit = ["fit", "train.csv", "--auto", "--label", "15", "--order", "shuffle", "--keep", "average"]
    info = novikoff(*fit, "--max-passes", 10, "-o", "m.nvk")
    assert info.code == 0, info.err
    assert "--missing impute --impute-categories level --scale" in info.err
    assert "imputed" in info.err
    alike = ["--label-as", "<=50K.:<=50K", "--label-as", ">50K.:>50K"]
    assert answer("evaluate", "m.nvk", "test.csv", *alike)["accuracy"] > 0.8
