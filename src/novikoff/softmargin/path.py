"""Choose C on held-out points, along a path of values, each solved from the solution before.

    C = 10^−3, 10^−2.5, …, 10²;   a fifth of each class is held out, and one row of a class of two to four rows;
    the C with the fewest held-out errors, of equal ones the smallest

Held-out rows have the cost 0: nothing is copied. Ctrl-C or the time limit ends the path at the value it has reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np

from novikoff.errors import InputError
from novikoff.softmargin.certified_fit import SoftPlane, fit_plane
from novikoff.softmargin.soft_problem import Limits, SoftProblem

VALUES = tuple(float(f"{10.0**power:.6g}") for power in np.linspace(-3, 2, 11))
PATH_GAP = 1e-3
ENDS_PATH = ("interrupted", "max_time")
HELD_OUT = 5  # one row of so many of each class


class PathPoint(NamedTuple):
    """A value of C, the errors on held-out rows (their weights, if rows have weights), and the largest relative gap."""

    C: float
    errors: float
    gap: float


def held_out_rows(classes: np.ndarray, weights: np.ndarray, seed: int) -> np.ndarray:
    """Return a mask of the rows to hold out, drawn by seed from the rows of each class with positive weight.

    A fifth of them, at least one if there are two; raise InputError if no class has two.
    """
    mask, draw = np.zeros(classes.size, bool), np.random.default_rng(seed)
    for label in np.unique(classes):
        rows = np.flatnonzero((classes == label) & (weights > 0.0))
        mask[draw.permutation(rows)[: max(rows.size // HELD_OUT, min(1, rows.size - 1))]] = True
    if not mask.any():
        raise InputError("found 'auto' with one row of each class; no row can be held out: give a number", "C")
    return mask


def choose_cost(
    problems: Callable[[float], Iterable[SoftProblem]],
    errors: Callable[[Sequence[np.ndarray]], float],
    limits: Limits,
    solver: str = "auto",
    seed: int = 0,
) -> tuple[float, list[PathPoint], list[SoftPlane]]:
    """Return the chosen C, the path, and the planes of the chosen C.

    problems: the problems of all planes for a C, without the held-out rows. errors: held-out errors of planes.
    """
    path: list[PathPoint] = []
    planes: list[SoftPlane] = []
    chosen: tuple[float, float, list[SoftPlane]] | None = None
    for C in VALUES:
        before, ratio = planes, C / path[-1].C if path else 1.0
        planes = []
        for k, problem in enumerate(problems(C)):
            start = before[k].start._replace(a=before[k].a * ratio) if before else None
            some = limits.part(max(PATH_GAP, limits.gap), limits.max_steps)
            planes.append(fit_plane(problem, some, solver, start, seed))
        path.append(PathPoint(C, errors([plane.w for plane in planes]), max(p.relative_gap for p in planes)))
        if chosen is None or path[-1].errors < chosen[0]:
            chosen = (path[-1].errors, C, planes)
        if any(plane.stop_reason in ENDS_PATH for plane in planes):
            break
    assert chosen is not None
    return chosen[1], path, chosen[2]
