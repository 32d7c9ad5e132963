"""The daily verbs on files: fit, predict, evaluate, explain, inspect, cv, convert."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff.cli import commands, main

pytestmark = pytest.mark.compiled
RECIPE = ["--rule", "pa1", "--pa-C", "0.1", "--keep", "average", "--order", "shuffle", "--max-passes", "20"]


class Told(str):
    """What a command printed, and its exit code."""

    code: int
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    def command(*args: object, code: int = 0) -> Told:
        capsys.readouterr()
        found = main([str(arg) for arg in args])
        out, err = capsys.readouterr()
        assert found == code, err
        info = Told(out)
        info.code, info.err = found, err
        return info

    return command


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Separable rows with numbers, a category and a label in the middle."""
    path = tmp_path / "t.csv"
    rows = [f"{k % 7},{'yes' if k % 3 else 'no'},{'red' if k % 3 else 'blue'},{k % 5}" for k in range(60)]
    path.write_text("\n".join(["a,bought,color,b", *rows]) + "\n")
    return path


# ---- fit and its model -------------------------------------------------------------------------------------------


def test_a_model_from_a_file_predicts_as_in_python(run: Callable[..., Told], tmp_path: Path) -> None:
    X, y = nv.example("iris")
    path, model = tmp_path / "iris.csv", tmp_path / "iris.nvk"
    lines = [",".join([*map(repr, x), label]) for x, label in zip(X.tolist(), y.tolist(), strict=True)]
    path.write_text("\n".join(lines) + "\n")
    document = run("fit", path, "--max-passes", 30, "-o", model, "--json").json
    clf = nv.Perceptron(max_iter=30, random_state=0, train_patience="auto")
    with pytest.warns(nv.NotSeparatedWarning):
        clf.fit(X, y)
    assert (document["data"], document["model"], document["n"]) == (str(path), str(model), 150)
    assert document["w"] == clf.coef_.tolist()
    assert run("predict", model, path).splitlines() == clf.predict(X).tolist()
    scores = [line.split("\t")[1:] for line in run("predict", model, path, "--scores").splitlines()]
    assert [[float(v) for v in row] for row in scores] == clf.decision_function(X).tolist()


def test_the_same_rows_of_every_format_make_the_same_weights(run: Callable[..., Told], tmp_path: Path) -> None:
    X, y = nv.example("digits")
    np.savez(tmp_path / "d.npz", X=X[:300], y=y[:300])
    weights = set()
    for name in ("d.npz", "d.csv", "d.svm"):
        if name != "d.npz":
            run("convert", tmp_path / "d.npz", tmp_path / name)
        run("fit", tmp_path / name, "--max-passes", 5, "-o", tmp_path / "m.nvk", "--quiet")
        clf = nv.load(tmp_path / "m.nvk")
        weights.add(clf.coef_[:, -63:].tobytes() + clf.intercept_.tobytes())
    assert len(weights) == 1


def test_a_table_is_read_again_as_it_was_learned_from(run: Callable[..., Told], table: Path, tmp_path: Path) -> None:
    model = tmp_path / "m.nvk"
    info = run("fit", table, "--label", "bought", "--one-hot", "--scale", "--test-every", "5", "-o", model)
    assert "SEPARATED" in info
    assert "test   12 of 12 points held out are classified correctly: accuracy 100.00 %" in info
    expected = ["yes" if k % 3 else "no" for k in range(60)]
    assert run("predict", model, table).split() == expected
    rows = [line.split(",") for line in table.read_text().splitlines()]
    without = tmp_path / "without.csv"
    without.write_text("\n".join(",".join([color, b, a]) for a, _, color, b in rows) + "\n")
    assert run("predict", model, without).split() == expected  # no label, columns in another order
    without.write_text("color,b,a\ngreen,1,1\n")
    assert "column 'color': 1 row has an unknown category" in run("predict", model, without).err
    without.write_text("color,b\nred,1\n")
    assert "number column 'a': missing" in run("predict", model, without, code=3).err


