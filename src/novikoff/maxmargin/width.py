"""A widest plane and its margin, rounded for the user from the proved ones."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

import numpy as np

from novikoff.data.format_numbers import at_most
from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.maxmargin.mistake_bound import Interval, roots
from novikoff.maxmargin.widest_plane import ProvedMargin


@dataclass(frozen=True, eq=False)
class Width:
    """A widest plane, scaled so that y(w·x + b) ≥ 1 for every row and = 1 for those that touch.

    gamma : (lower, upper), proved bounds of the largest margin of any plane
    plane : (w, b), each number rounded once: where |x| is far larger than the margin, a rounded plane may have rows
        below 1; `gamma` is proved of the plane before rounding
    touching : the rows nearest to the plane, numbered from 0 as in the user's file or frame; with `gamma2` all of them,
        else those that determine the plane
    indices : the same rows, counted among the given points
    weights : of the touching rows, ≥ 0: they sum to 1 (geometric: in each class), and the nearest point of the hull (of
        the two hulls) to the origin (to each other) is this mean of them
    gamma2 : γ², exactly, if few rows determine the plane; else None
    """

    gamma: Interval
    touching: np.ndarray
    indices: np.ndarray
    gamma2: Fraction | None
    _d: int = field(repr=False)
    _proved: ProvedMargin | None = field(default=None, repr=False)

    @cached_property
    def plane(self) -> tuple[np.ndarray, float]:
        """(w, b)."""
        if self._proved is None:
            return np.zeros(self._d), 1.0
        try:
            plane = [float(v / self._proved.t) for v in self._proved.plane]
        except OverflowError:
            raise InputError(
                f"the points are so near to each other (γ ≤ {at_most(self.gamma[1], '.3g')}) that no double "
                "holds the plane; multiply X by a large number first",
                "X",
            ) from None
        return np.array(plane[: self._d]), plane[self._d] if len(plane) > self._d else 0.0

    @cached_property
    def weights(self) -> np.ndarray:
        """One for each row of `touching`."""
        if self._proved is None:
            return np.zeros(0)
        weights, total = self._proved.weights, self._proved.total
        return np.array([weights.get(int(i), 0) / total for i in self.indices])


def width_of(found: ProvedMargin, problem: Problem) -> Width:
    """Return a proved margin rounded for the user: the interval outward, all else to the nearest."""
    touching = np.asarray(problem.numbers(found.touching)), found.touching
    return Width(roots(found.low2, found.high2), *touching, found.low2 if found.exact else None, problem.d, found)


def endless_width(d: int) -> Width:
    """Return the width for one class: a plane may be arbitrarily far away from all points."""
    nothing = np.zeros(0, np.int64)
    return Width((math.inf, math.inf), nothing, nothing, None, d)


def proof_of(width: Width) -> ProvedMargin:
    """Return the proof of a width; raise InputError for the geometric one of one class, which has no plane."""
    if width._proved is None:
        raise InputError("margin: unbounded, because there is only one class; there is no plane")
    return width._proved
