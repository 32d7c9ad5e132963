"""Draw points, lines, hulls and curves as SVG elements, in the coordinates of a window.

Red circles are the positive class and blue squares the negative one: shape and colour both say the class. Lines are
computed from their coefficients, never from a grid of predictions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any

from novikoff.pages.markup import Markup, element, joined
from novikoff.pages.window import GAP, HEIGHT, WIDTH, Point, Window, shortened, text_width, tick_text, ticks


def drawing(name: str, *content: Any, **attributes: Any) -> Markup:
    """Return an SVG picture. name: what it shows, read aloud by screen readers."""
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return element("svg", *content, viewBox=box, role="img", aria_label=name, class_="drawing", **attributes)


# ---- axes ----------------------------------------------------------------------------------------------------------


def axes(window: Window, x_name: str = "", y_name: str = "", y_numbers: bool = True) -> Markup:
    """Return the frame of the window with ticks, numbers and the names of both axes; y_numbers False: none upwards."""
    left, top = window.at(window.x0, window.y1)
    right, bottom = window.at(window.x1, window.y0)
    frame = _shape("rect", x=left, y=top, width=right - left, height=bottom - top, class_="frame")
    parts = [frame]
    for x in ticks(window.x0, window.x1):
        px, _ = window.at(x, 0.0)
        parts += [_shape("line", x1=px, y1=bottom, x2=px, y2=bottom + 4, class_="tick")]
    parts += [label(px, bottom + 16, text, "middle") for px, text in _numbers_below(window)]
    for y in ticks(window.y0, window.y1) if y_numbers else []:
        _, py = window.at(0.0, y)
        parts += [_shape("line", x1=left - 4, y1=py, x2=left, y2=py, class_="tick")]
        parts += [label(left - GAP, py + 4, tick_text(y), "end")]
    middle = (left + right) / 2
    parts += [_name(middle, HEIGHT - 6, x_name, "middle", 2 * (WIDTH - middle))] if x_name else []
    parts += [_name(left, top - 8, y_name, "start", WIDTH - left)] if y_name else []
    return element("g", *parts, class_="axes", aria_hidden="true")


def _numbers_below(window: Window) -> list[tuple[float, str]]:
    """Return places and texts of the numbers below the window: of every tick, or every second, … so that all fit."""
    found = [(window.at(x, 0.0)[0], tick_text(x)) for x in ticks(window.x0, window.x1)]
    found = [(px, text) for px, text in found if px + text_width(text) / 2 <= WIDTH]
    step = next((b[0] - a[0] for a, b in pairwise(found)), WIDTH)
    widest = max((text_width(text) for _, text in found), default=0.0) + GAP
    return found[:: max(1, math.ceil(widest / step))]


def _name(x: float, y: float, text: str, anchor: str, room: float) -> Markup:
    """Return the name of an axis; a long one is shortened, and has the whole as its title."""
    short = shortened(text, room)
    return label(x, y, text, anchor) if short == text else label(x, y, joined([short, element("title", text)]), anchor)


def label(x: float, y: float, text: str, anchor: str = "start", **attributes: Any) -> Markup:
    """Return a text in the picture."""
    return element("text", text, x=shown(x), y=shown(y), text_anchor=anchor, **attributes)


# ---- what is drawn -------------------------------------------------------------------------------------------------

SHAPES = ("circle", "square", "triangle", "diamond", "cross", "star")  # of the classes, in this order


def mark(window: Window, x: float, y: float, kind: str, size: float = 4.0, **attributes: Any) -> Markup:
    """Return one point: kind is one of SHAPES, which is also its class in the style sheet."""
    px, py = window.at(x, y)
    if kind == "circle":
        return _shape("circle", class_="circle", cx=px, cy=py, r=size, **attributes)
    if kind == "square":
        half = 0.88 * size
        return _shape("rect", class_="square", x=px - half, y=py - half, width=2 * half, height=2 * half, **attributes)
    corners = [(px + size * x, py + size * y) for x, y in _CORNERS[kind]]
    return element("polygon", class_=kind, points=_listed(corners), **attributes)


_CORNERS = {
    "triangle": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    "diamond": ((0, -1.3), (1.1, 0), (0, 1.3), (-1.1, 0)),
    "cross": ((-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2),
              (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)),
    "star": tuple((1.4 * (1.0 if k % 2 == 0 else 0.45) * math.sin(math.pi * k / 5),
                   -1.4 * (1.0 if k % 2 == 0 else 0.45) * math.cos(math.pi * k / 5)) for k in range(10)),
}  # fmt: skip


def ring(window: Window, x: float, y: float, **attributes: Any) -> Markup:
    """Return a ring around a point."""
    px, py = window.at(x, y)
    return _shape("circle", cx=px, cy=py, r=9.0, **{"class_": "ring", **attributes})


def clipped_line(window: Window, a: float, b: float, c: float) -> tuple[Point, Point] | None:
    """Return the ends of the line a·x + b·y + c = 0 inside the window; None if it misses the window.

    Examples
    --------
    >>> clipped_line(Window(0.0, 2.0, 0.0, 2.0), 1.0, 1.0, -1.0)
    ((0.0, 1.0), (1.0, 0.0))
    >>> clipped_line(Window(0.0, 2.0, 0.0, 2.0), 1.0, 0.0, -3.0) is None
    True
    """
    size = max(abs(a), abs(b))
    if not size or not math.isfinite(size) or not math.isfinite(c):
        return None
    a, b, c = a / size, b / size, c / size
    found = []
    if abs(b) >= abs(a):
        for x in (window.x0, window.x1):
            found.append((x, -(a * x + c) / b))
        return _between(found, 1, window.y0, window.y1, (a, b, c))
    for y in (window.y0, window.y1):
        found.append((-(b * y + c) / a, y))
    return _between(found, 0, window.x0, window.x1, (a, b, c))


def _between(
    ends: list[Point], axis: int, low: float, high: float, line: tuple[float, float, float]
) -> tuple[Point, Point] | None:
    """Return the part of a line with low ≤ coordinate ≤ high."""
    a, b, c = line
    first, last = ends
    if min(first[axis], last[axis]) > high or max(first[axis], last[axis]) < low:
        return None

    def cut(p: Point) -> Point:
        edge = min(max(p[axis], low), high)
        if edge == p[axis]:
            return p
        return (edge, -(a * edge + c) / b) if axis == 0 else (-(b * edge + c) / a, edge)

    return cut(first), cut(last)


def line(window: Window, a: float, b: float, c: float, **attributes: Any) -> Markup:
    """Return the line a·x + b·y + c = 0 inside the window; nothing if it misses the window."""
    ends = clipped_line(window, a, b, c)
    if ends is None:
        return Markup("")
    (x1, y1), (x2, y2) = (window.at(*end) for end in ends)
    return _shape("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def curve(window: Window, points: Iterable[Point], **attributes: Any) -> Markup:
    """Return a curve through the points; parts above or below the window are cut at its edge."""
    inside = [window.at(x, min(max(y, window.y0), window.y1)) for x, y in points]
    return element("polyline", points=_listed(inside), **attributes)


def polygon(window: Window, points: Sequence[Point], **attributes: Any) -> Markup:
    """Return the polygon with these corners; of two points a segment."""
    return element("polygon", points=_listed([window.at(*p) for p in points]), **attributes)


def hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain).

    Examples
    --------
    >>> hull([(0, 0), (2, 0), (1, 1), (1, 0.5), (2, 2), (0, 2)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(ordered: Sequence[Point]) -> list[Point]:
    """Return the corners of the lower half of the hull."""
    corners: list[Point] = []
    for p in ordered:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], p) <= 0:
            corners.pop()
        corners.append(p)
    return corners


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


# ---- numbers -------------------------------------------------------------------------------------------------------


def shown(value: float) -> str:
    """Format a coordinate to a tenth of a unit.

    Examples
    --------
    >>> shown(12.04), shown(-0.01), shown(3.25)
    ('12', '0', '3.2')
    """
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def _listed(points: Iterable[Point]) -> str:
    return " ".join(f"{shown(x)},{shown(y)}" for x, y in points)


def _shape(name: str, **attributes: Any) -> Markup:
    return element(name, **{k: shown(v) if isinstance(v, float) else v for k, v in attributes.items()})
