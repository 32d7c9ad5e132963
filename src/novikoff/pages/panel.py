"""The contents of a picture: panels of curves, marks, regions, arrows and notes, in data coordinates.

Displays and pages compute panels; matplotlib draws those of displays (`plot.matplotlib_panels`), and pages have SVG
(`panel_svg`). Colours are distinguishable with every kind of colour blindness, and no two series differ by colour
alone: classes have shapes, curves have line styles.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

INK, GREY, PALE = "#222222", "#767676", "#d9d9d9"
RED, BLUE, GREEN, PURPLE, AMBER = "#c1440e", "#0068a8", "#00795c", "#8e4a86", "#a06f00"
COLORS = (BLUE, RED, GREEN, PURPLE, AMBER, "#4b9cd3", INK, "#7a5c3e", GREY, "#d98cb3")
SHAPES = ("square", "circle", "triangle", "diamond", "plus", "cross", "star", "down", "pentagon", "hexagon")
LONGEST = 72  # characters of a line of text
STYLES = ("solid", "dashed", "dashdot", "dotted")


@dataclass(frozen=True)
class Curve:
    """A line through the points (x, y) in this order; nan interrupts it."""

    x: np.ndarray
    y: np.ndarray
    label: str | None = None
    color: str = INK
    style: str = "solid"
    width: float = 1.6
    alpha: float = 1.0
    name: str = ""  # what it is, for programs


@dataclass(frozen=True)
class Marks:
    """Marks at the points (x, y); low, high: the ends of a vertical interval at each. filled False: outlines only."""

    x: np.ndarray
    y: np.ndarray
    label: str | None = None
    color: str = INK
    shape: str = "circle"
    size: float = 36.0
    filled: bool = True
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    alpha: float = 1.0
    name: str = ""


@dataclass(frozen=True)
class Region:
    """A filled polygon with the corners (x, y)."""

    x: np.ndarray
    y: np.ndarray
    label: str | None = None
    color: str = PALE
    alpha: float = 0.35
    hatch: str = ""
    name: str = ""


@dataclass(frozen=True)
class Arrow:
    """An arrow from one point to another, with a text at the upper right of its tip."""

    start: tuple[float, float]
    end: tuple[float, float]
    text: str = ""
    color: str = INK
    width: float = 1.8
    name: str = ""


@dataclass(frozen=True)
class Note:
    """A text at a point; align: left, center or right."""

    x: float
    y: float
    text: str
    align: str = "left"
    color: str = INK
    size: float = 9.0
    name: str = ""


Item: TypeAlias = Curve | Marks | Region | Arrow | Note


@dataclass(frozen=True)
class Panel:
    """One pair of axes.

    items: drawn in this order. equal: one unit has the same length on both axes. legend: its place, such as "best" or
    "upper right"; "outside" is at the right of the panel, "" is none. x_whole, y_whole: only whole numbers are shown on
    this axis. x_ticks, y_ticks: texts instead of numbers at 0, 1, 2, …
    """

    items: tuple[Item, ...]
    title: str = ""
    x_label: str = ""
    y_label: str = ""
    x_limits: tuple[float, float] = (0.0, 1.0)
    y_limits: tuple[float, float] = (0.0, 1.0)
    equal: bool = False
    legend: str = "best"
    x_whole: bool = False
    y_whole: bool = False
    x_ticks: tuple[str, ...] | None = None
    y_ticks: tuple[str, ...] | None = None

    def inside(self) -> Panel:
        """Return the panel with its legend, if it has one at its right, where it hides least of the panel."""
        return replace(self, legend="best") if self.legend == "outside" else self

    def named(self, name: str) -> list[Any]:
        """Return the items with this name."""
        return [item for item in self.items if item.name == name]

    @property
    def labelled(self) -> list[tuple[Any, str]]:
        """The items of the legend, with their texts."""
        return [(item, shown_text(item.label)) for item in self.items if getattr(item, "label", None)]  # type: ignore[union-attr,arg-type]

    @property
    def labels(self) -> list[str]:
        """The entries of the legend."""
        return [text for _, text in self.labelled]


def shown_text(text: str) -> str:
    """Return a text that can be drawn: names from a file are shortened, control characters are replaced.

    Examples
    --------
    >>> shown_text("a\\x1b[31m"), len(shown_text("x" * 500))
    ('a?[31m', 72)
    """
    lines = ("".join(c if c.isprintable() else "?" for c in line) for line in text.split("\n"))
    return "\n".join(line if len(line) <= LONGEST else line[: LONGEST - 1] + "…" for line in lines)


def class_look(number: int) -> tuple[str, str]:
    """Return colour and shape of a class: of two, the first is a blue square and the second a red circle."""
    return COLORS[number % len(COLORS)], SHAPES[number % len(SHAPES)]


def series_look(number: int) -> tuple[str, str, str]:
    """Return colour, shape and line style of a series."""
    return (*class_look(number), STYLES[number % len(STYLES)])
