"""Draw panels in a terminal: curves as Braille dots, marks as characters, the legend below; works over SSH."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from novikoff.plot.drawing.dot_canvas import DotCanvas
from novikoff.plot.geometry.straight_lines import limits_around
from novikoff.plot.panel import Arrow, Bars, Cells, Curve, Item, Marks, Note, Panel, Region, extent, shown_text

SHAPES = {"circle": "●○o", "square": "■□#", "triangle": "▲△^", "diamond": "◆◇%", "plus": "✚+&", "cross": "✖x*",
          "star": "★☆$", "down": "▼▽v", "pentagon": "⬟⬠@", "hexagon": "⬢⬡=", "x": "××x", "dot": "··.",
          "bar": "││|", "minus": "−−-"}  # fmt: skip
LINES = {"solid": "⠒⠒⠒", "dashed": "⠒⠂⠒", "dashdot": "⠒⠠⠒", "dotted": "⠂⠂⠂"}
PLAIN_LINES = {"solid": "---", "dashed": "- -", "dashdot": "-.-", "dotted": "..."}
STRONG = 0.5  # part of the largest weight from which a cell counts as strong
RING = 100.0  # size from which an outlined circle is drawn around another mark
LEAST = 24, 6  # columns and rows of a canvas
Place = Callable[[float, float], tuple[float, float]]


def panels_in_characters(panels: Sequence[Panel], width: int = 80, height: int = 24, unicode: bool = True) -> str:
    """Return the panels one below the other; width and height of each in characters. unicode False: ASCII only."""
    return "\n\n".join("\n".join(panel_lines(panel, width, height, unicode)) for panel in panels)


def panel_lines(panel: Panel, width: int, height: int, unicode: bool = True) -> list[str]:
    """Return one panel as lines: title, canvas with the numbers of its axes, legend."""
    columns, rows = max(LEAST[0], width - 12), max(LEAST[1], height - 5)
    images = [item for item in panel.items if isinstance(item, Cells)]
    if images:
        return [*shown_text(panel.title).split("\n"), *_image(images[0], panel)]
    canvas = DotCanvas(columns, rows, unicode)
    x_limits, y_limits = limits_of(panel, columns, rows)
    place = _place(panel, x_limits, y_limits, canvas)
    for item in panel.items:
        _draw(canvas, item, place)
    lines = shown_text(panel.title).split("\n") if panel.title else []
    lines += _framed(canvas.lines(), panel, x_limits, y_limits) if panel.frame else canvas.lines()
    return [line.rstrip() for line in [*lines, *_legend(panel, width, unicode)]]


def limits_of(panel: Panel, columns: int, rows: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the limits of both axes, of logarithms where an axis is logarithmic; widened if units must be equal."""
    x, y = extent(panel.items)
    ends = []
    for values, given, log in ((x, panel.x_limits, panel.x_log), (y, panel.y_limits, panel.y_log)):
        chosen = np.array(given, np.float64) if given is not None else values
        chosen = np.log10(chosen[chosen > 0]) if log else chosen
        low, high = (0.0, 1.0) if not chosen.size else limits_around(chosen, 0.0 if given is not None else 0.04)
        ends.append((low, high))
    if panel.equal:  # a dot is about as wide as high
        unit = max((ends[0][1] - ends[0][0]) / (2 * columns), (ends[1][1] - ends[1][0]) / (4 * rows))
        for k, dots in ((0, 2 * columns), (1, 4 * rows)):
            middle = sum(ends[k]) / 2
            ends[k] = middle - unit * dots / 2, middle + unit * dots / 2
    return ends[0], ends[1]


def _place(panel: Panel, x_limits: tuple[float, float], y_limits: tuple[float, float], canvas: DotCanvas) -> Place:
    """Return the function from data coordinates to dots."""
    height, width = canvas.dots.shape

    def place(x: float, y: float) -> tuple[float, float]:
        if (panel.x_log and not x > 0) or (panel.y_log and not y > 0):
            return math.nan, math.nan
        x, y = (math.log10(x) if panel.x_log else x), (math.log10(y) if panel.y_log else y)
        across = (x - x_limits[0]) / (x_limits[1] - x_limits[0])
        up = (y - y_limits[0]) / (y_limits[1] - y_limits[0])
        return across * (width - 1), (1 - up) * (height - 1)

    return place


def _draw(canvas: DotCanvas, item: Item, place: Place) -> None:
    if isinstance(item, Curve | Region):
        points = [place(float(x), float(y)) for x, y in zip(item.x, item.y, strict=True)]
        if isinstance(item, Region):
            points.append(points[0])
        used, style = 0, item.style if isinstance(item, Curve) else "dotted"
        for start, end in pairwise(points):
            used = canvas.line(start, end, style, used)
    elif isinstance(item, Marks):
        if item.low is not None and item.high is not None:
            for x, low, high in zip(item.x, item.low, item.high, strict=True):
                canvas.line(place(float(x), float(low)), place(float(x), float(high)))
        for x, y in zip(item.x, item.y, strict=True):
            _put_mark(canvas, item, *place(float(x), float(y)))
    elif isinstance(item, Arrow):
        canvas.line(place(*item.start), place(*item.end))
        canvas.put(*(tip := place(*item.end)), _tip(place(*item.start), tip) if canvas.unicode else "*")
        if item.text:
            left = item.text_side[0] < 0
            canvas.write(tip[0] + (-4 if left else 4), tip[1], shown_text(item.text), "right" if left else "left")
    elif isinstance(item, Bars):
        _draw_bars(canvas, item, place)
    elif isinstance(item, Note):
        canvas.write(*place(item.x, item.y), shown_text(item.text), item.align)


