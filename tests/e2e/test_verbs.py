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
from novikoff.cli.help_page import page
from novikoff.cli.text.progress import Progress
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops

pytestmark = pytest.mark.compiled
RECIPE = ["--rule", "pa1", "--pa-C", "0.1", "--keep", "average", "--order", "shuffle", "--max-passes", "20"]
DOCS = Path(__file__).parents[2] / "docs"


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
    for name in ("d.npz", "d.csv", "d.svm", "d.nvc"):
        if name != "d.npz":
            run("convert", tmp_path / "d.npz", tmp_path / name)
        run("fit", tmp_path / name, "--max-passes", 5, "-o", tmp_path / "m.nvk", "--quiet")
        clf = nv.load(tmp_path / "m.nvk")
        weights.add(clf.coef_[:, -63:].tobytes() + clf.intercept_.tobytes())
    assert len(weights) == 1


@pytest.mark.parametrize(
    "options",
    [(), ("--scale-by", 2), ("--classes", "0,1"), ("--label-as", "3:8"), ("--test-every", 5), ("--normalize",)],
)
def test_a_model_of_a_cache_names_the_points_it_was_made_of(
    options: tuple[Any, ...], run: Callable[..., Told], tmp_path: Path
) -> None:
    X, y = nv.example("digits")
    np.savez(tmp_path / "d.npz", X=X[:100], y=y[:100])
    run("convert", tmp_path / "d.npz", tmp_path / "d.nvc")
    digests = set()
    for name in ("d.npz", "d.nvc"):
        run("fit", tmp_path / name, "--max-passes", 1, "-o", tmp_path / "m.nvk", "--quiet", *options)
        digests.add(json.loads(run("explain", tmp_path / "m.nvk", "--json"))["data_digest"])
    assert len(digests) == 1


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


@pytest.mark.parametrize(("row", "label", "names"), [("{c},{a},{b},{y}", 4, "123"), ("{a},{y},{c},{b}", 2, "314")])
def test_columns_without_names_are_called_by_their_numbers_in_the_file(
    row: str, label: int, names: str, run: Callable[..., Told], tmp_path: Path
) -> None:
    table, model = tmp_path / "t.csv", tmp_path / "t.nvk"
    rows = [("red", 1, 100, "p"), ("blue", 2, 50, "e"), ("red", 1, 90, "p"), ("blue", 3, 40, "e")]
    table.write_text("".join(row.format(c=c, a=a, b=b, y=y) + "\n" for c, a, b, y in rows))
    c, a, b = names
    info = run("fit", table, "--label", label, "--one-hot", "--order", "cyclic", "--keep", "last", "-o", model)
    assert f"plane  −184·x{a} + 10·x{b} − 92·x{c}=blue + 46·x{c}=red − 46 = 0\n" in info
    assert "where" not in info
    assert f"largest      x{a} -184, x{c}=blue -92, x{c}=red +46, x{b} +10, bias -46" in run("explain", model)
    shown = [line.split()[:2] for line in run("explain", model, table, "--row", 4).splitlines()[3:]]
    assert shown == [[f"x{a}", "3"], [f"x{b}", "40"], [f"x{c}=blue", "1"], ["bias", "1"]]
    assert run("predict", model, table).split() == ["p", "e", "p", "e"]


def test_new_labels_in_a_test_are_named(run: Callable[..., Told], tmp_path: Path) -> None:
    train, test = tmp_path / "a.svm", tmp_path / "b.svm"
    train.write_text("1 1:1\n-1 2:1\n")
    test.write_text("1 1:1\n3 2:1\n")
    for option in ("--test", "--valid"):
        info = run("fit", train, option, test, "-o", tmp_path / "m.nvk", code=3)
        assert "b.svm: found the label '3' in row 2; expected a class of the training rows: -1, 1" in info.err
    assert not (tmp_path / "m.nvk").exists()
    test.write_text("+1 1:2 7:1\n-1.0 2:1\n")
    info = run("fit", train, "--test", test)
    assert "2 of 2 points held out are classified correctly" in info
    assert "1 number is in columns that the model does not have; it was ignored" in info.err


def test_rows_of_a_file_choose_the_weights(run: Callable[..., Told], tmp_path: Path) -> None:
    run("fit", "--example", "digits", "--max-passes", 1)
    X, y = nv.example("digits")
    np.savez(tmp_path / "t.npz", X=X[:800], y=y[:800])
    np.savez(tmp_path / "v.npz", X=X[800:], y=y[800:])
    info = run("fit", tmp_path / "t.npz", "--valid", tmp_path / "v.npz", "--stall-valid", 2, "--json", "--quiet").json
    assert (info["stop_reason"], info["validated"]) == ("valid_stalled", True)


