"""One side view for each plane of more than two classes, for points with more than two features."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.boundary_display import BoundaryDisplay
from novikoff.plot.displays.fitted_planes import FittedPlanes, fitted_planes

MOST_PLANES = 12


class PlanesDisplay(PanelDisplay):
    """Each plane of a multiclass model with the points of its own problem, at their true distances.

    One-vs-all: a class against all others. One-vs-one: the points of two classes.

    From the notes: Z15 (Zhang, c planes, or c(c−1)/2).

    Parameters
    ----------
    fitted : points and planes, from `fitted_planes`
    """

    def __init__(self, fitted: FittedPlanes) -> None:
        check_planes(len(fitted.points.classes), fitted.scheme.name if fitted.scheme is not None else "ova")
        classes = fitted.points.classes
        pairs = [(k, -1) for k in range(len(classes))] if fitted.scheme is None else fitted.scheme.pairs
        self.boundaries = [BoundaryDisplay(_problem(fitted, k, a, b)) for k, (a, b) in enumerate(pairs)]
        super().__init__([boundary.panels[0] for boundary in self.boundaries])

    @classmethod
    @known_arguments
    def from_estimator(cls, estimator: Any, X: Any, y: Any = None, ax: Any = None) -> Any:
        """Draw the planes of a fitted estimator with more than two classes.

        Parameters
        ----------
        estimator : fitted
        X, y : points and labels
        ax : one Axes for each plane, or None
        """
        return cls(fitted_planes(estimator, X, y)).plot(ax)


def check_planes(classes: int, scheme: str) -> None:
    """Raise InputError for planes that have no problem of their own, or for too many."""
    if scheme == "joint":
        raise InputError("found 'joint', whose planes decide only together; pictures of more than two features are "
                         "drawn for 'ova' and 'ovo'", "multi_class")  # fmt: skip
    planes = classes * (classes - 1) // 2 if scheme == "ovo" else classes
    if planes > MOST_PLANES:
        raise InputError(f"found {classes:,} classes, {planes:,} planes; at most {MOST_PLANES} planes were expected in "
                         "one picture: choose fewer classes", "estimator")  # fmt: skip


def _problem(fitted: FittedPlanes, k: int, positive: int, negative: int) -> FittedPlanes:
    """Return the k-th plane with the points of its problem, labelled by its two sides."""
    points, classes = fitted.points, fitted.points.classes
    others = "others" if negative < 0 else classes[negative]
    names = [str(others), str(classes[positive])]
    every = np.asarray(points.labels == classes[positive])
    drawn = np.asarray(points.y == classes[positive])
    used, shown = slice(None), slice(None)
    if negative >= 0:
        used = np.flatnonzero(every | (points.labels == others))  # type: ignore[assignment]
        shown = np.flatnonzero(drawn | (points.y == others))  # type: ignore[assignment]
    two = np.array(names)
    rows = points.rows.tocsr()[used] if hasattr(points.rows, "toarray") else points.rows[used]
    part = replace(points, X=points.X[shown], y=two[drawn.astype(int)][shown], classes=names, rows=rows,
                   labels=two[every.astype(int)][used])  # fmt: skip
    return FittedPlanes(part, fitted.planes[k : k + 1], fitted.fit_intercept)
