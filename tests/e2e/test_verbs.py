"""The daily verbs on files and streams: what fit, predict, evaluate, explain and cv say, and the same in --json."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, precision_recall_fscore_support, roc_auc_score

import novikoff as nv
from commands import Told, answer, novikoff

pytestmark = pytest.mark.compiled
RECIPE = ["--rule", "pa1", "--pa-C", "0.1", "--keep", "average", "--order", "shuffle", "--max-passes", "20"]
MAILS = "spam\tfree cash now\nham\tsee you at lunch\nspam\tfree prize call\nham\tcall me at lunch\n"
AGES = [22, 38, 26, 35, 35, None, 54, 2, 27, 14, 4, 58, 20, 39, 14, 55, 2, None, 31, None, 35, 34]
PEOPLE = [(k % 3 + 1, "mf"[k % 5 % 2], age, round(7.25 + k * k % 71 / 2, 2)) for k, age in enumerate(AGES)]


def said(*args: object, code: int = 0) -> Told:
    told = novikoff(*args)
    assert told.code == code, told.err
    return told


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tables of two classes with gaps, of three classes, of mails; and models of them."""
    there, rng = tmp_path_factory.mktemp("verbs"), np.random.default_rng(5)
    lines = [f"{c},{s},{'' if a is None else a},{f},{'yes' if (s == 'f') != (c + f > 40) else 'no'}"
             for c, s, a, f in PEOPLE]  # fmt: skip
    (there / "people.csv").write_text("\n".join(["Class,Sex,Age,Fare,Survived", *lines]) + "\n")
    X = np.round(rng.normal(size=(300, 4)), 3)
    three = np.array(["a", "bb", "ä"])[np.argmax(X[:, :3], axis=1)]
    pd.DataFrame(X, columns=list("pqrs")).assign(label=three).to_csv(there / "three.csv", index=False)
    (there / "mails.tsv").write_text(MAILS)
    fit = ("--one-hot", "--scale", "--missing", "impute")
    said("fit", there / "people.csv", "--label", "Survived", *fit, "-o", there / "people.nvk")
    for scheme in ("ova", "ovo", "joint"):
        model = there / f"{scheme}.nvk"
        said("fit", there / "three.csv", "--multi", scheme, "--max-passes", 5, "-o", model)
    said("fit", there / "mails.tsv", "--label", 1, "--text", 2, "-o", there / "spam.nvk")
    return there


MODELS = {"people.nvk": "people.csv", "ova.nvk": "three.csv", "ovo.nvk": "three.csv", "joint.nvk": "three.csv"}


# ---- predict and evaluate


@pytest.mark.parametrize("model", MODELS)
def test_predictions_are_those_of_python_in_lines_in_json_and_by_every_engine(model: str, folder: Path) -> None:
    data, clf = folder / MODELS[model], nv.load(folder / model)
    rows = pd.read_csv(data)
    labels, scores = clf.predict(rows).tolist(), np.reshape(clf.decision_function(rows), (len(rows), -1)).tolist()
    lines = [line.split("\t") for line in said("predict", folder / model, data, "--scores").out.splitlines()]
    assert said("predict", folder / model, data).out.splitlines() == [line[0] for line in lines] == labels
    assert [[float(v) for v in line[1:]] for line in lines] == scores
    document = answer("predict", folder / model, data, "--scores", "--json")
    assert document["schema"] == "novikoff/predict/1"
    assert (document["n"], document["missing"], document["classes"]) == (len(rows), 0, clf.classes_.tolist())
    assert [one["class"] for one in document["predictions"]] == labels
    assert [one.get("scores", [one.get("score")]) for one in document["predictions"]] == scores
    plain = answer("predict", folder / model, data)
    assert plain["predictions"] == [{"row": k, "class": label} for k, label in enumerate(labels)]
    ask = ("predict", folder / model, data, "--json")
    assert said(*ask, "--engine", "threads", "--workers", 2).out == said(*ask).out
    written = said(*ask, "-o", folder / "answers.json")
    assert (written.out, (folder / "answers.json").read_text()) == ("", said(*ask).out)
    assert f"answers.json: {len(rows)} rows" in written.err