def test_labels_get_new_names(run: Callable[..., Told], tmp_path: Path) -> None:
    mails = tmp_path / "mails.tsv"
    mails.write_text("ham\tsee you\nspam\tfree cash\nham_2\tyou\nspam_2\tcash\n")
    args = ("--label", "1", "--text", "2", "--no-header", "--label-as", "spam*:spam", "--label-as", "*:ham")
    assert run("fit", mails, *args, "-o", tmp_path / "m.nvk", "--json").json["classes"] == ["ham", "spam"]
    assert run("evaluate", tmp_path / "m.nvk", mails, "--json").json["accuracy"] == 1.0


def test_with_one_hot_the_numbers_of_a_table_with_decimal_commas_stay_numbers(
    run: Callable[..., Told], tmp_path: Path
) -> None:
    (tmp_path / "comma.csv").write_text("a;color;label\n0,5;red;x\n1,5;blue;y\n2,5;red;x\n-1,5;blue;y\n")
    (tmp_path / "point.csv").write_text("a,color,label\n0.5,red,x\n1.5,blue,y\n2.5,red,x\n-1.5,blue,y\n")
    comma = run("fit", tmp_path / "comma.csv", "--one-hot", "--decimal-comma", "-o", tmp_path / "m.nvk", "--json").json
    point = run("fit", tmp_path / "point.csv", "--one-hot", "--json").json
    assert (comma["d"], comma["w"], comma["b"]) == (3, point["w"], point["b"])
    assert run("predict", tmp_path / "m.nvk", tmp_path / "comma.csv").split() == ["x", "y", "x", "y"]


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


def test_columns_are_points_where_a_table_is_turned(run: Callable[..., Told], tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("A,1,2,5\nB,0,1,9\nclass,x,x,y\n")
    info = run("fit", path, "--transpose", "-o", tmp_path / "m.nvk", "--json").json
    assert (info["n"], info["d"], info["classes"]) == (3, 2, ["x", "y"])
    assert run("predict", tmp_path / "m.nvk", path).split() == ["x", "x", "y"]


def test_a_run_goes_on_from_its_checkpoint(
    run: Callable[..., Told], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Progress, run: Run) -> None:
        if run.passes == 7:
            raise RuntimeError("the power fails")

    request = ("fit", "--example", "digits", "--keep", "average", "--order", "shuffle", "--quiet", "--max-passes", 12)
    kept = ("--checkpoint", tmp_path / "state")
    run(*request, "-o", tmp_path / "whole.nvk")
    monkeypatch.setattr("novikoff.perceptron.checkpoints.checkpoint.AT_LEAST", 0.0)
    monkeypatch.setattr("novikoff.perceptron.checkpoints.checkpoint.SHARE", 0)
    with monkeypatch.context() as patched:
        patched.setattr(Progress, "end_pass", fail)
        with pytest.raises(RuntimeError, match="the power fails"):
            run(*request, *kept)
    assert list((tmp_path / "state").iterdir())
    run(*request, *kept, "--resume", "-o", tmp_path / "resumed.nvk")
    assert (tmp_path / "whole.nvk").read_bytes() == (tmp_path / "resumed.nvk").read_bytes()
    assert "was 12 when the checkpoint was written" in run(*request[:-1], 13, *kept, "--resume", code=3).err
    assert "--resume: name the folder" in run(*request, "--resume", code=2).err


def test_the_learner_gets_its_schedule_and_its_engine(run: Callable[..., Told], tmp_path: Path) -> None:
    """The engine works for decide when the run stalls, and changes nothing; the schedule is stored in the model."""
    request = ["fit", "--example", "breast-cancer", "--classes", "malignant,benign", "--max-passes", 100, "--json"]
    by = [json.loads(run(*request, *engine)) for engine in ([], ["--engine", "threads", "--workers", 2])]
    assert by[0] == by[1] | {"seconds": by[0]["seconds"]}
    run("fit", "--example", "or", "--schedule", "inverse", "-o", tmp_path / "m.nvk")
    assert nv.load(tmp_path / "m.nvk").schedule == "inverse"


def test_what_to_do_after_xor(run: Callable[..., Told]) -> None:
    assert "NOT SEPARABLE" in run("fit", "--example", "xor")
    assert "SEPARATED" in run("fit", "--example", "xor", "--features", "poly2", "--expect", "separated")


@pytest.mark.parametrize(("name", "bar"), [("digits", 0.9), ("retina", 1.0)])
def test_examples_end_to_end(name: str, bar: float, run: Callable[..., Told]) -> None:
    info = run("fit", "--example", name, "--holdout", "0.25", "--max-passes", 100, "--json", "--quiet").json
    assert info["test"]["accuracy"] >= bar


def test_the_lecture_s_mails_are_separated(run: Callable[..., Told]) -> None:
    assert "SEPARATED" in run("fit", "--example", "spam", "--expect", "separated")


# ---- streams -----------------------------------------------------------------------------------------------------


@pytest.fixture
def piped(run: Callable[..., Told], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """A command with these bytes on its standard input."""

    def command(text: bytes, *args: object, code: int = 0) -> Told:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text))))
        return run(*args, code=code)

    return command