def test_a_table_without_a_header_may_lose_its_label(run: Callable[..., Told], tmp_path: Path) -> None:
    mails, model = tmp_path / "m.tsv", tmp_path / "m.nvk"
    mails.write_text("spam\tfree cash now\nham\tsee you at lunch\nspam\tcash prize\nham\tlunch at noon\n")
    run("fit", mails, "--label", 1, "--text", 2, "-o", model)
    new = tmp_path / "new.tsv"
    new.write_text("free prize\nnoon at lunch\n")
    assert run("predict", model, new).split() == ["spam", "ham"]
    assert run("predict", model, mails).split() == ["spam", "ham"] * 2
    assert "found rows without a label" in run("evaluate", model, new, code=3).err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "a;0,5;1,5;2,5;-1,5\ny;x;y;x;y\n"),
        ("t.csv", ";p;q;r;s\na;0,5;1,5;2,5;-1,5\ny;x;y;x;y\n"),
        ("t.csv", "0,5;1,5;2,5;-1,5\n1;2;3;4\nx;y;x;y\n"),
        ("t.tsv", "a\t0,5\t1,5\t2,5\t-1,5\ny\tx\ty\tx\ty\n"),
    ],
)
def test_a_table_with_decimal_commas_is_transposed(
    name: str, text: str, run: Callable[..., Told], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    (tmp_path / "point.csv").write_text(text.replace(",", ".").replace(";", ",").replace("\t", ","))
    comma, point = tmp_path / "comma.npz", tmp_path / "point.npz"
    run("convert", tmp_path / name, comma, "--transpose", "--decimal-comma")
    run("convert", tmp_path / "point.csv", point, "--transpose")
    assert nv.read(comma).X.tolist() == nv.read(point).X.tolist()
    assert nv.read(comma).X[:, 0].tolist() == [0.5, 1.5, 2.5, -1.5]


# ---- streams -----------------------------------------------------------------------------------------------------


@pytest.fixture
def piped(run: Callable[..., Told], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """A command with these bytes on its standard input."""

    def command(text: bytes, *args: object, code: int = 0) -> Told:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text))))
        return run(*args, code=code)

    return command


def test_a_stream_is_one_pass_of_the_file(run: Callable[..., Told], piped: Callable[..., Told], tmp_path: Path) -> None:
    X, y = nv.example("breast-cancer")
    np.savez(tmp_path / "b.npz", X=X, y=y)
    run("convert", tmp_path / "b.npz", tmp_path / "b.csv")
    args = ("--max-passes", 1, "--keep", "average")
    run("fit", tmp_path / "b.csv", *args, "-o", tmp_path / "file.nvk")
    text = (tmp_path / "b.csv").read_bytes()
    stream = ("--format", "csv", "--classes", "benign,malignant", "--known-margin", "0.001", "--json")
    document = piped(text, "fit", "-", *args, *stream, "-o", tmp_path / "stream.nvk").json
    assert (document["stop_reason"], document["n"]) == ("stream_ended", 569)
    assert 0 < document["mistakes"] <= document["mistake_bound"]
    one, other = nv.load(tmp_path / "file.nvk"), nv.load(tmp_path / "stream.nvk")
    assert one.coef_.tobytes() == other.coef_.tobytes()
    labels = piped(text, "predict", tmp_path / "stream.nvk", "-", "--format", "csv").split()
    assert labels == other.predict(nv.read(tmp_path / "b.csv")).tolist()


