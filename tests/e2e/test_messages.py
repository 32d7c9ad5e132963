"""What the command says about data that it cannot use, and how it counts and names what a person reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.cli import main

OR = "a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,1\n"

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


# ---- rows


def test_refusals_number_rows_from_1(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("certify", "-o", "proof.json", text=OR)[0] == 0
    record = json.loads(Path("proof.json").read_text())
    record["directions"][0]["values"][-1] = str(int(record["directions"][0]["values"][-1]) + 10**6)
    Path("proof.json").write_text(json.dumps(record))
    for slow in ((), ("--slow",)):
        code, out, _ = run("verify", "proof.json", "data.csv", *slow)
        said = "directions: a row is on the wrong side of one of them: row 1, counted from 1"
        assert (code, out) == (1, f"REFUSED {said}\n")
        assert json.loads(run("verify", "proof.json", "data.csv", "--json", *slow)[1])["reason"] == said


# ---- one of a thing


def test_one_row_and_one_point_are_singular(run: Run) -> None:
    origin = nv.decide([[0.0, 0.0]], [1], fit_intercept=False)
    assert repr(origin).startswith("Verdict(not separable by a plane through the origin, 1 row proves it; ")
    assert "proved by 1 of 1 point of 2 numbers" in str(origin)
    assert "no plane through the origin separates the 1 point, nor some" in origin.explain()
    assert "each of 2 points of 1 number strictly" in str(nv.decide([[0.0], [1.0]], [0, 1]))
    assert "has the one point on one side" in nv.decide([[1.0]], [1]).explain()
    assert repr(nv.removal(*nv.example("xor"))) == "Removal(exactly 1 row)"
    _, out, _ = run("certify", "--no-bias", "-o", "proof.json", text="a,y\n0,1\n", name="one.csv")
    assert "1 points" not in out
    _, out, _ = run("verify", "proof.json", "one.csv")
    assert out.startswith("PROVED overlap: no plane through the origin has every point strictly on its own side, ")


# ---- options


@pytest.mark.compiled
def test_where_no_plane_separates_no_margin_is_told_to_bound_the_updates() -> None:
    info = novikoff("fit", "--example", "xor", "--known-margin", "1/10").out
    bound = next(line for line in info.splitlines() if line.startswith("bound"))
    assert bound.endswith("no plane separates the points, so none has any margin")
    assert "at most" not in bound
    with pytest.warns(nv.NotSeparatedWarning) as seen:
        nv.Perceptron(known_margin=0.1).fit(*nv.example("xor"))
    assert sum("so none has a margin of 0.1" in str(one.message) for one in seen) == 1
    assert "at most (R/γ)² = " in novikoff("fit", "--example", "or", "--known-margin", "1/10").out


@pytest.mark.compiled
def test_errors_are_told_with_the_points_that_are_counted(tmp_path: Path) -> None:
    """Of rows set aside for validation, too: their number is derived again from the classes."""
    info = novikoff("fit", "--example", "xor", "--stall-valid", "2").out
    document = answer("fit", "--example", "xor", "--stall-valid", "2")
    assert document["set_aside"] == 2  # one of each class
    counted = f"{document['train_errors']} of 4 points (2 set aside) wrong"
    assert counted in info
    assert "training points" not in info
    assert "set_aside" not in answer("fit", "--example", "xor")
    iris = answer("fit", "--example", "iris", "--classes", "versicolor,virginica", "--stall-valid", "2")
    assert iris["set_aside"] == 10  # a tenth of fifty of each class