def test_a_row_without_an_answer_is_blank_null_or_refused(here: Path) -> None:
    """Training may leave out rows with a missing number; a prediction that did would shift all lines below."""
    Path("gaps.csv").write_text("a,b,y\n1,2,0\n,3,1\n3,4,1\n2,1,0\n")
    said("fit", "gaps.csv", "--missing", "drop", "-o", "gaps.nvk")
    told = said("predict", "gaps.nvk", "gaps.csv")
    assert [line == "" for line in told.out.split("\n")] == [False, True, False, False, True]
    assert "gaps.csv: 1 row has a missing value and a blank line" in told.err
    told = said("predict", "gaps.nvk", "gaps.csv", "--json")
    assert [one["class"] is None for one in told.json["predictions"]] == [False, True, False, False]
    assert (told.json["n"], told.json["missing"]) == (4, 1)
    assert "1 row has a missing value and the class null" in told.err
    for more in ((), ("--json",)):
        told = said("predict", "gaps.nvk", "gaps.csv", "--on-missing", "fail", *more, code=3)
        assert told.out == ""
        assert "gaps.csv, line 3, column 1 ('a'): found an empty cell; a number was expected, as in trai" in told.err
    assert "1 row with a missing number, category or label was left out" in said("evaluate", "gaps.nvk", "gaps.csv").err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_of_the_input_beside_the_predictions(ending: str, here: Path) -> None:
    """The table has the rows of the input, in order; rows without an answer have blank cells; scores are named."""
    rows = [(7, 1.5, "a, b", "no"), (8, None, "c", "yes"), (9, 3.0, "c", "yes"), (10, 0.0, 'a "q"', "no")]
    frame, new = pd.DataFrame(rows, columns=["id", "age", "city", "label"]), f"new.{ending}"
    frame.to_csv("old.csv", index=False)
    frame.to_csv(new, index=False) if ending == "csv" else frame.to_parquet(new)
    said("fit", "old.csv", "--category", "city", "--drop", "id", "--missing", "drop", "-o", "m.nvk")
    told = said("predict", "m.nvk", new, "--with", "all", "--scores", "-o", "out.csv")
    assert told.out == ""
    assert "1 row has a missing value and a blank cell" in told.err
    assert "wrote out.csv: 4 rows" in told.err
    found = pd.read_csv("out.csv", keep_default_na=False)
    assert list(found) == ["id", "age", "city", "label", "predicted", "no", "yes"]
    assert found["predicted"].tolist() == said("predict", "m.nvk", new).out.split("\n")[:-1] == ["no", "", "yes", "no"]
    assert found["city"].tolist() == frame["city"].tolist()
    scores = [line.split("\t")[1] for line in said("predict", "m.nvk", new, "--scores").out.splitlines() if line]
    assert found["yes"][[0, 2, 3]].astype(float).tolist() == [float(score) for score in scores]
    assert (found["no"][[0, 2, 3]].astype(float) == -found["yes"][[0, 2, 3]].astype(float)).all()
    assert said("predict", "m.nvk", new, "--with", "city,1").out.splitlines()[:2] == [
        "city,id,predicted",
        '"a, b",7,no',
    ]
    assert "--with: " in said("predict", "m.nvk", new, "--with", "town", code=3).err
    assert "there is no column 9" in said("predict", "m.nvk", new, "--with", "9", code=3).err


