"""What the command says about data that it cannot use, and how it counts and names what a person reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from novikoff.certify import verify
from novikoff.cli import main

OR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n"
VERBS = ("certify", "separation", "margin")

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a verb, on a text as the file data.csv where one is given: exit code, stdout, stderr."""
    monkeypatch.chdir(tmp_path)

    def go(verb: str, *args: str, text: str | None = None, name: str = "data.csv") -> tuple[int, str, str]:
        if text is not None:
            Path(name).write_text(text)
            args = (name, *args)
        code = main([verb, *args])
        return code, *capsys.readouterr()

    return go


# ---- files


@pytest.mark.parametrize("verb", VERBS)
def test_an_empty_label_is_bad_input(run: Run, verb: str) -> None:
    code, out, err = run(verb, text="a,y\n1,\n2,z\n")
    assert (code, out) == (3, "")
    assert "data.csv, line 2: no label; leave the row out, or give it one" in err


def test_an_empty_label_is_bad_input_to_verify(run: Run) -> None:
    assert run("certify", "-o", "proof.json", text="a,y\n1,0\n2,z\n")[0] == 0
    Path("data.csv").write_text("a,y\n1,\n2,z\n")
    for slow in ((), ("--slow",)):
        code, _, err = run("verify", "proof.json", "data.csv", *slow)
        assert code == 3
        assert "line 2: no label" in err


@pytest.mark.parametrize(
    ("text", "name", "sign", "expected"),
    [("a;b;y\n1;2;0\n3;4;1\n", "data.csv", "';'", "commas"), ("a,b,y\n1,2,0\n", "data.tsv", "','", "tabs")],
)
def test_cells_with_other_signs_between_them(run: Run, text: str, name: str, sign: str, expected: str) -> None:
    code, _, err = run("certify", text=text, name=name)
    assert code == 3
    assert f"{name}: found one column, {text.splitlines()[0]!r}; expected {expected} between the cells" in err
    assert f"(here is {sign})" in err
    assert "no column is named 'y', only 'a" in run("certify", "--label", "y", text=text, name=name)[2]


@pytest.mark.parametrize("column", ["0", "9"])
def test_columns_are_counted_from_1(run: Run, column: str) -> None:
    code, _, err = run("certify", "--label", column, text=OR)
    assert code == 3
    assert f"data.csv: no column {column}; the first is 1, the last 3" in err


@pytest.mark.parametrize(
    ("cell", "found"), [("", "an empty cell"), (" ", "an empty cell"), ("NA", "'NA', a missing number")]
)
def test_a_missing_number_is_named(run: Run, cell: str, found: str) -> None:
    code, _, err = run("certify", text=f"a,b,y\n1,{cell},0\n2,3,1\n")
    assert code == 3
    assert f"data.csv, line 2, column 2: {found}; a number was expected; fill it in, or leave the row out" in err


# ---- rows


def test_refusals_number_rows_from_1_and_their_json_from_0(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("certify", "-o", "proof.json", text=OR)[0] == 0
    record = json.loads(Path("proof.json").read_text())
    record["b"] = str(int(record["b"]) + 10**6)
    Path("proof.json").write_text(json.dumps(record))
    for slow in ((), ("--slow",)):
        code, out, _ = run("verify", "proof.json", "data.csv", *slow)
        assert (code, out) == (1, "REFUSED  w, b: row 1 is on the wrong side of the plane\n")
        told = json.loads(run("verify", "proof.json", "data.csv", "--json", *slow)[1])
        assert told["reason"] == "w, b: row 0 is on the wrong side of the plane"
    assert verify.main(["proof.json", "data.csv"]) == 1
    assert capsys.readouterr().err == "REFUSED  w, b: row 1 is on the wrong side of the plane\n"


def test_a_label_that_looks_like_a_row_is_left_alone() -> None:
    refusal = verify.CertificateError("y: label 'row 4' of row 2 is neither of the certificate's")
    assert verify.in_words(refusal) == "y: label 'row 4' of row 3 is neither of the certificate's"
