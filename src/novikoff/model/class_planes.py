"""Return one plane per class, for export to other programs, and one per pair if pairs vote."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.estimators.fitted import Trained
from novikoff.perceptron.multiclass.scheme import Scheme


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


def class_planes_of(clf: Any, what: str) -> ClassPlanes:
    """Return the planes of a fitted estimator; for one-vs-one the plane of a class is the sum over its pairs."""
    if not isinstance(clf, Trained) and not _is_widest(clf):
        raise InputError(f"clf: found {type(clf).__name__}; a fitted Perceptron or MaxMargin was expected")
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
        plane = np.column_stack([clf.coef_, clf.intercept_])
        return ClassPlanes(plane, 1.0, clf.classes_, "negative", True, names)
    planes, scale = clf._planes()
    if K == 2:
        return ClassPlanes(planes, scale, clf.classes_, clf.tie, clf._with_bias, names)
    scheme: Scheme = clf._scheme_of_many()
    pairs, sides = (planes, tuple(scheme.pairs)) if scheme.votes else (None, ())
    each = scheme.class_planes(planes)
    return ClassPlanes(each, scale, clf.classes_, clf.tie, clf._with_bias, names, pairs, sides)


def _is_widest(clf: Any) -> bool:
    from novikoff.estimators.maxmargin_estimator import MaxMargin

    return isinstance(clf, MaxMargin)
