"""The command as a user runs it: its output, its exit code; in a process of its own where that makes a difference."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import novikoff as nv
from commands import answer, novikoff
from novikoff.cli import VERBS

HEAVY = ("numpy", "scipy", "numba", "sklearn", "rich", "flint")


def process(*args: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """`novikoff ARGS` in a process of its own."""
    command = [sys.executable, "-m", "novikoff", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | environment)


def loaded_after(*commands: Sequence[str]) -> dict[str, set[str]]:
    """Which heavy packages a process has imported after each of these commands."""
    script = (
        "import io, sys, contextlib\nfrom novikoff.cli import main\n"
        f"for args in {commands!r}:\n"
        "    with contextlib.redirect_stdout(io.StringIO()):\n        assert main(list(args)) == 0\n"
        f"    print(*args, *[name for name in {HEAVY!r} if name in sys.modules], sep='\\t')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60, check=True)
    lines = zip(commands, done.stdout.splitlines(), strict=True)
    return {" ".join(args): set(line.split("\t")[len(args) :]) for args, line in lines}


# ---- start-up ------------------------------------------------------------------------------------------------------


def test_help_loads_nothing_heavy() -> None:
    found = loaded_after(["--help"], ["--version"], *([verb, "--help"] for verb in VERBS))
    assert found == {command: set() for command in found}


def test_the_lecture_waits_neither_for_the_compiler_nor_for_scikit_learn() -> None:
    found = loaded_after(*(["trace", "--example", name] for name in ("tao", "cornwell", "spam", "or", "xor", "and")))
    assert all(names <= {"numpy"} for names in found.values()), found


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["trace", "--example", "or"], 0, ""),
        (["verify", "--checker", "no/such/folder/x.py"], 3, "novikoff: error: no/such/folder/x.py"),
        (["nosuch"], 2, "nosuch"),
    ],
)
def test_a_process_ends_with_the_code_and_keeps_the_answer_apart(args: list[str], code: int, said: str) -> None:
    done = process(*args)
    assert done.returncode == code
    assert said in done.stderr
    assert bool(done.stdout) is (code == 0)
    assert bool(done.stderr) is (code != 0)


def test_the_version_is_that_of_the_package() -> None:
    from novikoff import __version__

    assert novikoff("--version").out == f"novikoff {__version__}\n"


# ---- trace ---------------------------------------------------------------------------------------------------------


def test_trace_json_is_one_document_with_its_schema_first() -> None:
    document = answer("trace", "--example", "spam")
    assert next(iter(document.items())) == ("schema", "novikoff/trace/1")
    assert document["w"] == ["0", "2", "0", "-1", "1", "0"]


def test_tao_is_traced_through_the_origin_and_this_is_said() -> None:
    done = novikoff("trace", "--example", "tao")
    assert "origin" in done.err
    assert "origin" not in done.out
    assert answer("trace", "--example", "tao")["w"] == ["1", "1"]
    assert len(answer("trace", "--example", "tao", "--bias")["w"]) == 3


@pytest.mark.parametrize("option", ["--csv", "--latex"])
def test_a_dash_prints_it_instead_of_the_table(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run"
    novikoff("trace", "--example", "or", option, str(path))
    monkeypatch.chdir(tmp_path)  # where a file named "-" would appear
    done = novikoff("trace", "--example", "or", option, "-")
    assert done.code == 0
    assert done.out == path.read_text(encoding="utf-8")
    assert sorted(tmp_path.iterdir()) == [path]


def test_trace_writes_csv_and_latex_beside_the_table(tmp_path: Path) -> None:
    csv, latex = tmp_path / "run.csv", tmp_path / "run.tex"
    done = novikoff("trace", "--example", "cornwell", "--csv", str(csv), "--latex", str(latex))
    assert done.code == 0
    assert len(csv.read_text(encoding="utf-8").splitlines()) == 10
    assert latex.read_text(encoding="utf-8").startswith(r"\begin{tabular}")
    assert sorted(tmp_path.iterdir()) == [csv, latex]


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "novikoff", "trace", "--example", "or"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(write)
    assert (done.returncode, done.stderr) == (3, "")


def test_a_terminal_without_the_letters_still_gets_the_table() -> None:
    done = process("trace", "--example", "cornwell", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "SEPARATED" in done.stdout


# ---- fit -----------------------------------------------------------------------------------------------------------


@pytest.mark.compiled
def test_fit_says_in_words_that_digits_were_separated_and_tests_on_the_rest() -> None:
    args = ("fit", "--example", "digits", "--classes", "3,8", "--holdout", "0.25")
    out = novikoff(*args).out
    assert out.startswith("SEPARATED  all 268 training points right (checked exactly)\ntest   ")
    document = answer(*args)
    assert document["n"] == 268
    assert document["train_errors"] == 0
    assert document["test"]["n"] == 89
    assert document["test"]["accuracy"] > 0.9
    assert f"accuracy {100 * document['test']['accuracy']:.2f} %" in out


@pytest.mark.compiled
def test_fit_json_has_the_promised_fields() -> None:
    document = answer("fit", "--example", "or", "--keep", "last")
    promised = "stop_reason separated passes updates looks train_errors n d classes seconds model w b"
    assert set(promised.split()) <= set(document)
    assert next(iter(document.items())) == ("schema", "novikoff/fit/1")
    assert (document["w"], document["b"], document["updates"]) == ([2.0, 2.0], -1.0, 9)
    assert "w" not in answer("fit", "--example", "digits", "--classes", "0,1")


@pytest.mark.compiled
def test_fit_proves_that_xor_is_not_separable() -> None:
    done = novikoff("fit", "--example", "xor", "--keep", "pocket")
    assert done.code == 0
    assert done.out.startswith("NOT SEPARABLE (proved)  1 of 4 training points wrong, and no plane has fewer\n")
    drawn, proved = "from pass 2 on with rows drawn at random", "no plane separates the points, proved by 4 rows"
    assert f", {drawn}; {proved}; returned: the pocket weights\n" in done.out
    assert "−(0, 0, 1) + (1, 0, 1) + (0, 1, 1) − (1, 1, 1) = (0, 0, 0)" in done.out
    document = answer("fit", "--example", "xor", "--keep", "pocket")
    assert document["stop_reason"] == "not_separable"  # passes 2 to 7 came after the cycle
    assert document["separable"] is False
    assert document["proof"] == {"support": [0, 1, 2, 3], "weights": [1, 1, 1, 1]}


@pytest.mark.compiled
def test_fit_proves_of_real_data_that_no_plane_separates_them() -> None:
    request = ("fit", "--example", "iris", "--classes", "versicolor,virginica")
    done = novikoff(*request)
    assert done.code == 0
    proved = "no plane separates the points, proved by 6 rows"
    assert f" in 20 passes; {proved}; returned: the averaged weights\n" in done.out
    document = answer(*request)
    wrong = document["train_errors"]
    assert done.out.startswith(f"NOT SEPARABLE (proved)  {wrong} of 100 training points wrong\n")
    assert (document["stop_reason"], document["separated"], document["separable"]) == ("not_separable", False, False)
    X, y = nv.example("iris")
    rows, weights = document["proof"]["support"], [int(k) for k in document["proof"]["weights"]]
    assert f"multiples of {', '.join(f'p{row + 1}' for row in rows)} (--json has them)" in done.out
    signs = [{"versicolor": -1, "virginica": 1}[label] for label in y[rows].tolist()]
    terms = [
        (k * sign, [*map(Fraction, X[row].tolist()), 1]) for k, sign, row in zip(weights, signs, rows, strict=True)
    ]
    assert min(weights) > 0
    assert not any(sum(k * x[j] for k, x in terms) for j in range(5))
    assert novikoff(*request, "--expect", "separated").code == 1


# ---- verify --------------------------------------------------------------------------------------------------------


def proof_of_xor(folder: Path, **fields: Any) -> tuple[str, str]:
    """The paths of a proof and of its data."""
    (folder / "data.csv").write_text("a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n")
    proof = nv.decide([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 0]).certificate()
    (folder / "proof.json").write_text(json.dumps(proof.record() | fields))
    return str(folder / "proof.json"), str(folder / "data.csv")


@pytest.mark.parametrize("slow", [[], ["--slow"]])
def test_verify_proves_refuses_or_cannot_read(slow: list[str], tmp_path: Path) -> None:
    proof, data = proof_of_xor(tmp_path)
    done = novikoff("verify", proof, data, *slow)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("PROVED overlap: no plane has every point strictly on its own side, ")
    Path(data).write_text("a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,2,0\n")
    done = novikoff("verify", proof, data, *slow)
    assert done.code == 1
    assert done.out.startswith("REFUSED other data: found 4 rows of digest ")
    Path(data).write_text("a,b,y\n0,0,0\n1,x,1\n")
    done = novikoff("verify", proof, data, *slow)
    assert (done.code, done.out) == (3, "")
    assert f"{data}, line 3: found 'x'; expected finite numbers" in done.err
    Path(data).write_text("")
    assert novikoff("verify", proof, data, *slow).code == 1


def test_verify_answers_in_json(tmp_path: Path) -> None:
    document = answer("verify", *proof_of_xor(tmp_path))
    assert document["schema"] == "novikoff/verify/1"
    assert (document["proved"], document["kind"], document["n"], document["d"]) == (True, "overlap", 4, 2)
    done = novikoff("verify", *proof_of_xor(tmp_path, claim="complete"), "--json")
    assert done.code == 1
    assert done.json["reason"] == "claim: complete is claimed, overlap is proved"


def test_verify_starts_without_the_heavy_packages(tmp_path: Path) -> None:
    proof, data = proof_of_xor(tmp_path)
    slow, fast = loaded_after(["verify", proof, data, "--slow"], ["verify", proof, data]).values()
    assert slow == set()
    assert fast <= {"numpy", "flint"}