def _draw_bars(canvas: DotCanvas, item: Bars, place: Place) -> None:
    for left, right, height in zip(item.edges[:-1], item.edges[1:], item.heights, strict=True):
        if height > 0:
            x0, y0 = place(float(left), float(height))
            x1, y1 = place(float(right), 0.0)
            for x in range(math.ceil(x0), max(math.ceil(x0) + 1, math.ceil(x1))):
                canvas.line((x, y0), (x, y1))


def _put_mark(canvas: DotCanvas, marks: Marks, x: float, y: float) -> None:
    """Put a mark into its cell; a ring around a point becomes parentheses beside it."""
    if _is_ring(marks):
        canvas.put(x - 2, y, "(")
        canvas.put(x + 2, y, ")")
    else:
        canvas.put(x, y, character(marks, canvas.unicode))


def _is_ring(marks: Marks) -> bool:
    return marks.shape == "circle" and not marks.filled and marks.size >= RING


def character(marks: Marks, unicode: bool) -> str:
    """Return the character of a mark: filled, outlined, or ASCII; that of a ring for the legend."""
    return "( )" if _is_ring(marks) else SHAPES[marks.shape][2 if not unicode else 0 if marks.filled else 1]


def _tip(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return the arrow character of a direction; y grows downwards."""
    angle = math.atan2(start[1] - end[1], end[0] - start[0])
    return "→↗↑↖←↙↓↘"[round(angle / (math.pi / 4)) % 8]


def _framed(rows: list[str], panel: Panel, x_limits: tuple[float, float], y_limits: tuple[float, float]) -> list[str]:
    """Return the canvas between axes with numbers at their ends and in the middle."""
    low, high = (10**v if panel.y_log else v for v in y_limits)
    middle = 10 ** (sum(y_limits) / 2) if panel.y_log else sum(y_limits) / 2
    numbers = {0: f"{high:.4g}", len(rows) // 2: f"{middle:.4g}", len(rows) - 1: f"{low:.4g}"}
    if panel.y_ticks is not None:
        numbers = _names_of_rows(panel.y_ticks, y_limits, len(rows))
    lines = [f"{numbers.get(k, ''):>10} |{row}" for k, row in enumerate(rows)]
    if panel.y_label:
        lines.insert(0, f"{shown_text(panel.y_label):>10}")
    width = len(rows[0])
    ends = [f"{10**v if panel.x_log else v:.4g}" for v in (x_limits[0], sum(x_limits) / 2, x_limits[1])]
    below = ends[0].ljust(width // 2 - len(ends[1]) // 2) + ends[1]
    below = below.ljust(width - len(ends[2])) + ends[2]
    if panel.x_ticks is not None:
        below = _names_below(panel.x_ticks, x_limits, width)
    return [
        *lines,
        " " * 11 + "+" + "-" * width,
        " " * 12 + below,
        " " * 12 + shown_text(panel.x_label).center(width).rstrip(),
    ]


def _names_below(names: Sequence[str], x_limits: tuple[float, float], width: int) -> str:
    """Return the texts at 0, 1, 2, … of the x axis in one line, shortened so that none touches the next."""
    room = max(1, math.floor(width / (x_limits[1] - x_limits[0])) - 1)
    line = [" "] * width
    for k, name in enumerate(names):
        text = shown_text(name).replace("\n", "/")[:room]
        at = round((k - x_limits[0]) / (x_limits[1] - x_limits[0]) * width - len(text) / 2)
        at = max(0, min(at, width - len(text)))
        line[at : at + len(text)] = text
    return "".join(line).rstrip()


def _names_of_rows(names: Sequence[str], y_limits: tuple[float, float], rows: int) -> dict[int, str]:
    """Return the texts at 0, 1, 2, … of the y axis by row of characters."""
    found = {}
    for k, name in enumerate(names):
        row = math.floor((1 - (k - y_limits[0]) / (y_limits[1] - y_limits[0])) * (4 * rows - 1) + 0.5) // 4
        found[row] = shown_text(name)[:10]
    return found


def _legend(panel: Panel, width: int, unicode: bool) -> list[str]:
    """Return the entries of the legend, as many on a line as fit."""
    entries = []
    for item in panel.items:
        if not getattr(item, "label", None) or not panel.legend:
            continue
        label = shown_text(item.label)  # type: ignore[union-attr,arg-type]
        if isinstance(item, Marks):
            entries.append(f"{character(item, unicode)} {label}")
        elif isinstance(item, Curve):
            entries.append(f"{(LINES if unicode else PLAIN_LINES)[item.style]} {label}")
        elif isinstance(item, Bars):
            entries.append(f"{'⣿' if unicode else '.'} {label}")
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(entry) + 3 <= width:
            lines[-1] += f"   {entry}"
        else:
            lines.append(f"  {entry}")
    return lines


def _image(item: Cells, panel: Panel) -> list[str]:
    """Return cells as two characters each: # and + positive, = and - negative, strong and weak."""
    end = item.largest or 1.0

    def cell(value: float) -> str:
        part = value / end
        if abs(part) < 0.05:
            return "  "
        return ("##" if part > STRONG else "++") if part > 0 else ("==" if part < -STRONG else "--")

    return ["".join(cell(float(v)) for v in row) for row in item.values] + ([panel.x_label] if panel.x_label else [])
