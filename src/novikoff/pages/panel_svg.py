"""Draw a panel as SVG for a page: axes, items, and the legend below the picture.

Items have the class of their colour, which the style sheet defines for both themes, and their name as `data-of`. Shape
and colour both say the class of a point, and curves differ by their dashes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from novikoff.pages.markup import Markup, element, joined
from novikoff.pages.page_frame import figure
from novikoff.pages.panel import (
    AMBER,
    BLUE,
    GREEN,
    GREY,
    INK,
    PALE,
    PURPLE,
    RED,
    Arrow,
    Curve,
    Item,
    Marks,
    Note,
    Panel,
    Region,
)
from novikoff.pages.window import GAP, HEIGHT, LEFT, WIDTH, Point, Window, shortened, text_width, tick_text, ticks

Place = Callable[[float, float], Point]  # from data coordinates to those of the picture
COLOR_CLASSES = {INK: "ink", GREY: "soft", PALE: "rule", RED: "red", BLUE: "blue", GREEN: "green", PURPLE: "purple",
                 AMBER: "amber"}  # fmt: skip
DASHES = {"dashed": "8 5", "dashdot": "9 4 2 4", "dotted": "2 4"}
CORNERS = {  # of the shapes, for a radius of 1; y points down
    "square": ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    "triangle": ((0, -1.2), (1.1, 0.9), (-1.1, 0.9)),
    "diamond": ((0, -1.3), (1.1, 0), (0, 1.3), (-1.1, 0)),
    "plus": ((-0.4, -1.2), (0.4, -1.2), (0.4, -0.4), (1.2, -0.4), (1.2, 0.4), (0.4, 0.4), (0.4, 1.2), (-0.4, 1.2),
             (-0.4, 0.4), (-1.2, 0.4), (-1.2, -0.4), (-0.4, -0.4)),
    "x": ((-1, -1), (0, 0), (-1, 1), (0, 0), (1, 1), (0, 0), (1, -1), (0, 0)),
}  # fmt: skip
MOST_CLASSES = 5  # whose shapes are drawn: of `class_look`
HEAD = 9.0  # units, of an arrow
RADIUS = 0.66  # units for the square root of a mark's area in points
SAMPLE = "0 0 26 16"  # of a legend


def panel_figure(panel: Panel, name: str, caption: Any = None, *more: Any, **attributes: Any) -> Markup:
    """Return a panel as a figure: picture, caption (by default its title) and legend.

    Parameters
    ----------
    name : what the picture shows, read aloud by screen readers
    more : further elements of the picture
    attributes : of the picture
    """
    picture = panel_svg(panel, name, *more, **attributes)
    return figure(picture, joined([panel.title if caption is None else caption, legend(panel)]))


def panel_svg(panel: Panel, name: str, *more: Any, **attributes: Any) -> Markup:
    """Return a panel as an SVG picture."""
    window = window_of(panel)
    content = [axes(window, panel), *(drawn(item, window.at) for item in panel.items), *more]
    box = f"0 0 {WIDTH:g} {HEIGHT:g}"
    return element("svg", *content, viewBox=box, role="img", aria_label=name, class_="drawing", **attributes)


def window_of(panel: Panel) -> Window:
    """Return where a panel is drawn."""
    return Window(*panel.x_limits, *panel.y_limits)


# ---- axes ----------------------------------------------------------------------------------------------------------


def axes(window: Window, panel: Panel) -> Markup:
    """Return the frame of the window with ticks, numbers (or the texts of the panel) and the names of both axes."""
    left, top = window.at(window.x0, window.y1)
    right, bottom = window.at(window.x1, window.y0)
    parts = [element("rect", x=shown(left), y=shown(top), width=shown(right - left), height=shown(bottom - top))]
    for x in ticks(window.x0, window.x1):
        px, _ = window.at(x, 0.0)
        parts.append(_line(px, bottom, px, bottom + 4))
    parts += [_text(px, bottom + 16, text, "middle") for px, text in _numbers_below(window)]
    up = ticks(window.y0, window.y1)
    named = [(y, tick_text(y)) for y in up] if panel.y_ticks is None else list(enumerate(panel.y_ticks))
    for y, text in named:
        _, py = window.at(0.0, y)
        parts += [_line(left - 4, py, left, py), _text(left - GAP, py + 4, shortened(text, LEFT - GAP), "end")]
    middle = (left + right) / 2
    parts += [_name(middle, HEIGHT - 6, panel.x_label, "middle", 2 * (WIDTH - middle))] if panel.x_label else []
    parts += [_name(left, top - 8, panel.y_label, "start", WIDTH - left)] if panel.y_label else []
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
    return _text(x, y, text if short == text else joined([short, element("title", text)]), anchor)


def _text(x: float, y: float, text: str, anchor: str = "start") -> Markup:
    return element("text", text, x=shown(x), y=shown(y), text_anchor=anchor)


def _line(x1: float, y1: float, x2: float, y2: float) -> Markup:
    return element("line", x1=shown(x1), y1=shown(y1), x2=shown(x2), y2=shown(y2))


# ---- items ---------------------------------------------------------------------------------------------------------


def drawn(item: Item, at: Place) -> Markup:
    """Return an item of a panel; at: where a point is drawn."""
    color, name = COLOR_CLASSES[item.color], item.name or None
    if isinstance(item, Curve):
        points = listed(at(x, y) for x, y in zip(item.x.tolist(), item.y.tolist(), strict=True))
        return element("polyline", points=points, class_=f"curve {color}", stroke_width=f"{item.width:g}",
                       stroke_dasharray=DASHES.get(item.style), opacity=f"{item.alpha:g}", data_of=name)  # fmt: skip
    if isinstance(item, Region):
        points = listed(at(x, y) for x, y in zip(item.x.tolist(), item.y.tolist(), strict=True))
        return element("polygon", points=points, class_=f"area {color}", opacity=f"{item.alpha:g}", data_of=name)
    if isinstance(item, Note):
        anchor = {"left": "start", "center": "middle", "right": "end"}[item.align]
        return _text(*at(item.x, item.y), item.text, anchor)
    if isinstance(item, Arrow):
        (x1, y1), (x2, y2) = at(*item.start), at(*item.end)
        a, b = (HEAD * v / (math.hypot(x2 - x1, y2 - y1) or 1.0) for v in (x2 - x1, y2 - y1))
        points = listed(
            [(x1, y1), (x2, y2), (x2 - a - b / 2, y2 - b + a / 2), (x2, y2), (x2 - a + b / 2, y2 - b - a / 2)]
        )
        line = element("polyline", points=points, class_=f"curve {color}", stroke_width=f"{item.width:g}")
        return element("g", line, _text(x2 + 4, y2 - 4, item.text), data_of=name)
    assert isinstance(item, Marks)
    radius = RADIUS * math.sqrt(item.size)
    marks = joined(_mark(*at(x, y), item.shape, radius) for x, y in zip(item.x.tolist(), item.y.tolist(), strict=True))
    kind = "mark" if item.filled and item.shape != "x" else "outline"
    return element("g", marks, class_=f"{kind} {color}", data_of=name)


def _mark(x: float, y: float, shape: str, radius: float) -> Markup:
    """Return one mark; its shape is its class."""
    if shape == "circle":
        return element("circle", class_="circle", cx=shown(x), cy=shown(y), r=shown(radius))
    corners = [(x + radius * a, y + radius * b) for a, b in CORNERS[shape]]
    return element("polygon", class_=shape, points=listed(corners))


def legend(panel: Panel) -> Markup:
    """Return the meaning of the items that have a label, each with a small sample."""
    entries = [element("li", _sample(item), text) for item, text in panel.labelled]
    return element("ul", *entries, class_="legend") if entries else Markup("")


def _sample(item: Item) -> Markup:
    """Return a small picture of an item."""
    x, y = (1.0, 25.0, 25.0, 1.0), (2.0, 2.0, 14.0, 14.0)
    if isinstance(item, Marks):
        x, y = (13.0,), (8.0,)  # type: ignore[assignment]
    elif isinstance(item, Curve):
        x, y = (1.0, 25.0), (8.0, 8.0)  # type: ignore[assignment]
    sample = replace(item, x=np.array(x), y=np.array(y), name="")  # type: ignore[arg-type]
    return element("svg", drawn(sample, lambda x, y: (x, y)), class_="drawing", viewBox=SAMPLE, aria_hidden="true")


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


def listed(points: Iterable[Point]) -> str:
    """Format points as the corners of a shape."""
    return " ".join(f"{shown(x)},{shown(y)}" for x, y in points)