@pytest.mark.parametrize("model", MODELS)
def test_evaluate_says_the_same_as_scikit_learn(model: str, folder: Path) -> None:
    document, rows = answer("evaluate", folder / model, folder / MODELS[model]), pd.read_csv(folder / MODELS[model])
    clf, y = nv.load(folder / model), rows.iloc[:, -1]
    called, classes = clf.predict(rows), [row["class"] for row in document["classes"]]
    assert document["schema"] == "novikoff/evaluate/1"
    assert document["confusion"] == confusion_matrix(y, called, labels=classes).tolist()
    assert (document["n"], document["errors"]) == (len(rows), int((called != y).sum()))
    precision, recall, _, _ = precision_recall_fscore_support(y, called, labels=classes, zero_division=0)
    assert [row["precision"]["value"] for row in document["classes"]] == pytest.approx(precision)
    assert [row["recall"]["value"] for row in document["classes"]] == pytest.approx(recall)
    assert document["accuracy"] == pytest.approx(np.mean(called == y))
    assert ("auc" in document) == (len(classes) == 2)
    if len(classes) == 2:
        assert document["auc"] == pytest.approx(roc_auc_score(y == classes[1], clf.decision_function(rows)))
        assert document["auc_interval"][0] <= document["auc"] <= document["auc_interval"][1]


def test_evaluate_counts_and_says(folder: Path, here: Path) -> None:
    Path("new.tsv").write_text("spam\tfree cash\nham\tfree prize\nham\tlunch\n")
    assert answer("evaluate", folder / "spam.nvk", "new.tsv")["confusion"] == [[1, 1], [0, 1]]
    told = said("evaluate", folder / "spam.nvk", "new.tsv").out
    assert "2 of 3 rows are classified correctly" in told
    assert "accuracy   66.67 %   95 %: 20.76 to 93.86" in told


# ---- explain


@pytest.mark.parametrize("model", MODELS)
def test_explain_shows_each_plane_and_the_parts_of_a_score(model: str, folder: Path) -> None:
    found, clf = answer("explain", folder / model), nv.load(folder / model)
    assert [plane["w"] for plane in found["weights"]] == clf.coef_.tolist()
    assert [plane["b"] for plane in found["weights"]] == clf.intercept_.tolist()
    signs = {
        "people.nvk": [("yes", "no")],
        "ovo.nvk": [("bb", "a"), ("ä", "a"), ("ä", "bb")],
    }.get(model, [(label, None) for label in clf.classes_])
    assert [(plane["positive"], plane["negative"]) for plane in found["weights"]] == signs
    lines = [line for line in said("explain", folder / model).out.splitlines() if line.startswith("largest")]
    if model != "people.nvk":
        named = [f"+ is {one}{f', − is {other}' if other else ''})" for one, other in signs]
        assert [line.partition("(")[2] for line in lines] == named
        for line, w in zip(lines, clf.coef_, strict=True):
            j = int(np.abs(w).argmax())
            assert line.startswith(f"largest      {'pqrs'[j]} {w[j]:+.4g}, ")
    data, row = folder / MODELS[model], pd.read_csv(folder / MODELS[model]).iloc[[4]]
    for label in clf.classes_ if len(signs) > 1 else [None]:
        told = answer("explain", folder / model, data, "--row", 5, *([] if label is None else ["--class", label]))
        assert sum(part["product"] for part in told["parts"]) == pytest.approx(told["score"])
        assert told["class"] == clf.predict(row)[0]
        if model != "ovo.nvk":  # whose scores are sums over pairs
            score = np.ravel(clf.decision_function(row))[list(clf.classes_).index(label) if label else 0]
            assert told["score"] == pytest.approx(score)


