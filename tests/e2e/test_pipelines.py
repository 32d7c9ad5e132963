"""A scikit-learn Pipeline is saved as a model file: it predicts as the pipeline does, in Python and in the shell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer, make_column_transformer
from sklearn.decomposition import PCA
from sklearn.feature_extraction.text import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    PolynomialFeatures,
    RobustScaler,
    StandardScaler,
)

import novikoff as nv
from commands import novikoff

CHANCE = np.random.default_rng(8)
N = 160
WORDS = ["free", "cash", "now", "call", "me", "at", "lunch", "prize", "number", "office", "the", "and"]


def passengers(n: int = N) -> pd.DataFrame:
    frame = pd.DataFrame({
        "Sex": CHANCE.choice(["male", "female"], n),
        "Age": CHANCE.integers(1, 160, n) / 2,
        "Message": [" ".join(CHANCE.choice(WORDS, 6)) for _ in range(n)],
        "Class": CHANCE.choice([1, 2, 10], n),
        "Fare": np.round(CHANCE.gamma(2.0, 20.0, n), 2),
        "Port": CHANCE.choice(["S", "C", "Q"], n),
    })  # fmt: skip
    value = (frame["Sex"] == "female") * 2 + frame["Fare"] / 40 - frame["Class"] / 4 + CHANCE.normal(0, 0.5, n)
    frame["Survived"] = np.where(value > 0.9, "yes", "no")
    return frame


FRAME = passengers()
GAPS = FRAME.copy()
GAPS.loc[CHANCE.random(N) < 0.2, "Age"] = np.nan
GAPS.loc[CHANCE.random(N) < 0.2, "Port"] = np.nan
NUMBERS, PLACES = ["Fare", "Age"], ["Port", "Sex", "Class"]
ONE_HOT = OneHotEncoder(handle_unknown="ignore")
CLF = nv.Perceptron(max_iter=30, random_state=0)
IMPUTED = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
MISSING_LEVEL = make_pipeline(SimpleImputer(strategy="constant", fill_value="missing_value"), ONE_HOT)

PIPELINES: dict[str, tuple[Any, pd.DataFrame]] = {
    "scaled numbers": (make_pipeline(StandardScaler(), CLF), FRAME[NUMBERS]),
    "mean only": (make_pipeline(StandardScaler(with_std=False), CLF), FRAME[NUMBERS]),
    "deviation only": (make_pipeline(StandardScaler(with_mean=False), CLF), FRAME[NUMBERS]),
    "imputed": (make_pipeline(SimpleImputer(), StandardScaler(), CLF), GAPS[NUMBERS]),
    "columns": (make_pipeline(make_column_transformer((ONE_HOT, PLACES), (StandardScaler(), NUMBERS)), CLF), FRAME),
    "first dropped": (
        make_pipeline(make_column_transformer((OneHotEncoder(drop="first"), PLACES), ("passthrough", NUMBERS)), CLF),
        FRAME,
    ),
    "remainder": (
        make_pipeline(make_column_transformer((ONE_HOT, PLACES), remainder="passthrough"), CLF),
        FRAME.drop(columns=["Message", "Survived"]),
    ),
    "titanic": (
        make_pipeline(ColumnTransformer([("places", MISSING_LEVEL, ["Port"]), ("n", IMPUTED, NUMBERS),
                                         ("sex", ONE_HOT, ["Sex"])]), CLF),
        GAPS,
    ),
    "most frequent": (
        make_pipeline(make_column_transformer(
            (make_pipeline(SimpleImputer(strategy="most_frequent"), ONE_HOT), ["Port", "Sex"]), (IMPUTED, ["Age"])
        ), CLF),
        GAPS,
    ),
    "missing is a category": (make_pipeline(make_column_transformer((ONE_HOT, ["Port", "Class"])), CLF), GAPS),
    "words": (
        make_pipeline(make_column_transformer((TfidfVectorizer(), "Message"), (StandardScaler(), ["Fare"]),
                                              (ONE_HOT, ["Sex"])), CLF),
        FRAME,
    ),
    "by position": (
        make_pipeline(make_column_transformer((ONE_HOT, [0, 3]), (StandardScaler(), [4, 1])), CLF), FRAME,
    ),
}  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fitted(pipeline: Any, X: Any, y: Any = FRAME["Survived"]) -> Any:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return clone(pipeline).fit(X, y)


@pytest.mark.parametrize("name", PIPELINES)
def test_the_loaded_model_predicts_as_the_pipeline_does(here: Path, name: str) -> None:
    pipeline, X = PIPELINES[name]
    pipeline = fitted(pipeline, X)
    nv.save(pipeline, "p.nvk")
    clf, new = nv.load("p.nvk"), passengers(90)
    assert clf.predict(X).tolist() == pipeline.predict(X).tolist()
    ours, theirs = clf.decision_function(new), pipeline.decision_function(new[X.columns])
    assert np.allclose(ours, theirs, rtol=1e-12, atol=1e-10 * np.abs(theirs).max())
    assert (np.sign(ours) == np.sign(theirs)).all()
    new.to_csv("new.csv", index=False)
    told = novikoff("predict", "p.nvk", "new.csv", "--label", "Survived", "--quiet")
    assert told.code == 0, told.err
    assert told.out.split() == pipeline.predict(new[X.columns]).tolist()
    nv.save(clf, "again.nvk")
    assert Path("again.nvk").read_bytes() == Path("p.nvk").read_bytes()


TEXTS = FRAME["Message"].tolist()


def test_arrays_without_names_are_taken_by_position(here: Path) -> None:
    X = FRAME[["Sex", "Fare", "Age"]].to_numpy(object)
    pipeline = fitted(make_pipeline(make_column_transformer((ONE_HOT, [0]), (StandardScaler(), [2, 1])), CLF), X)
    nv.save(pipeline, "p.nvk")
    clf = nv.load("p.nvk")
    assert clf.predict(pd.DataFrame(X)).tolist() == pipeline.predict(X).tolist()
    scaled = fitted(make_pipeline(StandardScaler(), CLF), X[:, 1:].astype(float))
    nv.save(scaled, "s.nvk")
    assert nv.load("s.nvk").predict(pd.DataFrame(X[:, 1:])).tolist() == scaled.predict(X[:, 1:].astype(float)).tolist()


def test_many_classes_and_the_widest_plane(here: Path) -> None:
    columns = make_column_transformer((ONE_HOT, ["Sex"]), (StandardScaler(), NUMBERS))
    for scheme in ("ova", "ovo", "joint"):
        pipeline = fitted(make_pipeline(columns, clone(CLF).set_params(multi_class=scheme)), FRAME, FRAME["Port"])
        nv.save(pipeline, "p.nvk")
        assert nv.load("p.nvk").predict(FRAME).tolist() == pipeline.predict(FRAME).tolist()
    easy = pd.DataFrame({"c": ["u", "v", "u", "v"], "x": [1.0, 2.0, 8.0, 9.0]})
    widest = make_pipeline(make_column_transformer((ONE_HOT, ["c"]), (StandardScaler(), ["x"])), nv.MaxMargin())
    nv.save(widest.fit(easy, [0, 0, 1, 1]), "w.nvk")
    assert nv.load("w.nvk").predict(easy).tolist() == [0, 0, 1, 1]


# ---- what cannot be stored -----------------------------------------------------------------------------------------

COLUMNS = make_column_transformer((ONE_HOT, ["Sex"]), (StandardScaler(), NUMBERS))
REFUSED: dict[str, tuple[Any, Any, str]] = {
    "pca": (make_pipeline(StandardScaler(), PCA(1), CLF), FRAME[NUMBERS],
            r"step 'pca' \(PCA\) cannot be stored in a model file; the steps that can are ColumnTransformer, Sim"),
    "min-max": (make_pipeline(MinMaxScaler(), CLF), FRAME[NUMBERS], r"'minmaxscaler' \(MinMaxScaler\) cannot be sto"),
    "function": (make_pipeline(FunctionTransformer(np.log1p), CLF), FRAME[NUMBERS], r"\(FunctionTransformer\) cannot"),
    "inside": (make_pipeline(make_column_transformer((make_pipeline(SimpleImputer(), PCA(1)), NUMBERS)), CLF), FRAME,
               r"step 'columntransformer__pipeline__pca' \(PCA\) cannot be stored"),
    "robust": (make_pipeline(RobustScaler(), CLF), FRAME[NUMBERS], r"'robustscaler' \(RobustScaler\) cannot be stored"),
    "products": (make_pipeline(StandardScaler(), PolynomialFeatures(2), CLF), FRAME[NUMBERS],
                 r"step 'polynomialfeatures' \(PolynomialFeatures\) cannot be stored"),
    "twice scaled": (make_pipeline(StandardScaler(), StandardScaler(), CLF), FRAME[NUMBERS], r"it cannot follow"),
    "indicators": (make_pipeline(SimpleImputer(add_indicator=True), CLF), GAPS[NUMBERS], r"add_indicator=True; False"),
    "after columns": (make_pipeline(COLUMNS, StandardScaler(), CLF), FRAME, r"after a ColumnTransformer; put it"),
    "rare categories": (make_pipeline(make_column_transformer((OneHotEncoder(min_frequency=70), ["Port"])), CLF), FRAME,
                        r"min_frequency or max_categories"),
    "other words": (make_pipeline(CountVectorizer(token_pattern=r"\w+"), CLF), TEXTS, r"token_pattern='\\\\w\+'; "),
    "cased": (make_pipeline(TfidfVectorizer(lowercase=False), CLF), TEXTS, r"lowercase=False; True can be stored"),
    "log counts": (make_pipeline(TfidfVectorizer(sublinear_tf=True), CLF), TEXTS, r"sublinear_tf other than the"),
    "odd hash": (make_pipeline(HashingVectorizer(n_features=100), CLF), TEXTS, r"n_features=100"),
    "unit hashes": (make_pipeline(HashingVectorizer(n_features=64), CLF), TEXTS, r"norm='l2'; a power of two"),
    "partly imputed": (
        make_pipeline(make_column_transformer((SimpleImputer(), ["Age"]), ("passthrough", ["Fare"])), CLF), GAPS,
        r"column 'Fare' is not imputed, and others are",
    ),
    "votes": (make_pipeline(COLUMNS, nv.Perceptron(keep="vote", max_iter=3)), FRAME, r"keep: 'vote' stores its train"),
    "logistic": (make_pipeline(StandardScaler(), LogisticRegression()), FRAME[NUMBERS],
                 r"the last step of the pipeline, 'logisticregression', is LogisticRegression; a fitted Percep"),
    "nothing": (Pipeline([("clf", CLF)]), FRAME[NUMBERS], r"the pipeline has a single step; save the estimator itself"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_step_that_cannot_be_stored_is_named_and_nothing_is_written(here: Path, name: str) -> None:
    pipeline, X, message = REFUSED[name]
    pipeline = fitted(pipeline, X)
    with pytest.raises(nv.InputError, match=message):
        nv.save(pipeline, "p.nvk")
    assert list(here.iterdir()) == []


def test_a_pipeline_that_is_not_fitted_cannot_be_saved(here: Path) -> None:
    with pytest.raises(ValueError, match="not fitted"):
        nv.save(make_pipeline(StandardScaler(), nv.Perceptron()), "p.nvk")
    with pytest.raises(nv.InputError, match="a pipeline has its own"):
        nv.save(fitted(*PIPELINES["columns"]), "p.nvk", preparation=object())
