"""Draw the points of a report: one feature as a strip, two as they are, more along a plane; and weights as bars."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.data.labels.classes import known_numbers
from novikoff.data.problem import unlabelled
from novikoff.data_report.compared_learners import PERCEPTRON, SOFT
from novikoff.pages import drawing
from novikoff.pages.drawing import SHAPES
from novikoff.pages.legends import class_legend
from novikoff.pages.markup import Markup, element, joined
from novikoff.pages.page_frame import figure
from novikoff.pages.plane_pictures import thinning_note
from novikoff.pages.trace_page import TOO_FAR, thinned
from novikoff.pages.window import window_around
from novikoff.scoring.side_view import side_view

MANY = len(SHAPES)  # classes that have a shape of their own


class View(NamedTuple):
    """Points and a plane of the same columns: all rows with the widest plane, or the training rows with a learner's."""

    rows: Any
    labels: Any
    w: np.ndarray
    b: float
    whose: str


def points_figure(report: Any) -> Markup:
    """Return a picture of the points, or a sentence on why there is none."""
    if len(report.classes) > MANY:
        return element("p", f"The points are not drawn: {len(report.classes):,} classes have too few shapes.")
    if report.d > 2:
        return _along(report)
    part, codes, note = _drawn(report, report.points.rows, report.points.labels)
    points = np.asarray(part.toarray() if hasattr(part, "toarray") else part, dtype=np.float64)
    if report.d == 1:
        text = f"Each class has a line of its own; across: the only feature.{note}"
        return _scatter(report, points[:, 0], len(report.classes) - codes.astype(float), codes, text, square=False)
    text = f"Each point is drawn at its two feature values.{note}"
    return _scatter(report, points[:, 0], points[:, 1], codes, text)


def _along(report: Any) -> Markup:
    """Return the points of more than two features along a plane."""
    view = view_of(report)
    if view is None:
        text = f"The points are not drawn: they have {report.d:,} features and no plane between two classes."
        return element("p", text)
    part, codes, note = _drawn(report, view.rows, view.labels)
    seen = side_view(part, view.w, view.b)
    text = (
        f"{len(view.w):,} features seen along {view.whose}: the vertical line at 0 is the plane, and every point is on "
        f"its true side at its true distance. Up: the direction of largest variance within the plane.{note}"
    )
    return _scatter(report, seen.distance, seen.along, codes, text, plane=True)


def _drawn(report: Any, rows: Any, labels: Any) -> tuple[Any, np.ndarray, str]:
    """Return the rows that are drawn, their class numbers, and a sentence if these are not all."""
    n = len(labels)
    which = np.array(thinned(n))
    codes = known_numbers(labels[which], np.array(report.classes), "y", "the classes")
    return unlabelled(rows).part(which).matrix(), codes, thinning_note(len(which), n)


def view_of(report: Any) -> View | None:
    """Return the plane along which points of two classes are drawn: the widest, else that of a learner."""
    if len(report.classes) != 2:
        return None
    right = marked_classes(report)[0]  # the positive side, the first shape of the legend, is on the right
    if report.margin is not None and report.margin.geometric.plane[0].any():
        w, b = report.margin.geometric.plane
        side = 1.0 if report.margin.source.classes[1] == right else -1.0
        return View(report.points.rows, report.points.labels, side * w, side * b, "the plane of the largest margin")
    for one in sorted(report.learners, key=lambda one: one.key != SOFT):
        if one.model is not None and one.key in (SOFT, PERCEPTRON) and one.model.coef_.any():
            side = 1.0 if one.model.classes_[1] == right else -1.0
            w, b = side * one.model.coef_[0], side * float(one.model.intercept_[0])
            whose = f"the plane of the {one.name}, on its training rows"
            return View(report.split.X, report.split.y, w, b, whose)
    return None


def marked_classes(report: Any) -> list[Any]:
    """Return the classes in the order of their shapes: of two, the positive one first."""
    if len(report.classes) != 2:
        return list(report.classes)
    return [report.verdict.classes[1], report.verdict.classes[0]]


def _shapes(report: Any) -> list[str]:
    """Return the shape of each class, in the order of `classes`."""
    order = marked_classes(report)
    return [SHAPES[order.index(label)] for label in report.classes]


def _scatter(
    report: Any, x: np.ndarray, y: np.ndarray, codes: np.ndarray, text: str, plane: bool = False, square: bool = True
) -> Markup:
    """Return the points at (x, y) with the shapes of their classes; plane: with a vertical line at 0."""
    points = list(zip(x.tolist(), y.tolist(), strict=True))
    both = [*points, (0.0, points[0][1])] if plane else points
    window = window_around(both, square=square and not plane) if np.isfinite([x, y]).all() else None
    if window is None:
        return element("p", TOO_FAR)
    shapes = _shapes(report)
    marks = joined(drawing.mark(window, *p, shapes[c], 3.5) for p, c in zip(points, codes.tolist(), strict=True))
    names = report.axis_names if report.names is not None and report.d <= 2 else ("x1", "x2")
    labels = ("distance from the plane", "within the plane") if plane else (names[0], names[1] if report.d == 2 else "")
    line = drawing.line(window, 1.0, 0.0, 0.0, class_="plane") if plane else ""
    picture = drawing.drawing(f"{len(points):,} points of {len(report.classes)} classes",
                              drawing.axes(window, *labels, y_numbers=report.d > 1), marks, line)  # fmt: skip
    lines = [("plane", "the plane")] if plane else []
    text += window.scale_note if square and not plane else ""
    return figure(picture, joined([text, class_legend([str(c) for c in marked_classes(report)], lines)]))


# ---- weights -------------------------------------------------------------------------------------------------------

BAR_WIDTH, BAR_HEIGHT = 160.0, 12.0


def bar(share: float) -> Markup:
    """Return a bar for a weight between −1 and 1: to the right of the middle if it is above 0."""
    half = BAR_WIDTH / 2
    length = abs(share) * half
    at = {"x": half if share > 0 else half - length, "y": 0.0, "width": length, "height": BAR_HEIGHT}
    box = element("rect", class_="more" if share > 0 else "less", **{k: drawing.shown(v) for k, v in at.items()})
    middle = element("line", x1=f"{half:g}", x2=f"{half:g}", y1="0", y2=f"{BAR_HEIGHT:g}", class_="grow")
    size = f"0 0 {BAR_WIDTH:g} {BAR_HEIGHT:g}"
    return element("svg", box, middle, viewBox=size, class_="drawing bar", aria_hidden="true")
