"""Every line that --help shows as an example runs, on small files of its names; --help-all lists every option."""

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

from commands import novikoff
from novikoff.cli import GROUPS, VERBS, commands, door

pytestmark = pytest.mark.compiled
LONG = ("--example digits", "--example breast-cancer", "--example retina", "novikoff play")  # run by other tests
SHOWN = {  # verb → the lines of its help that begin with a command, without what is said about them
    verb: [
        line.partition("  #")[0].strip()
        for line in (command.help or "").splitlines()
        if line.strip().startswith(("novikoff ", "cat ", "zcat "))
    ]
    for verb, command in commands()
}
LINES = dict.fromkeys(line for lines in SHOWN.values() for line in lines if not any(long in line for long in LONG))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files that the examples name."""
    there, rng = tmp_path_factory.mktemp("examples"), np.random.default_rng(1)
    X = rng.integers(-4, 5, (60, 3))
    y = np.where(X[:, 0] + 2 * X[:, 1] > 0, 1, -1)
    svm = "".join(f"{k} " + " ".join(f"{j}:{v}" for j, v in enumerate(x, 1)) + "\n" for x, k in zip(X, y, strict=True))
    csv = "x1,x2,x3,label\n" + "".join(f"{a},{b},{c},{k}\n" for (a, b, c), k in zip(X, y, strict=True))
    mails = "".join(f"{'spam,free prize' if k % 3 else 'ham,see you'} now\n" for k in range(30)).replace(",", "\t")
    trial = "".join(f"{('drug', 'other', 'placebo')[k % 3]},{40 + k % 7},{int(k % 6 == 5)}\n" for k in range(30))
    titanic = "".join(f"{k},{k % 2},{'mf'[k % 2]},{'' if k == 3 else k % 60}\n" for k in range(40))
    texts = dict.fromkeys(("train.svm", "test.svm", "data.svm"), svm)
    texts |= dict.fromkeys(("test.csv", "new.csv", "points.csv", "part-0.csv", "part-1.csv"), csv)
    texts |= dict.fromkeys(("mails.tsv", "new-mails.tsv"), mails)
    texts["data.csv"] = csv.replace("x1,x2,x3,label", "a,b,c,class")
    texts["trade.csv"] = "size,far,y\n" + "".join(f"{k % 7},{k % 2},{k % 7 // 2}\n" for k in range(40))
    texts["trial.csv"] = "arm,age,death\n" + trial
    texts["titanic.csv"] = "PassengerId,Survived,Sex,Age\n" + titanic
    for name, text in texts.items():
        (there / name).write_text(text)
    for name in ("train.svm.gz", "huge.svm.gz", "new.svm.gz", "more.svm.gz"):
        (there / name).write_bytes(gzip.compress(svm.encode()))
    pyarrow.parquet.write_table(pyarrow.table({"a": X[:, 0], "b": X[:, 1], "y": y}), there / "huge.parquet")
    pyarrow.parquet.write_table(pyarrow.csv.read_csv(there / "data.csv"), there / "data.parquet")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(there)
        for line in (
            "fit test.csv -o model.nvk",
            "fit train.svm -o stream.nvk",
            "fit mails.tsv -o spam.nvk --label 1 --text 2 --tfidf",
            "convert train.svm train.npz",
            "certify data.csv -o proof.json",
        ):
            assert novikoff(*line.split()).code in (0, 1)
    return there


def test_every_verb_has_an_example_and_is_in_one_group() -> None:
    assert all(any(f"novikoff {verb} " in line for line in lines) for verb, lines in SHOWN.items())
    assert len(LINES) > 20
    assert sorted(" ".join(GROUPS.values()).split()) == sorted(VERBS)


@pytest.mark.parametrize("line", LINES)
def test_an_example_runs(line: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(folder, tmp_path / "files")
    monkeypatch.chdir(tmp_path / "files")
    if "--counts trials" in line:
        Path("data.csv").write_text("dose,successes,trials\n1,0,5\n2,2,5\n3,5,5\n4,5,5\n")
    piped, _, command = line.rpartition(" | ")
    if piped:
        tool, name = piped.split()
        raw = Path(name).read_bytes()
        stdin = SimpleNamespace(buffer=io.BytesIO(gzip.decompress(raw) if tool == "zcat" else raw))
        monkeypatch.setattr(sys, "stdin", stdin)
    said = novikoff(*shlex.split(command)[1:])
    assert said.code in (0, 1), said.err  # 1: the answer is no
    assert "Error" not in said.err
    assert said.out or said.err


@pytest.mark.parametrize("verb", ["fit", "cv", "certify", "margin", "separation", "report"])
def test_help_shows_the_options_used_most_and_help_all_every_one(verb: str) -> None:
    listed = re.compile(r"^  (?:-\w, )?(--[\w-]+)", flags=re.M)
    some, every = (set(listed.findall(novikoff(verb, word).out)) for word in ("--help", "--help-all"))
    assert some < every
    assert len(some) <= 24
    assert {"--help", "--help-all", "--json"} <= some
    command = door.get_command(click.Context(door), verb)
    assert command is not None
    assert {option.opts[-1] for option in command.params if isinstance(option, click.Option)} <= every
