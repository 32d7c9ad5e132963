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

import numpy as np
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


def test_every_example_in_the_help_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some of them write files
    for verb in ("fit", "trace"):
        lines = [line.split() for line in novikoff(verb, "--help").out.splitlines()]
        examples = [line[1:] for line in lines if line[:2] == ["novikoff", verb] and "--example" in line]
        assert len(examples) >= 3
        for args in examples:
            assert novikoff(*args).code == 0, args


def test_the_version_is_that_of_the_package() -> None:
    from novikoff import __version__

    assert novikoff("--version").out == f"novikoff {__version__}\n"


# ---- trace ---------------------------------------------------------------------------------------------------------


def test_trace_shows_cornwells_nine_updates_and_his_plane() -> None:
    out = novikoff("trace", "--example", "cornwell").out
    assert "(1, −3, −1)" in out
    assert "4·x1 − 1/2·x2 + 1 = 0" in out
    assert answer("trace", "--example", "cornwell")["updates"] == 9


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


def test_trace_takes_a_start_a_rate_and_a_limit() -> None:
    document = answer("trace", "--example", "tao", "--w0", "−10,-10", "--eta", "1/2")
    assert document["start"] == ["-10", "-10"]
    assert document["steps"][0]["eta"] == "1/2"
    assert answer("trace", "--example", "or", "--max-updates", "2")["stop_reason"] == "max_updates"


