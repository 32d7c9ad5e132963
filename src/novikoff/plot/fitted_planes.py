"""What a fitted model draws: its planes and the points in the space in which they are planes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.data.column_names import columns_of
from novikoff.data.problem import unlabelled
from novikoff.errors import InputError
from novikoff.estimators.new_rows import prepared_rows
from novikoff.plot.point_marks import DrawnPoints, drawable_points
from novikoff.scoring.scorer import Scorer


@dataclass(frozen=True)
class FittedPlanes:
    """Points, and the planes (planes, d + 1) of a model, the bias last.

    points: with as many columns as the planes. scheme: of more than two classes, or None for each against the others.
    """

    points: DrawnPoints
    planes: np.ndarray
    fit_intercept: bool
    scheme: Any = None

    @property
    def is_binary(self) -> bool:
        """Whether there is one plane between two classes."""
        return len(self.points.classes) == 2

    def mirrored(self) -> FittedPlanes:
        """Return the same two classes with the other one as positive: the plane is negated."""
        points = replace(self.points, classes=self.points.classes[::-1], codes=1 - self.points.codes)
        return replace(self, points=points, planes=-self.planes)


def fitted_planes(estimator: Any, X: Any, y: Any = None) -> FittedPlanes:
    """Return what a fitted Perceptron or MaxMargin, or a scikit-learn pipeline that ends with one, draws.

    X has the features of the model; raw rows of a loaded model are prepared.
    """
    estimator, X, names = _last_step(estimator, X)
    for name in ("coef_", "intercept_", "classes_"):
        if not hasattr(estimator, name):
            raise InputError(f"found {type(estimator).__name__} without {name}; a fitted linear classifier was "
                             "expected: call fit first", "estimator")  # fmt: skip
    if getattr(estimator, "_voters", None) is not None:
        raise InputError("keep='vote' predicts by the votes of many planes, not by one plane; fit with keep='average' "
                         "to draw it", "estimator")  # fmt: skip
    classes = np.asarray(estimator.classes_)
    ready = prepared_rows(estimator, X)
    if ready is None:
        points = drawable_points(X, y, classes)
    else:
        points = drawable_points(ready, y if y is not None else getattr(X, "labels", None), classes)
    if names is not None:
        points = replace(points, names=names)
    planes = _planes(estimator)
    scheme = estimator.scheme_of_many() if len(classes) > 2 and hasattr(estimator, "scheme_of_many") else None
    bias = bool(getattr(estimator, "fit_intercept", True))
    wanted = planes.shape[1] - 1
    if points.d != wanted:
        raise InputError(f"found {points.d:,} columns; {wanted:,} were expected, as in training", "X")
    return FittedPlanes(points, planes, bias, scheme)


def _planes(estimator: Any) -> np.ndarray:
    """Return (w, b) of each plane: as trained, before η, so that the sides are those that the model predicts."""
    if hasattr(estimator, "_plane"):
        return np.array(estimator.as_trained()[0], np.float64)
    stacked = np.column_stack([np.atleast_2d(estimator.coef_), np.atleast_1d(estimator.intercept_)])
    return np.asarray(stacked, np.float64)


def exact_scores(points: DrawnPoints, plane: np.ndarray, fit_intercept: bool) -> np.ndarray:
    """Return w·x + b of all points, drawn or not, with exact signs."""
    scorer = Scorer(unlabelled(points.rows, fit_intercept=fit_intercept), filtered=False)
    return scorer.scores(plane[:-1].copy(), float(plane[-1]))


def _last_step(estimator: Any, X: Any) -> tuple[Any, Any, tuple[str, ...] | None]:
    """Return the last step of a scikit-learn pipeline, the rows that it gets, and their names.

    The picture is of those rows: after a scaler its units are not those of X, and the names say so.
    """
    if not hasattr(estimator, "named_steps") or len(estimator) == 1:
        return (estimator[-1] if hasattr(estimator, "named_steps") else estimator), X, None
    before = estimator[:-1]
    rows = before.transform(X)
    try:
        names = before.get_feature_names_out(columns_of(X))
    except (AttributeError, ValueError):  # a step without names
        names = [f"x{j}" for j in range(1, rows.shape[1] + 1)]
    return estimator[-1], rows, tuple(f"{name} (prepared)" for name in names)
