"""ONNX files take raw columns: numbers, missing ones too, and categories, with the labels that `predict` gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import novikoff as nv
from commands import novikoff
from novikoff.model.liblinear import save_liblinear
from novikoff.model.onnx import save_onnx, to_onnx

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: no graph can be run")

CHANCE = np.random.default_rng(3)
PLACES = ["S", "C", "Q"]
SIZES = ("tiny", "large, or so", "ärmel")


def table(n: int, labels: int = 2) -> pd.DataFrame:
    """Rows with missing numbers and categories, and a label that depends on both."""
    frame = pd.DataFrame({
        "age": CHANCE.integers(1, 80, n) / 2,
        "fare": np.round(CHANCE.gamma(2.0, 20.0, n), 3),
        "place": CHANCE.choice(PLACES, n),
        "size": CHANCE.choice(SIZES, n),
    })  # fmt: skip
    value = frame["age"] / 20 - frame["fare"] / 40 + 2 * (frame["place"] == "C") + CHANCE.normal(0, 0.3, n)
    frame["label"] = [f"c{int(v)}" for v in np.clip(np.floor(value), 0, labels - 1)]
    frame.loc[CHANCE.random(n) < 0.15, "age"] = np.nan
    frame.loc[CHANCE.random(n) < 0.1, "place"] = None
    return frame


PREPARATIONS: dict[str, list[str]] = {
    "scale": ["--columns", "fare", "--scale"],
    "scale-by": ["--columns", "fare", "--scale-by", "7"],
    "impute": ["--columns", "age,fare", "--missing", "impute", "--missing-indicator", "--scale"],
    "mean": ["--columns", "age,fare", "--missing", "impute", "--impute-numbers", "mean"],
    "one-hot": ["--one-hot", "--drop", "age"],
    "all": ["--one-hot", "--missing", "impute", "--missing-indicator", "--scale"],
    "level": ["--one-hot", "--missing", "impute", "--impute-categories", "level", "--normalize"],
    "poly2": ["--one-hot", "--missing", "impute", "--scale", "--features", "poly2"],
    "poly2-unit": ["--columns", "fare", "--scale", "--features", "poly2", "--normalize"],
    "only categories": ["--one-hot", "--drop", "age,fare"],
    "plain": ["--columns", "fare"],
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def answers(path: str, frame: pd.DataFrame, numbers: list[str]) -> tuple[list[Any], np.ndarray]:
    """Labels and scores that onnxruntime computes from the raw columns."""
    session = runtime.InferenceSession(path, providers=["CPUExecutionProvider"])
    feeds: dict[str, Any] = {}
    for given in session.get_inputs():
        if given.name == "X":
            feeds["X"] = frame[numbers].to_numpy(np.float64)
        else:
            feeds[given.name] = frame[[given.name]].astype(object).where(frame[[given.name]].notna(), "").to_numpy()
    label, scores = session.run(["label", "scores"], feeds)
    return label.tolist(), scores


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize("multi", [[], ["--multi", "ovo"], ["--multi", "ovo", "--ovo", "sum"]])
@pytest.mark.parametrize("name", PREPARATIONS)
def test_raw_rows_get_the_labels_of_predict(here: Path, name: str, multi: list[str]) -> None:
    classes = 3 if multi else 2
    table(300, classes).to_csv("train.csv", index=False)
    told = novikoff(
        "fit", "train.csv", "--label", "label", *PREPARATIONS[name], *multi, "--max-passes", 12, "-o", "m.nvk"
    )
    assert told.code == 0, told.err
    assert novikoff("export", "m.nvk", "-o", "m.onnx").code == 0
    clf = nv.load("m.nvk")
    new = table(200, classes)
    new.loc[3, "place"] = "unknown"
    if clf.preparation_.columns.cells is None:
        new["place"] = new["place"].fillna("")
    label, scores = answers("m.onnx", new, list(clf.preparation_.columns.named or ()))
    ours = clf.decision_function(new)
    assert np.abs(scores - ours).max() <= 1e-9 * max(1.0, np.abs(ours).max())
    sure = np.abs(ours) > 1e-9 if ours.ndim == 1 else np.diff(np.sort(ours, axis=1)[:, -2:], axis=1)[:, 0] > 1e-9
    assert sure.mean() > 0.9
    assert np.array(label)[sure].tolist() == clf.predict(new)[sure].tolist()


def test_the_inputs_have_the_names_of_the_columns(here: Path) -> None:
    table(80).to_csv("train.csv", index=False)
    novikoff("fit", "train.csv", "--label", "label", *PREPARATIONS["all"], "-o", "m.nvk")
    graph = to_onnx(nv.load("m.nvk"))
    assert [given.name for given in graph.graph.input] == ["X", "place", "size"]
    assert {prop.key: prop.value for prop in graph.metadata_props}["feature_names"] == '["age", "fare"]'


def test_a_column_with_the_name_of_a_tensor_is_marked(here: Path) -> None:
    rows = "X,label,bias,n\na,u,1,yes\nb,v,2,no\na,v,5,yes\nb,u,4,no\n"
    Path("t.csv").write_text(rows)
    assert novikoff("fit", "t.csv", "--label", "n", "--one-hot", "--category", "bias", "-o", "m.nvk").code == 0
    assert novikoff("export", "m.nvk", "-o", "m.onnx").code == 0
    session = runtime.InferenceSession("m.onnx", providers=["CPUExecutionProvider"])
    assert {given.name for given in session.get_inputs()} == {"column X", "bias", "column label"}


def test_missing_categories_are_imputed_however_they_are_spelled(here: Path) -> None:
    table(200).to_csv("train.csv", index=False)
    novikoff("fit", "train.csv", "--label", "label", *PREPARATIONS["all"], "-o", "m.nvk")
    clf = nv.load("m.nvk")
    save_onnx(clf, "m.onnx")
    frame = table(1).iloc[[0] * 8].assign(place=["", "?", "NA", "nan", "NaN", "null", "None", "N/A"])
    _, scores = answers("m.onnx", frame, ["age", "fare"])
    assert np.allclose(scores, clf.decision_function(frame), rtol=1e-12)
    assert len(set(clf.decision_function(frame).tolist())) == 1


def test_the_widest_plane_is_exported_with_its_preparation(here: Path) -> None:
    Path("t.csv").write_text("a,c,label\n1,u,no\n2,u,no\n7,v,yes\n9,u,yes\n")
    data = nv.open_data("t.csv", one_hot=True).prepare(scale=True)
    nv.save(nv.MaxMargin().fit(data.X, data.y), "w.nvk", preparation=data.preparation)
    save_onnx(nv.load("w.nvk"), "w.onnx")
    frame = pd.read_csv("t.csv")
    assert answers("w.onnx", frame, ["a"])[0] == frame["label"].tolist()


@pytest.mark.parametrize("options", [["--text", "m"], ["--text", "m", "--tfidf", "--min-df", "1"],
                                     ["--text", "m", "--hash-bits", "4"]])  # fmt: skip
def test_words_are_refused_by_name(here: Path, options: list[str]) -> None:
    Path("t.tsv").write_text("label\tm\n0\thello there\n1\tfree money\n0\thow are you\n1\tfree cash\n")
    novikoff("fit", "t.tsv", "--label", "label", *options, "-o", "m.nvk")
    told = novikoff("export", "m.nvk", "-o", "m.onnx")
    assert told.code == 3
    assert "column 'm' is text (" in told.err
    assert "ONNX has no operator that splits a text into words; --prepared writes the planes alone" in told.err
    assert not Path("m.onnx").exists()
    assert novikoff("export", "m.nvk", "-o", "m.onnx", "--prepared").code == 0
    assert "cannot be written as a LIBLINEAR model; --prepared" in novikoff("export", "m.nvk", "-o", "m.txt").err
    assert not Path("m.txt").exists()
    assert novikoff("export", "m.nvk", "-o", "m.txt", "--prepared").code == 0


def test_a_model_trained_again_on_prepared_points_exports_its_planes(here: Path) -> None:
    table(80).to_csv("train.csv", index=False)
    novikoff("fit", "train.csv", "--label", "label", *PREPARATIONS["scale"], "-o", "m.nvk")
    clf = nv.load("m.nvk").fit([[0.0], [1.0]], [0, 1])
    assert next(node.op_type for node in to_onnx(clf).graph.node) == "MatMul"
    save_liblinear(clf, "m.txt")