@pytest.mark.parametrize("option", ["--csv", "--latex"])
def test_a_dash_prints_it_instead_of_the_table(option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "run"
    novikoff("trace", "--example", "or", option, str(path))
    monkeypatch.chdir(tmp_path)  # where a file named "-" would appear
    done = novikoff("trace", "--example", "or", option, "-")
    assert done.code == 0
    assert done.out == path.read_text(encoding="utf-8")
    assert sorted(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("both", [("--csv", "-", "--json"), ("--csv", "-", "--latex", "-")])
def test_only_one_answer_goes_to_stdout(both: tuple[str, ...]) -> None:
    done = novikoff("trace", "--example", "or", *both)
    assert (done.code, done.out) == (2, "")
    assert "only one answer can go to stdout" in done.err


def test_trace_writes_csv_and_latex_beside_the_table(tmp_path: Path) -> None:
    csv, latex = tmp_path / "run.csv", tmp_path / "run.tex"
    done = novikoff("trace", "--example", "cornwell", "--csv", str(csv), "--latex", str(latex))
    assert done.code == 0
    assert len(csv.read_text(encoding="utf-8").splitlines()) == 10
    assert latex.read_text(encoding="utf-8").startswith(r"\begin{tabular}")
    assert sorted(tmp_path.iterdir()) == [csv, latex]


def test_a_file_that_cannot_be_written_is_bad_input(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for target in (tmp_path / "nowhere" / "run.csv", tmp_path / "file" / "run.csv", tmp_path):
        done = novikoff("trace", "--example", "tao", "--csv", str(target))
        assert done.code == 3
        assert f"novikoff: error: {target}: cannot be written" in done.err
        assert done.out == ""
    assert list(tmp_path.iterdir()) == [tmp_path / "file"]


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


@pytest.mark.compiled
def test_fit_says_that_a_plane_exists_where_the_perceptron_needs_more_passes() -> None:
    how = ("fit", "--example", "breast-cancer", "--keep", "average", "--max-passes", "100")
    done = novikoff(*how)
    assert done.code == 0
    document = answer(*how)
    assert done.out.startswith(f"SEPARABLE (proved)  {document['train_errors']} of 569 training points wrong\n")
    assert "; a plane separates the points, proved by the decision during the run; maximum passes; " in done.out
    assert "\nnext   --keep auto returns weights that separate the points; " in done.out
    assert answer("fit", "--example", "breast-cancer", "--max-passes", "100")["train_errors"] == 0
    assert (document["stop_reason"], document["separated"], document["separable"]) == ("max_passes", False, True)
    X, y = nv.example("breast-cancer")
    w, b = [int(v) for v in document["proof"]["w"]], int(document["proof"]["b"])
    for x, label in zip(X.tolist(), y.tolist(), strict=True):
        score = sum(a * Fraction(v) for a, v in zip(w, x, strict=True)) + b
        assert score > 0 if label == "malignant" else score < 0


@pytest.mark.compiled
def test_a_computed_plane_is_said_to_be_computed_and_separates() -> None:
    args = ("fit", "--example", "wine")
    done, document = novikoff(*args), answer(*args)
    assert done.out.startswith(
        "SEPARATED  all 178 training points right (checked exactly), some planes computed, not learned\n"
    )
    assert (document["stop_reason"], document["passes"], document["train_errors"]) == ("separable", 20, 0)
    assert novikoff(*args, "--expect", "separated").code == 0


@pytest.mark.compiled
def test_rows_of_a_proof_are_numbered_as_in_the_example_where_some_are_kept_out() -> None:
    document = answer("fit", "--example", "iris", "--classes", "versicolor,virginica", "--holdout", "0.1")
    _, y = nv.example("iris")
    kept = [row for at, row in enumerate(np.flatnonzero(y != "setosa").tolist()) if (at + 1) % 10]
    assert document["separable"] is False
    assert set(document["proof"]["support"]) <= set(kept)


@pytest.mark.compiled
def test_a_short_run_claims_nothing() -> None:
    document = answer("fit", "--example", "iris", "--classes", "versicolor,virginica", "--max-passes", "99")
    assert (document["stop_reason"], document["separable"]) == ("max_passes", None)
    assert "proof" not in document


@pytest.mark.compiled
def test_an_expectation_that_is_missed_is_the_answer_no() -> None:
    assert novikoff("fit", "--example", "and", "--expect", "separated").code == 0
    assert novikoff("fit", "--example", "xor", "--expect", "separated").code == 1


@pytest.mark.compiled
def test_a_limit_is_named_in_words_by_the_answer_alone() -> None:
    args = ("fit", "--example", "iris", "--classes", "versicolor,virginica", "--max-passes", "3")
    done = novikoff(*args)
    assert done.code == 0
    assert done.out.startswith("STOPPED: maximum passes  ")
    assert done.err == ""


@pytest.mark.compiled
@pytest.mark.parametrize("keep", ["last", "pocket", "average", "vote"])
def test_every_keep_counts_its_own_errors(keep: str) -> None:
    document = answer(
        "fit", "--example", "iris", "--classes", "versicolor,virginica", "--keep", keep, "--max-passes", "50"
    )
    assert document["stop_reason"] == "max_passes"
    assert 0 < document["train_errors"] < 50


@pytest.mark.compiled
def test_validation_rows_can_end_a_run() -> None:
    document = answer("fit", "--example", "iris", "--classes", "versicolor,virginica", "--stall-valid", "3")
    assert document["stop_reason"] == "valid_stalled"


@pytest.mark.compiled
def test_ctrl_c_ends_a_run_with_what_was_found() -> None:
    args = ["fit", "--example", "iris", "--classes", "versicolor,virginica", "--stall-train", "off"]
    script = (
        "import os, signal, sys\nfrom novikoff.cli import main\nfrom novikoff.perceptron.run import Run\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "begin, begun = Run.begin_pass, []\n"
        "def pressed_in_the_third(run):\n"
        "    begun.append(1)\n"
        "    if len(begun) == 3: os.kill(os.getpid(), signal.SIGINT)\n"
        "    begin(run)\n"
        "Run.begin_pass = pressed_in_the_third\n"
        f"sys.exit(main({[*args, '--max-passes', '1000000000']!r}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert done.returncode == 130, done.stderr
    assert done.stdout.startswith("INTERRUPTED  ")
    assert " passes; interrupted; returned: the averaged weights\n" in done.stdout
    assert "Traceback" not in done.stderr


# ---- bad use -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["fit", "points.csv", "--example", "or"], "both points.csv and --example or: give one of them"),
        (["fit", "--example", "or", "--text", "2"], "--text applies only to files"),
        (
            ["fit", "--example", "or", "--holdout", "1/4", "--test", "t.csv"],
            "--test and --holdout: use only one of them",
        ),
        (["explain", "m.nvk", "data.csv"], "give --message TEXT, or DATA with --row K"),
        (["fit"], "use --example NAME"),
        (["trace"], "use --example NAME"),
        (["nosuch"], "nosuch"),
        (["fit", "--example", "or", "--nosuch"], "--nosuch"),
        (["fit", "--example", "or", "--eta", "0"], "'--eta': 0 is not greater than 0"),
        (["fit", "--example", "or", "--eta", "one"], "'one' is not a number"),
        (["fit", "--example", "or", "--w0", "1,,2"], "'' is not a number"),
        (["fit", "--example", "or", "--holdout", "1"], "1 is not less than 1"),
        (["fit", "--example", "or", "--keep", "best"], "best"),
        (["fit", "--example", "or", "--max-passes", "0"], "--max-passes"),
        (["fit", "--example", "or", "--stall-train", "never"], "--stall-train"),
        (["trace", "--example", "or", "--order", "sideways"], "sideways"),
        (["trace", "--example", "or", "--seed", "-1"], "--seed"),
    ],
)
def test_wrong_use_exits_with_2_and_says_what_is_wrong(args: list[str], said: str) -> None:
    done = novikoff(*args)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["trace", "--example", "nosuch"], "cornwell"),
        (["fit", "--example", "nosuch"], "cornwell"),
        (["fit", "points.csv"], "points.csv: cannot be read (No such file or directory)"),
        (["fit", "--example", "or", "-o", "no/such/folder/m.nvk"], "m.nvk: cannot be written"),
        (["predict", "nosuch.nvk", "points.csv"], "nosuch.nvk: cannot be read"),
        (["trace", "--example", "or", "--w0", "1,2"], "3"),
        (["fit", "--example", "or", "--w0", "1,2"], "3 expected (2 features and the bias)"),
        (["trace", "--example", "digits"], "choose two, as in --classes 0,1"),
        (["fit", "--example", "digits", "--classes", "3,x"], "0, 1, 2, 3"),
        (["fit", "--example", "or", "--eta", "1e400"], "too large"),
        (["fit", "--example", "or", "--holdout", "0.1"], "no row of 4"),
        (["fit", "--example", "or", "--holdout", "3/4"], "--holdout: found 0.75, with which no row of class 1 is left"),
        (["fit", "--example", "or", "--stall-valid", "3"], "--stall-valid 3: class -1 has only one training point"),
        (["fit", "--example", "xor", "--holdout", "1/4", "--stall-valid", "2"], "or ask for a smaller --holdout"),
        (["fit", "--example", "iris", "--w0", "1,2,3,4,5"], "--w0 is available only for two classes; the data have 3"),
        (["fit", "--example", "iris", "--order", "first"], "--order: 'first' is for two classes"),
        (["fit", "--example", "and", "--holdout", "0.25"], "class"),
    ],
)
def test_bad_input_exits_with_3_and_one_line(args: list[str], said: str) -> None:
    done = novikoff(*args)
    assert (done.code, done.out) == (3, "")
    assert done.err.startswith("novikoff: error: ")
    assert len(done.err.splitlines()) == 1
    assert said in done.err