def test_explain_shows_the_prepared_values(folder: Path, here: Path) -> None:
    ask = ("explain", folder / "people.nvk", folder / "people.csv", "--row", 2)
    shown = {line.split()[0]: line.split()[1:] for line in said(*ask).out.splitlines()[2:]}
    _, sex, age, _ = PEOPLE[1]
    assert set(shown) == {"column", "Class", "Age", "Fare", f"Sex={sex}", "bias"}
    known = [v for v in AGES if v is not None]
    ages = [*known, *[float(np.median(known))] * 3]
    assert float(shown["Age"][0]) == pytest.approx((age - np.mean(ages)) / np.std(ages), rel=1e-3)
    told = answer("explain", folder / "spam.nvk", "--message", "free lunch, call now")
    assert [part["name"] for part in told["parts"]][-1] == "bias"
    assert {part["name"] for part in told["parts"][:-1]} == {f"word:{w}" for w in ("free", "lunch", "call", "now")}
    for word in ("ham, spam", "words of x2", "separated", "word:free", "sha256"):
        assert word in said("explain", folder / "spam.nvk").out
    said("fit", "--example", "or", "--keep", "vote", "-o", "v.nvk")
    assert answer("explain", "v.nvk")["weights"] is None  # planes that vote


# ---- models and tables


def test_a_table_is_read_again_as_it_was_learned_from(here: Path) -> None:
    rows = [(str(k % 7), "yes" if k % 3 else "no", "red" if k % 3 else "blue", str(k % 5)) for k in range(60)]
    Path("t.csv").write_text("\n".join(map(",".join, [("a", "bought", "color", "b"), *rows])) + "\n")
    told = said("fit", "t.csv", "--label", "bought", "--one-hot", "--scale", "--test-every", "5", "-o", "m.nvk").out
    assert "SEPARATED" in told
    assert "test   12 of 12 points held out are classified correctly: accuracy 100.00 %" in told
    assert said("predict", "m.nvk", "t.csv").out.split() == [row[1] for row in rows]
    Path("new.csv").write_text("\n".join(["color,b,a", *(f"{c},{b},{a}" for a, _, c, b in rows)]) + "\n")
    assert said("predict", "m.nvk", "new.csv").out.split() == [row[1] for row in rows]  # no label, another order
    Path("new.csv").write_text("color,b,a\ngreen,1,1\n")
    assert "column 'color': 1 row has an unknown category" in said("predict", "m.nvk", "new.csv").err


def test_a_table_without_a_header_may_lose_its_label(folder: Path, here: Path) -> None:
    Path("new.tsv").write_text("free prize\nnoon at lunch\n")
    assert said("predict", folder / "spam.nvk", "new.tsv").out.split() == ["spam", "ham"]
    assert said("predict", folder / "spam.nvk", folder / "mails.tsv").out.split() == ["spam", "ham"] * 2
    assert "found rows without a label" in said("evaluate", folder / "spam.nvk", "new.tsv", code=3).err


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("t.csv", "a;0,5;1,5;2,5;-1,5\ny;x;y;x;y\n"),
        ("t.csv", ";p;q;r;s\na;0,5;1,5;2,5;-1,5\ny;x;y;x;y\n"),
        ("t.csv", "0,5;1,5;2,5;-1,5\n1;2;3;4\nx;y;x;y\n"),
        ("t.tsv", "a\t0,5\t1,5\t2,5\t-1,5\ny\tx\ty\tx\ty\n"),
    ],
)
def test_a_table_with_decimal_commas_is_transposed(name: str, text: str, here: Path) -> None:
    Path(name).write_text(text)
    Path("point.csv").write_text(text.replace(",", ".").replace(";", ",").replace("\t", ","))
    said("convert", name, "comma.npz", "--transpose", "--decimal-comma")
    said("convert", "point.csv", "point.npz", "--transpose")
    assert nv.read("comma.npz").X.tolist() == nv.read("point.npz").X.tolist()
    assert nv.read("comma.npz").X[:, 0].tolist() == [0.5, 1.5, 2.5, -1.5]


