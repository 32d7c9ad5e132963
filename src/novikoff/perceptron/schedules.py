"""Schedules with a name: the factor of η at the k-th update, k = 1, 2, …: plain functions, which run on fractions too.

From the notes: Z10 (η_t): 1/k and 1/√k fall slowly enough that their sum has no bound, so w can still go anywhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from novikoff.errors import InputError
from novikoff.perceptron import SCHEDULES

Schedule = Callable[[int], Any]


def inverse(k: int) -> Fraction:
    """1/k."""
    return Fraction(1, k)


def inverse_sqrt(k: int) -> float:
    """1/√k."""
    return 1 / math.sqrt(k)


NAMED: dict[str, Schedule | None] = dict(zip(SCHEDULES, (None, inverse, inverse_sqrt), strict=True))


def schedule_of(schedule: Any) -> Schedule | None:
    """The function behind a schedule's name, or the function that was given; None where η is constant."""
    if callable(schedule):
        return schedule  # type: ignore[no-any-return]
    if not (isinstance(schedule, str) and schedule in NAMED):
        known = ", ".join(map(repr, NAMED))
        raise InputError(f"found {schedule!r}; {known} or a function of the update's number was expected", "schedule")
    return NAMED[schedule]
