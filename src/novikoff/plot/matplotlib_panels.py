"""Draw panels on the axes of matplotlib, which is imported only here and only when something is drawn.

No setting of matplotlib (rcParams, backend, style) is changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.pages.panel import (
    Arrow,
    Curve,
    Item,
    Marks,
    Note,
    Panel,
    Region,
    shown_text,
)

INSTALL = "pip install 'novikoff[plot]'"
MARKERS = {"circle": "o", "square": "s", "triangle": "^", "diamond": "D", "plus": "P", "cross": "X", "star": "*",
           "down": "v", "pentagon": "p", "hexagon": "h", "x": "x"}  # fmt: skip
DASHES: dict[str, Any] = {"solid": "-", "dashed": (0, (5, 2)), "dashdot": (0, (6, 2, 1.2, 2)), "dotted": (0, (1.2, 2))}
PANEL_SIZE, LEGEND_WIDTH = (4.6, 3.9), 1.6  # inches
MOST_BESIDE = 3  # panels beside each other, unless a display says how many
TEXT_GAP = 4.0  # points between the tip of an arrow and its text


def check_matplotlib() -> None:
    """Raise InputError, with the command that installs it, if matplotlib cannot be imported."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        raise InputError(f"pictures need the package matplotlib; {INSTALL}")


def new_figure(panels: Sequence[Panel], columns: int | None = None) -> tuple[Any, list[Any]]:
    """Return a figure that pyplot does not know, and its axes, one for each panel."""
    check_matplotlib()
    from matplotlib.figure import Figure

    figure = Figure(layout="compressed")
    return figure, _grid(figure, panels, columns)


def draw(panels: Sequence[Panel], ax: Any = None, columns: int | None = None) -> list[Any]:
    """Draw the panels and return their axes: the given ones, or those of a new pyplot figure."""
    check_matplotlib()
    if ax is None:
        from matplotlib import pyplot

        axes = _grid(pyplot.figure(layout="compressed"), panels, columns)
    else:
        axes = _given(ax, len(panels))
    for one, panel in zip(axes, panels, strict=True):
        draw_panel(one, panel)
    return axes


def _grid(figure: Any, panels: Sequence[Panel], columns: int | None) -> list[Any]:
    """Give a figure its size, and return its axes: one for each panel, by default up to three beside each other."""
    columns = columns or min(len(panels), MOST_BESIDE)
    rows = -(-len(panels) // columns)
    width, height = PANEL_SIZE
    outside = LEGEND_WIDTH * columns if any(p.legend == "outside" and p.labels for p in panels) else 0.0
    figure.set_size_inches(width * columns + outside, height * rows)
    return [figure.add_subplot(rows, columns, k + 1) for k in range(len(panels))]


def _given(ax: Any, count: int) -> list[Any]:
    """Return the user's axes, one for each panel."""
    axes = [ax] if hasattr(ax, "plot") else list(np.ravel(np.asarray(ax, dtype=object)))
    if len(axes) != count or not all(hasattr(one, "plot") for one in axes):
        wanted = "one Axes" if count == 1 else f"a sequence of {count} Axes"
        other = next((one for one in axes if not hasattr(one, "plot")), None)
        found = f"{len(axes)}" if other is None else f"{type(other).__name__} ({other!r:.40})"
        raise InputError(f"found {found}; this display has {count} panel{'s' * (count > 1)}: {wanted} was expected",
                         "ax")  # fmt: skip
    return axes


def draw_panel(ax: Any, panel: Panel) -> None:
    """Draw one panel on one Axes."""
    for order, item in enumerate(panel.items, start=2):
        _draw_item(ax, item, order)
    if panel.equal:
        ax.set_aspect("equal", adjustable="box")
    ax.set(xlim=panel.x_limits, ylim=panel.y_limits)
    ax.set_title(_text(panel.title), fontsize=10)
    ax.set_xlabel(_text(panel.x_label))
    ax.set_ylabel(_text(panel.y_label))
    _ticks(ax, panel)
    if panel.legend and panel.labels:
        place = (
            {"loc": panel.legend} if panel.legend != "outside" else {"loc": "upper left", "bbox_to_anchor": (1.01, 1.0)}
        )
        ax.legend(fontsize=8, framealpha=0.9, **place)


def _ticks(ax: Any, panel: Panel) -> None:
    for texts, axis in ((panel.x_ticks, ax.xaxis), (panel.y_ticks, ax.yaxis)):
        if texts is not None:
            axis.set_ticks(range(len(texts)), [_text(text) for text in texts])
    for whole, axis in ((panel.x_whole, ax.xaxis), (panel.y_whole, ax.yaxis)):
        if whole:
            from matplotlib.ticker import MaxNLocator

            axis.set_major_locator(MaxNLocator(integer=True))


def _text(text: str) -> str:
    """Return a text in which a dollar sign is not the beginning of a formula."""
    return shown_text(text).replace("$", r"\$")


def _label(label: str | None) -> str:
    """Return an entry of the legend; without one, or with a leading underscore, matplotlib leaves it out."""
    return "_" if not label else f" {_text(label)}" if label.startswith("_") else _text(label)


def _draw_item(ax: Any, item: Item, order: int) -> None:
    if isinstance(item, Curve):
        ax.plot(item.x, item.y, color=item.color, linestyle=DASHES[item.style], linewidth=item.width, alpha=item.alpha,
                label=_label(item.label), zorder=order, gid=item.name or None)  # fmt: skip
    elif isinstance(item, Marks):
        _draw_marks(ax, item, order)
    elif isinstance(item, Region):
        ax.fill(item.x, item.y, facecolor=item.color, alpha=item.alpha, hatch=item.hatch or None,
                edgecolor=item.color if item.hatch else "none", label=_label(item.label), linewidth=0.0,
                zorder=order, gid=item.name or None)  # fmt: skip
    elif isinstance(item, Arrow):
        look = {"arrowstyle": "-|>", "color": item.color, "linewidth": item.width, "shrinkA": 0, "shrinkB": 0}
        ax.annotate("", xy=item.end, xytext=item.start, arrowprops=look, zorder=order, gid=item.name or None)
        if item.text:
            from matplotlib.patheffects import withStroke

            halo = withStroke(linewidth=3.0, foreground=ax.get_facecolor())  # legible over points
            ax.annotate(_text(item.text), xy=item.end, xytext=(TEXT_GAP, TEXT_GAP), textcoords="offset points",
                        color=item.color, fontsize=10, zorder=order, path_effects=[halo])  # fmt: skip
    elif isinstance(item, Note):
        ax.text(item.x, item.y, _text(item.text), ha=item.align, va="center", color=item.color, fontsize=item.size,
                zorder=order, gid=item.name or None)  # fmt: skip


def _draw_marks(ax: Any, item: Marks, order: int) -> None:
    if item.low is not None and item.high is not None:
        ax.vlines(item.x, item.low, item.high, color=item.color, linewidth=1.1, alpha=item.alpha, zorder=order)
        for end in (item.low, item.high):
            ax.scatter(item.x, end, marker="_", s=item.size, color=item.color, linewidth=1.1, zorder=order)
    line = item.shape == "x"
    look = {"color": item.color} if line else {"facecolor": item.color if item.filled else "none",
                                               "edgecolor": "white" if item.filled else item.color}  # fmt: skip
    ax.scatter(item.x, item.y, marker=MARKERS[item.shape], s=item.size, alpha=item.alpha, label=_label(item.label),
               linewidth=0.6 if item.filled and not line else 1.4, zorder=order + 0.5,
               gid=item.name or None, **look)  # fmt: skip
