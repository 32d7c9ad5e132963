"""Convert a fitted scikit-learn Pipeline to a model: a preparation with the same numbers, and planes for its columns.

    columns    in a ColumnTransformer or for all columns: SimpleImputer → StandardScaler, SimpleImputer → OneHotEncoder
    texts      CountVectorizer → TfidfTransformer, TfidfVectorizer, HashingVectorizer without a norm
    last       Perceptron or MaxMargin

All else is refused by name. The preparation has its columns in its own order, so the weights are reordered; a category
that OneHotEncoder(drop=…) omits gets the weight 0. Predictions are those of the pipeline, as signs of scores are exact;
scores may differ in the last bits. An unknown category is a row of zeros, also where OneHotEncoder would raise. Nothing
here imports scikit-learn: steps are known by their class and read by their fitted attributes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.io.rows import Form
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.hashing import MOST, Hash
from novikoff.prepare.imputation import LEVEL, Impute, is_missing
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.scaling import Scale, Unscaled
from novikoff.prepare.text_analysis import ANALYZERS, TOKENS, TextAnalysis, analysis_of
from novikoff.prepare.word_counts import Words

VECTORIZERS = ("CountVectorizer", "TfidfVectorizer", "HashingVectorizer")
KNOWN = ("ColumnTransformer", "SimpleImputer", "StandardScaler", "OneHotEncoder", *VECTORIZERS, "TfidfTransformer")
SEQUENCES = {  # of the steps for some columns
    (),
    *((kind,) for kind in ("SimpleImputer", "StandardScaler", "OneHotEncoder", *VECTORIZERS)),
    ("SimpleImputer", "StandardScaler"),
    ("SimpleImputer", "OneHotEncoder"),
    ("CountVectorizer", "TfidfTransformer"),
}
TEXT = "text"  # the name of a column of texts without one

Column = tuple[Any, ...]  # ("number", name), ("category", name, category), ("word", name, word or j)
Steps = Sequence[tuple[str, Any]]  # with their names


def is_pipeline(clf: Any) -> bool:
    """Return whether this is a Pipeline of scikit-learn."""
    return type(clf).__name__ == "Pipeline" and type(clf).__module__.startswith("sklearn.")


def model_of_pipeline(pipeline: Any) -> tuple[Any, Preparation]:
    """Return the last step, with its weights in the order of the preparation's columns, and the preparation.

    Raise InputError that names the first step that a model file cannot express.
    """
    *steps, (name, clf) = pipeline.steps
    if not isinstance(clf, Trained) and type(clf).__name__ != "MaxMargin":
        raise InputError(
            f"clf: the last step of the pipeline, {name!r}, is {type(clf).__name__}; a fitted Perceptron or MaxMargin "
            "was expected"
        )
    clf._check_fitted()
    steps = [(name, step) for name, step in steps if step not in (None, "passthrough")]
    if not steps:
        raise InputError("clf: the pipeline has a single step; save the estimator itself: nv.save(pipeline[-1], path)")
    columns = PipelineColumns(steps)
    if len(columns.made) != clf.n_features_in_:
        raise InputError(
            f"clf: the steps of the pipeline make {len(columns.made)} columns, and the last one was fitted on "
            f"{clf.n_features_in_}; fit the pipeline as a whole"
        )
    fitted = columns.steps()
    return _reordered(clf, columns.made, columns.own(fitted)), columns.preparation(fitted)


def refuse(name: str, step: Any, why: str = "") -> NoReturn:
    """Raise InputError for a step; why: what of it cannot be stored, if it is of a known class."""
    found = f": {why}" if why else f"; the steps that can are {', '.join(KNOWN)}"
    raise InputError(f"pipeline: step {name!r} ({type(step).__name__}) cannot be stored in a model file{found}")


# ---- the columns ---------------------------------------------------------------------------------------------------


@dataclass
class NumberColumn:
    """A column of numbers: what replaces a missing one (None: nothing), and (x − mean)/deviation."""

    fill: float | None
    mean: float
    deviation: float


class PipelineColumns:
    """The raw columns of a pipeline with their fitted steps, and the columns that it makes of them, in its order."""

    def __init__(self, steps: Steps) -> None:
        first = steps[0][1]
        named = getattr(first, "feature_names_in_", None)
        self.named, self.only_texts = named is not None, type(first).__name__ in VECTORIZERS
        width = int(getattr(first, "n_features_in_", 0))
        self.names = [f"x{j + 1}" for j in range(width)] if named is None else [str(name) for name in named]
        self.numbers: dict[str, NumberColumn] = {}
        self.categories: dict[str, tuple[OneHot, str | None]] = {}  # and what replaces a missing one
        self.texts: dict[str, Words | Hash] = {}
        parts = list(_parts(steps, [TEXT] if self.only_texts else self.names))
        kinds = {type(step).__name__ for some, _ in parts for _, step in some}
        self.imputes, self.scales = "SimpleImputer" in kinds, "StandardScaler" in kinds
        self.made = [column for some, columns in parts for column in self._read(some, columns)]

    def _read(self, steps: Steps, columns: list[str]) -> list[Column]:
        """Read the steps of some columns, and return the columns that they make."""
        for column in columns:
            if column in self.numbers or column in self.categories or column in self.texts:
                raise InputError(f"pipeline: column {column!r} is used twice; a model file uses it once")
        kinds = tuple(type(step).__name__ for _, step in steps)
        for k, (name, step) in enumerate(steps):
            if kinds[: k + 1] not in SEQUENCES:
                refuse(name, step, "it cannot follow the steps before it" if kinds[k] in KNOWN else "")
        found = dict(zip(kinds, steps, strict=True))
        if kinds and kinds[0] in VECTORIZERS:
            if len(columns) != 1:
                refuse(*steps[0], "it is for one column of texts")
            self.texts[columns[0]], words = _text_step(steps)
            return [("word", columns[0], word) for word in words]
        fills = _imputer(*found["SimpleImputer"], columns) if "SimpleImputer" in found else {}
        if "OneHotEncoder" in found:
            return self._one_hot(*found["OneHotEncoder"], columns, fills)
        means, scales = np.zeros(len(columns)), np.ones(len(columns))
        if "StandardScaler" in found:
            scaler = found["StandardScaler"][1]
            means = scaler.mean_ if scaler.with_mean else means
            scales = scales if scaler.scale_ is None else scaler.scale_
        for column, mean, scale in zip(columns, means.tolist(), scales.tolist(), strict=True):
            fill = fills.get(column)
            if isinstance(fill, str):
                raise InputError(f"pipeline: column {column!r} holds texts without OneHotEncoder; add one")
            self.numbers[column] = NumberColumn(None if fill is None else float(fill), mean, scale)
        return [("number", column) for column in columns]

    def _one_hot(self, name: str, step: Any, columns: list[str], fills: dict[str, Any]) -> list[Column]:
        if getattr(step, "_infrequent_enabled", False):
            refuse(name, step, "min_frequency or max_categories")
        dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(columns)
        made: list[Column] = []
        for column, values, out in zip(columns, step.categories_, dropped, strict=True):
            spelled = [(LEVEL if self.imputes else "") if _is_nan(v) else _spelled(v) for v in values.tolist()]
            if lost := [text for text in spelled if self.imputes and is_missing(text)]:
                refuse(
                    name, step, f"the category {lost[0]!r} of column {column!r} means a missing value in a model file"
                )
            if len(set(spelled)) < len(spelled):
                refuse(name, step, f"column {column!r} has two categories that are spelled alike")
            one_hot = OneHot(max(len(spelled), 1))
            one_hot.categories = tuple(sorted(spelled))
            self.categories[column] = one_hot, None if column not in fills else _spelled(fills[column])
            made += [("category", column, text) for j, text in enumerate(spelled) if j != out]
        return made

    def _ordered(self, group: dict[str, Any]) -> list[str]:
        """Return the columns of a group in the order of the training rows."""
        return [name for name in ([TEXT] if self.only_texts else self.names) if name in group]

    def steps(self) -> ColumnSteps:
        """Return the fitted steps of the preparation."""
        numbers, categories = self._ordered(self.numbers), self._ordered(self.categories)
        own = [self.numbers[name] for name in numbers]
        step = Unscaled() if own else None
        if own and self.scales:
            step = Scale(any(number.mean for number in own))
            step.mean = np.array([number.mean for number in own])
            step.deviation = np.array([number.deviation for number in own])
        return ColumnSteps(
            len(numbers),
            tuple(numbers) if self.named and numbers else None,
            step,
            {name: self.categories[name][0] for name in categories},
            {name: self.texts[name] for name in self._ordered(self.texts)},
            cells=self._cells(numbers, categories) if self.imputes else None,
        )

    def _cells(self, numbers: list[str], categories: list[str]) -> Impute:
        """Return the imputation."""
        fills = [self.numbers[name].fill for name in numbers]
        for name, fill in zip(numbers, fills, strict=True):
            if fill is None:
                raise InputError(
                    f"pipeline: column {name!r} is not imputed, and others are; a model file imputes every column of "
                    "numbers or none: add SimpleImputer for it"
                )
        step = Impute()
        step.fill = np.array(fills, np.float64)
        filled = {name: self.categories[name][1] for name in categories}
        step.frequent = {name: LEVEL if fill is None else fill for name, fill in filled.items()}
        return step

    def own(self, steps: ColumnSteps) -> list[Column]:
        """Return the columns of the preparation, in its order."""
        numbers = self._ordered(self.numbers)
        own: list[Column] = [("number", name) for name in numbers]
        own += [("category", name, text) for name, step in steps.categories.items() for text in step.categories]
        for name, step in steps.text.items():
            own += [("word", name, word) for word in (step.words if isinstance(step, Words) else range(1 << step.bits))]
        return own

    def preparation(self, steps: ColumnSteps) -> Preparation:
        """Return the fitted preparation, with how its rows are read."""
        prep = Preparation(*{step.kind: step for step, _ in steps.steps()}.values())
        prep._columns = steps
        used, form = {*self.numbers, *self.categories, *self.texts}, Form()
        if not self.only_texts:
            places = {name: name if self.named else j for j, name in enumerate(self.names)}
            text, categories = (tuple(places[name] for name in group) for group in (steps.text, steps.categories))
            unused = tuple(place for name, place in places.items() if name not in used)
            form = Form(None, text, categories, len(self.names) + 1, dropped=unused)
        reading = {"label_as": [], "decimal_comma": False, "drop": False, "transpose": False, "format": None}
        prep.report = {"pipeline": True, "columns": len(steps.names), "read": form.plain() | reading}
        return prep


def _parts(steps: Steps, every: list[str]) -> Iterator[tuple[Steps, list[str]]]:
    """Yield the steps of each group of columns, and the columns: those of a ColumnTransformer, or all."""
    name, first = steps[0]
    if type(first).__name__ != "ColumnTransformer":
        yield steps, every
        return
    if len(steps) > 1:
        refuse(*steps[1], "it comes after a ColumnTransformer; put it into one of its transformers")
    if first.transformer_weights:
        refuse(name, first, "transformer_weights")
    for inner, step, _ in first.transformers_:
        if not (isinstance(step, str) and step == "drop"):
            places = first._transformer_to_input_indices[inner]
            yield _single(f"{name}__{inner}", step), [every[j] for j in places]


def _single(name: str, step: Any) -> Steps:
    """Return the single steps of a transformer, which may be a Pipeline; none for one that passes its columns on."""
    if step is None or isinstance(step, str) or (type(step).__name__ == "FunctionTransformer" and step.func is None):
        return []
    if type(step).__name__ == "Pipeline":
        return [one for inner, part in step.steps for one in _single(f"{name}__{inner}", part)]
    return [(name, step)]


def _imputer(name: str, step: Any, columns: Sequence[str]) -> dict[str, Any]:
    """Return what replaces a missing value of each column."""
    if step.add_indicator:
        refuse(name, step, "add_indicator=True; False can be stored")
    if not _is_nan(step.missing_values):
        refuse(name, step, f"missing_values={step.missing_values!r}; NaN can be stored")
    fills = dict(zip(columns, np.asarray(step.statistics_, object).tolist(), strict=True))
    for column, fill in fills.items():
        if _is_nan(fill):
            refuse(name, step, f"column {column!r} has no value in training, and is omitted")
    return fills


def _is_nan(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _spelled(value: Any) -> str:
    """Return a category as a file spells it: 3.0 is "3"."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()


