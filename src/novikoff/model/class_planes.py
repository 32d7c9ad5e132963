"""Return one plane per class, for export to other programs, and one per pair if pairs vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained


@dataclass(frozen=True)
class ClassPlanes:
    """Planes (w, b): one for two classes (its positive side is the last class), else one per class."""

    planes: np.ndarray  # as trained
    scale: float  # η: factor of the planes' scores
    classes: np.ndarray
    tie: str  # class of a score of 0, with two classes
    bias: bool
    names: list[str] | None
    pairs: np.ndarray | None = None  # planes of the pairs, if they vote
    sides: tuple[tuple[int, int], ...] = ()  # (positive, negative) class of each pair
    solver: str = "L2R_L1LOSS_SVC_DUAL"  # LIBLINEAR's name; a plane without probabilities needs no more


def class_planes_of(clf: Any, what: str) -> ClassPlanes:
    """Return the planes of a fitted estimator; for one-vs-one the plane of a class is the sum over its pairs."""
    if not isinstance(clf, Trained) and not _has_planes(clf):
        raise InputError(f"clf: found {type(clf).__name__}; a fitted Perceptron, MaxMargin or SoftMargin was expected")
    clf._check_fitted()
    K = len(clf.classes_)
    if getattr(clf, "_voters", None) is not None:
        raise InputError(
            f"keep: 'vote' cannot be exported as {what}, which has one plane per class; use keep='average'"
        )
    if K < 2:
        raise InputError(
            f"clf: only one class, {clf.classes_.tolist()[0]!r}, was seen so far; add rows of a second class"
        )
    named = getattr(clf, "feature_names_in_", None)
    names = None if named is None else list(named)
    if not isinstance(clf, Trained):
        plane, solver = np.column_stack([clf.coef_, clf.intercept_]), _solver(clf)
        if K == 2:
            return ClassPlanes(plane, 1.0, clf.classes_, "negative", True, names, solver=solver)
        scheme = clf._scheme_of_many()
        pairs, sides = (plane, tuple(scheme.pairs)) if scheme.votes else (None, ())
        each = scheme.class_planes(plane)
        return ClassPlanes(each, 1.0, clf.classes_, "negative", True, names, pairs, sides, solver)
    planes, scale = clf._planes()
    if K == 2:
        return ClassPlanes(planes, scale, clf.classes_, clf.tie, clf._with_bias, names)
    scheme = clf._scheme_of_many()
    pairs, sides = (planes, tuple(scheme.pairs)) if scheme.votes else (None, ())
    each = scheme.class_planes(planes)
    return ClassPlanes(each, scale, clf.classes_, clf.tie, clf._with_bias, names, pairs, sides)


def _has_planes(clf: Any) -> bool:
    """Return whether it is an estimator whose planes are coef_ and intercept_."""
    from novikoff.estimators.maxmargin_estimator import MaxMargin
    from novikoff.estimators.soft_margin_estimator import SoftMargin

    return isinstance(clf, MaxMargin | SoftMargin)


def _solver(clf: Any) -> str:
    """Return LIBLINEAR's name of the objective; its `predict` has probabilities for the logistic loss."""
    return LIBLINEAR[getattr(clf, "penalty", "l2"), getattr(clf, "loss", "hinge")]


LIBLINEAR = {
    ("l2", "hinge"): "L2R_L1LOSS_SVC_DUAL",
    ("l2", "squared_hinge"): "L2R_L2LOSS_SVC",
    ("l2", "logistic"): "L2R_LR",
    ("l1", "squared_hinge"): "L1R_L2LOSS_SVC",
    ("l1", "logistic"): "L1R_LR",
}
