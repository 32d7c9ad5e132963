"""Draw points of two features with what is proved about them: hulls that meet, or the widest plane.

Each function takes a verdict or a margin with its points; None where there is nothing to draw: not two features, too
large a range for floats, or no points at hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.text.format_numbers import count
from novikoff.data.text.plain_files import plane_of
from novikoff.errors import UndecidedError
from novikoff.pages import drawing
from novikoff.pages.legends import class_legend
from novikoff.pages.markup import Markup, element, joined
from novikoff.pages.page_frame import figure
from novikoff.pages.proof_curves import plane_points
from novikoff.pages.trace_page import thinned, widest_line
from novikoff.pages.window import Point, Window, window_around

CROSS = 7.0  # units of the drawing, half the length of the cross where hulls meet


def verdict_figure(verdict: Any, names: Sequence[str] | None = None) -> Markup | None:
    """Return the points with the plane that separates them, or with the hulls that meet and a cross where they do."""
    if verdict.d != 2 or verdict.separable is None or not verdict.has_points:
        return None
    source = verdict.check_source("picture")
    try:
        obstruction = None if verdict.separable else verdict.obstruction
    except UndecidedError:
        return None
    return _plane_of(verdict, source, names) if obstruction is None else _hulls_of(verdict, source, obstruction, names)


def margin_figure(margin: Any, names: Sequence[str] | None = None) -> Markup | None:
    """Return the points with the widest plane, its band, and rings around the points that touch it."""
    if margin.d != 2 or not margin.geometric.touching.size:
        return None
    source = margin.source
    extra = source.exact(margin.geometric.indices.tolist())
    drawn = _points(source, margin.n, plane_points(extra))
    if drawn is None:
        return None
    window, dots, note = drawn
    rings = joined(drawing.ring(window, *p, class_="touch") for p in plane_points(extra))
    name = f"{margin.n:,} points, the widest plane and its band"
    picture = drawing.drawing(name, _axes(window, names), widest_line(window, margin), dots, rings)
    text = f"The plane of the largest geometric margin; {count(len(extra), 'point')} on the edge of its band.{note}"
    lines = [("widest", "the widest plane"), ("band", "the edge of its band")]
    return figure(picture, joined([text, class_legend(source.classes[::-1], lines)]))


def _plane_of(verdict: Any, source: Any, names: Sequence[str] | None) -> Markup | None:
    drawn = _points(source, verdict.n)
    if drawn is None or verdict.w is None or not any(verdict.w):
        return None
    window, dots, note = drawn
    largest = max(map(abs, (*verdict.w, verdict.b)))
    a, b, c = (v / largest for v in (*verdict.w, verdict.b))
    picture = drawing.drawing(f"{verdict.n:,} points and a {plane_of(verdict.fit_intercept)} that separates them",
                              _axes(window, names), drawing.line(window, a, b, c, class_="plane"), dots)  # fmt: skip
    text = f"Every point is strictly on its own side of the line.{note}"
    return figure(picture, joined([text, class_legend(source.classes[::-1], [("plane", "the plane of the proof")])]))


def _hulls_of(verdict: Any, source: Any, obstruction: Any, names: Sequence[str] | None) -> Markup | None:
    sides = (obstruction.positive, obstruction.negative)
    corners = [plane_points(source.exact(side.indices)) for side in sides]
    drawn = _points(source, verdict.n, corners[0] + corners[1])
    if drawn is None:
        return None
    window, dots, note = drawn
    shapes = [
        drawing.polygon(window, drawing.hull(points), class_=kind)
        for points, kind in zip(corners, ("red-hull", "blue-hull"), strict=True)
        if points and obstruction.how in ("hulls", "same point")
    ]
    rings = joined(drawing.ring(window, *p, class_="touch") for points in corners for p in points)
    meeting = cross(window, plane_points([obstruction.point])[0])
    picture = drawing.drawing(f"{verdict.n:,} points, and those that no {plane_of(verdict.fit_intercept)} separates",
                              _axes(window, names), *shapes, dots, rings, meeting)  # fmt: skip
    text = "The ringed points cannot be separated: "
    text += "their hulls meet at the cross." if shapes else "a combination of them is the point at the cross."
    return figure(picture, joined([text + note, class_legend(source.classes[::-1])]))


def cross(window: Window, point: Point) -> Markup:
    """Return a cross at a point."""
    x, y = window.at(*point)
    ends = [(x - CROSS, y - CROSS, x + CROSS, y + CROSS), (x - CROSS, y + CROSS, x + CROSS, y - CROSS)]
    lines = (dict(zip(("x1", "y1", "x2", "y2"), map(drawing.shown, end), strict=True)) for end in ends)
    return element("g", *(element("line", class_="meeting", **line) for line in lines))


def _points(source: Any, n: int, also: Sequence[Point] = ()) -> tuple[Window, Markup, str] | None:
    """Return the window, the marks of at most 2,000 points, and sentences on scales and thinning."""
    thin = thinned(n)
    points = plane_points(source.exact(thin))
    window = window_around([*points, *also])
    if window is None:
        return None
    signs = source.problem.y
    dots = joined(
        drawing.mark(window, *p, "circle" if signs[i] > 0 else "square") for i, p in zip(thin, points, strict=True)
    )
    return window, dots, window.scale_note + thinning_note(len(thin), n)


def thinning_note(drawn: int, n: int) -> str:
    """Return a sentence if not all points are drawn."""
    return "" if drawn == n else f" {drawn:,} of {n:,} points are drawn, evenly thinned."


def _axes(window: Window, names: Sequence[str] | None) -> Markup:
    x, y = ("x1", "x2") if names is None else names
    return drawing.axes(window, x, y)
