"""Windows: a rectangle of the plane with margins that hold the numbers and the names of its axes.

A number on an axis is written with all digits of its tick, and the left margin is as wide as the longest of them: no
number is cut off, and no two ticks have the same text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Point = tuple[float, float]

WIDTH, HEIGHT = 480.0, 372.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 14.0, 24.0, 40.0  # margins around the window; the left one grows with its numbers
ACROSS, UP = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
TICKS = 5
LEAST = 1e-300  # a smaller range is not drawn: its ticks would be no normal floats
GAP = 7.0  # between a number and the axis
DISTORTED = 10.0  # ratio of the ranges from which a unit is not drawn equally long in both directions
LARGEST_STEPS = 10**11  # a tick beyond so many steps from 0 cannot be told from the next one
_NARROW, _BROAD, _USUAL = 4.0, 10.2, 7.7  # widths of characters of 12 pixels in a wide font
FREE_SCALES = " The axes have different scales, so angles are not drawn as they are."


@dataclass(frozen=True)
class Window:
    """A rectangle of the plane, drawn WIDTH × HEIGHT units large with margins for its axes.

    equal: whether a unit is as long in both directions, so that right angles are drawn as right angles.
    """

    x0: float
    x1: float
    y0: float
    y1: float
    left: float = LEFT
    equal: bool = False

    def at(self, x: float, y: float) -> Point:
        """Return where a point of the plane is drawn."""
        across = (x - self.x0) / (self.x1 - self.x0)
        up = (y - self.y0) / (self.y1 - self.y0)
        return self.left + across * (WIDTH - self.left - RIGHT), HEIGHT - BOTTOM - up * UP

    @property
    def box(self) -> str:
        """The four ends and the left margin, for a script that draws in the same window."""
        return " ".join(repr(v) for v in (self.x0, self.x1, self.y0, self.y1, self.left))

    @property
    def scale_note(self) -> str:
        """A sentence for the caption if angles are not drawn as they are."""
        return "" if self.equal else FREE_SCALES


def window_of(x0: float, x1: float, y0: float, y1: float) -> Window:
    """Return the window of this rectangle, with room for its numbers at the left."""
    return Window(x0, x1, y0, y1, _left(y0, y1))


def window_around(points: Iterable[Point], square: bool = True) -> Window | None:
    """Return a window with room around the points; None if their range is too large or too small for floats.

    square: whether a unit is as long in both directions; not if one range is more than DISTORTED times the other, where
    the points would fall on a line.
    """
    found = list(points) or [(0.0, 0.0)]
    (x0, x1), (y0, y1) = (_range([p[k] for p in found]) for k in (0, 1))
    if not all(map(math.isfinite, (x1 - x0, y1 - y0))):
        return None
    spread = [max(p[k] for p in found) - min(p[k] for p in found) for k in (0, 1)]
    if any(0 < v < LEAST for v in spread):
        return None
    if square and (not min(spread) or max(spread) / DISTORTED <= min(spread)):
        return _square(x0, x1, y0, y1)
    return window_of(x0, x1, y0, y1) if _is_drawable(x0, x1, y0, y1) else None


def _square(x0: float, x1: float, y0: float, y1: float) -> Window | None:
    """Return the window that contains the rectangle, with one unit for both axes.

    A wider margin makes the window's range larger, and its numbers perhaps longer, so the margin is found by growing.
    """
    left = LEFT
    while True:
        across = WIDTH - left - RIGHT
        unit = max((x1 - x0) / across, (y1 - y0) / UP)
        ends = (*_widened(x0, x1, unit * across), *_widened(y0, y1, unit * UP))
        if not _is_drawable(*ends):
            return None
        needed = _left(*ends[2:])
        if needed <= left:
            return Window(*ends, left, equal=True)
        left = needed


def _is_drawable(x0: float, x1: float, y0: float, y1: float) -> bool:
    return all(math.isfinite(v) and v > 0 for v in (x1 - x0, y1 - y0))


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return the range of the values, and a ninth of it more on both sides."""
    low, high = min(values), max(values)
    room = (high - low) / 9 or max(abs(high), 1.0) / 2
    return low - room, high + room


def _widened(low: float, high: float, length: float) -> tuple[float, float]:
    middle = low / 2 + high / 2
    return middle - length / 2, middle + length / 2


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
    return [float(f"{k * step:.12g}") for k in range(first, last + 1)]


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


def _left(y0: float, y1: float) -> float:
    """Return the left margin: as wide as the longest number of the axis."""
    longest = max((text_width(tick_text(y)) for y in ticks(y0, y1)), default=0.0)
    return max(LEFT, math.ceil(longest + GAP + 1.0))