def test_a_stream_tells_of_a_class_that_may_be_a_missing_label(piped: Callable[..., Told]) -> None:
    args = ("fit", "-", "--format", "csv", "--max-passes", 1)
    info = piped(b"a,y\n1,NA\n2,b\n", *args)
    assert "-: the label 'NA' is taken as a class; --missing drop leaves such rows out" in info.err
    assert "taken as a class" not in piped(b"a,y\n1,NA\n2,b\n", *args, "--quiet").err


def test_a_stream_of_one_class_is_bad_input(piped: Callable[..., Told], tmp_path: Path) -> None:
    args = ("fit", "-", "--format", "csv", "--max-passes", 1, "-o", tmp_path / "m.nvk")
    info = piped(b"a,y\n1,NA\n2,b\n", *args, "--missing", "drop", code=3)
    assert "-: only one class, 'b'; two classes are needed" in info.err
    assert not (tmp_path / "m.nvk").exists()


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


def test_a_stream_that_is_held_has_its_limit(piped: Callable[..., Told]) -> None:
    text = b"".join(b"%d,%d,%d\n" % (k, -k, k % 2) for k in range(1000))
    several = ("fit", "-", "--format", "csv", "--no-header", "--max-passes", "3", "--quiet")
    piped(text, *several, "--memory", "1M")
    info = piped(text, *several, "--memory", "20K", code=3)
    assert "this one would take more than --memory (20,480 bytes); save it to a file, or fit it with" in info.err
    piped(text, *several, "--max-passes", "1", "--memory", "20K")
    assert "error: --memory: " in piped(text, *several, "--memory", "much", code=3).err


