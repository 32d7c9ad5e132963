"""Draw the points of a report: one feature as a strip, two as they are, more along a plane; and weights as bars."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.data.labels.classes import known_numbers
from novikoff.data.problem import unlabelled
from novikoff.data_report.compared_learners import PERCEPTRON, SOFT
from novikoff.pages.markup import Markup, element
from novikoff.pages.panel import INK, Curve, Item, Panel
from novikoff.pages.panel_svg import MOST_CLASSES, panel_figure, shown
from novikoff.pages.plane_pictures import TOO_FAR, class_marks, thinned, thinning_note
from novikoff.pages.window import view_around
from novikoff.scoring.side_view import side_view


class SeenPlane(NamedTuple):
    """Points and a plane of the same columns: all rows with the widest plane, or the training rows with a learner's."""

    rows: Any
    labels: Any
    w: np.ndarray
    b: float
    whose: str


def points_figure(report: Any) -> Markup:
    """Return a picture of the points, or a sentence on why there is none."""
    if len(report.classes) > MOST_CLASSES:
        return element("p", f"The points are not drawn: {len(report.classes):,} classes have too few shapes.")
    plane = plane_to_see(report) if report.d > 2 else None
    if plane is None and report.d > 2:
        text = f"The points are not drawn: they have {report.d:,} features and no plane between two classes."
        return element("p", text)
    rows, labels = (report.points.rows, report.points.labels) if plane is None else (plane.rows, plane.labels)
    which = np.array(thinned(len(labels)))
    classes = (
        report.classes if report.verdict is None else list(report.verdict.classes)
    )  # of two, the positive one last
    codes = known_numbers(labels[which], np.array(report.classes), "y", "the classes")
    codes = np.array([classes.index(label) for label in report.classes])[codes]
    part = unlabelled(rows).part(which).matrix()
    names = ("x1", "x2") if report.names is None or report.d > 2 else (*report.axis_names, "")[:2]
    items, y_ticks, note = list[Item](), None, thinning_note(len(which), len(labels))
    if plane is not None:
        x, y, _ = side_view(part, plane.w, plane.b)
        names = ("distance from the plane", "within the plane")
        text = (
            f"{len(plane.w):,} features seen along {plane.whose}: the vertical line at 0 is the plane, and every point "
            f"is on its true side at its true distance. Up: the direction of largest variance within the plane."
        )
    elif report.d == 1:
        x, y = np.asarray(part.toarray() if hasattr(part, "toarray") else part, np.float64)[:, 0], codes.astype(float)
        text, names, y_ticks = "Across: the only feature; up: the class.", (names[0], ""), tuple(map(str, classes))
    else:
        x, y = np.asarray(part.toarray() if hasattr(part, "toarray") else part, np.float64).T
        text = "Each point is drawn at its two feature values."
    corners = [*zip(x.tolist(), y.tolist(), strict=True), *([(0.0, float(y[0]))] if plane is not None else [])]
    view = view_around(corners, square=report.d == 2)
    if view is None:
        return element("p", TOO_FAR)
    items += class_marks(x, y, codes, classes)
    if plane is not None:
        items.append(Curve(np.zeros(2), np.array(view.y), "the plane", INK, width=2.0, name="plane"))
    caption = f"{text}{note}{view.note if report.d == 2 else ''}"
    panel = Panel(tuple(items), caption, names[0], names[1], view.x, view.y, y_ticks=y_ticks)
    return panel_figure(panel, f"{len(which):,} points of {len(classes)} classes")


def plane_to_see(report: Any) -> SeenPlane | None:
    """Return the plane along which points of two classes are drawn: the widest, else that of a learner."""
    if report.verdict is None:
        return None
    right = report.verdict.classes[1]  # the positive side is on the right
    if report.margin is not None and report.margin.geometric.plane[0].any():
        w, b = report.margin.geometric.plane
        side = 1.0 if report.margin.source.classes[1] == right else -1.0
        return SeenPlane(
            report.points.rows, report.points.labels, side * w, side * b, "the plane of the largest margin"
        )
    for one in sorted(report.learners, key=lambda one: one.key != SOFT):
        if one.model is not None and one.key in (SOFT, PERCEPTRON) and one.model.coef_.any():
            side = 1.0 if one.model.classes_[1] == right else -1.0
            w, b = side * one.model.coef_[0], side * float(one.model.intercept_[0])
            whose = f"the plane of the {one.name}, on its training rows"
            return SeenPlane(report.split.X, report.split.y, w, b, whose)
    return None


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