# ---- texts ---------------------------------------------------------------------------------------------------------


def _text_step(steps: Steps) -> tuple[Words | Hash, list[Any]]:
    """Return the step of a preparation that a vectorizer is, and the words or hashes that it makes, in its order."""
    (name, step), (last_name, last) = steps[0], steps[-1]
    analysis, kind = _analysis(name, step), type(step).__name__
    if kind == "HashingVectorizer":
        bits = int(step.n_features).bit_length() - 1
        if 1 << bits != step.n_features or not 1 <= bits <= MOST or not step.alternate_sign or step.norm is not None:
            refuse(
                name, step, f"n_features={step.n_features}, alternate_sign={step.alternate_sign}, norm={step.norm!r}; "
                "a power of two, True and None can be stored"
            )  # fmt: skip
        return Hash(bits, analysis), list(range(1 << bits))
    tfidf = kind == "TfidfVectorizer" or len(steps) > 1
    if tfidf and (last.norm != "l2" or not last.use_idf or last.sublinear_tf):
        refuse(last_name, last, "norm, use_idf or sublinear_tf other than the defaults")
    counted, places = Words(tfidf, 1, analysis), step.vocabulary_
    counted.words = tuple(sorted(places))
    if tfidf:
        counted.idf = np.asarray(last.idf_, np.float64)[[places[word] for word in counted.words]].copy()
    return counted, sorted(places, key=places.__getitem__)