def test_a_stream_beyond_the_memory_limit_goes_to_temporary_files(piped: Callable[..., Told], tmp_path: Path) -> None:
    text = b"".join(b"%d,%d,%d\n" % (k, -k, k % 2) for k in range(1000))
    several = ("fit", "-", "--format", "csv", "--no-header", "--max-passes", "3")
    for memory, spilled in (("1M", False), ("20K", True)):
        info = piped(text, *several, "--memory", memory, "-o", tmp_path / f"{memory}.nvk")
        assert ("its rows are written to temporary files" in info.err) is spilled
    assert (tmp_path / "1M.nvk").read_bytes() == (tmp_path / "20K.nvk").read_bytes()
    assert "error: --memory: " in piped(text, *several, "--memory", "much", code=3).err


def test_a_stream_refuses_what_needs_all_rows(piped: Callable[..., Told]) -> None:
    for option in ("--holdout=0.1", "--order=shuffle", "--engine=threads", "--workers=2"):
        assert piped(b"1 1:1\n", "fit", "-", "--format", "svm", "--max-passes", 1, option, code=2) == ""
    text = ("--format", "csv", "--label", 2, "--text", 1, "--tfidf")
    assert "--hash-bits" in piped(b"free cash,1\nsee you,2\n", "fit", "-", *text, "--max-passes", 1, code=3).err


def test_hashed_text_streams(piped: Callable[..., Told], tmp_path: Path) -> None:
    text = b"spam\tfree cash now\nham\tsee you at lunch\n" * 20
    args = ("--format", "tsv", "--label", 1, "--text", 2, "--hash-bits", 10, "--max-passes", 1)
    piped(text, "fit", "-", *args, "-o", tmp_path / "m.nvk")
    info = piped(text, "evaluate", tmp_path / "m.nvk", "-", "--format", "tsv", "--json")
    assert info.json["accuracy"] == 1.0


# ---- using a model -----------------------------------------------------------------------------------------------


@pytest.fixture
def spam(run: Callable[..., Told], tmp_path: Path) -> Path:
    mails = tmp_path / "mails.tsv"
    mails.write_text("spam\tfree cash now\nham\tsee you at lunch\nspam\tfree prize call\nham\tcall me at lunch\n")
    run("fit", mails, "--label", 1, "--text", 2, "-o", tmp_path / "spam.nvk")
    return tmp_path / "spam.nvk"


def test_the_parts_of_an_explanation_sum_to_the_score(run: Callable[..., Told], spam: Path) -> None:
    document = run("explain", spam, "--message", "free lunch, call now", "--json").json
    assert document["class"] in ("ham", "spam")
    assert sum(part["product"] for part in document["parts"]) == pytest.approx(document["score"])
    names = [part["name"] for part in document["parts"]]
    assert names[-1] == "bias"
    assert set(names[:-1]) == {"word:free", "word:lunch", "word:call", "word:now"}
    assert "word:free" in run("explain", spam, "--message", "free lunch, call now")
    row = run("explain", spam, spam.parent / "mails.tsv", "--row", 2, "--json").json
    assert row["class"] == "ham"
    assert "--row 9: " in run("explain", spam, spam.parent / "mails.tsv", "--row", 9, code=3).err


def test_each_class_of_many_has_its_explanation(run: Callable[..., Told], tmp_path: Path) -> None:
    for scheme in ("ova", "ovo", "joint"):
        model = tmp_path / f"{scheme}.nvk"
        run("fit", "--example", "iris", "--multi", scheme, "--max-passes", 20, "-o", model)
        X, _ = nv.example("iris")
        np.savez(tmp_path / "x.npz", X=X)
        for label in ("setosa", "virginica"):
            info = run("explain", model, tmp_path / "x.npz", "--row", 60, "--class", label, "--json").json
            assert sum(part["product"] for part in info["parts"]) == pytest.approx(info["score"])
    assert "no such class" in run("explain", model, tmp_path / "x.npz", "--row", 1, "--class", "rose", code=3).err


