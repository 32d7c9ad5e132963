"""Convert a fitted scikit-learn Pipeline to a model: a preparation with the same numbers, and planes for its columns.

    columns   ColumnTransformer · SimpleImputer · StandardScaler, RobustScaler, MaxAbsScaler · OneHotEncoder ·
              CountVectorizer, TfidfTransformer, TfidfVectorizer, HashingVectorizer
    rows      PolynomialFeatures of degree 2 · Normalizer
    last      Perceptron or MaxMargin

The preparation has its columns in its own order, so the weights are reordered; a column that the pipeline omits (the
first category with drop="first") gets the weight 0. Predictions are those of the pipeline, as signs of scores are
exact; scores may differ in the last bits. An unknown category is a row of zeros, also where OneHotEncoder would raise.
Nothing here imports scikit-learn: steps are known by their class and read by their fitted attributes.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.io.raw_rows import Form
from novikoff.model.pipeline.pipeline_columns import BIAS, Column, PipelineColumns
from novikoff.model.pipeline.pipeline_texts import KNOWN, refuse
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.products import Products, UnitRows, pair

ROW_STEPS = ("PolynomialFeatures", "Normalizer")


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
    at = next((k for k, (_, step) in enumerate(steps) if type(step).__name__ in ROW_STEPS), len(steps))
    columns = PipelineColumns(steps[0][1])
    made = columns.read(steps[:at])
    rows: list[Products | UnitRows] = []
    if columns.unit_length:
        rows.append(UnitRows())
    for name, step in steps[at:]:
        made = _row_step(name, step, made, rows)
    prep = _preparation(columns, rows)
    if len(made) != clf.n_features_in_:
        raise InputError(
            f"clf: the steps of the pipeline make {len(made)} columns, and the last one was fitted on "
            f"{clf.n_features_in_}; fit the pipeline as a whole"
        )
    return _reordered(clf, made, _own_columns(columns, rows), rows), prep


def _row_step(name: str, step: Any, made: list[Column], rows: list[Products | UnitRows]) -> list[Column]:
    """Add a step for whole rows, and return the columns after it."""
    kind = type(step).__name__
    if kind == "PolynomialFeatures" and not rows:
        if tuple(np.atleast_1d(step.degree).tolist()) not in ((2,), (1, 2), (0, 2)):
            refuse(name, step, f"degree={step.degree!r}; 2 can be stored")
        rows.append(Products())
        return [_product(made, powers) for powers in step.powers_.tolist()]
    if kind == "Normalizer" and not any(isinstance(one, UnitRows) for one in rows):
        if step.norm != "l2":
            refuse(name, step, f"norm={step.norm!r}; 'l2' can be stored")
        rows.append(UnitRows())
        return made
    known = kind in ("PolynomialFeatures", "Normalizer", *KNOWN)
    refuse(name, step, "it comes after a step for whole rows" if known else "")


def _product(made: Sequence[Column], powers: Sequence[int]) -> Column:
    """Return the column that is the product of these powers of the columns."""
    factors = [made[j] for j, power in enumerate(powers) for _ in range(power)]
    if not factors:
        return BIAS
    return factors[0] if len(factors) == 1 else ("product", *sorted(factors))


def _own_columns(columns: PipelineColumns, rows: Sequence[Any]) -> list[Column]:
    """Return the columns of the preparation, in its order."""
    base = columns.own()
    if not any(isinstance(step, Products) for step in rows):
        return base
    d = len(base)
    Products().width(d)  # raises for too many
    pairs = (pair(k, d) for k in range(d * (d + 1) // 2))
    return base + [("product", *sorted((base[a], base[b]))) for a, b in pairs]


def _preparation(columns: PipelineColumns, rows: list[Products | UnitRows]) -> Preparation:
    """Return the fitted preparation, with how its rows are read."""
    steps = columns.steps(rows)
    prep = Preparation(*{step.kind: step for step, _ in steps.steps()}.values())
    prep._columns = steps
    names, unused = columns.names, columns.unused()
    form = Form()
    if names is not None:
        form = Form(None, tuple(steps.text), tuple(steps.categories), len(names) + 1, dropped=unused)
    elif not columns.only_texts:
        words = [[int(name[1:]) - 1 for name in group] for group in (steps.text, steps.categories)]
        form = Form(None, tuple(words[0]), tuple(words[1]), columns.width + 1, dropped=unused)
    reading = {"label_as": [], "decimal_comma": False, "drop": False, "transpose": False, "format": None}
    prep.report = {"pipeline": True, "columns": len(steps.names), "read": form.plain() | reading}
    return prep


# ---- the planes ----------------------------------------------------------------------------------------------------


def _reordered(clf: Any, made: list[Column], own: list[Column], rows: Sequence[Any]) -> Any:
    """Return the estimator with its weights in the order of the preparation's columns."""
    places = {column: j for j, column in enumerate(made)}
    if len(places) < len(made):
        twice = next(column for j, column in enumerate(made) if places[column] != j)
        raise InputError(f"clf: the pipeline makes the column {shown(twice)} twice; remove one of them")
    order = [places.get(column, -1) for column in own]
    if order == list(range(len(made))):
        return clf
    if any(isinstance(step, UnitRows) for step in rows) and (-1 in order or BIAS in places):
        raise InputError(
            "clf: Normalizer divides by the length of all columns, and the pipeline omits one that the model file has "
            "(OneHotEncoder(drop=…), PolynomialFeatures(interaction_only=True) or include_bias=True); keep all of them"
        )
    if getattr(clf, "_voters", None) is not None:
        raise InputError(
            "keep: 'vote' stores its training rows, whose columns the pipeline has in another order than the model "
            "file: numbers first, then categories, then texts; use keep='average', or this order"
        )
    at_bias = places.get(BIAS)
    planes, scale = clf._planes() if isinstance(clf, Trained) else (np.column_stack([clf.coef_, clf.intercept_]), 1.0)
    moved = _moved(planes, order, at_bias)
    new = copy(clf)
    new.coef_, new.intercept_ = moved[:, :-1] * scale, moved[:, -1] * scale
    if isinstance(new, Trained):
        new._plane, new._scale, new._stream = moved, scale, None
        new._with_bias = clf._with_bias or at_bias is not None
    new.n_features_in_ = len(order)
    vars(new).pop("feature_names_in_", None)
    return new


def _moved(planes: np.ndarray, order: Sequence[int], at_bias: int | None) -> np.ndarray:
    """Return the planes (w, b) in this order, -1 for the weight 0; the weight of a constant column is added to b."""
    w, b = planes[:, :-1], planes[:, -1].copy()
    if at_bias is not None:
        for k, weight in enumerate(w[:, at_bias].tolist()):
            total = Fraction(weight) + Fraction(float(b[k]))
            if Fraction(float(total)) != total:
                raise InputError(
                    "clf: PolynomialFeatures(include_bias=True) adds a column of ones, and the sum of its weight and "
                    "the intercept is not a binary64 number; set include_bias=False"
                )
            b[k] = float(total)
    return np.column_stack([np.column_stack([w, np.zeros(len(w))])[:, list(order)], b])


def shown(column: Column) -> str:
    """Return a column for a message."""
    kind, *rest = column
    return f"{kind} {' · '.join(shown(one) if isinstance(one, tuple) else str(one) for one in rest)}"
