"""Compute what each column adds to the score of one row.

score = b + Σ_j w_j·x_j        the parts are w_j·x_j of every x_j ≠ 0, and b
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.hashing import Hash
from novikoff.prepare.imputation import is_missing
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.raw_columns import Raw

BIAS = "bias"


class Contribution(NamedTuple):
    """Prepared column of one row: value·weight = product."""

    name: str
    value: float
    weight: float
    product: float


def contributions(prep: Preparation, coef: Any, row: Raw, intercept: float | None = None) -> list[Contribution]:
    """Return the terms of one row's score, by decreasing size; the bias, if given, comes last.

    Their sum is the score up to the rounding of each product. A hashed column is named by the words of this row that
    map to it.
    """
    parts = [part for _, part in _terms(prep, coef, row)]
    return parts if intercept is None else [*parts, Contribution(BIAS, 1.0, float(intercept), float(intercept))]


def raw_contributions(prep: Preparation, coef: Any, row: Raw) -> list[tuple[Contribution, Any]]:
    """Return the terms of one row's score, without the bias, each with its value before the preparation.

    That is a number, a category, None if it is missing, or ... for words and products, which no single cell holds.
    """
    raw = prep.columns.in_order(row)
    return [(part, _raw_value(prep, raw, j)) for j, part in _terms(prep, coef, row)]


def _terms(prep: Preparation, coef: Any, row: Raw) -> list[tuple[int, Contribution]]:
    """Return (prepared column, term) of each number that is not 0, by decreasing size."""
    w = np.asarray(coef, dtype=np.float64).ravel()
    if row.n != 1:
        raise InputError(f"explain: found {row.n} rows, expected one")
    X = prep.transform(row)
    if w.size != X.shape[1]:
        raise InputError(
            f"explain: {w.size} weights for {X.shape[1]} prepared columns; give the model's own preparation"
        )
    columns, values = (X.indices, X.data) if hasattr(X, "indptr") else (np.arange(w.size), X[0])
    names, hashed = prep.names, _hashed(prep, row)
    parts = [
        (j, Contribution(hashed.get(j) or names[j], float(x), float(w[j]), float(x) * float(w[j]) + 0.0))  # no -0
        for j, x in zip(columns.tolist(), values.tolist(), strict=True)
        if x
    ]
    parts.sort(key=lambda term: -abs(term[1].product))
    return parts


def _raw_value(prep: Preparation, row: Raw, j: int) -> Any:
    """Return the value of the row before the preparation that prepared column j comes from."""
    columns = prep.columns
    if j < columns.d:
        value = float(row.numbers[0, j])
        return None if math.isnan(value) else value
    j -= columns.d
    for name, step in columns.categories.items():
        if j < len(step.categories):
            found = row.categories[name][0]
            return None if is_missing(found) else found
        j -= len(step.categories)
    return ...


def _hashed(prep: Preparation, row: Raw) -> dict[int, str]:
    """Return the words of the row on each hashed column, if no products were formed of them."""
    if any(step.kind == "products" for step in prep.columns.rows):
        return {}
    found: dict[int, str] = {}
    for start, column, step in prep.columns.text_starts():
        if isinstance(step, Hash):
            words = step.words_of(str(row.text[column][0]))
            found |= {start + j: "word:" + "+".join(together) for j, together in words.items()}
    return found
