"""The command as a process: what it loads, its exit code and streams, TAB in a shell; and the verb trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete

import novikoff as nv
from commands import answer, novikoff
from novikoff.cli import VERBS, door

HEAVY = ("numpy", "scipy", "numba", "sklearn", "rich", "flint", "safetensors", "pyarrow")
LECTURE = ("tao", "cornwell", "spam", "or", "xor", "and")


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


# ---- what a process loads, and how it ends


def test_help_loads_nothing_heavy_the_lecture_no_compiler_and_verify_little_more(tmp_path: Path) -> None:
    found = loaded_after(["--help"], ["--version"], *([verb, "--help"] for verb in VERBS))
    assert found == {command: set() for command in found}
    found = loaded_after(*(["trace", "--example", name] for name in LECTURE))
    assert all(names <= {"numpy"} for names in found.values()), found
    proof, data = str(tmp_path / "proof.json"), str(tmp_path / "data.csv")
    Path(data).write_text("a,b,y\n0,0,0\n1,0,1\n0,1,1\n1,1,0\n")
    nv.decide([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 0]).save(proof)
    slow, fast = loaded_after(["verify", proof, data, "--slow"], ["verify", proof, data]).values()
    assert (slow, fast <= {"numpy", "flint"}) == (set(), True)


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
    assert (done.returncode, bool(done.stdout), bool(done.stderr)) == (code, code == 0, code != 0)
    assert said in done.stderr


def test_a_reader_that_goes_away_ends_the_command_quietly() -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "novikoff", "trace", "--example", "or"]
    done = subprocess.run(command, stdout=write, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(write)
    assert (done.returncode, done.stderr) == (3, "")


def test_a_terminal_without_the_letters_still_gets_the_table() -> None:
    done = process("trace", "--example", "cornwell", PYTHONIOENCODING="ascii")
    assert (done.returncode, "SEPARATED" in done.stdout) == (0, True)


def test_the_version_is_that_of_the_package() -> None:
    assert novikoff("--version").out == f"novikoff {nv.__version__}\n"


# ---- closed streams: an exit code of ours, one line on stderr, no traceback


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    there = tmp_path_factory.mktemp("streams")
    (there / "new.csv").write_text("a,b,label\n1,2,x\n3,4,y\n5,1,x\n")
    assert novikoff("fit", there / "new.csv", "-o", there / "m.nvk", "--quiet").code == 0
    return there


def shell(folder: Path, line: str) -> subprocess.CompletedProcess[str]:
    """A command in a shell, which closes streams as people do."""
    if os.name != "posix":
        pytest.skip("streams of another kind")
    words, rows = f"exec '{sys.executable}' -m novikoff {line}", (folder / "new.csv").read_text()
    return subprocess.run(["sh", "-c", words], cwd=folder, capture_output=True, text=True, input=rows)


OUTPUT = "novikoff: error: standard output is closed; redirect it to a file or to /dev/null\n"
INPUT = "novikoff: error: standard input: cannot be read (it is closed); name a file, or send the rows to it\n"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("predict m.nvk new.csv >&-", OUTPUT),
        ("explain m.nvk >&-", OUTPUT),
        ("fit new.csv -o x.nvk >&-", OUTPUT),
        ("predict m.nvk - --format csv <&- >&-", OUTPUT),
        *((f"{verb} - --format csv <&-", INPUT) for verb in ("predict m.nvk", "evaluate m.nvk", "fit --max-passes 1",
                                                             "fit", "certify")),
        ("predict m.nvk nothing.csv 2>&-", ""),
    ],
)  # fmt: skip
def test_a_closed_stream_is_told_before_anything_is_done(line: str, said: str, folder: Path) -> None:
    done = shell(folder, line)
    assert (done.returncode, done.stdout, done.stderr) == (3, "", said)
    assert not (folder / "x.nvk").exists()


def test_a_closed_stderr_changes_no_answer_and_no_file(folder: Path) -> None:
    """The next file that is opened must not get the number of stderr."""
    whole = novikoff("predict", folder / "m.nvk", folder / "new.csv").out
    for line in ("predict m.nvk new.csv 2>&-", "predict m.nvk new.csv 2>&- <&-", "predict m.nvk - --format csv 2>&-"):
        done = shell(folder, line)
        assert (done.returncode, done.stdout, done.stderr) == (0, whole, "")
    for closed in ("2>&-", "2>&- <&-"):
        assert shell(folder, f"fit new.csv --max-passes 50 -o again.nvk {closed}").returncode == 0
        assert novikoff("explain", folder / "again.nvk").code == 0


# ---- TAB


def values(*words: str) -> list[str]:
    """What TAB offers for the last word, after the others."""
    completer = ShellComplete(door, {}, "novikoff", "_NOVIKOFF_COMPLETE")
    return [item.value for item in completer.get_completions(list(words[:-1]), words[-1])]


def test_verbs_options_and_choices_are_offered() -> None:
    assert (values(""), values("e"), values("z")) == (list(VERBS), ["evaluate", "explain"], [])
    for verb in VERBS:
        command = door.get_command(click.Context(door), verb)
        assert command is not None
        assert {name for param in command.params for name in param.opts if name[:2] == "--"} <= set(values(verb, "--"))
    for line, expected in (
        ("fit --keep ", ["last", "pocket", "average", "vote", "auto"]),
        ("fit --order s", ["shuffle"]),
        ("fit --multi o", ["ova", "ovo"]),
        ("predict --format s", ["svmlight", "svm"]),
        ("certify --expect sep", ["separable"]),
    ):
        assert values(*line.split(" ")) == expected


@pytest.mark.parametrize(
    ("line", "word", "expected"),
    [("novikoff f", "1", "plain,fit"), ("novikoff fit --ru", "2", "plain,--rule"), ("novikoff fit tr", "2", "file,tr")],
)
def test_tab_in_a_shell_imports_nothing_heavy(line: str, word: str, expected: str) -> None:
    program = (
        "import json, sys\nfrom novikoff.cli import door\n"
        "try:\n    door.main([], prog_name='novikoff')\n"
        "finally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    info = os.environ | {"_NOVIKOFF_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": word}
    done = subprocess.run([sys.executable, "-c", program], env=info, capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [expected]
    assert set(HEAVY).isdisjoint(name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1]))


# ---- trace


def test_trace_json_is_one_document_with_its_schema_first() -> None:
    document = answer("trace", "--example", "spam")
    assert next(iter(document.items())) == ("schema", "novikoff/trace/1")
    assert document["w"] == ["0", "2", "0", "-1", "1", "0"]
    document = answer("fit", "--example", "or", "--keep", "last")
    assert next(iter(document.items())) == ("schema", "novikoff/fit/1")
    promised = "stop_reason separated passes updates looks train_errors n d classes seconds model w b"
    assert set(promised.split()) <= set(document)


def test_tao_is_traced_through_the_origin_and_this_is_said() -> None:
    done = novikoff("trace", "--example", "tao")
    assert ("origin" in done.err, "origin" in done.out) == (True, False)
    assert answer("trace", "--example", "tao")["w"] == ["1", "1"]
    assert len(answer("trace", "--example", "tao", "--bias")["w"]) == 3


def test_csv_and_latex_stand_beside_the_table_or_in_its_place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # where a file named "-" would appear
    assert novikoff("trace", "--example", "cornwell", "--csv", "run.csv", "--latex", "run.tex").code == 0
    assert len(Path("run.csv").read_text(encoding="utf-8").splitlines()) == 10
    assert Path("run.tex").read_text(encoding="utf-8").startswith(r"\begin{tabular}")
    for option, name in (("--csv", "run.csv"), ("--latex", "run.tex")):
        assert novikoff("trace", "--example", "cornwell", option, "-").out == Path(name).read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.csv", "run.tex"]
