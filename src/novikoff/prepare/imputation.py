"""Impute missing numbers and categories by statistics of the training rows, as scikit-learn's SimpleImputer does.

    numbers      the median of the column's known numbers, or their mean, exact up to one rounding
    categories   the most frequent category (of equally frequent ones the first in sorted order), or one of its own

A column without any known value in training is an error. The statistics depend on the rows alone, not on chunks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import one_of
from novikoff.data.plain_files import MISSING
from novikoff.errors import InputError
from novikoff.prepare.moments import Moments
from novikoff.prepare.raw_columns import Raw
from novikoff.prepare.step import Step
from novikoff.records.record_reader import Fields, are_texts

NUMBERS = ("median", "mean")
CATEGORIES = ("most-frequent", "level")
LEVEL = "missing_value"  # the category of missing ones, as scikit-learn calls it
HUGE = 2.0**1022  # of two larger numbers the sum may be infinite, while their halves are exact
SORTED = 1 << 24  # numbers of columns whose medians are found together: 128 MB


def is_missing(value: str) -> bool:
    """Whether a category means that it is missing: an empty cell, ?, NA and similar."""
    return value.strip().lower() in MISSING


class Impute(Step):
    """Statistics that replace missing values.

    Parameters
    ----------
    numbers : "median" or "mean"
    categories : "most-frequent", or "level" for a category of its own

    Attributes
    ----------
    fill : the number for each column of numbers
    frequent : the category for each column of categories
    """

    kind, on, option, learns = "impute", "cells", "missing='impute'", True

    def __init__(self, numbers: str = "median", categories: str = "most-frequent") -> None:
        one_of("impute_numbers", numbers, NUMBERS)
        one_of("impute_categories", categories, CATEGORIES)
        self.numbers, self.categories = numbers, categories
        self.fill = np.zeros(0)
        self.frequent: dict[str, str] = {}

    def fit(self, chunks: Iterable[Raw]) -> dict[str, Any]:
        """Fit to training rows, in chunks that can be read several times, and return the report."""
        n, first = 0, None
        for raw in chunks:
            X = _dense(raw)
            if first is None:
                first, moments, known = raw, Moments(raw.d), np.zeros(raw.d, np.int64)
                words = {name: Counter[str]() for name in raw.categories}
            n += raw.n
            for name, values in raw.categories.items():
                words[name].update(values)
            known += np.count_nonzero(~np.isnan(X), axis=0)
            if self.numbers == "mean":
                moments.look(np.where(np.isnan(X), 0.0, X))
        if first is None:
            return {}
        known_of = dict(zip(first.number_names, known.tolist(), strict=True))
        if lost := [name for name, many in known_of.items() if not many]:
            raise InputError(f"column {lost[0]!r}: every number is missing in training; remove it: drop=[{lost[0]!r}]")
        if first.d:
            self.fill = moments.mean(known) if self.numbers == "mean" else medians_of(chunks, n, first.d)
        gaps = {name: n - many for name, many in known_of.items() if many < n}
        return {"numbers": gaps, "categories": self._fit_categories(words)}

    def _fit_categories(self, words: dict[str, Counter[str]]) -> dict[str, int]:
        """Choose the category of each column, and return how many are missing in the columns where any is."""
        gaps = {}
        for name, counted in words.items():
            lost = sum(many for value, many in counted.items() if is_missing(value))
            found = {value: many for value, many in counted.items() if not is_missing(value)}
            if lost:
                gaps[name] = lost
            if not found and self.categories != "level":
                raise InputError(f"column {name!r}: every category is missing in training; remove it: drop=[{name!r}]")
            most = max(found.values(), default=0)
            self.frequent[name] = (
                LEVEL if self.categories == "level" else min(value for value, many in found.items() if many == most)
            )
        return gaps

    def apply(self, raw: Raw) -> Raw:
        """Return the rows without missing values."""
        X = raw.numbers
        if raw.d and not hasattr(X, "indptr") and X.dtype.kind == "f" and (gaps := np.isnan(X)).any():
            X = np.where(gaps, self.fill, X)
        categories = {
            name: [self.frequent[name] if is_missing(value) else value for value in values]
            for name, values in raw.categories.items()
        }
        return Raw(X, raw.names, raw.text, categories)

    def rows_with_gaps(self, raw: Raw) -> int:
        """Return how many rows have a missing number or category."""
        gaps = np.zeros(raw.n, bool)
        if raw.d and not hasattr(raw.numbers, "indptr") and raw.numbers.dtype.kind == "f":
            gaps |= np.isnan(raw.numbers).any(axis=1)
        for values in raw.categories.values():
            gaps |= np.fromiter(map(is_missing, values), bool, raw.n)
        return int(gaps.sum())

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        fields = {"numbers": self.numbers, "categories": self.categories}
        words = {"columns": list(self.frequent), "frequent": list(self.frequent.values())}
        return fields | words, {"fill": self.fill} if self.fill.size else {}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> Impute:
        step = cls(fields.word("numbers", NUMBERS), fields.word("categories", CATEGORIES))
        columns, frequent = fields.texts("columns"), fields.take("frequent", are_texts, "a list of texts")
        if len(columns) != len(frequent):
            fields.refuse("frequent", f"{len(frequent)} categories", f"{len(columns)}, one for each column,")
        step.frequent = dict(zip(columns, frequent, strict=True))
        step.fill = fields.array("fill", (d,)) if d else step.fill
        return step


def _dense(raw: Raw) -> Any:
    if hasattr(raw.numbers, "indptr"):
        raise InputError("missing='impute': is for columns of a table; sparse rows have no missing numbers")
    return np.zeros((raw.n, 0)) if raw.numbers is None else np.asarray(raw.numbers, np.float64)


def medians_of(chunks: Iterable[Raw], n: int, d: int) -> np.ndarray:
    """Return the median of each column of n rows, as many columns at a time as fit in memory; NaN is ignored."""
    found, step = np.zeros(d), max(1, SORTED // n)
    for lo in range(0, d, step):
        X = np.concatenate([_dense(raw)[:, lo : lo + step] for raw in chunks])
        for j in range(X.shape[1]):
            column = np.sort(X[~np.isnan(X[:, j]), j])
            low, high = column[(column.size - 1) // 2], column[column.size // 2]
            found[lo + j] = low / 2 + high / 2 if max(abs(low), abs(high)) > HUGE else (low + high) / 2 + 0.0
    return found
