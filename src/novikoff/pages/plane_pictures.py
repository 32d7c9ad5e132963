"""Draw points of two features with what is proved about them: hulls that meet, or the widest plane.

`class_marks`, `line_items`, `widest_items` and `hull_items` are the contents, for any panel. The figures take a verdict
or a margin with its points; None where there is nothing to draw: not two features, numbers too large, or no points.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.data.plain_files import plane_of
from novikoff.errors import UndecidedError
from novikoff.pages.markup import Markup
from novikoff.pages.panel import GREEN, INK, PURPLE, Curve, Item, Marks, Panel, Region, class_look
from novikoff.pages.panel_svg import panel_figure
from novikoff.pages.polygons import clipped, convex_hull, rectangle
from novikoff.pages.straight_lines import line_across
from novikoff.pages.window import Point, View, view_around

FEW, MANY = 60, 2000  # points up to which marks are large, and from which they are small
MOST_POINTS = 2000  # of a page; more are thinned evenly
TOO_FAR = "The points are not drawn: their coordinates are too far apart or too close together."

# ---- contents ------------------------------------------------------------------------------------------------------


def class_marks(x: np.ndarray, y: np.ndarray, codes: np.ndarray, classes: Sequence[Any]) -> list[Marks]:
    """Return the marks of each class that has points; of two classes, the legend says which is positive."""
    size = 46.0 if len(x) <= FEW else 24.0 if len(x) <= MANY else 8.0
    marks = []
    for k, label in enumerate(classes):
        color, shape = class_look(k)
        chosen = codes == k
        sign = f" ({'−+'[k]})" if len(classes) == 2 else ""
        if chosen.any():
            marks.append(Marks(x[chosen], y[chosen], f"{label}{sign}", color, shape, size,
                               alpha=0.9 if len(x) <= MANY else 0.5, name=f"class {label}"))  # fmt: skip
    return marks


def line_items(
    plane: np.ndarray, view: View, label: str | None, color: str = INK, style: str = "solid", width: float = 2.0,
    name: str = "plane",
) -> list[Item]:  # fmt: skip
    """Return the line w₁·x + w₂·y + b = 0 inside the limits, if it crosses them."""
    ends = line_across(plane[:2].tolist(), float(plane[2]), view.x, view.y)
    return [] if ends is None else [Curve(ends[:, 0], ends[:, 1], label, color, style, width, name=name)]


def widest_items(margin: Any, view: View) -> list[Item]:
    """Return the plane of the largest geometric margin as a dashed line, and the band between its touching points."""
    w, b = margin.geometric.plane
    plane = np.append(w, float(b))
    largest = float(np.abs(plane).max())
    plane, shift = plane / largest, np.array([0.0, 0.0, 1.0 / largest])  # the band is |w·x + b| ≤ 1
    band = clipped(clipped(rectangle(view.x, view.y), plane + shift), shift - plane)
    items: list[Item] = []
    if len(band):
        items.append(Region(band[:, 0], band[:, 1], "widest margin", GREEN, 0.16, name="band"))
    return [*items, *line_items(plane, view, "widest plane", GREEN, "dashed", 1.6, "widest")]


def hull_items(obstruction: Any, classes: Sequence[Any]) -> list[Item]:
    """Return the hulls of the two sides of a proof in two dimensions, rings at their points, and their common point.

    Without a bias the cones meet: the hulls are those of the points and the origin. classes: in the order of their
    colours.
    """
    items: list[Item] = []
    through_origin = obstruction.how in ("cones", "origin", "ray", "opposite")
    for side, style in ((obstruction.positive, "solid"), (obstruction.negative, "dashed")):
        points = plane_points(obstruction.source.exact(side.indices))
        if not points:
            continue
        label = f"hull of {len(points)} of {side.label}" + (" and 0" if through_origin else "")
        color, _ = class_look(list(map(str, classes)).index(str(side.label)))
        hull = np.array(convex_hull([*points, (0.0, 0.0)] if through_origin else points))
        if len(hull) >= 3:
            items.append(Region(hull[:, 0], hull[:, 1], None, color, 0.15, name=f"hull {side.label}"))
        closed = np.vstack([hull, hull[:1]]) if len(hull) >= 3 else hull  # a segment drawn twice would hide its dashes
        items += [Curve(closed[:, 0], closed[:, 1], label, color, style, 1.4, name=f"edges {side.label}"),
                  rings(np.array(points))]  # fmt: skip
    (x, y), *_ = plane_points([obstruction.point])
    items.append(Marks(np.array([x]), np.array([y]), "point in both", PURPLE, "x", 110.0, name="common"))
    return items


def rings(points: np.ndarray, label: str | None = None) -> Marks:
    """Return rings around points."""
    return Marks(points[:, 0], points[:, 1], label, INK, "circle", 100.0, False, name="touching")


def plane_points(points: Iterable[Sequence[Any]]) -> list[Point]:
    """Return the two coordinates of each point, as floats."""
    return [(near(x[0]), near(x[1])) for x in points]


def near(value: Any) -> float:
    """Return the nearest float; inf or −inf if there is none."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


