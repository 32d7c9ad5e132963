"""`nv.to_sklearn` returns a scikit-learn estimator with the labels of the model: at ties, on raw rows, on real sets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.exceptions import NotFittedError

import novikoff as nv
from commands import novikoff
from data.choices import SCHEMES, allowed_for_many
from data.small_sets import fit_quietly

CHANCE = np.random.default_rng(11)
WHOLE = CHANCE.integers(-3, 4, (50, 5)).astype(np.float64)
Y = CHANCE.integers(0, 4, 50)


def fitted(X: Any, y: Any, **choices: Any) -> nv.Perceptron:
    return fit_quietly(nv.Perceptron(**{"max_iter": 5, **choices}), X, y)


CASES = [
    case
    for case in product((2, 3, 4), SCHEMES, ("negative", "positive"), ("last", "pocket", "average"))
    if case[0] == 2 or allowed_for_many(case[1], case[3])
]


@pytest.mark.parametrize(("classes", "scheme", "tie", "keep"), CASES)
def test_on_whole_numbers_every_label_is_ours_ties_too_also_in_onnx(
    tmp_path: Path, classes: int, scheme: str, tie: str, keep: str
) -> None:
    """Sums of small whole numbers are exact in any order; averages divide, and their points are kept off the plane."""
    clf = fitted(WHOLE, Y % classes, multi_class=scheme, tie=tie, keep=keep, eta0=0.3)
    points = np.vstack([np.zeros(5), CHANCE.integers(-4, 5, (300, 5))]) + (0.3 if keep == "average" else 0)
    made, wanted = nv.to_sklearn(clf), clf.predict(points).tolist()
    for rows in (points, sparse.csr_matrix(points)):
        assert made.predict(rows).tolist() == wanted
    assert in_onnx(clf, tmp_path, points) == wanted
    if classes == 2 and tie == "positive" and keep == "last":
        clf.intercept_ = np.zeros(1)
        assert nv.to_sklearn(clf).predict(np.zeros((1, 5))).tolist() == [clf.classes_[1]]


def test_a_pair_that_scores_0_votes_for_nobody() -> None:
    """The second and the third class have a vote each, as on the plane of the first two nobody wins."""
    clf = fitted(WHOLE, Y % 3, multi_class="ovo", keep="last")
    clf.coef_, clf.intercept_ = np.zeros((3, 5)), np.array([0.0, -5.0, 1.0])  # planes (1, 0), (2, 0), (2, 1)
    assert clf.decision_function(WHOLE[:1]).round().tolist() == [[1, 0, 1]]
    assert nv.to_sklearn(clf).predict(WHOLE).tolist() == clf.predict(WHOLE).tolist()


@pytest.mark.parametrize("multi_class", ["ova", "ovo"])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge", "logistic"])
@pytest.mark.parametrize("classes", [2, 3])
def test_soft_margins_have_the_same_labels_and_probabilities(classes: int, loss: str, multi_class: str) -> None:
    clf = fit_quietly(nv.SoftMargin(loss=loss, multi_class=multi_class), WHOLE, Y % classes)
    made = nv.to_sklearn(clf)
    assert made.predict(WHOLE).tolist() == clf.predict(WHOLE).tolist()
    if loss == "logistic" and multi_class == "ova":
        assert np.allclose(made.predict_proba(WHOLE), clf.predict_proba(WHOLE), rtol=1e-12)


def test_the_widest_plane_and_names_of_columns_go_along() -> None:
    X, y = nv.example("cornwell")
    frame = pd.DataFrame(X, columns=["a", "b"])
    for model in (nv.MaxMargin(), nv.Perceptron(), nv.Perceptron(multi_class="ovo")):
        labels = [*y, 7] if getattr(model, "multi_class", "") == "ovo" else list(y)
        rows = pd.concat([frame, frame[:1] + 50]) if len(labels) > len(y) else frame
        clf = fit_quietly(model, rows, np.array(labels))
        made = nv.to_sklearn(clf)
        assert made.predict(rows).tolist() == clf.predict(rows).tolist()
        assert made.feature_names_in_.tolist() == ["a", "b"]


def test_what_scikit_learn_cannot_express_is_refused() -> None:
    with pytest.raises(nv.InputError, match="'vote' predicts by many planes"):
        nv.to_sklearn(fitted(WHOLE, Y % 2, keep="vote"))
    with pytest.raises(nv.InputError, match="a fitted Perceptron, MaxMargin or SoftMargin was expected"):
        nv.to_sklearn(3)
    with pytest.raises(NotFittedError):
        nv.to_sklearn(nv.Perceptron())
    with pytest.raises(nv.InputError, match="only one class"):
        nv.to_sklearn(nv.Perceptron().partial_fit(WHOLE, np.zeros(50)))


# ---- preparation ---------------------------------------------------------------------------------------------------


def table(n: int, labels: int = 2) -> pd.DataFrame:
    """Rows with missing numbers and categories, and a label that depends on both."""
    frame = pd.DataFrame({
        "age": CHANCE.integers(1, 80, n) / 2,
        "fare": np.round(CHANCE.gamma(2.0, 20.0, n), 3),
        "place": CHANCE.choice(["S", "C", "Q"], n),
        "size": CHANCE.choice(["tiny", "large, or so", "ärmel"], n),
        "note": CHANCE.choice(["free cash now", "call me", "a cash call", "ok"], n),
    })  # fmt: skip
    value = frame["age"] / 20 - frame["fare"] / 40 + 2 * (frame["place"] == "C") + CHANCE.normal(0, 0.3, n)
    frame["label"] = [f"c{int(v)}" for v in np.clip(np.floor(value), 0, labels - 1)]
    frame.loc[CHANCE.random(n) < 0.15, "age"] = np.nan
    frame.loc[CHANCE.random(n) < 0.1, "place"] = None
    return frame


PREPARATIONS = {
    "scale": "--columns fare --scale",
    "impute": "--columns age,fare --missing impute --scale",
    "mean": "--columns age,fare --missing impute --impute-numbers mean",
    "one-hot": "--one-hot --drop age,note",
    "all": "--one-hot --drop note --missing impute --scale",
    "level": "--one-hot --drop note --missing impute --impute-categories level --normalize",
    "poly2": "--one-hot --drop note --missing impute --scale --features poly2",
    "poly2-unit": "--columns fare --scale --features poly2 --normalize",
    "only categories": "--one-hot --drop age,fare,note",
    "words beside": "--one-hot --missing impute --text note --tfidf --scale",
    "counts beside": "--one-hot --missing impute --text note --ngrams 1,2 --presence",
    "hashed beside": "--one-hot --missing impute --text note --hash-bits 5",
    "plain": "--columns fare",
}


def in_turn(names: Iterable[str], options: list[str]) -> list[tuple[str, str]]:
    """Each name with one of the options."""
    return [(name, options[k % len(options)]) for k, name in enumerate(names)]


WORDS_ALONE = {"words alone": "--columns note --text note --tfidf"}


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize(("name", "multi"), in_turn(PREPARATIONS, ["", "--multi ovo", "--multi ovo --ovo sum", ""]))
def test_raw_rows_get_the_labels_of_predict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, multi: str
) -> None:
    """By name, in another order and with more columns; and by position, from a table without names."""
    monkeypatch.chdir(tmp_path)
    classes = 3 if multi else 2
    rows, new = table(150, classes), table(100, classes)
    new.loc[3, "place"] = "unknown"
    rows.to_csv("named.csv", index=False)
    fit = ["fit", "named.csv", "--label", "label", *PREPARATIONS[name].split(), *multi.split(), "--max-passes", "12"]
    assert novikoff(*fit, "-o", "m.nvk").code == 0
    clf = nv.load("m.nvk")
    if clf.preparation_.columns.cells is None:
        new["place"] = new["place"].fillna("")
    made = nv.to_sklearn(clf)
    assert made.predict(new[new.columns[::-1]]).tolist() == clf.predict(new).tolist()
    if "--columns" in PREPARATIONS[name]:
        return
    rows.to_csv("bare.csv", index=False, header=False)
    places = {column: str(k) for k, column in enumerate(rows.columns, start=1)}
    fit = [",".join(places.get(part, part) for part in word.split(",")) for word in ["fit", "bare.csv", *fit[2:]]]
    assert novikoff(*fit, "--no-header", "-o", "b.nvk").code == 0
    clf = nv.load("b.nvk")
    made = nv.to_sklearn(clf)
    bare = new.drop(columns="label")
    bare.columns = range(5)
    assert made.predict(bare).tolist() == clf.predict(bare).tolist()
    assert made.predict(bare.to_numpy(object)).tolist() == clf.predict(bare).tolist()


@pytest.mark.parametrize("options", ["--tfidf", "--hash-bits 8", "--ngrams 1,2 --presence --normalize"])
def test_a_model_of_texts_takes_a_list_of_texts(
    shared_data: Callable[[str], Path], tmp_path: Path, options: str
) -> None:
    source = shared_data("sms_spam") / "SMSSpamCollection.tsv"
    texts = [line.split("\t", 1)[1] for line in source.read_text().splitlines()[:800]]
    model = tmp_path / "m.nvk"
    assert (
        novikoff("fit", source, "--text", 2, "--label", 1, *options.split(), "--max-passes", 2, "-o", model).code == 0
    )
    clf = nv.load(model)
    assert nv.to_sklearn(clf).predict(texts).tolist() == clf.predict(texts).tolist()


# ---- ONNX ----------------------------------------------------------------------------------------------------------


def in_onnx(clf: Any, folder: Path, rows: Any) -> list[Any]:
    """Labels that onnxruntime computes from points, or from the columns of a data frame."""
    pytest.importorskip("skl2onnx", reason="skl2onnx is not installed: the extra onnx")
    runtime = pytest.importorskip("onnxruntime", reason="onnxruntime is not installed: no graph can be run")
    nv.save(clf, folder / "m.nvk")
    told = novikoff("convert", folder / "m.nvk", folder / "m.onnx")
    if told.code:
        raise nv.InputError(told.err)
    session = runtime.InferenceSession(str(folder / "m.onnx"), providers=["CPUExecutionProvider"])
    feeds: dict[str, Any] = {}
    for given in session.get_inputs():
        column = [given.name.removeprefix("column_")]
        if not isinstance(rows, pd.DataFrame):
            feeds[given.name] = np.asarray(rows, np.float64)
        elif given.type == "tensor(string)":
            feeds[given.name] = rows[column].astype(object).where(rows[column].notna(), "").to_numpy()
        else:
            feeds[given.name] = rows[column].to_numpy(np.float64)
    label, scores = session.run(["label", "scores"], feeds)
    assert scores.dtype == np.float64
    assert scores.shape == (len(rows), len(clf.classes_))
    return list(label.tolist())


IN_ONNX = ["scale", "mean", "one-hot", "only categories", "gaps", "poly2", "plain"]


@pytest.mark.filterwarnings("ignore::novikoff.UnknownCategoryWarning")
@pytest.mark.parametrize(("name", "multi"), in_turn(IN_ONNX, ["", "--multi ovo"]))
def test_onnx_takes_the_raw_columns(tmp_path: Path, name: str, multi: str) -> None:
    """Each by its name, also where it is that of an output."""
    classes = 3 if multi else 2
    rows, new = (table(n, classes).rename(columns={"size": "X", "place": "scores"}) for n in (150, 100))
    new.loc[3, "scores"] = "unknown"
    rows.to_csv(tmp_path / "rows.csv", index=False)
    prepare = (PREPARATIONS | {"gaps": "--one-hot --drop note --missing impute --scale"})[name].split()
    fit = ["fit", tmp_path / "rows.csv", "--label", "label", *prepare, *multi.split(), "--max-passes", "12"]
    assert novikoff(*fit, "-o", tmp_path / "m.nvk").code == 0
    clf = nv.load(tmp_path / "m.nvk")
    if clf.preparation_.columns.cells is None:
        new["scores"] = new["scores"].fillna("")
    assert in_onnx(clf, tmp_path, new) == clf.predict(new).tolist()


@pytest.mark.parametrize(
    "labels",
    [np.array([-7, 9]), np.array([1, 2], np.uint8), np.array([1.0, 2.0], np.float32), np.array([3, 5], object),
     np.array(["ham", "spam"]), np.array(["ä", "日本"], object), np.array([False, True])],
)  # fmt: skip
def test_labels_of_onnx_are_whole_numbers_or_texts(tmp_path: Path, labels: np.ndarray) -> None:
    clf = fitted(WHOLE, labels[Y % 2])
    assert in_onnx(clf, tmp_path, WHOLE) == clf.predict(WHOLE).tolist()


def test_what_onnx_cannot_express_is_refused_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for labels in (np.array([0.5, 2.5]), np.array([1, 2**31])):
        with pytest.raises(nv.InputError, match="cannot be written as ONNX; texts, or whole numbers of 32 bits"):
            in_onnx(fitted(WHOLE, labels[Y % 2]), tmp_path, WHOLE)
    table(80).to_csv(tmp_path / "rows.csv", index=False)
    refused = {
        "level": "--normalize",
        "words alone": "--tfidf",
        "words beside": "--tfidf",
        "hashed beside": "--hash-bits",
    }
    for name, option in refused.items():
        options = (PREPARATIONS | WORDS_ALONE)[name].split()
        fit = ["fit", tmp_path / "rows.csv", "--label", "label", *options, "-o", tmp_path / "m.nvk"]
        assert novikoff(*fit).code == 0
        told = novikoff("convert", tmp_path / "m.nvk", tmp_path / "m.onnx")
        assert told.code == 3
        assert f"m.nvk: preparation: {option} cannot be written as ONNX" in told.err
    assert not (tmp_path / "m.onnx").exists()
    told = novikoff("convert", tmp_path / "m.nvk", tmp_path / "m.onnx", "--scale")
    assert told.code == 2
    assert "--scale: is for data; " in told.err
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    told = novikoff("convert", tmp_path / "m.nvk", tmp_path / "m.onnx")
    assert (told.code, 'pip install "novikoff[onnx]"' in told.err) == (3, True)
