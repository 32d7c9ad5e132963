"""Read the fitted steps of a Pipeline that make columns: imputation, scaling, categories, texts.

`made` are the columns that the steps make, in their order, each by what it is: ("number", name), ("missing", name),
("category", name, category), ("word", name, word), ("hash", name, j).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.model.pipeline.pipeline_texts import KNOWN, VECTORIZERS, made_of_text, refuse, text_step
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.hashing import Hash
from novikoff.prepare.imputation import LEVEL, Impute, is_missing
from novikoff.prepare.onehot import OneHot
from novikoff.prepare.products import Products, UnitRows
from novikoff.prepare.scaling import Scale, Unscaled
from novikoff.prepare.word_counts import Words

Column = tuple[Any, ...]
BIAS: Column = ("bias",)
SCALERS = {"StandardScaler": "mean_", "RobustScaler": "center_", "MaxAbsScaler": None}  # what is subtracted
TEXT = "text"  # the name of a column of texts without one


@dataclass
class NumberColumn:
    """A column of numbers: what replaces a missing one (None: nothing), and (x − mean)/deviation."""

    fill: float | None = None
    mean: float = 0.0
    deviation: float = 1.0
    scaled: bool = False
    indicated: bool = False


class PipelineColumns:
    """The raw columns of a pipeline, with their fitted steps. names: of all columns that it was fitted on, or None."""

    def __init__(self, first: Any) -> None:
        named = getattr(first, "feature_names_in_", None)
        self.names: list[str] | None = None if named is None else [str(name) for name in named]
        self.width = int(getattr(first, "n_features_in_", 0))
        self.numbers: dict[str, NumberColumn] = {}
        self.categories: dict[str, tuple[OneHot, str | None]] = {}  # and what replaces a missing one
        self.texts: dict[str, Words | Hash] = {}
        self.only_texts = False
        self.unit_length = False
        self.imputes = False  # whether a step does

    def read(self, steps: Sequence[tuple[str, Any]]) -> list[Column]:
        """Read the steps before those for whole rows, and return the columns that they make."""
        self.imputes = any(type(one).__name__ == "SimpleImputer" for _, one in _flat_all(steps))
        if not steps:
            return self._part([], self._all())
        name, first = steps[0]
        if type(first).__name__ != "ColumnTransformer":
            self.only_texts = type(first).__name__ in VECTORIZERS
            return self._part(steps, [TEXT] if self.only_texts else self._all())
        if len(steps) > 1:
            refuse(steps[1][0], steps[1][1], "it comes after a ColumnTransformer; put it into one of its transformers")
        if first.transformer_weights:
            refuse(name, first, "transformer_weights")
        made: list[Column] = []
        for inner, step, columns in first.transformers_:
            if not (isinstance(step, str) and step == "drop"):
                made += self._part(_flat(f"{name}__{inner}", step), self._named(name, first, columns))
        return made

    def _all(self) -> list[str]:
        return self.names if self.names is not None else [f"x{j + 1}" for j in range(self.width)]

    def _named(self, name: str, step: Any, columns: Any) -> list[str]:
        """Return the names of the columns that a transformer takes."""
        every = self._all()
        listed = [columns] if isinstance(columns, str | int) else columns
        if isinstance(listed, slice):
            ends = [every.index(end) if isinstance(end, str) else end for end in (listed.start, listed.stop)]
            ends[1] = ends[1] + 1 if isinstance(listed.stop, str) else ends[1]
            return every[slice(ends[0], ends[1], listed.step)]
        try:
            cells = np.asarray(listed)
            if cells.dtype == bool:
                return [column for column, chosen in zip(every, cells.tolist(), strict=True) if chosen]
            return [c if isinstance(c, str) else every[c] for c in cells.tolist()]
        except (TypeError, ValueError, IndexError):
            refuse(name, step, f"the columns {columns!r}")

    # ---- the steps of some columns ----

    def _part(self, steps: Sequence[tuple[str, Any]], columns: list[str]) -> list[Column]:
        """Read the steps of some columns, and return the columns that they make."""
        for column in columns:
            if column in self.numbers or column in self.categories or column in self.texts:
                raise InputError(f"pipeline: column {column!r} is used twice; a model file uses it once")
        fills: dict[str, Any] = {}
        marks: list[str] = []
        numbers = {column: NumberColumn() for column in columns}
        for k, (name, step) in enumerate(steps):
            kind = type(step).__name__
            if kind == "SimpleImputer" and not fills and not any(n.scaled for n in numbers.values()):
                fills, marks = _imputer(name, step, columns)
            elif kind in SCALERS and not marks and not any(n.scaled for n in numbers.values()):
                _scaler(name, step, numbers)
            elif kind == "OneHotEncoder" and not marks and not any(n.scaled for n in numbers.values()):
                return self._one_hot(name, step, columns, fills, steps[k + 1 :])
            elif kind in VECTORIZERS and k == 0 and len(columns) == 1:
                self.texts[columns[0]] = text = text_step(name, step, steps[1:])
                if type(step).__name__ == "HashingVectorizer":
                    self._take_norm(name, step)
                return made_of_text(columns[0], step, text)
            else:
                refuse(name, step, "it cannot follow the steps before it" if kind in KNOWN else "")
        for column, number in numbers.items():
            fill = fills.get(column)
            if isinstance(fill, str):
                raise InputError(f"pipeline: column {column!r} holds texts without OneHotEncoder; add one")
            number.fill, number.indicated = None if fill is None else float(fill), column in marks
        self.numbers |= numbers
        return [("number", column) for column in columns] + [("missing", column) for column in marks]

    def _one_hot(
        self, name: str, step: Any, columns: Sequence[str], fills: dict[str, Any], after: Sequence[tuple[str, Any]]
    ) -> list[Column]:
        if after:
            refuse(after[0][0], after[0][1], "it comes after OneHotEncoder")
        if getattr(step, "_infrequent_enabled", False):
            refuse(name, step, "min_frequency or max_categories")
        dropped = step.drop_idx_ if step.drop_idx_ is not None else [None] * len(columns)
        made: list[Column] = []
        for column, values, out in zip(columns, step.categories_, dropped, strict=True):
            fill = None if column not in fills else _spelled(fills[column])
            spelled = [(LEVEL if self.imputes else "") if _is_nan(v) else _spelled(v) for v in values.tolist()]
            if lost := [text for text in spelled if self.imputes and is_missing(text)]:
                refuse(
                    name, step, f"the category {lost[0]!r} of column {column!r} means a missing value in a model file"
                )
            if len(set(spelled)) < len(spelled):
                refuse(name, step, f"column {column!r} has two categories that are spelled alike")
            one_hot = OneHot(max(len(spelled), 1))
            one_hot.categories = tuple(sorted(spelled))
            self.categories[column] = one_hot, fill
            made += [("category", column, text) for j, text in enumerate(spelled) if j != out]
        return made

    def _take_norm(self, name: str, step: Any) -> None:
        """Take the norm of a HashingVectorizer, which can be that of whole rows only."""
        if step.norm is not None and (step.norm != "l2" or not self.only_texts):
            refuse(name, step, f"norm={step.norm!r} of one of several columns; use norm=None")
        self.unit_length = step.norm is not None

    # ---- the preparation ----

    def unused(self) -> tuple[Any, ...]:
        """Return the columns that the pipeline drops: names, or numbers from 0."""
        here = {*self.numbers, *self.categories, *self.texts}
        left = [(j, name) for j, name in enumerate(self._all()) if name not in here]
        return tuple(j if self.names is None else name for j, name in left) if not self.only_texts else ()

    def own(self) -> list[Column]:
        """Return the columns of the preparation in its order, before products."""
        numbers, categories, texts = self._ordered()
        made: list[Column] = [("number", name) for name in numbers]
        made += [("missing", name) for name in numbers if self.numbers[name].indicated]
        made += [("category", name, text) for name in categories for text in self.categories[name][0].categories]
        for name in texts:
            step = self.texts[name]
            if isinstance(step, Words):
                made += [("word", name, word) for word in step.words]
            else:
                made += [("hash", name, j) for j in range(1 << step.bits)]
        return made

    def _ordered(self) -> tuple[list[str], list[str], list[str]]:
        """Return the columns of numbers, of categories and of texts, in the order of the training rows."""
        every = [TEXT] if self.only_texts else self._all()
        groups = (self.numbers, self.categories, self.texts)
        numbers, categories, texts = ([name for name in every if name in group] for group in groups)
        return numbers, categories, texts

    def steps(self, rows: list[Products | UnitRows]) -> ColumnSteps:
        """Return the fitted steps of a preparation."""
        numbers, categories, texts = self._ordered()
        own = [self.numbers[name] for name in numbers]
        step = Unscaled() if own else None
        if any(number.scaled for number in own):
            step = Scale(any(number.mean for number in own))
            step.mean = np.array([number.mean for number in own])
            step.deviation = np.array([number.deviation for number in own])
        named = tuple(numbers) if self.names is not None and numbers else None
        return ColumnSteps(
            len(numbers),
            named,
            step,
            {name: self.categories[name][0] for name in categories},
            {name: self.texts[name] for name in texts},
            rows,
            cells=self._cells(numbers, categories),
        )

    def _cells(self, numbers: Sequence[str], categories: Sequence[str]) -> Impute | None:
        """Return the imputation, if a column has one."""
        fills = [self.numbers[name].fill for name in numbers]
        filled = [self.categories[name][1] for name in categories]
        if all(fill is None for fill in (*fills, *filled)):
            return None
        for name, fill in zip(numbers, fills, strict=True):
            if fill is None:
                raise InputError(
                    f"pipeline: column {name!r} is not imputed, and others are; a model file imputes every column of "
                    "numbers or none: add SimpleImputer for it"
                )
        indicated = tuple(j for j, name in enumerate(numbers) if self.numbers[name].indicated)
        step = Impute(indicator=bool(indicated))
        step.fill, step.indicated = np.array(fills, np.float64), indicated
        step.frequent = {name: LEVEL if fill is None else fill for name, fill in zip(categories, filled, strict=True)}
        return step


def _flat_all(steps: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
    """Return the single steps of all transformers."""
    found: list[tuple[str, Any]] = []
    for name, step in steps:
        inner = step.transformers_ if type(step).__name__ == "ColumnTransformer" else [(name, step, None)]
        found += [one for _, part, _ in inner if not isinstance(part, str) for one in _flat(name, part)]
    return found


def _flat(name: str, step: Any) -> list[tuple[str, Any]]:
    """Return the single steps of a transformer, which may be a Pipeline."""
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return []
    if type(step).__name__ == "Pipeline":
        return [one for inner, part in step.steps for one in _flat(f"{name}__{inner}", part)]
    if type(step).__name__ == "FunctionTransformer" and step.func is None:
        return []  # of remainder="passthrough"
    return [(name, step)]


def _imputer(name: str, step: Any, columns: Sequence[str]) -> tuple[dict[str, Any], list[str]]:
    """Return what replaces a missing value of each column, and the columns with an indicator."""
    if not _is_nan(step.missing_values):
        refuse(name, step, f"missing_values={step.missing_values!r}; NaN can be stored")
    fills = dict(zip(columns, np.asarray(step.statistics_, object).tolist(), strict=True))
    for column, fill in fills.items():
        if _is_nan(fill):
            refuse(name, step, f"column {column!r} has no value in training, and is omitted")
    indicator = step.indicator_ if step.add_indicator else None
    marks = [] if indicator is None else [columns[j] for j in indicator.features_.tolist()]
    return fills, marks


def _scaler(name: str, step: Any, numbers: dict[str, NumberColumn]) -> None:
    """Take the mean and the deviation of each column."""
    attribute = SCALERS[type(step).__name__]
    centred = attribute is not None and getattr(step, f"with_{'mean' if attribute == 'mean_' else 'centering'}")
    means = getattr(step, attribute) if centred and attribute else np.zeros(len(numbers))
    scales = np.ones(len(numbers)) if step.scale_ is None else step.scale_
    if getattr(step, "clip", False):
        refuse(name, step, "clip=True")
    for number, mean, scale in zip(numbers.values(), means.tolist(), scales.tolist(), strict=True):
        number.mean, number.deviation, number.scaled = float(mean), float(scale), True


def _is_nan(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or (isinstance(value, float) and value != value)


def _spelled(value: Any) -> str:
    """Return a category as a file spells it: 3.0 is "3"."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip()
