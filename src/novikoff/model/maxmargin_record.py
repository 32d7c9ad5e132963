"""Convert a fitted MaxMargin to plain values and tensors, and back.

coef, intercept    the plane          support, dual_coef    the rows that touch, and y_i α_i of each
margin             [lower, upper], as it was proved
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.maxmargin_estimator import BIASES, MaxMargin
from novikoff.model.json_values import classes_of, plain_classes, take_names
from novikoff.model.vote_record import LIMIT, Tensors
from novikoff.records.record_reader import Fields, tensor_in


def stored(clf: MaxMargin, counts: bool) -> tuple[dict[str, Any], Tensors]:
    """Return the record and tensors of a fitted MaxMargin; counts: whether support rows are included."""
    names = getattr(clf, "feature_names_in_", None)
    tensors = {"coef": np.array(clf.coef_, np.float64), "intercept": np.array(clf.intercept_, np.float64)}
    if counts and getattr(clf, "support_", None) is not None:
        tensors |= {"support": np.asarray(clf.support_, np.int64), "dual_coef": np.array(clf.dual_coef_, np.float64)}
    record = {
        "parameters": {"bias": clf.bias},
        "classes": plain_classes(clf.classes_),
        "n_features": int(clf.n_features_in_),
        "feature_names": None if names is None else [str(name) for name in names],
        "margin": [float(end) for end in clf.margin_],
    }
    loaded(Fields(record, "clf"), dict(tensors), MaxMargin)  # do not write what could not be read again
    return record, tensors


def loaded(fields: Fields, tensors: Tensors, kind: type) -> MaxMargin:
    """Return the estimator; raise InputError for anything that `stored` does not write. `kind` applies to perceptrons
    only.
    """
    chosen = fields.part("parameters")
    clf = MaxMargin(bias=chosen.word("bias", BIASES))
    chosen.done()
    clf.classes_ = classes_of(fields.part("classes"))
    if len(clf.classes_) != 2:
        fields.refuse("classes", clf.classes_.tolist(), "two classes")
    clf.n_features_in_ = fields.take("n_features", lambda v: type(v) is int and 1 <= v < 2**63, "at least 1")
    take_names(fields, clf, clf.n_features_in_)
    clf.margin_ = tuple(fields.take("margin", _is_interval, "two non-negative numbers, the smaller one first"))
    _take_plane(clf, tensors, f"{fields.name}: ")
    return clf


def _take_plane(clf: MaxMargin, tensors: Tensors, name: str) -> None:
    clf.coef_ = tensor_in(tensors, "coef", np.float64, (1, clf.n_features_in_), name)
    clf.intercept_ = tensor_in(tensors, "intercept", np.float64, (1,), name)
    if not all((np.abs(part) < LIMIT).all() for part in (clf.coef_, clf.intercept_)):
        raise InputError(f"{name}coef, intercept: not finite, or beyond 2^500; smaller numbers were expected")
    if "support" not in tensors:
        return
    clf.support_ = tensor_in(tensors, "support", np.int64, (None,), name)
    clf.dual_coef_ = tensor_in(tensors, "dual_coef", np.float64, (1, len(clf.support_)), name)
    if (np.diff(clf.support_, prepend=-1) <= 0).any() or not np.isfinite(clf.dual_coef_).all():
        raise InputError(f"{name}support, dual_coef: rows in rising order, and a finite number for each, were expected")


def _is_interval(value: Any) -> bool:
    good = isinstance(value, list) and len(value) == 2 and all(type(end) is float for end in value)
    return good and all(math.isfinite(end) for end in value) and 0 <= value[0] <= value[1]