def test_evaluate_counts_and_says(run: Callable[..., Told], spam: Path) -> None:
    mails = spam.parent / "new.tsv"
    mails.write_text("spam\tfree cash\nham\tfree prize\nham\tlunch\n")
    document = run("evaluate", spam, mails, "--json").json
    assert document["schema"] == "novikoff/evaluate/1"
    assert (document["n"], document["errors"], document["confusion"]) == (3, 1, [[1, 1], [0, 1]])
    assert document["auc_interval"][0] <= document["auc"] <= document["auc_interval"][1]
    info = run("evaluate", spam, mails)
    assert "2 of 3 rows are classified correctly" in info
    assert "accuracy   66.67 %   95 %: 20.76 to 93.86" in info


def test_inspect_names_what_is_in_a_model(run: Callable[..., Told], spam: Path) -> None:
    info = run("explain", spam)
    for word in ("ham, spam", "words of x2", "separated", "word:free", "sha256"):
        assert word in info
    assert run("explain", spam, "--json").json["preparation"]["report"]["read"]["text"] == [1]
    (spam.parent / "bad.nvk").write_bytes(spam.read_bytes()[:-1])
    assert "bad.nvk: found" in run("explain", spam.parent / "bad.nvk", code=3).err


def test_cross_validation_learns_its_preparation_in_each_part(run: Callable[..., Told], table: Path) -> None:
    document = run("cv", table, "--label", "bought", "--one-hot", "--scale", "--folds", 4, "--json").json
    assert [fold["n"] for fold in document["folds"]] == [15] * 4
    assert document["mean"] == pytest.approx(np.mean([fold["accuracy"] for fold in document["folds"]]))
    again = run("cv", table, "--label", "bought", "--one-hot", "--scale", "--folds", 4, "--json").json
    assert again == document
    told = run("cv", table, "--label", "bought", "--one-hot", "--scale", "--folds", 4)
    assert "mean     accuracy" in told
    baseline, recall = document["baseline"], document["recall"]
    assert baseline == {"class": "yes", "accuracy": 40 / 60}
    assert [(row["class"], row["of"]) for row in recall] == [("no", 20), ("yes", 40)]
    assert sum(row["value"] * row["of"] for row in recall) == pytest.approx(60 * document["accuracy"])
    assert f"baseline accuracy {100 * baseline['accuracy']:.2f} %   yes predicted for every row\n" in told
    assert f"recall   {100 * recall[0]['value']:.2f} % of 20 no   95 %: " in told
    info = run("cv", table, "--label", "bought", "--one-hot", "--folds", 30, code=3)
    assert "--folds 30: class no has only 20 rows" in info.err


def test_predictions_replace_a_file_whole(run: Callable[..., Told], spam: Path, tmp_path: Path) -> None:
    out, mails = tmp_path / "out.txt", spam.parent / "mails.tsv"
    run("predict", spam, mails, "-o", out)
    assert out.read_text().split() == ["spam", "ham"] * 2
    bad = tmp_path / "bad.tsv"
    bad.write_text("spam\tfree\nham\tsee\tyou\n")
    assert "bad.tsv, line 2: found 3 cells" in run("predict", spam, bad, "-o", out, code=3).err
    assert out.read_text().split() == ["spam", "ham"] * 2
    assert not list(tmp_path.glob(".*.part"))


# ---- progress, pages ---------------------------------------------------------------------------------------------


# ---- from raw files to test accuracy, by one command each ---------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "args", "bar"),
    [
        ("sms_spam", ["SMSSpamCollection.tsv", "--label", "1", "--text", "2", "--tfidf", "--test-every", "5"], 0.975),
        ("a9a", ["a9a.xz", "--format", "svm", "--test", "a9a.t.xz"], 0.845),
        ("news20", ["news20.svm.xz", "--normalize", "--test-every", "7"], 0.83),
    ],
)
def test_one_command_from_raw_files_to_test_accuracy(
    name: str,
    args: list[str],
    bar: float,
    run: Callable[..., Told],
    shared_data: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(shared_data(name))
    assert run("fit", *args, *RECIPE, "--json", "--quiet").json["test"]["accuracy"] >= bar
