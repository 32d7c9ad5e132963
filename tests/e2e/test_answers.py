"""predict and evaluate by every engine, in any blocks: the same bytes, in the order of the file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.cli import main

pytestmark = pytest.mark.compiled
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


@pytest.fixture
def said(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Said:
    monkeypatch.chdir(folder)
    capsys.readouterr()

    def command(*args: str, code: int = 0) -> tuple[str, str]:
        assert main(list(args)) == code
        return capsys.readouterr()

    return command


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


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_columns_of_the_input_beside_the_predictions(ending: str, tmp_path: Path) -> None:
    """The table has the rows of the input, in order; rows without an answer have blank cells; scores are named."""
    rows = [(7, 1.5, "a, b", "no"), (8, None, "c", "yes"), (9, 3.0, "c", "yes"), (10, 0.0, 'a "q"', "no")]
    columns = {name: [row[c] for row in rows] for c, name in enumerate(("id", "age", "city", "label"))}
    frame, old, new = pd.DataFrame(columns), tmp_path / "old.csv", tmp_path / f"new.{ending}"
    frame.to_csv(old, index=False)
    if ending == "parquet":
        frame.to_parquet(new)
    else:
        frame.to_csv(new, index=False)
    model, out = tmp_path / "m.nvk", tmp_path / "out.csv"
    how = ("--label", "label", "--category", "city", "--drop", "id", "--missing", "drop", "--quiet")
    assert novikoff("fit", old, *how, "-o", model).code == 0
    plain = novikoff("predict", model, new, "--quiet").out.split("\n")[:-1]
    told = novikoff("predict", model, new, "--with", "all", "--scores", "-o", out)
    assert (told.code, told.out) == (0, "")
    assert "1 row has a missing value and a blank cell" in told.err
    assert f"wrote {out}: 4 rows" in told.err
    found = pd.read_csv(out, keep_default_na=False)
    assert list(found) == ["id", "age", "city", "label", "predicted", "no", "yes"]
    assert found["predicted"].tolist() == plain == ["no", "", "yes", "no"]
    assert found["city"].tolist() == columns["city"]
    scores = [line.split("\t")[1] for line in novikoff("predict", model, new, "--scores").out.splitlines() if line]
    assert found["yes"][[0, 2, 3]].astype(float).tolist() == [float(score) for score in scores]
    assert (found["no"][[0, 2, 3]].astype(float) == -found["yes"][[0, 2, 3]].astype(float)).all()
    told = novikoff("predict", model, new, "--with", "city,1")
    assert told.out.splitlines()[0] == "city,id,predicted"
    assert told.out.splitlines()[1] == '"a, b",7,no'
    for more, code, said in (
        (("--with", "town"), 3, "--with: "),
        (("--with", "9"), 3, "there is no column 9"),
        (("--with", "id", "--json"), 2, "--with and --json"),
    ):
        told = novikoff("predict", model, new, *more)
        assert (told.code, told.out) == (code, "")
        assert said in told.err


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
