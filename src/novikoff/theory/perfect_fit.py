"""How little a perfect fit says: the fraction of all labellings of as many points that a plane separates.

    at most C(n, N)/2^n of all labellings of n points are separable, N = d + 1 parameters with a bias, d without

Equality holds in general position only. With as many points as parameters every labelling may be separable, so that
having found a separating plane says nothing about the labels.

From the notes: S5 S6 (Sompolinsky, Cover's Function Counting Theorem).
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from novikoff.data.format_numbers import at_most

EXACT = 2000  # points up to which the fraction is exact
LEAST = 0.01  # smaller fractions are not reported
ROUNDED = 1e-9  # more than the relative error of a fraction from logarithms


def separable_by_chance(n: int, parameters: int) -> dict[str, Any] | None:
    """Return the number of parameters and the largest possible fraction of separable labellings, rounded up; None below
    LEAST.

    Examples
    --------
    >>> separable_by_chance(4, 3), separable_by_chance(1000, 30)
    ({'parameters': 3, 'at_most': 0.875}, None)
    """
    if n > 2 * parameters and (n - 2 * parameters) ** 2 > 2 * n * math.log(1 / LEAST):  # Hoeffding: far below
        return None
    fraction = 1.0 if n <= parameters else _fraction(n, parameters)
    return {"parameters": parameters, "at_most": fraction} if fraction >= LEAST else None


def _fraction(n: int, parameters: int) -> float:
    from novikoff.theory import cover, cover_logs

    if n <= EXACT:
        near = float(exact := cover.separable_fraction(n, parameters))
        return near if near >= exact else math.nextafter(near, 1.0)
    if n > cover_logs.LARGEST:
        return 0.0
    widened = 1.0 if n == 2 * parameters else 1.0 + ROUNDED
    return min(1.0, widened * cover_logs.approximate_fraction(n, parameters))


def in_words(n: int, chance: dict[str, Any]) -> str:
    """Return the sentence about a perfect fit.

    Examples
    --------
    >>> in_words(4, {"parameters": 3, "at_most": 0.875})
    'with 4 points and 3 parameters, at most 87.5 % of all labellings are separable: a perfect fit here means little'
    >>> in_words(2, {"parameters": 3, "at_most": 1.0})
    'with 2 points and 3 parameters, every labelling may be separable: a perfect fit here means little'
    """
    points = "1 point" if n == 1 else f"{n:,} points"
    weights = "1 parameter" if chance["parameters"] == 1 else f"{chance['parameters']:,} parameters"
    share = at_most(100 * Fraction(chance["at_most"]), ".3g")
    every = (
        "every labelling may be separable"
        if n <= chance["parameters"]
        else (
            f"at most {share} % of all labellings are separable"
            if share != "100"
            else "almost every labelling may be separable"
        )
    )
    return f"with {points} and {weights}, {every}: a perfect fit here means little"
