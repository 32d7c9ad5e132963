"""Compute the mistake bound, and doubles that enclose rational numbers and their roots.

All arithmetic is rational; floats are rounded outward at the end.

From the notes: T4 R5 S10 C7 Z9 (mistakes ≤ (R/γ)²), S10a (from any start).
"""

from __future__ import annotations

import math
from fractions import Fraction

from novikoff.scoring.unit_plane import nearest_double

Interval = tuple[float, float]


def below(q: Fraction) -> float:
    """Return the largest double ≤ q; −inf if there is none."""
    f = nearest_double(q)
    while f == math.inf or (f != -math.inf and Fraction(f) > q):
        f = math.nextafter(f, -math.inf)
    return f


def above(q: Fraction) -> float:
    """Return the smallest double ≥ q; inf if there is none."""
    return -below(-q)


def roots(low: Fraction, high: Fraction) -> Interval:
    """Return doubles that enclose the square roots of 0 ≤ low ≤ high."""
    return _root_below(low), _root_above(high)


def root_near(q: Fraction) -> float:
    """Return √q, nearly correctly rounded."""
    power = (q.numerator.bit_length() - q.denominator.bit_length()) // 2
    scaled = q * Fraction(4) ** -power
    return math.ldexp(math.sqrt(nearest_double(scaled)), power)


def _root_below(q: Fraction) -> float:
    f = math.nextafter(root_near(q), math.inf)
    while f == math.inf or Fraction(f) ** 2 > q:
        f = math.nextafter(f, 0.0)
    return f


def _root_above(q: Fraction) -> float:
    f = math.nextafter(root_near(q), 0.0)
    while Fraction(f) ** 2 < q:
        f = math.nextafter(f, math.inf)
    return f


# ---- mistakes ------------------------------------------------------------------------------------------------------


def bound_of(radius2: float, gamma: float, factor: int = 1) -> float | None:
    """Return factor·(R/γ)², rounded up; None beyond the doubles. γ: the shortest decimal of the double, as it is typed.

    Examples
    --------
    >>> bound_of(2.0, 0.1), bound_of(1.0, 0.3)
    (200.0, 11.111111111111112)
    """
    bound = above(factor * Fraction(radius2) / Fraction(repr(float(gamma))) ** 2)
    return bound if math.isfinite(bound) else None


def most_updates(a: Fraction, step: Fraction, w2: Fraction, start2: Fraction, radius2: Fraction) -> int:
    """Return the largest n with  a + n·step ≤ √(w2·(start2 + n·radius2)).

    a = ⟨w⁰, w⟩, step = η·min ⟨w, z⟩ > 0, w2 = |w|², start2 = |w⁰|², radius2 = η²R². It holds for n = 0
    (Cauchy–Schwarz); the left side is linear, the right concave, so it fails after the largest n.
    """
    A, B, C = step * step, 2 * a * step - w2 * radius2, a * a - w2 * start2
    p, q = (B * B - 4 * A * C).as_integer_ratio()  # ≥ 0, for C ≤ 0
    root = Fraction(math.isqrt(p * q << 128) + 1, q << 64)  # a little more than √(p/q)
    n = (root - B) / (2 * A)
    whole = max(n.numerator // n.denominator, 0)
    while whole > 0 and not _holds(whole, a, step, w2, start2, radius2):
        whole -= 1
    return whole


def _holds(n: int, a: Fraction, step: Fraction, w2: Fraction, start2: Fraction, radius2: Fraction) -> bool:
    left = a + n * step
    return left <= 0 or left * left <= w2 * (start2 + n * radius2)
