"""Compute what each column adds to the score of one row.

score = b + Σ_j w_j·x_j        the parts are w_j·x_j of every x_j ≠ 0, and b
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.raw_columns import Raw

BIAS = "bias"


class Contribution(NamedTuple):
    """Prepared column of one row: value·weight = product."""

    name: str
    value: float
    weight: float
    product: float


def contributions(prep: Preparation, coef: Any, row: Raw, intercept: float) -> list[Contribution]:
    """Return the terms of one row's score that are not 0, by decreasing size; the bias comes last.

    Their sum is the score up to the rounding of each product.
    """
    w = np.asarray(coef, dtype=np.float64).ravel()
    if row.n != 1:
        raise InputError(f"explain: found {row.n} rows, expected one")
    X, names = prep.transform(row), prep.names
    if w.size != X.shape[1]:
        raise InputError(
            f"explain: {w.size} weights for {X.shape[1]} prepared columns; give the model's own preparation"
        )
    columns, values = (X.indices, X.data) if hasattr(X, "indptr") else (np.arange(w.size), X[0])
    parts = [
        Contribution(names[j], float(x), float(w[j]), float(x) * float(w[j]) + 0.0)  # no -0
        for j, x in zip(columns.tolist(), values.tolist(), strict=True)
        if x
    ]
    parts.sort(key=lambda term: -abs(term.product))
    return [*parts, Contribution(BIAS, 1.0, float(intercept), float(intercept))]
