"""Explain the marks and lines of a picture: small samples with their meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.pages.drawing import SHAPES, mark
from novikoff.pages.markup import Markup, element
from novikoff.pages.window import Window

_SAMPLE = Window(0.0, 1.0, 0.0, 1.0)


def line_sample(kind: str) -> Markup:
    """Return a short line as the style sheet draws lines of this kind."""
    stroke = element("polyline", points="1,8 25,8", class_=kind)
    return element("svg", stroke, class_="drawing", viewBox="0 0 26 16", aria_hidden="true")


def mark_sample(shape: str) -> Markup:
    """Return one mark of this shape."""
    x, y = _SAMPLE.at(0.5, 0.5)
    box = f"{x - 13:g} {y - 8:g} 26 16"
    return element("svg", mark(_SAMPLE, 0.5, 0.5, shape, 5.0), class_="drawing", viewBox=box, aria_hidden="true")


def curve_legend(entries: Sequence[tuple[str, str]]) -> Markup:
    """Return the meaning of each kind of line."""
    return element("ul", *(element("li", line_sample(kind), text) for kind, text in entries), class_="legend")


def class_legend(classes: Sequence[Any], lines: Sequence[tuple[str, str]] = ()) -> Markup:
    """Return the mark of each class, in the order of SHAPES, and the meaning of the lines."""
    shown = [element("li", mark_sample(SHAPES[k % len(SHAPES)]), str(label)) for k, label in enumerate(classes)]
    return element("ul", *shown, *(element("li", line_sample(kind), text) for kind, text in lines), class_="legend")


def side_legend(classes: tuple[Any, Any], widest: bool, normal: bool = True) -> Markup:
    """Return the marks of both classes and the lines of a run; normal: whether the direction of w is among them."""
    minus, plus = classes
    lines = [("plane", "the line of w")]
    lines += [("normal", "the direction of w, orthogonal to it")] if normal else []
    lines += [("widest", "the line of the largest margin"), ("band", "its band")] if widest else []
    return class_legend((f"+ is {plus}", f"− is {minus}"), lines)
