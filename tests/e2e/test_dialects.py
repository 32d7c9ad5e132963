"""Tables as other programs write them: an index without a name, separators, decimal commas, thousands separators."""

from __future__ import annotations

import json
import random
import shlex
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

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


@pytest.mark.parametrize("cell", [lambda k: k * 7 % 11, lambda k: k / 2, lambda k: k * 7919 % 99_991, lambda k: k // 2])
def test_auto_uses_numbers_that_are_no_index(cell: Callable[[int], object]) -> None:
    Path("t.csv").write_text(table(cell, lambda k: k * 7 % 11, half, header="id,x,label"))
    assert novikoff("fit", "t.csv", "--auto", "--json", "--max-passes", 5).json["d"] == 2


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


def test_tabs_semicolons_and_commas_give_the_same_model() -> None:
    found = []
    for mark in ",;\t":
        Path("t.csv").write_text(
            table(lambda k: k * 7 % 11, lambda k: k % 3, half, header=f"x{mark}z{mark}label", mark=mark)
        )
        found.append(novikoff("fit", "t.csv", "--json", "--max-passes", 5).json["w"])
        assert nv.read("t.csv").d == 2
    assert found[0] == found[1] == found[2]


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


REFUSED = {  # a table, its options, and what is said of it
    "comma": (
        'a,b,label\n1,"2,000",x\n2,3,y\n',
        [],
        "line 2, column 2 ('b'): found '2,000'; a number was expected, and this looks like thousands separators: "
        "write 2000; --drop leaves the column out, --category takes its words as categories",
    ),
    "semicolon": (
        "a;b;label\n1;5,450;x\n2;3,500;y\n",
        [],
        "found '5,450'; a number was expected, and this looks like thousands separators: write 5450 (--decimal-comma "
        "reads it as 5.450)",
    ),
    "both": (
        "a;b;label\n1;18.333,50;x\n2;3,5;y\n",
        ["--decimal-comma"],
        "line 2, column 2 ('b'): found '18.333,50'; a number was expected, and this looks like thousands separators: "
        "write 18333,50",
    ),
    "point": (
        "a;b;label\n1;18.333;x\n2;3,5;y\n",
        ["--decimal-comma"],
        "this looks like thousands separators: write 18333 (without --decimal-comma it is 18.333)",
    ),
    "quoted": (
        'a,b,label\n1,"3,5",x\n2,3,y\n',
        [],
        "this has a decimal comma, but commas separate the cells: write 3.5",
    ),
}


@pytest.mark.parametrize("also", [[], ["--one-hot"], ["--auto"]], ids=["plain", "one-hot", "auto"])
@pytest.mark.parametrize("name", REFUSED)
def test_thousands_separators_are_refused_by_name(name: str, also: list[str]) -> None:
    text, options, said = REFUSED[name]
    Path("t.csv").write_text(text)
    info = novikoff("fit", "t.csv", *options, *also, "-o", "m.nvk")
    assert (info.code, info.out) == (3, "")
    assert said in info.err
    assert "t.csv, line 2, column 2 ('b'): " in info.err
    assert not Path("m.nvk").exists()


def test_the_advice_on_thousands_separators_works() -> None:
    text, _, _ = REFUSED["comma"]
    Path("t.csv").write_text(text)
    for advised in (["--drop", "b"], ["--category", "b"]):
        assert novikoff("fit", "t.csv", *advised, "--max-passes", 5).code == 0
    Path("t.csv").write_text(text.replace('"2,000"', "2000"))
    assert novikoff("fit", "t.csv").code == 0


def test_a_decimal_comma_is_refused_where_commas_separate_the_cells() -> None:
    Path("t.csv").write_text(POINTS)
    for also in ([], ["--auto"], ["--one-hot"], ["--label", "label"]):
        info = novikoff("fit", "t.csv", "--decimal-comma", *also)
        assert info.code == 3
        assert (
            "t.csv: --decimal-comma is for semicolons or tabs between the cells, and the first line has commas"
            in info.err
        )


def test_a_name_with_a_comma_stays_as_it_is() -> None:
    Path("t.csv").write_text(COMMAS.replace("x;z", "weight, kg;z"))
    assert nv.read("t.csv", decimal_comma=True).names == ("weight, kg", "z")


def test_thousands_separators_in_a_frame_are_refused_as_in_a_file() -> None:
    Path("t.csv").write_text(COMMAS)
    assert novikoff("fit", "t.csv", "--decimal-comma", "-o", "m.nvk", "--max-passes", 5).code == 0
    clf = nv.load("m.nvk")
    assert len(clf.predict(pd.DataFrame({"x": ["18333,50"], "z": ["2"]}))) == 1
    with pytest.raises(nv.InputError, match=r"column 'x', row 1: found str '18\.333'; a number was expected"):
        clf.predict(pd.DataFrame({"x": ["18.333"], "z": ["2"]}))


# ---- labels --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "verb", [["fit"], ["fit", "--soft", "hinge"], ["cv"], ["certify"], ["separation"], ["report", "-o", "r.html"]]
)
def test_a_measurement_as_the_label_is_named(verb: list[str]) -> None:
    Path("reg.csv").write_text(table(lambda k: k * 7 % 11, lambda k: k % 3, lambda k: k * 0.37 + 2, header="a,b,price"))
    info = novikoff(verb[0], "reg.csv", *verb[1:])
    assert info.code == 3
    said = (
        "label price is a measurement (40 different values); this needs classes or counts; --label names another column"
    )
    assert info.err.endswith(f"error: reg.csv: {said}\n")
    with pytest.raises(nv.InputError, match=r"^y: Unknown label type: continuous\. y is a measurement \(40 different"):
        nv.Perceptron().fit(nv.read("reg.csv"))
    assert json.loads(novikoff("fit", "reg.csv", "--label", "b", "--json", "--max-passes", 2).out)["d"] == 2