def _analysis(name: str, step: Any) -> TextAnalysis:
    """Return what a vectorizer counts in a text."""
    usual = {"lowercase": True, "strip_accents": None, "preprocessor": None, "tokenizer": None, "input": "content"}
    if step.analyzer == "word":
        usual |= {"token_pattern": TOKENS, "stop_words": None}
    for key, value in usual.items():
        if getattr(step, key) != value:
            refuse(name, step, f"{key}={getattr(step, key)!r}; {value!r} can be stored")
    if step.analyzer not in ANALYZERS:
        refuse(name, step, f"analyzer={step.analyzer!r}")
    try:
        return analysis_of(bool(step.binary), tuple(step.ngram_range), step.analyzer)
    except InputError as error:
        refuse(name, step, str(error))


# ---- the planes ----------------------------------------------------------------------------------------------------


def _reordered(clf: Any, made: list[Column], own: list[Column]) -> Any:
    """Return the estimator with its weights in the order of the preparation's columns; 0 for one that is not made."""
    places = {column: j for j, column in enumerate(made)}
    order = [places.get(column, -1) for column in own]
    if order == list(range(len(made))):
        return clf
    if getattr(clf, "_voters", None) is not None:
        raise InputError(
            "keep: 'vote' stores its training rows, whose columns the pipeline has in another order than the model "
            "file: numbers first, then categories, then texts; use keep='average', or this order"
        )
    planes, scale = (
        clf.as_trained() if isinstance(clf, Trained) else (np.column_stack([clf.coef_, clf.intercept_]), 1.0)
    )
    w, b = planes[:, :-1], planes[:, -1]
    moved = np.column_stack([np.column_stack([w, np.zeros(len(w))])[:, order], b])
    new = copy(clf)
    new.coef_, new.intercept_ = moved[:, :-1] * scale, moved[:, -1] * scale
    if isinstance(new, Trained):
        new._plane, new._scale, new._stream = moved, scale, None
    new.n_features_in_ = len(order)
    vars(new).pop("feature_names_in_", None)
    return new