# ---- figures -------------------------------------------------------------------------------------------------------


def verdict_figure(verdict: Any, names: Sequence[str] | None = None) -> Markup | None:
    """Return the points with the plane that separates them, or with the hulls that meet and a cross where they do."""
    if verdict.d != 2 or verdict.separable is None or not verdict.has_points:
        return None
    try:
        obstruction = None if verdict.separable else verdict.obstruction
    except UndecidedError:
        return None
    source = verdict.check_source("picture")
    drawn = _points(source, verdict.n, [] if obstruction is None else obstruction.indices)
    if drawn is None or (verdict.separable and not any(verdict.w or ())):
        return None
    view, marks, note = drawn
    if obstruction is not None:
        items = [*hull_items(obstruction, source.classes), *marks]
        name = f"{verdict.n:,} points, and those that no {plane_of(verdict.fit_intercept)} separates"
        return _figure(items, view, names, name, f"The hulls of the ringed points meet at the cross.{note}")
    largest = max(map(abs, (*verdict.w, verdict.b)))
    a, b, c = (float(v / largest) for v in (*verdict.w, verdict.b))
    line = line_items(np.array([a, b, c]), view, "the plane of the proof")
    name = f"{verdict.n:,} points and a {plane_of(verdict.fit_intercept)} that separates them"
    return _figure([*line, *marks], view, names, name, f"Every point is strictly on its own side of the line.{note}")


def margin_figure(margin: Any, names: Sequence[str] | None = None) -> Markup | None:
    """Return the points with the widest plane, its band, and rings around the points that touch it."""
    touching = margin.geometric.indices
    drawn = _points(margin.source, margin.n, touching) if margin.d == 2 and touching.size else None
    if drawn is None:
        return None
    view, marks, note = drawn
    ring = rings(np.array(plane_points(margin.source.exact(touching))), "touching points")
    text = f"The plane of the largest geometric margin; {count(touching.size, 'point')} on the edge of its band.{note}"
    name = f"{margin.n:,} points, the widest plane and its band"
    return _figure([*widest_items(margin, view), *marks, ring], view, names, name, text)


def _figure(items: Sequence[Item], view: View, names: Sequence[str] | None, name: str, text: str) -> Markup:
    x_name, y_name = ("x1", "x2") if names is None else names
    return panel_figure(Panel(tuple(items), f"{text}{view.note}", x_name, y_name, view.x, view.y), name)


def _points(source: Any, n: int, also: Any) -> tuple[View, list[Marks], str] | None:
    """Return limits, marks of at most 2,000 points, and a sentence on thinning. also: points that are inside, too."""
    thin = thinned(n)
    points = plane_points(source.exact(thin))
    view = view_around([*points, *plane_points(source.exact(also))])
    if view is None:
        return None
    x, y = np.array(points).T
    return (
        view,
        class_marks(x, y, (source.problem.y[thin] > 0).astype(int), source.classes),
        thinning_note(len(thin), n),
    )


def thinned(n: int, most: int = MOST_POINTS) -> list[int]:
    """Return the indices of at most `most` of n points, evenly spaced.

    Examples
    --------
    >>> thinned(3), thinned(10, 4)
    ([0, 1, 2], [0, 2, 5, 7])
    """
    return list(range(n)) if n <= most else [k * n // most for k in range(most)]


def thinning_note(drawn: int, n: int) -> str:
    """Return a sentence if not all points are drawn."""
    return "" if drawn == n else f" {drawn:,} of {n:,} points are drawn, evenly thinned."
