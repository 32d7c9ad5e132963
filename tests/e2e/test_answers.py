"""predict and evaluate by every engine, in any blocks: the same bytes, in the order of the file."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import novikoff as nv
from novikoff.cli import main
from novikoff.cli.verbs.predict import of_labels
from novikoff.engines.choose_engine import engine
from novikoff.engines.engine import Engine
from novikoff.io.stream import compression

pytestmark = pytest.mark.compiled
ENGINES = ([], ["--engine", "threads", "--workers", "3"], ["--engine", "processes", "--workers", "2"])
Said = Callable[..., tuple[str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rows of two and of three classes, of texts and categories, and models of them."""
    there, rng = tmp_path_factory.mktemp("answers"), np.random.default_rng(5)
    X = np.round(rng.normal(size=(300, 4)), 3)
    two = np.where(X[:, 0] > X[:, 1], "no", "yes, it is")
    three = np.array(["a", "bb", "ä"])[np.argmax(X[:, :3], axis=1)]
    for name, labels in (("two", two), ("three", three)):
        rows = [",".join([*map(repr, x), f'"{label}"']) for x, label in zip(X.tolist(), labels.tolist(), strict=True)]
        (there / f"{name}.csv").write_text("\n".join(["p,q,r,s,label", *rows]) + "\n")
    lines = [f"{1 if x[0] > 0 else -1} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x)) for x in X.tolist()]
    (there / "two.svm").write_text("\n".join(lines) + "\n")
    words = ["low red", "high blue", "high green", "low grey"]
    mails = [f"{'x' if k % 4 in (1, 2) else 'y'},{k % 5},{words[k % 4]} {k},{words[k % 4][:3]}" for k in range(300)]
    (there / "mails.csv").write_text("\n".join(["label,n,body,kind", *mails]) + "\n")
    for name, more in {"two.csv": [], "three.csv": [], "two.svm": [], "mails.csv": MAILS}.items():
        request = ["fit", str(there / name), "-o", str(there / f"{name}.nvk"), "--max-passes", "5", "--quiet", *more]
        assert main(request) == 0
    return there


MAILS = ["--text", "body", "--category", "kind", "--hash-bits", "8", "--normalize"]
FILES = ("two.csv", "three.csv", "two.svm", "mails.csv")


@pytest.fixture
def said(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    monkeypatch.chdir(folder)
    capsys.readouterr()

    def command(*args: str, code: int = 0) -> tuple[str, str]:
        assert main(list(args)) == code
        return capsys.readouterr()

    return command


@pytest.mark.parametrize("name", FILES)
def test_no_answer_depends_on_blocks_or_threads(name: str, said: Said, monkeypatch: pytest.MonkeyPatch) -> None:
    request = {
        verb: (*verb.split(), f"{name}.nvk", name, *more)
        for verb, more in {"predict": (), "predict --scores": ("--quiet",), "evaluate": ("--json",)}.items()
    }
    wanted = {verb: said(*words) for verb, words in request.items()}
    assert wanted["predict"][0].count("\n") == 300
    for size in (64, 999, 1 << 22):
        monkeypatch.setattr(compression, "BLOCK", size)
        for by in ENGINES[:2]:
            for verb, words in request.items():
                assert said(*words, *by) == wanted[verb]


@pytest.mark.parametrize("name", FILES)
def test_processes_give_the_same_bytes(name: str, said: Said) -> None:
    wanted = said("predict", f"{name}.nvk", name, "--scores")
    assert said("predict", f"{name}.nvk", name, "--scores", *ENGINES[2]) == wanted


def test_standard_input_by_threads(said: Said, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = said("predict", "two.svm.nvk", "two.svm")
    for by in ENGINES[:2]:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO((folder / "two.svm").read_bytes())))
        assert said("predict", "two.svm.nvk", "-", "--format", "svm", *by) == wanted


@pytest.mark.parametrize("by", ENGINES[:2])
def test_what_comes_before_a_bad_row_is_answered(
    by: list[str], said: Said, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On stdout every row before the block with the error, by any engine; to a file nothing."""
    monkeypatch.setattr(compression, "BLOCK", 500)
    lines = (folder / "two.svm").read_text().splitlines(keepends=True)
    Path("bad.svm").write_text("".join([*lines[:250], "1 1:oops\n", *lines[250:]]))
    out, err = said("predict", "two.svm.nvk", "bad.svm", *by, code=3)
    whole, _ = said("predict", "two.svm.nvk", "two.svm")
    assert "bad.svm, line 251" in err
    assert 200 < out.count("\n") <= 250
    assert whole.startswith(out)
    said("predict", "two.svm.nvk", "bad.svm", "-o", "answers.txt", *by, code=3)
    assert not Path("answers.txt").exists()


def test_no_row_is_left_out_of_the_answers(said: Said) -> None:
    """Training may leave out rows with a missing number; a prediction that did would shift all lines below."""
    Path("gaps.csv").write_text("a,b,y\n1,2,0\n,3,1\n3,4,1\n2,1,0\n")
    said("fit", "gaps.csv", "--missing", "drop", "-o", "gaps.nvk", "--quiet")
    out, err = said("predict", "gaps.nvk", "gaps.csv")
    assert [line == "" for line in out.split("\n")] == [False, True, False, False, True]
    assert "gaps.csv: 1 row has a missing value and a blank line" in err
    out, err = said("predict", "gaps.nvk", "gaps.csv", "--on-missing", "fail", code=3)
    assert out == ""
    assert "gaps.csv, line 3, column 1 ('a'): found an empty cell; a number was expected, as in training" in err
    assert "1 row with a missing number, category or label was left out" in said("evaluate", "gaps.nvk", "gaps.csv")[1]


def test_predictions_are_those_of_python(said: Said, folder: Path) -> None:
    clf = nv.load(folder / "three.csv.nvk")
    X = nv.read(folder / "three.csv")
    assert said("predict", "three.csv.nvk", "three.csv")[0].splitlines() == clf.predict(X).tolist()
    rows = [line.split("\t") for line in said("predict", "three.csv.nvk", "three.csv", "--scores")[0].splitlines()]
    assert [row[0] for row in rows] == clf.predict(X).tolist()
    assert [[float(v) for v in row[1:]] for row in rows] == clf.decision_function(X).tolist()


def test_lines_of_labels() -> None:
    number = np.array([0, 2, 1, 1, 0])
    for lines in (["a\n", "b\n", "c\n"], ["a\n", "long ä\n", "\n"], ["a\0\n", "b\n", "cc\n"]):
        assert of_labels(lines, number) == "".join(lines[k] for k in number)


def test_workers_need_an_engine(said: Said) -> None:
    assert "--workers: is for --engine" in said("predict", "two.csv.nvk", "two.csv", "--workers", "2", code=2)[1]


@pytest.mark.parametrize("kind", ["serial", "threads"])
def test_each_is_in_order_and_an_error_comes_after_the_answers_before_it(kind: str) -> None:
    def items(end: int) -> object:
        yield from range(end)
        raise nv.InputError("no more")

    with engine(kind, 3 if kind == "threads" else None) as one:
        assert list(one.each(str, range(40))) == [str(k) for k in range(40)]
        found: list[int] = []
        with pytest.raises(nv.InputError, match="no more"):
            found.extend(one.each(abs, items(10)))  # type: ignore[arg-type]
        assert found == list(range(10))
        with pytest.raises(ZeroDivisionError):
            list(one.each(lambda k: 1 // (k - 3), range(40)))
    assert isinstance(one, Engine)


def test_evaluate_says_the_same_as_scikit_learn(said: Said, folder: Path) -> None:
    from sklearn.metrics import confusion_matrix, precision_recall_fscore_support, roc_auc_score

    for name in ("two.csv", "three.csv"):
        document = json.loads(said("evaluate", f"{name}.nvk", name, "--json")[0])
        X = nv.read(folder / name)
        y = [line.split(",", 4)[4].strip('"') for line in (folder / name).read_text().splitlines()[1:]]
        clf = nv.load(folder / f"{name}.nvk")
        called = clf.predict(X)
        classes = [row["class"] for row in document["classes"]]
        assert document["schema"] == "novikoff/evaluate/1"
        assert document["confusion"] == confusion_matrix(y, called, labels=classes).tolist()
        precision, recall, _, _ = precision_recall_fscore_support(y, called, labels=classes, zero_division=0)
        assert [row["precision"]["value"] for row in document["classes"]] == pytest.approx(precision)
        assert [row["recall"]["value"] for row in document["classes"]] == pytest.approx(recall)
        assert document["accuracy"] == pytest.approx(clf.score(X))
        if name == "two.csv":
            assert document["auc"] == pytest.approx(roc_auc_score(np.array(y) == classes[1], clf.decision_function(X)))
        else:
            assert "auc" not in document
