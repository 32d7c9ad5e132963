"""Convert a fitted model to scikit-learn: a linear classifier with the same planes, after its preparation.

    numbers     SimpleImputer → StandardScaler ─┐
    categories  SimpleImputer → OneHotEncoder ──┼→ PolynomialFeatures → Normalizer → SGDClassifier
    text        CountVectorizer → Tfidf, Hashing ┘

Each step is fitted on rows of zeros and is then given the model's own numbers, so nothing is trained. Where pairs vote,
a FeatureUnion makes votes of the scores of all pairs, and the summed scores that break ties: OneVsOneClassifier would
give a vote for a score of 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import TruncatedSVD
from sklearn.impute import SimpleImputer
from sklearn.linear_model import SGDClassifier
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import (
    Binarizer,
    FunctionTransformer,
    Normalizer,
    OneHotEncoder,
    PolynomialFeatures,
    StandardScaler,
)

from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.estimators.maxmargin_estimator import MaxMargin
from novikoff.estimators.new_rows import preparation_of
from novikoff.estimators.soft_margin_estimator import SoftMargin
from novikoff.io.model_reader import model_reader_of
from novikoff.io.python_rows import places_of
from novikoff.io.rows import Form, has_names
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.hashing import Hash
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.products import Products
from novikoff.prepare.scaling import Scale
from novikoff.prepare.word_counts import Words, vectorizers

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline

TINY = float(np.finfo(np.float64).tiny)  # smallest normal number
LOSSES = {"hinge": "hinge", "squared_hinge": "squared_hinge", "logistic": "log_loss"}


def to_sklearn(model: Model) -> Pipeline:
    """Return a fitted scikit-learn estimator that predicts the same labels as a fitted model.

    It is a linear classifier, or a Pipeline with the preparation of a loaded model, and takes the same columns: a data
    frame by name, a table without names by position (without the label), and a single column of text as a list of
    texts. A missing value is NaN, and a category is a text. Scores are rounded sums, whose sign may differ from the
    exact one on a point that lies on a plane up to rounding; η does not scale them.

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> clf = nv.to_sklearn(nv.Perceptron().fit(X, y))
    >>> clf, clf.coef_.tolist(), clf.intercept_.tolist()
    (SGDClassifier(loss='perceptron'), [[4.0, -0.5]], [1.0])
    """
    if not isinstance(model, Trained | MaxMargin | SoftMargin):
        raise InputError(
            f"model: found {type(model).__name__}; a fitted Perceptron, MaxMargin or SoftMargin was expected"
        )
    model._check_fitted()
    if len(model.classes_) < 2:
        raise InputError(f"model: only one class, {model.classes_.tolist()[0]!r}, was seen so far; add rows of another")
    if getattr(model, "_voters", None) is not None:
        raise InputError("keep: 'vote' predicts by many planes, scikit-learn's classifiers by one; use keep='average'")
    last, prep = _classifier(model), preparation_of(model)
    if prep is not None and not (prep.is_plain and not model_reader_of(prep).form.dropped):
        return _joined([*_preparation(prep), *last])
    if hasattr(model, "feature_names_in_"):
        _name_columns(last[0][1], model.feature_names_in_)
    return _joined(last)


def _joined(steps: list[tuple[str, Any]]) -> Any:
    return steps[0][1] if len(steps) == 1 else Pipeline(steps)


def _name_columns(step: Any, names: np.ndarray) -> None:
    """Give a step the names of its columns; of a Pipeline the first, of a FeatureUnion the first of each part."""
    if hasattr(step, "transformer_list"):
        for _, part in step.transformer_list:
            _name_columns(part, names)
    elif hasattr(step, "steps"):
        _name_columns(step.steps[0][1], names)
    else:
        step.feature_names_in_ = names


# ---- the planes ----------------------------------------------------------------------------------------------------


def _classifier(model: Any) -> list[tuple[str, Any]]:
    """Return the steps from prepared rows to labels."""
    planes = model.as_trained()[0] if isinstance(model, Trained) else np.column_stack([model.coef_, model.intercept_])
    loss = "perceptron" if isinstance(model, Trained) else LOSSES[getattr(model, "loss", "hinge")]
    classes = model.classes_
    if len(classes) == 2:
        if getattr(model, "tie", "negative") == "positive":  # at a score of 0 scikit-learn predicts the first class
            planes, classes = -planes, classes[::-1]
        return [_linear(loss, planes, classes)]
    scheme = model.scheme_of_many()
    each = scheme.class_planes(planes)
    return _voting(loss, planes, each, scheme, classes) if scheme.votes else [_linear(loss, each, classes)]


def _linear(loss: str, planes: np.ndarray, classes: np.ndarray) -> tuple[str, Any]:
    made = SGDClassifier(loss=loss)
    made.coef_, made.intercept_, made.classes_ = planes[:, :-1].copy(), planes[:, -1].copy(), classes.copy()
    made.n_features_in_ = planes.shape[1] - 1
    return "classifier", made


def _voting(loss: str, pairs: np.ndarray, each: np.ndarray, scheme: Any, classes: np.ndarray) -> list[tuple[str, Any]]:
    """Return the steps that make votes of the scores of pairs, in both directions, and count them.

    The scores of the classes are divided by the sum of their sizes and count a third, so that they only break ties; a
    constant beside them keeps that sum above 0.
    """
    constant = np.eye(1, each.shape[1], each.shape[1] - 1) * TINY
    # no score is between 0 and TINY: in ONNX a Binarizer also takes the threshold itself
    won = Pipeline([*_scores(np.vstack([pairs, -pairs])), ("vote", Binarizer(threshold=TINY))])
    sums = Pipeline([*_scores(np.vstack([each, constant])), ("share", Normalizer("l1"))])
    one = np.eye(len(classes))
    winners = [winner for winner, _ in scheme.pairs] + [loser for _, loser in scheme.pairs]
    counts = np.column_stack([one[winners].T, one / 3, np.zeros((len(one), 2))])
    return [("votes", FeatureUnion([("pairs", won), ("sums", sums)])), _linear(loss, counts, classes)]


def _scores(planes: np.ndarray) -> list[tuple[str, Any]]:
    """Return the steps that compute w·x + b of each plane."""
    products = TruncatedSVD(len(planes))
    products.components_, products.n_features_in_ = planes[:, :-1].copy(), planes.shape[1] - 1
    return [("products", products), ("bias", _scaler(-planes[:, -1], np.ones(len(planes))))]


# ---- the preparation -----------------------------------------------------------------------------------------------


def _preparation(prep: Preparation) -> list[tuple[str, Any]]:
    """Return the fitted steps from raw to prepared rows."""
    columns, form = replace(prep.columns, others=prep.others), model_reader_of(prep).form
    if columns.named is None and not (columns.categories or columns.text or form.dropped):
        steps = _numbers(columns)
    elif len(columns.text) == 1 and not columns.d and not columns.categories:
        steps = [step for text in columns.text.values() for step in _text(text)]
    else:
        steps = [("columns", _columns(columns, form))]
    width = len(replace(columns, rows=[]).names)
    for step in columns.rows:
        if isinstance(step, Products):
            products = PolynomialFeatures(2, include_bias=False).fit(np.zeros((1, width)))
            steps.append(("products", products))
        else:
            steps.append(("unit_length", Normalizer()))
    return steps


def _columns(columns: ColumnSteps, form: Form) -> Any:
    """Return the ColumnTransformer of a table; it finds columns by name if they have names."""
    named = has_names(columns, form)
    names = [*columns.number_names, *columns.categories, *columns.text]
    places, width = ({name: k for k, name in enumerate(names)}, len(names)) if named else places_of(columns, form)
    numbers, categories = ([places[name] for name in part] for part in (columns.number_names, columns.categories))
    parts: list[tuple[str, Any, Any]] = []
    if numbers:
        parts.append(("numbers", _joined(_numbers(columns) or [("plain", FunctionTransformer())]), numbers))
    if categories:
        parts.append(("categories", _joined(_categories(columns)), categories))
    for k, (name, step) in enumerate(columns.text.items(), start=1):
        parts.append((f"text{k}", _joined(_text(step)), places[name]))
    rows = np.full((2, width), "", object)
    rows[:, numbers] = 0.0
    made = ColumnTransformer(parts).fit(rows)
    made.transformers_[: len(parts)] = parts  # instead of the copies that were fitted
    if named:
        made.feature_names_in_ = np.array(names, dtype=object)
        for _, step, taken in parts[: len(parts) - len(columns.text)]:
            _name_columns(step, made.feature_names_in_[taken])
    return made


def _numbers(columns: ColumnSteps) -> list[tuple[str, Any]]:
    steps: list[tuple[str, Any]] = []
    step, cells = columns.numbers, columns.cells
    if cells is not None:
        imputer = SimpleImputer(strategy=cells.numbers).fit(np.zeros((2, columns.d)))
        imputer.statistics_ = cells.fill.copy()
        steps.append(("imputer", imputer))
    if isinstance(step, Scale):
        steps.append(("scaler", _scaler(step.mean if step.centre else None, step.deviation)))
    return steps


def _scaler(mean: np.ndarray | None, by: np.ndarray) -> Any:
    """Return the StandardScaler (x − mean)/by; mean: None for no subtraction."""
    made = StandardScaler(with_mean=mean is not None)
    made.mean_, made.scale_, made.var_, made.n_features_in_ = mean, by, by * by, len(by)
    return made


def _categories(columns: ColumnSteps) -> list[tuple[str, Any]]:
    each = [np.array(step.categories, object) for step in columns.categories.values()]
    row = np.full((1, len(each)), "", object)
    encoder = OneHotEncoder(categories=each, handle_unknown="ignore").fit(row)
    if columns.cells is None:
        return [("one_hot", encoder)]
    imputer = SimpleImputer(strategy="most_frequent").fit(row)
    imputer.statistics_ = np.array([columns.cells.frequent[name] for name in columns.categories], object)
    return [("imputer", imputer), ("one_hot", encoder)]


def _text(step: Words | Hash) -> list[tuple[str, Any]]:
    if isinstance(step, Hash):
        return [("hash", step.vectorizer())]
    counter, weigher = vectorizers(step.words, step.idf, step.analysis)
    return [("words", counter.fit([""]))] + ([] if weigher is None else [("tfidf", weigher)])