def test_cross_validation_learns_its_preparation_in_each_part(folder: Path) -> None:
    ask = ("cv", folder / "people.csv", "--label", "Survived", "--one-hot", "--scale", "--missing", "impute")
    document, told = answer(*ask, "--folds", 4), said(*ask, "--folds", 4).out
    assert answer(*ask, "--folds", 4) == document
    assert sorted(fold["n"] for fold in document["folds"]) == [5, 5, 6, 6]
    assert document["mean"] == pytest.approx(np.mean([fold["accuracy"] for fold in document["folds"]]))
    assert "mean     accuracy" in told
    y, (baseline, recall) = pd.read_csv(folder / "people.csv")["Survived"], (document["baseline"], document["recall"])
    assert baseline == {"class": y.mode()[0], "accuracy": y.value_counts().max() / len(y)}
    assert [(row["class"], row["of"]) for row in recall] == sorted(y.value_counts().to_dict().items())
    assert sum(row["value"] * row["of"] for row in recall) == pytest.approx(len(y) * document["accuracy"])
    shown = f"baseline accuracy {100 * baseline['accuracy']:.2f} %   {baseline['class']} predicted for every row\n"
    assert shown in told
    assert f"recall   {100 * recall[0]['value']:.2f} % of {recall[0]['of']} no   95 %: " in told


# ---- streams


@pytest.fixture
def piped(here: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Told]:
    """A command with these bytes on its standard input."""

    def command(text: bytes, *args: object, code: int = 0) -> Told:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(io.BytesIO(text))))
        return said(*args, code=code)

    return command


def test_a_stream_is_one_pass_of_the_file(piped: Callable[..., Told]) -> None:
    X, y = nv.example("breast-cancer")
    np.savez("b.npz", X=X, y=y)
    said("convert", "b.npz", "b.csv")
    args = ("--max-passes", 1, "--keep", "average")
    said("fit", "b.csv", *args, "-o", "file.nvk")
    text = Path("b.csv").read_bytes()
    stream = ("--format", "csv", "--classes", "benign,malignant", "--known-margin", "0.001", "--json")
    document = piped(text, "fit", "-", *args, *stream, "-o", "stream.nvk").json
    assert (document["stop_reason"], document["n"]) == ("stream_ended", 569)
    assert 0 < document["mistakes"] <= document["mistake_bound"]
    one, other = nv.load("file.nvk"), nv.load("stream.nvk")
    assert one.coef_.tobytes() == other.coef_.tobytes()
    labels = piped(text, "predict", "stream.nvk", "-", "--format", "csv").out.split()
    assert labels == other.predict(nv.read("b.csv")).tolist()


def test_a_stream_beyond_the_memory_limit_goes_to_temporary_files(piped: Callable[..., Told]) -> None:
    text = b"".join(b"%d,%d,%d\n" % (k, -k, k % 2) for k in range(1000))
    several = ("fit", "-", "--format", "csv", "--no-header", "--max-passes", "3")
    for memory, spilled in (("1M", False), ("20K", True)):
        info = piped(text, *several, "--memory", memory, "-o", f"{memory}.nvk")
        assert ("its rows are written to temporary files" in info.err) is spilled
    assert Path("1M.nvk").read_bytes() == Path("20K.nvk").read_bytes()


def test_a_stream_refuses_what_needs_all_rows_and_hashes_texts(piped: Callable[..., Told]) -> None:
    for option in ("--holdout=0.1", "--order=shuffle", "--engine=threads", "--workers=2"):
        assert piped(b"1 1:1\n", "fit", "-", "--format", "svm", "--max-passes", 1, option, code=2).out == ""
    text, how = MAILS.encode() * 10, ("--format", "tsv", "--label", 1, "--text", 2, "--max-passes", 1)
    assert "--hash-bits" in piped(text, "fit", "-", *how, "--tfidf", code=3).err
    piped(text, "fit", "-", *how, "--hash-bits", 10, "-o", "m.nvk")
    assert piped(text, "evaluate", "m.nvk", "-", "--format", "tsv", "--json").json["accuracy"] == 1.0


# ---- from raw files to test accuracy, by one command each


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
    name: str, args: list[Any], bar: float, shared_data: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shared_data(name))
    assert answer("fit", *args, *RECIPE)["test"]["accuracy"] >= bar
