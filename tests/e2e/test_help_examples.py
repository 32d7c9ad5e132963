"""Every line that --help shows as an example runs: on small files of the names it uses."""

from __future__ import annotations

import gzip
import io
import re
import shlex
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import click
import numpy as np
import pyarrow
import pyarrow.csv
import pyarrow.parquet
import pytest

from novikoff.cli import GROUPS, VERBS, commands, door, main

pytestmark = pytest.mark.compiled
LONG = ("--example digits", "--example breast-cancer", "--example retina", "novikoff play")  # run by other tests


def examples() -> list[str]:
    """The lines of the help texts that begin with a command, without what is said about them."""
    found = []
    for verb, command in commands():
        assert command.help is not None
        lines = [line.strip() for line in command.help.splitlines()]
        shown = [line for line in lines if line.startswith(("novikoff ", "cat ", "zcat "))]
        assert any(f"novikoff {verb} " in line for line in shown), verb
        found += [line.partition("  #")[0].strip() for line in shown]
    return list(dict.fromkeys(found))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    there, rng = tmp_path_factory.mktemp("examples"), np.random.default_rng(1)
    X = rng.integers(-4, 5, (60, 3))
    y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 1, -1)
    svm = "".join(f"{k} " + " ".join(f"{j}:{v}" for j, v in enumerate(x, 1)) + "\n" for x, k in zip(X, y, strict=True))
    for name in ("train.svm", "test.svm", "data.svm"):
        (there / name).write_text(svm)
    for name in ("train.svm.gz", "huge.svm.gz", "new.svm.gz", "more.svm.gz"):
        (there / name).write_bytes(gzip.compress(svm.encode()))
    rows = [",".join(map(str, [*x, k])) for x, k in zip(X.tolist(), y.tolist(), strict=True)]
    for name in ("test.csv", "new.csv", "points.csv", "data.csv", "part-0.csv", "part-1.csv"):
        (there / name).write_text("\n".join(["a,b,c,class" if name == "data.csv" else "x1,x2,x3,label", *rows]) + "\n")
    mails = [("spam", "free prize") if k % 3 else ("ham", "see you") for k in range(30)]
    for name in ("mails.tsv", "new-mails.tsv"):
        (there / name).write_text("".join(f"{label}\t{text} now\n" for label, text in mails))
    pyarrow.parquet.write_table(pyarrow.table({"a": X[:, 0], "b": X[:, 1], "y": y}), there / "huge.parquet")
    (there / "trade.csv").write_text("size,far,y\n" + "".join(f"{k % 7},{k % 2},{k % 7 // 2}\n" for k in range(40)))
    arms = ("drug", "other", "placebo")
    trial = "".join(f"{arms[k % 3]},{40 + k % 7},{int(k % 3 == 2 and k % 2)}\n" for k in range(30))
    (there / "trial.csv").write_text("arm,age,death\n" + trial)
    titanic = "".join(f"{k},{k % 2},{'mf'[k % 2]},{'' if k == 3 else k % 60}\n" for k in range(40))
    (there / "titanic.csv").write_text("PassengerId,Survived,Sex,Age\n" + titanic)
    models = ("model.nvk", "test.csv", []), ("spam.nvk", "mails.tsv", SPAM), ("stream.nvk", "train.svm", [])
    for model, data, more in models:
        assert main(["fit", str(there / data), "-o", str(there / model), "--quiet", *more]) == 0
    assert main(["convert", str(there / "train.svm"), str(there / "train.npz")]) == 0
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(there / "data.csv"), there / "data.parquet")
    assert main(["certify", str(there / "data.csv"), "-o", str(there / "proof.json")]) in (0, 1)
    return there


SPAM = ["--label", "1", "--text", "2", "--tfidf"]
LINES = [line for line in examples() if not any(long in line for long in LONG)]


def test_there_are_examples() -> None:
    assert len(LINES) > 20


@pytest.mark.parametrize("line", LINES)
def test_an_example_runs(
    line: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(folder, tmp_path / "files")
    monkeypatch.chdir(tmp_path / "files")
    if "--counts trials" in line:
        Path("data.csv").write_text("dose,successes,trials\n1,0,5\n2,2,5\n3,5,5\n4,5,5\n")
    piped, _, command = line.rpartition(" | ")
    if piped:
        tool, name = piped.split()
        raw = (folder / name).read_bytes()
        stdin = SimpleNamespace(buffer=io.BytesIO(gzip.decompress(raw) if tool == "zcat" else raw))
        monkeypatch.setattr(sys, "stdin", stdin)
    words = shlex.split(command)[1:]
    code = main(words)
    said = capsys.readouterr()
    assert code in (0, 1), said.err  # 1: the answer is no
    assert "Error" not in said.err
    assert said.out or said.err


def options_of(verb: str, text: str) -> set[str]:
    """The options that a help text lists."""
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, flags=re.M))


@pytest.mark.parametrize("verb", ["fit", "cv", "certify", "margin", "separation", "report"])
def test_help_shows_the_options_used_most_and_help_all_every_one(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    for word in ("--help", "--help-all"):
        assert main([verb, word]) == 0
        texts.append(options_of(verb, capsys.readouterr().out))
    some, every = texts
    assert some < every
    assert len(some) <= 24
    assert {"--help", "--help-all", "--json"} <= some
    command = door.get_command(click.Context(door), verb)
    assert command is not None
    named = {option.opts[-1] for option in command.params if isinstance(option, click.Option)}
    assert named <= every


def test_every_verb_is_in_one_group() -> None:
    assert sorted(" ".join(GROUPS.values()).split()) == sorted(VERBS)
