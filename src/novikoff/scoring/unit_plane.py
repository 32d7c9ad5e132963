"""Normalize a plane: w·x + b = 0 and c·w·x + c·b = 0 are the same plane for every c > 0.

    unit normal  w/|w|        distance from the origin  |b|/|w|

From the notes: C2a Z5a (only the direction of (w, b) matters).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

DIGITS = 80  # bits of the length: more than a double has


class UnitPlane(NamedTuple):
    """normal: unit vector. offset: signed distance of the origin, positive on the positive side of the plane."""

    normal: list[float]
    offset: float

    @property
    def distance(self) -> float:
        """Distance of the plane from the origin."""
        return abs(self.offset)


def unit_plane(w: Sequence[float], b: float) -> UnitPlane | None:
    """Return the unit plane, each number rounded about once; None if w is 0 or a number is not finite.

    Examples
    --------
    >>> unit_plane([3.0, 4.0], 10.0)
    UnitPlane(normal=[0.6, 0.8], offset=2.0)
    """
    if not any(w) or not all(map(math.isfinite, [*w, b])):
        return None
    whole = [Fraction(v) for v in [*w, b]]
    square = sum(v * v for v in whole[:-1])
    shift = DIGITS - (square.numerator.bit_length() - square.denominator.bit_length()) // 2
    length = Fraction(math.isqrt(math.floor(square * Fraction(4) ** shift))) / Fraction(2) ** shift
    return UnitPlane([float(v / length) for v in whole[:-1]], nearest_double(whole[-1] / length))


def nearest_double(value: Fraction) -> float:
    """Return the nearest double; infinite if there is none so large."""
    try:
        return value.numerator / value.denominator
    except OverflowError:
        return math.inf if value > 0 else -math.inf
