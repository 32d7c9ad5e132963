"""Tables as other programs write them: an index without a name, separators, decimal commas, thousands separators."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import novikoff as nv
from commands import novikoff


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def table(*cells: Callable[[int], object], header: str, mark: str = ",", n: int = 40) -> str:
    return "\n".join([header, *(mark.join(str(cell(k)) for cell in cells) for k in range(n))]) + "\n"


def half(k: int) -> str:
    return "ab"[k >= 20]


# ---- an index ------------------------------------------------------------------------------------------------------

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
    run = ["t.csv", "--max-passes", 5]
    info = novikoff("fit", *run, "--auto", "--json")
    assert f"auto   {reason}: not used, unless --columns names it\n" in info.err
    assert info.json["d"] == 1
    kept = novikoff("fit", *run, "--auto", "--json", "--columns", f"{title or 1},x")
    assert "not used" not in kept.err
    assert kept.json["d"] == (39 if name == "words" else 2)
    typed = next(line for line in info.err.splitlines() if line.startswith("auto   novikoff "))
    again = novikoff(*shlex.split(typed.removeprefix("auto   novikoff ")))
    assert again.json["w"] == info.json["w"]


@pytest.mark.parametrize("verb", ["fit", "cv", "certify"])
def test_without_auto_a_column_without_a_name_is_named(verb: str) -> None:
    Path("t.csv").write_text(table(SHUFFLED.__getitem__, lambda k: k * 7 % 11, half, header=",x,label"))
    said = "t.csv: column 1 has no name, as an index, and is used; --drop 1 leaves it out\n"
    assert said in novikoff(verb, "t.csv").err
    assert "no name" not in novikoff(verb, "t.csv", "--drop", 1).err
    if verb != "certify":
        assert "no name" not in novikoff(verb, "t.csv", "--quiet").err
    pd.read_csv("t.csv").to_csv("u.csv", index=False)
    assert "u.csv: Unnamed: 0 has no name, as an index, and is used; --drop 'Unnamed: 0' leaves it out\n" in (
        novikoff(verb, "u.csv").err
    )


# ---- separators ----------------------------------------------------------------------------------------------------


POINTS = table(lambda k: k * 7 % 11 + 0.5, lambda k: k % 3, half, header="x,z,label")
COMMAS = POINTS.replace(",", ";").replace(".", ",")


@pytest.mark.parametrize(("name", "mark"), [("t.csv", ";"), ("t.csv", "\t"), ("t.tsv", "\t")])
def test_auto_finds_decimal_commas(name: str, mark: str) -> None:
    Path("p.csv").write_text(POINTS)
    Path(name).write_text(COMMAS.replace(";", mark))
    info = novikoff("fit", name, "--auto", "--json", "--max-passes", 5)
    assert "auto   x has decimal commas: --decimal-comma\n" in info.err
    assert " --decimal-comma " in info.err
    assert info.json["w"] == novikoff("fit", "p.csv", "--auto", "--json", "--max-passes", 5).json["w"]


def test_new_rows_between_commas_are_read_by_a_model_of_semicolons() -> None:
    Path("t.csv").write_text(COMMAS)
    Path("new.csv").write_text(POINTS)
    assert novikoff("fit", "t.csv", "--decimal-comma", "-o", "m.nvk", "--max-passes", 5).code == 0
    same, other = novikoff("predict", "m.nvk", "t.csv", "--scores"), novikoff("predict", "m.nvk", "new.csv", "--scores")
    assert same.out == other.out
    assert same.err == ""
    assert "new.csv: commas separate its cells, not semicolons or tabs as in training" in other.err
    accuracy = [novikoff("evaluate", "m.nvk", file, "--json").json["accuracy"] for file in ("t.csv", "new.csv")]
    assert accuracy[0] == accuracy[1]


# ---- labels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb", [["fit"], ["fit", "--soft", "hinge"], ["cv"], ["certify"], ["separation"], ["report", "-o", "r.html"]]
)
def test_a_measurement_as_the_label_is_named(verb: list[str]) -> None:
    Path("reg.csv").write_text(table(lambda k: k * 7 % 11, lambda k: k % 3, lambda k: k * 0.37 + 2, header="a,b,price"))
    info = novikoff(verb[0], "reg.csv", *verb[1:])
    assert info.code == 3
    said = (
        "label price is a measurement (40 different values); classes or counts are needed; --label names another column"
    )
    assert info.err.endswith(f"error: reg.csv: {said}\n")
    with pytest.raises(nv.InputError, match=r"^y: Unknown label type: continuous\. y is a measurement \(40 different"):
        nv.Perceptron().fit(nv.read("reg.csv"))
    assert json.loads(novikoff("fit", "reg.csv", "--label", "b", "--json", "--max-passes", 2).out)["d"] == 2


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_evaluate_asks_for_a_label_that_a_pipeline_does_not_know(ending: str) -> None:
    """The only column that the model does not have, or one with a usual name, is the label; else it is asked for."""
    X = pd.DataFrame({"a": [k * 7 % 13 for k in range(30)], "b": [k % 3 for k in range(30)]})
    y = pd.Series(["xy"[a > 5] for a in X["a"]])
    nv.save(make_pipeline(StandardScaler(), nv.Perceptron()).fit(X, y), "named.nvk")
    nv.save(make_pipeline(StandardScaler(), nv.Perceptron()).fit(X.to_numpy(), y), "positions.nvk")

    def evaluated(model: str, *options: str, **columns: pd.Series) -> str:
        frame, name = pd.DataFrame(columns), f"t.{ending}"
        if ending == "csv":
            frame.to_csv(name, index=False)
        else:
            frame.to_parquet(name)
        info = novikoff("evaluate", model, name, *options, "--json")
        return (
            info.err.removeprefix("novikoff: error: ") if info.code else f"{info.json['label']} {info.json['accuracy']}"
        )

    a, b = X["a"], X["b"]
    assert evaluated("named.nvk", kind=y, a=a, b=b) == evaluated("named.nvk", a=a, b=b, kind=y) == "kind 1.0"
    asked = f"t.{ending}: which column is the label? The model does not know: give --label, one of:"
    assert evaluated("named.nvk", a=a, kind=y, b=b, other=y[::-1]) == f"{asked} kind, other\n"
    assert evaluated("named.nvk", "--label", "kind", a=a, kind=y, b=b, other=y[::-1]) == "kind 1.0"
    if ending == "csv":
        assert evaluated("positions.nvk", kind=y, a=a, b=b) == f"{asked} kind, a, b\n"
        for options in (("--label", "kind"), ("--label", "1")):
            assert evaluated("positions.nvk", *options, kind=y, a=a, b=b) == "kind 1.0"
        assert evaluated("positions.nvk", label=y, a=a, b=b) == "label 1.0"


# ---- other encodings, and cells that are neither -------------------------------------------------------------------

ROWS = table(lambda k: k * 7 % 11, lambda k: k % 3, half, header="")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("options", [["fit"], ["fit", "--auto"], ["fit", "--one-hot"], ["fit", "--transpose"]])
def test_utf_16_is_refused_with_the_way_out(encoding: str, options: list[str]) -> None:
    mark = "" if encoding == "utf-16" else "\ufeff"
    Path("t.csv").write_bytes(f"{mark}a,b,label{ROWS}".encode(encoding))
    info = novikoff(options[0], "t.csv", *options[1:])
    assert info.code == 3
    said = "t.csv: found text in UTF-16; UTF-8 was expected: save it so, as by iconv -f UTF-16 -t UTF-8 OLD > NEW\n"
    assert info.err == f"novikoff: error: {said}"
    Path("t.csv").write_bytes(Path("t.csv").read_bytes().decode("utf-16").encode())
    assert novikoff("fit", "t.csv", "--max-passes", 2).code == 0
