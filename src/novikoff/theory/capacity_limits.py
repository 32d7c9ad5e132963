"""Inverse questions to Cover's theorem: how many points, how many parameters, for a given fraction."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.exact_points import exact_number
from novikoff.errors import InputError
from novikoff.theory.cover import separable_fraction, sizes
from novikoff.theory.cover_logs import LARGEST, log_fraction

SURE = 1e-6  # relative difference of two fractions that logarithms prove


@known_arguments
def largest_separable(N: int, fraction: Any = "1/2", fit_intercept: bool = False) -> int:
    """Return the largest number of points P for which C(P, N)/2^P is at least the given fraction.

    P = 2N for the fraction 1/2: the capacity of N parameters

    From the notes: S5 S6 (Sompolinsky, the step at P/N = 2).

    Parameters
    ----------
    N : number of dimensions, at least 1
    fraction : above 0, and up to 1
    fit_intercept : as in `cover_count`

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.largest_separable(65), nv.largest_separable(65, fraction=1), nv.largest_separable(65, fraction="0.99")
    (130, 65, 106)
    """
    _, N = sizes(1, N, fit_intercept)
    if N < 1:
        raise InputError("found 0; an integer of at least 1 was expected", "N")
    q = _share(fraction)
    high = _doubled(max(N, 1), lambda P: not at_least(P, N, q))
    return _last(N, high, lambda P: at_least(P, N, q))


@known_arguments
def fewest_parameters(P: int, fraction: Any = "1/2") -> int:
    """Return the smallest number of parameters N for which C(P, N)/2^P is at least the given fraction.

    From the notes: S5 S6 (Sompolinsky, the step at P/N = 2).

    Parameters
    ----------
    P : number of points, at least 1
    fraction : above 0, and up to 1

    Examples
    --------
    >>> import novikoff as nv
    >>> nv.fewest_parameters(130), nv.fewest_parameters(130, fraction=1), nv.fewest_parameters(130, fraction="0.01")
    (65, 130, 52)
    """
    P, _ = sizes(P, 0)
    if P > LARGEST:
        raise InputError(f"found {P:.6g}; at most {LARGEST:.0e} points were expected", "P")
    q = _share(fraction)
    return _last(0, P, lambda N: not at_least(P, N, q)) + 1


def at_least(P: int, N: int, q: Fraction) -> bool:
    """Return whether C(P, N)/2^P ≥ q, exactly: by logarithms unless the two are nearly equal."""
    if N >= P:
        return True
    if q == Fraction(1, 2):
        return P <= 2 * N
    if N == 0 or q == 1:
        return False
    if 2 * N > P:  # compare what is missing from 1
        q, N, turned = 1 - q, P - N, True
    else:
        turned = False
    difference = log_fraction(P, N) - (math.log(q.numerator) - math.log(q.denominator))
    if abs(difference) > SURE:
        return (difference > 0) != turned
    try:
        exact = separable_fraction(P, N)
    except InputError:
        raise InputError(
            f"found {float(q):.6g}, too near to the fraction of {P:,} points and {N:,} parameters to be told apart; a "
            "fraction of fewer digits, or fewer points, were expected",
            "fraction",
        ) from None
    return exact <= q if turned else exact >= q


def _share(fraction: Any) -> Fraction:
    q = exact_number(fraction, "fraction")
    if not 0 < q <= 1:
        raise InputError(f"found {fraction}; a number above 0 and up to 1 was expected", "fraction")
    return q


def _doubled(start: int, over: Callable[[int], bool]) -> int:
    """Return the first of start, 2·start, 4·start, … that is over a limit."""
    while not over(start):
        start *= 2
        if start > LARGEST:
            raise InputError(f"the answer is above {LARGEST:.0e} points; use fewer dimensions", "N")
    return start


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """Return the last number that holds, given that low does, high does not, and none after a failing one does."""
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