def test_columns_of_a_stream_may_grow(
    run: Callable[..., Told], piped: Callable[..., Told], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(5)
    rows = [(k, sorted(rng.choice(3 + k // 10, 3, replace=False).tolist())) for k in range(200)]
    lines = [
        f"{1 if columns[0] % 2 else -1} " + " ".join(f"{j + 1}:{k + j + 1}" for j in columns) for k, columns in rows
    ]
    text = ("\n".join(lines) + "\n").encode()
    (tmp_path / "a.svm").write_bytes(text)
    monkeypatch.setattr("novikoff.io.stream.compression.BLOCK", 200)
    args = ("--max-passes", 1, "--keep", "average", "--normalize", "--quiet")
    run("fit", tmp_path / "a.svm", *args, "-o", tmp_path / "file.nvk")
    stream = ("--format", "svm", "--classes=-1,1")
    piped(text, "fit", "-", *args, *stream, "-o", tmp_path / "stream.nvk")
    one, other = nv.load(tmp_path / "file.nvk"), nv.load(tmp_path / "stream.nvk")
    assert one.coef_.tobytes() == other.coef_.tobytes()
    assert other.preparation_.report["rows"] == 200
    assert run("predict", tmp_path / "stream.nvk", tmp_path / "a.svm") == run(
        "predict", tmp_path / "file.nvk", tmp_path / "a.svm"
    )
    info = piped(text, "fit", "-", "--max-passes", 1, *stream, "--features", "poly2", code=3)
    assert "--features: columns grow from" in info.err


def test_a_pipe_is_a_stream(tmp_path: Path) -> None:
    command = f"{sys.executable} -m novikoff fit - --format svm --max-passes 1 -o {tmp_path / 'm.nvk'}"
    done = subprocess.run(command.split(), input=b"1 1:1\n-1 2:1\n" * 9, capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert b"STREAM ENDED  each row was predicted and then learned, once" in done.stdout
    assert nv.load(tmp_path / "m.nvk").n_features_in_ == 2


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


def test_inspect_says_whether_pairs_decide_by_votes_or_by_sums(run: Callable[..., Told], tmp_path: Path) -> None:
    """As the model was fitted, and as it predicts; files from before the choice summed."""
    for ovo, words in (("vote", "(ovo by votes)"), ("sum", "(ovo by summed scores)")):
        model = tmp_path / f"{ovo}.nvk"
        run("fit", "--example", "iris", "--multi", "ovo", "--ovo", ovo, "-o", model)
        assert f"classes      setosa, versicolor, virginica {words}\n" in run("explain", model)
        assert run("explain", model, "--json").json["ovo"] == ovo
        assert nv.load(model).scheme_of_many().ovo == ovo
    old = Path(__file__).parents[1] / "models" / "v1-ovo.nvk"
    assert "(ovo by summed scores)" in run("explain", old)
    for multi in ("ova", "joint"):
        run("fit", "--example", "iris", "--multi", multi, "-o", tmp_path / "m.nvk")
        assert f"virginica ({multi})\n" in run("explain", tmp_path / "m.nvk")
        assert "ovo" not in run("explain", tmp_path / "m.nvk", "--json").json


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


# ---- bad input ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "text", "args", "said"),
    [
        (
            "a.csv",
            "a,b\n1,x\noops,y\n",
            [],
            "a.csv, line 3, column 1 ('a'): found 'oops'; a number was expected; --one-hot",
        ),
        ("a.csv", "a,b\n1,x\n,y\n", [], "--missing drop leaves such rows out"),
        ("a.csv", "1,2,x\n1,y\n", [], "a.csv, line 2: found 2 cells; 3 as in the first line were expected"),
        ("a.csv", "a,b\n1,x\n2,y\n", ["--label", "c"], "no column is named 'c'; the columns are a, b"),
        ("a.svm", "1 1:1\n-1 x:2\n", [], "a.svm, line 2, byte 4: found 'x:2'"),
        ("a.svm", "", [], "found no rows"),
        ("a.svm", "1 1:1\n-1 2:1\n", ["--transpose"], "--transpose: is for csv and tsv"),
        ("a.svm", "1 1:1\n-1 2:1\n", ["--category", "2"], "--category: is for csv and tsv"),
        ("a.xyz", "1 1:1\n", [], "the name does not determine the format; say --format"),
        ("a.tsv", "1\tx\n2\ty\n", ["--tfidf"], "--tfidf: there is no text column; name it with --text"),
        (
            "a.csv",
            "1,2,x\n3,4,y\n",
            ["--test-every", "9"],
            "--test-every: found 9, with which no row of 2",
        ),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(
    name: str, text: str, args: list[str], said: str, run: Callable[..., Told], tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    info = run("fit", tmp_path / name, *args, "-o", tmp_path / "m.nvk", code=3)
    assert info == ""
    assert said in info.err
    assert [path.name for path in tmp_path.iterdir()] == [name]


# ---- progress, pages ---------------------------------------------------------------------------------------------


def after_pass(number: int, pocket_errors: int | None) -> Any:
    """A run whose last pass was this one."""
    row = {"pass": number, "mistakes": 3, "pocket_errors": pocket_errors, "valid_errors": None}
    plan = SimpleNamespace(stops=Stops(max_passes=None))
    return SimpleNamespace(last_pass=lambda: row, passes=number, passes_before=0, plan=plan)


def test_lines_double_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(quiet=False, n=10)
    progress.started -= 5
    for k in range(1, 20):
        progress.end_pass(after_pass(k, pocket_errors=2))
        progress.started -= 5
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "pass 1",
        "pass 2",
        "pass 4",
        "pass 7",
        "pass 13",
    ]  # doubling seconds
    silent = Progress(quiet=True)
    silent.started -= 5
    silent.on_rows(5, 1)
    young = Progress(quiet=False)
    young.on_rows(5, 1)
    assert capsys.readouterr().err == ""


def test_a_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    progress = Progress(quiet=False, n=10)
    progress.started -= 5
    progress.end_pass(after_pass(3, pocket_errors=None))
    progress.close()
    assert progress.bar is not None


def test_the_page_of_the_command_line_is_what_help_says() -> None:
    assert (DOCS / "cli.md").read_text(encoding="utf-8") == page(), "python -m novikoff.cli.help_page > docs/cli.md"
    assert all(f"## {verb}\n" in page() for verb, _ in commands())


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