# ---- verify --------------------------------------------------------------------------------------------------------

XOR = [("0", ["0", "0"]), ("1", ["1", "0"]), ("1", ["0", "1"]), ("0", ["1", "1"])]


def proof_of_xor(folder: Path, **fields: Any) -> tuple[str, str]:
    """The paths of a proof and of its data."""
    from oracles.brute_force_proofs import certificate

    (folder / "proof.json").write_text(json.dumps(certificate(XOR, True) | fields))
    (folder / "data.csv").write_text("a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n")
    return str(folder / "proof.json"), str(folder / "data.csv")


@pytest.mark.parametrize("slow", [[], ["--slow"]])
def test_verify_proves_refuses_or_cannot_read(slow: list[str], tmp_path: Path) -> None:
    proof, data = proof_of_xor(tmp_path)
    done = novikoff("verify", proof, data, *slow)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("PROVED  overlap: no plane separates the 4 points")
    Path(data).write_text("a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,2,0\n")
    done = novikoff("verify", proof, data, *slow)
    assert done.code == 1
    assert done.out.startswith("REFUSED  other data: their digest is ")
    Path(data).write_text("a,b,y\n0,0,0\n1,x,1\n")
    done = novikoff("verify", proof, data, *slow)
    assert (done.code, done.out) == (3, "")
    assert f"{data}, line 3, column 2: 'x' is not a binary64 number" in done.err
    Path(data).write_text("")
    assert novikoff("verify", proof, data, *slow).code == 1


