"""`novikoff separation` on files."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from novikoff import cli

SHOES = "size,sport,bought,seen\n40,0,2,3\n41,0,1,4\n42,1,5,5\n43,1,2,2\n44,0,3,6\n45,0,0,0\n"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the verb on a text as a file: exit code, stdout, stderr."""

    def go(text: str, *args: str, name: str = "data.csv") -> tuple[int, str, str]:
        (tmp_path / name).write_text(text)
        code = cli.main(["separation", str(tmp_path / name), *args])
        return code, *capsys.readouterr()

    return go


def test_separated_is_1_and_finite_is_0(run: Run) -> None:
    code, out, err = run("dose,y\n-2,0\n0,0\n0,1\n2,1\n")
    assert (code, err) == (1, "")
    assert out.startswith("QUASI-COMPLETE SEPARATION: some estimates do not exist (4 rows, 2 coefficients, rank 2)\n")
    assert "2 of 4 rows separated, numbered from 1: 1, 4\n" in out
    assert "dose         +inf\n" in out
    code, out, _ = run("dose,y\n-1,0\n0,1\n1,0\n2,1\n")
    assert (code, out.splitlines()[0]) == (0, "OVERLAP: the estimates exist (4 rows, 2 coefficients, rank 2)")


@pytest.mark.parametrize("counts", ["seen", "4"])
def test_counts_are_a_column_of_the_file(run: Run, counts: str) -> None:
    code, out, _ = run(SHOES, "--label", "bought", "--counts", counts, "--json")
    document = json.loads(out)
    assert (code, document["schema"], document["kind"]) == (1, "novikoff/separation/1", "quasi-complete")
    assert document["coefficients"] == {"(Intercept)": "finite", "size": "finite", "sport": "+inf"}
    assert document["rows"] == [2, 3]
    assert document["notes"] == ["1 row without trials was ignored"]


def test_counts_beside_a_label_in_the_first_column(run: Run) -> None:
    code, out, _ = run("1,3,7\n2,2,8\n0,5,9\n1,4,10\n", "--label", "1", "--counts", "2", "--json")
    assert (code, json.loads(out)["coefficients"]) == (0, {"(Intercept)": "finite", "x1": "finite"})


def test_poisson_and_no_bias(run: Run) -> None:
    text = "a,b,y\n1,0,0\n1,0,0\n0,1,3\n0,2,0\n"
    code, out, _ = run(text, "--family", "poisson", "--json")
    assert (code, json.loads(out)["rows"]) == (1, [0, 1, 3])
    code, out, _ = run(text, "--family", "poisson", "--no-bias", "--json")
    assert (code, json.loads(out)["coefficients"]) == (1, {"a": "-inf", "b": "finite"})


def test_rows_of_chosen_classes_keep_their_numbers(run: Run) -> None:
    text = "x,y\n9,c\n-2,a\n0,a\n8,c\n0,b\n2,b\n"
    code, out, _ = run(text, "--classes", "a,b", "--json")
    assert (code, json.loads(out)["rows"], json.loads(out)["held"]) == (1, [1, 5], [2, 4])
