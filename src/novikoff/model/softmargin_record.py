"""Convert a fitted SoftMargin to plain values and tensors, and back.

coef, intercept    the planes          gap, objective    of each plane: the proved gap and the objective
path               C, held-out errors and gaps, with C="auto"; the history is not stored
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.soft_margin_estimator import REASONS, SoftMargin
from novikoff.estimators.soft_margin_parameters import SOFT_MARGIN
from novikoff.model.json_values import (
    classes_of,
    history_of,
    parameter_of,
    plain_classes,
    plain_history,
    plain_parameter,
    take_names,
)
from novikoff.model.vote_record import LIMIT, Tensors
from novikoff.perceptron.scheme import Scheme
from novikoff.records.record_reader import Fields, tensor_in
from novikoff.softmargin import SOLVERS

NAMES = tuple(SOFT_MARGIN)
PATH = ("C", "errors", "gap")


def stored(clf: SoftMargin, counts: bool) -> tuple[dict[str, Any], Tensors]:
    """Return the record and tensors of a fitted SoftMargin; counts: nothing is stored per row."""
    names = getattr(clf, "feature_names_in_", None)
    tensors = {
        "coef": np.array(clf.coef_, np.float64),
        "intercept": np.array(clf.intercept_, np.float64),
        "gap": np.atleast_1d(np.array(clf.gap_, np.float64)),
        "objective": np.atleast_1d(np.array(clf.objective_, np.float64)),
    }
    record = {
        "parameters": {name: plain_parameter(name, getattr(clf, name)) for name in sorted(NAMES)},
        "classes": plain_classes(clf.classes_),
        "n_features": int(clf.n_features_in_),
        "feature_names": None if names is None else [str(name) for name in names],
        "multi_class": clf.multi_class_,
        "stop_reason": clf.stop_reason_,
        "steps": int(clf.n_iter_),
        "solvers": list(clf.solver_),
        "C": float(clf.C_),
        "hard_margin": bool(clf.hard_margin_),
        "path": None if clf.path_ is None else plain_history(clf.path_),
    }
    loaded(Fields(record, "clf"), dict(tensors), SoftMargin)  # do not write what could not be read again
    return record, tensors


def loaded(fields: Fields, tensors: Tensors, kind: type) -> SoftMargin:
    """Return the estimator; raise InputError for anything that `stored` does not write. `kind` applies to perceptrons
    only.
    """
    clf = _with_parameters(fields)
    clf.classes_ = classes_of(fields.part("classes"))
    if len(clf.classes_) < 2:
        fields.refuse("classes", clf.classes_.tolist(), "two classes or more")
    clf.n_features_in_ = fields.take("n_features", lambda v: type(v) is int and 1 <= v < 2**63, "at least 1")
    take_names(fields, clf, clf.n_features_in_)
    schemes = ("ova", "ovo") if clf.multi_class == "auto" else (clf.multi_class,)
    clf.multi_class_ = fields.word("multi_class", schemes)
    scheme = Scheme(clf.multi_class_, len(clf.classes_))
    clf.stop_reason_, clf.n_iter_ = fields.word("stop_reason", REASONS), fields.whole("steps", 1)
    clf.solver_ = fields.take("solvers", lambda v: _are_solvers(v, scheme.planes), f"{scheme.planes} solvers")
    clf.C_, clf.hard_margin_ = fields.positive("C"), fields.truth("hard_margin")
    clf.path_ = fields.optional("path", lambda key: history_of(fields.part(key)))
    if clf.path_ is not None and tuple(sorted(clf.path_)) != tuple(sorted(PATH)):
        fields.refuse("path", sorted(clf.path_), f"the columns {', '.join(PATH)}")
    clf.history_ = {name: [] for name in ("plane", "seconds", "primal", "dual")}
    _take_planes(clf, tensors, scheme.planes, f"{fields.name}: ")
    return clf


def _with_parameters(fields: Fields) -> SoftMargin:
    own = fields.part("parameters")
    values = {name: parameter_of(value, own, name) for name, value in own.rest().items()}
    for name in NAMES:
        if name not in values:
            own.refuse(name, None, "a value")
    for name in values.keys() - set(NAMES):
        own.refuse(name, values[name], "no such parameter is known to this version: none")
    clf = SoftMargin(**values)
    try:
        clf.check_parameters()
    except InputError as error:
        raise InputError(f"{fields.name}: parameters.{error}") from None
    return clf


def _take_planes(clf: SoftMargin, tensors: Tensors, planes: int, name: str) -> None:
    clf.coef_ = tensor_in(tensors, "coef", np.float64, (planes, clf.n_features_in_), name)
    clf.intercept_ = tensor_in(tensors, "intercept", np.float64, (planes,), name)
    if not all((np.abs(part) < LIMIT).all() for part in (clf.coef_, clf.intercept_)):
        raise InputError(f"{name}coef, intercept: not finite, or beyond 2^500; smaller numbers were expected")
    gap, objective = (tensor_in(tensors, key, np.float64, (planes,), name) for key in ("gap", "objective"))
    if not (gap >= 0.0).all() or not (objective >= 0.0).all():
        raise InputError(f"{name}gap, objective: numbers of at least 0 were expected")
    clf.gap_, clf.objective_ = (float(gap[0]), float(objective[0])) if planes == 1 else (gap, objective)


def _are_solvers(value: Any, planes: int) -> bool:
    return isinstance(value, list) and len(value) == planes and all(v in SOLVERS for v in value)