@pytest.mark.parametrize(("fields", "code"), [
    ({"claim": "complete"}, 1), ({"interval": True}, 3), ({"held_weights": ["1", "1", "1", "2"]}, 1),
    ({"format": "novikoff-certificate/2"}, 3), ({"w": ["1"]}, 3), ({"lambda": 1}, 3),
])  # fmt: skip
def test_what_is_wrong_with_a_proof_decides_the_exit_code(fields: dict[str, Any], code: int, tmp_path: Path) -> None:
    for slow in ([], ["--slow"]):
        assert novikoff("verify", *proof_of_xor(tmp_path, **fields), *slow).code == code


def test_verify_answers_in_json(tmp_path: Path) -> None:
    document = answer("verify", *proof_of_xor(tmp_path))
    assert document["schema"] == "novikoff/verify/1"
    assert (document["proved"], document["kind"], document["n"], document["d"]) == (True, "overlap", 4, 2)
    done = novikoff("verify", *proof_of_xor(tmp_path, claim="complete"), "--json")
    assert done.code == 1
    assert done.json["reason"] == "claim: complete, but the certificate proves overlap"


def test_verify_takes_svmlight_and_a_label_of_any_name(tmp_path: Path) -> None:
    proof, _ = proof_of_xor(tmp_path)
    (tmp_path / "data.svm").write_text("0\n+1 1:1\n+1 2:1\n0 1:1 2:1\n")
    (tmp_path / "who.csv").write_text("who,a,b\nfalse,0,0\ntrue,1,0\ntrue,0,1\nfalse,1,1\n")
    for slow in ([], ["--slow"]):
        assert novikoff("verify", proof, str(tmp_path / "data.svm"), *slow).code == 0
        assert novikoff("verify", proof, str(tmp_path / "who.csv"), "--label", "who", *slow).code == 0
        assert novikoff("verify", proof, str(tmp_path / "who.csv"), "--label", "1", *slow).code == 0


def test_verify_starts_without_the_heavy_packages(tmp_path: Path) -> None:
    proof, data = proof_of_xor(tmp_path)
    slow, fast = loaded_after(["verify", proof, data, "--slow"], ["verify", proof, data]).values()
    assert slow == set()
    assert fast <= {"numpy", "flint"}


def test_the_checker_is_handed_out_as_one_file(tmp_path: Path) -> None:
    proof_of_xor(tmp_path)
    checker = tmp_path / "verify_novikoff.py"
    assert novikoff("verify", "--checker", str(checker)).code == 0
    alone = [sys.executable, "-I", "-S", checker.name, "proof.json", "data.csv"]
    done = subprocess.run(alone, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PROVED  overlap")
    assert novikoff("verify", "--checker", str(tmp_path / "nowhere" / "x.py")).code == 3


@pytest.mark.parametrize("more", [[], ["--keep", "last", "--max-passes", "5"], ["--keep", "pocket"]])
def test_many_classes_of_a_sparse_file_have_the_planes_of_a_table(tmp_path: Path, more: list[str]) -> None:
    """Groups of planes at sparse rows, all planes side by side at dense ones: the same answer, digit for digit."""
    rng = np.random.default_rng(4)
    X, y = rng.integers(0, 4, (60, 8)), rng.integers(0, 6, 60)
    X[0] = 1  # every column occurs, so that both files have as many
    sparse, table = tmp_path / "p.svm", tmp_path / "p.csv"
    rows = (" ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) for x in X.tolist())
    sparse.write_text("".join(f"{label} {row}\n" for label, row in zip(y, rows, strict=True)))
    head = ",".join([*(f"x{j}" for j in range(8)), "y"])
    lines = (",".join(map(str, [*x, label])) for x, label in zip(X.tolist(), y, strict=True))
    table.write_text("\n".join([head, *lines]) + "\n")
    planes = []
    for file, options in ((sparse, []), (table, ["--label", "y"])):
        assert novikoff("fit", file, *options, *more, "-o", tmp_path / "m.nvk").code == 0
        model = nv.load(tmp_path / "m.nvk")
        planes.append((model.coef_.tolist(), model.intercept_.tolist(), model.n_updates_, model.history_["mistakes"]))
    assert planes[0] == planes[1]
