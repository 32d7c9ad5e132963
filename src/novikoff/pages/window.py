"""Windows: a rectangle of the plane with margins that hold the numbers and the names of its axes.

A number on an axis is written with all digits of its tick; where they do not fit into the margin, the axis has none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

Point = tuple[float, float]
Limits = tuple[float, float]

WIDTH, HEIGHT = 480.0, 372.0
LEFT, RIGHT, TOP, BOTTOM = 78.0, 14.0, 24.0, 40.0  # margins around the window
ACROSS, UP = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
TICKS = 5
LEAST, LARGEST = 1e-300, 1e140  # a smaller range, or larger numbers, are not drawn: ticks would be no normal floats
GAP = 7.0  # between a number and the axis
DISTORTED = 10.0  # ratio of the ranges from which a unit is not drawn equally long in both directions
LARGEST_STEPS = 10**11  # a tick beyond so many steps from 0 cannot be told from the next one
_NARROW, _BROAD, _USUAL = 4.0, 10.2, 7.7  # widths of characters of 12 pixels in a wide font
FREE_SCALES = " The axes have different scales, so angles are not drawn as they are."


class Window(NamedTuple):
    """A rectangle of the plane, drawn WIDTH × HEIGHT units large with margins for its axes."""

    x0: float
    x1: float
    y0: float
    y1: float

    def at(self, x: float, y: float) -> Point:
        """Return where a point of the plane is drawn."""
        across, up = (x - self.x0) / (self.x1 - self.x0), (y - self.y0) / (self.y1 - self.y0)
        return LEFT + across * ACROSS, HEIGHT - BOTTOM - up * UP

    @property
    def box(self) -> str:
        """The four ends and the left margin, for a script that draws in the same window."""
        return " ".join(repr(v) for v in (*self, LEFT))


class View(NamedTuple):
    """Limits of both axes with room around points; equal: whether a unit is as long in both directions."""

    x: Limits
    y: Limits
    equal: bool

    @property
    def note(self) -> str:
        """A sentence for the caption if angles are not drawn as they are."""
        return "" if self.equal else FREE_SCALES


def view_around(points: Iterable[Point], square: bool = True) -> View | None:
    """Return limits with room around the points; None if their range is too large or too small for floats.

    square: whether a unit is as long in both directions; not if one range is more than DISTORTED times the other, where
    the points would fall on a line.
    """
    found = np.array(list(points) or [(0.0, 0.0)], np.float64)
    low, high = found.min(axis=0), found.max(axis=0)
    if not np.abs(found).max() < LARGEST:
        return None
    spread = high - low
    if ((spread > 0) & (spread < LEAST)).any():
        return None
    room = np.where(spread > 0, spread / 9, np.maximum(np.abs(high), 1.0) / 2)
    low, high = low - room, high + room
    equal = square and bool(not spread.min() or spread.max() / DISTORTED <= spread.min())
    if equal:
        half = ((high - low) / (ACROSS, UP)).max() * np.array([ACROSS, UP]) / 2
        low, high = (low + high) / 2 - half, (low + high) / 2 + half
    if not (low < high).all():
        return None
    (x0, y0), (x1, y1) = low.tolist(), high.tolist()
    return View((x0, x1), (y0, y1), equal)


# ---- numbers of an axis --------------------------------------------------------------------------------------------


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
    if last - first > 4 * TICKS or max(abs(first), abs(last)) > LARGEST_STEPS:
        return []
    found = [float(f"{k * step:.12g}") for k in range(first, last + 1)]
    return found if max(map(text_width, map(tick_text, found)), default=0.0) <= LEFT - GAP else []


def tick_text(value: float) -> str:
    """Format a tick with all its digits.

    Examples
    --------
    >>> tick_text(1000.0), tick_text(-0.5), tick_text(2e7), tick_text(1_000_001.0), tick_text(-1e-5)
    ('1,000', '−0.5', '2e+07', '1,000,001', '−1e−05')
    """
    text = f"{value:,.12g}"
    if abs(value) >= 1e6:
        digits, power = f"{value:.11e}".split("e")
        text = min(text, f"{digits.rstrip('0').rstrip('.')}e{power}", key=len)
    return text.replace("-", "−")


def text_width(text: str) -> float:
    """Return how wide a text of the picture is at most, in units of the drawing."""
    return sum(_NARROW if c in ",.' ijlI|" else _BROAD if c in "−+mwMW@…" or ord(c) > 0x2000 else _USUAL for c in text)


def shortened(text: str, room: float) -> str:
    """Return the text, or its beginning and … if it needs more than this room.

    Examples
    --------
    >>> shortened("income", 100.0), shortened("income of the household", 60.0)
    ('income', 'income…')
    """
    if text_width(text) <= room:
        return text
    kept = len(text)
    while kept and text_width(text[:kept]) + _BROAD > room:
        kept -= 1
    return f"{text[:kept].rstrip()}…"
