"""Draw the points of a report, of two classes with a plane; and weights as bars."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.data.plain_files import plane_of
from novikoff.data_report.compared_learners import PERCEPTRON, SOFT
from novikoff.errors import InputError
from novikoff.pages.markup import Markup, element
from novikoff.pages.panel import Panel
from novikoff.pages.panel_svg import MOST_CLASSES, panel_figure, shown
from novikoff.plot.boundary_display import BoundaryDisplay
from novikoff.plot.fitted_planes import FittedPlanes
from novikoff.plot.point_marks import drawable_points, marks_of, view_of


def points_figure(report: Any) -> Markup:
    """Return a picture of the points, or a sentence on why there is none."""
    if len(report.classes) > MOST_CLASSES:
        return element("p", f"The points are not drawn: {len(report.classes):,} classes have too few shapes.")
    name = f"{report.n:,} points of {len(report.classes)} classes"
    try:
        seen = plane_to_see(report) if report.margin is not None or report.d != 2 else None
        if seen is not None:
            fitted, whose = seen
            (panel,) = BoundaryDisplay(fitted, proof=False).panels
            return panel_figure(panel, name, f"The points and {whose}: {'; '.join(panel.title.splitlines())}")
        if report.d != 2:
            text = (
                f"they have {count(report.d, 'feature')} and no {plane_of(report.fit_intercept)} between two classes."
            )
            return element("p", f"The points are not drawn: {text}")
        points = drawable_points(report.points.rows, report.points.labels, report.classes)
        view = view_of(points.X[:, 0], points.X[:, 1])
    except InputError as error:
        return element("p", f"The points are not drawn: {error}")
    x_name, y_name = report.axis_names or ("x1", "x2")
    caption = f"Each point is drawn at its two feature values.{points.thinned}{view.note}"
    return panel_figure(Panel(tuple(marks_of(points)), caption, x_name, y_name, view.x, view.y), name)


def plane_to_see(report: Any) -> tuple[FittedPlanes, str] | None:
    """Return a plane between two classes with its points, and whose it is: the widest, else that of a learner."""
    if report.verdict is None:
        return None
    X, y, names = report.points.rows, report.points.labels, report.axis_names
    m = report.margin
    if m is not None and m.geometric.plane[0].any():
        return _seen(report, X, y, names, m.source.classes, *m.geometric.plane), "the plane of the largest margin"
    for one in sorted(report.learners, key=lambda one: one.key != SOFT):
        if one.model is not None and one.key in (SOFT, PERCEPTRON) and one.model.coef_.any():
            split, plane = report.split, (one.model.coef_[0], one.model.intercept_[0])
            fitted = _seen(report, split.X, split.y, split.names, one.model.classes_.tolist(), *plane)
            return fitted, f"the plane of the {one.name}, on its training rows"
    return None


def _seen(report: Any, X: Any, y: Any, names: Any, sides: Any, w: np.ndarray, b: float) -> FittedPlanes:
    """Return a plane with its points; the positive side is that of the verdict. sides: the classes of the plane."""
    classes = list(report.verdict.classes)
    plane = np.append(w, float(b)) * (1.0 if sides[1] == classes[1] else -1.0)
    points = replace(drawable_points(X, y, classes), names=names)
    return FittedPlanes(points, plane[None, :], report.fit_intercept)


# ---- weights -------------------------------------------------------------------------------------------------------

BAR_WIDTH, BAR_HEIGHT = 160.0, 12.0


def bar(share: float) -> Markup:
    """Return a bar for a weight between −1 and 1: to the right of the middle if it is above 0."""
    half = BAR_WIDTH / 2
    length = abs(share) * half
    left = half if share > 0 else half - length
    color = f"area {'red' if share > 0 else 'blue'}"
    box = element("rect", class_=color, x=shown(left), y="0", width=shown(length), height=shown(BAR_HEIGHT))
    middle = element("line", x1=shown(half), x2=shown(half), y1="0", y2=shown(BAR_HEIGHT), class_="grow")
    size = f"0 0 {BAR_WIDTH:g} {BAR_HEIGHT:g}"
    return element("svg", box, middle, viewBox=size, class_="drawing bar", aria_hidden="true")
