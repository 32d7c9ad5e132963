"""Draw points, lines, hulls and curves as SVG elements, in the coordinates of a window.

Red circles are the positive class and blue squares the negative one: shape and colour both say the class. Lines are
computed from their coefficients, never from a grid of predictions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from novikoff.pages.markup import Markup, element

Point = tuple[float, float]

WIDTH, HEIGHT = 480.0, 360.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 12.0, 40.0  # margins around the window, for its ticks and labels
TICKS = 5


@dataclass(frozen=True)
class Window:
    """A rectangle of the plane, drawn WIDTH × HEIGHT units large with margins for its axes."""

    x0: float
    x1: float
    y0: float
    y1: float

    def at(self, x: float, y: float) -> Point:
        """Return where a point of the plane is drawn."""
        across = (x - self.x0) / (self.x1 - self.x0)
        up = (y - self.y0) / (self.y1 - self.y0)
        return LEFT + across * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM)

    @property
    def box(self) -> str:
        """The four ends, for a script that draws in the same window."""
        return " ".join(repr(v) for v in (self.x0, self.x1, self.y0, self.y1))


def window_around(points: Iterable[Point], square: bool = True) -> Window | None:
    """Return a window with room around the points; None if their range is too large for floats.

    square: whether a unit is as long in both directions, so that right angles are right.
    """
    found = list(points) or [(0.0, 0.0)]
    (x0, x1), (y0, y1) = (_range([p[k] for p in found]) for k in (0, 1))
    if not all(map(math.isfinite, (x1 - x0, y1 - y0))):
        return None
    if square:
        unit = max((x1 - x0) / (WIDTH - LEFT - RIGHT), (y1 - y0) / (HEIGHT - TOP - BOTTOM))
        x0, x1 = _widened(x0, x1, unit * (WIDTH - LEFT - RIGHT))
        y0, y1 = _widened(y0, y1, unit * (HEIGHT - TOP - BOTTOM))
    ends = (x1 - x0, y1 - y0)
    return Window(x0, x1, y0, y1) if all(math.isfinite(v) and v > 0 for v in ends) else None


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of the values, and a ninth of it more on both sides."""
    low, high = min(values), max(values)
    room = (high - low) / 9 or max(abs(high), 1.0) / 2
    return low - room, high + room


def _widened(low: float, high: float, length: float) -> tuple[float, float]:
    middle = low / 2 + high / 2
    return middle - length / 2, middle + length / 2


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
        parts += [label(px, bottom + 16, tick_text(x), "middle")]
    for y in ticks(window.y0, window.y1) if y_numbers else []:
        _, py = window.at(0.0, y)
        parts += [_shape("line", x1=left - 4, y1=py, x2=left, y2=py, class_="tick")]
        parts += [label(left - 7, py + 4, tick_text(y), "end")]
    middle = (left + right) / 2
    parts += [label(middle, HEIGHT - 6, x_name, "middle")] if x_name else []
    parts += [label(left + 4, top + 13, y_name, "start")] if y_name else []
    return element("g", *parts, class_="axes", aria_hidden="true")


def ticks(low: float, high: float) -> list[float]:
    """Return round numbers between low and high, about TICKS of them.

    Examples
    --------
    >>> ticks(-0.2, 4.3), ticks(0.011, 0.019)
    ([0.0, 1.0, 2.0, 3.0, 4.0], [0.012, 0.014, 0.016, 0.018])
    """
    raw = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(raw)) if raw > 0 else 0.0
    if not power or not math.isfinite(power):
        return []
    step = next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= raw * 0.999)
    first, last = math.ceil(low / step), math.floor(high / step)
    if last - first > 4 * TICKS or abs(first) > 2**50:
        return []
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


def tick_text(value: float) -> str:
    """Format a tick: 1,000, −0.5, 2e+07."""
    text = f"{value:,.6g}" if abs(value) < 1e6 else f"{value:.4g}"
    return text.replace("-", "−")


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
