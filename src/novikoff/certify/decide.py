"""Separable or not, always with an exact proof."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from novikoff.certify.first import perceptron
from novikoff.certify.signed import Signed, points_of
from novikoff.certify.verdict import Relation, Verdict
from novikoff.certify.whole import whole_rows
from novikoff.certify.working import Obstruction, Plane, WorkingSet, circuit_among
from novikoff.errors import InputError
from novikoff.perceptron import choices
from novikoff.points.labels import labels_of

WIDE = 500  # columns: with more of them than points the perceptron goes over the points as they are
PASSES = 200
MANY = 100  # columns from which a few passes cost little beside the active set,
FEW = 1.6  # and rows for each of them up to which they are likely to separate: at 2 it is a coin (Cover)


def decide(
    X: Any,
    y: Any,
    fit_intercept: bool = True,
    numbers: str = "binary64",
    proof: str = "auto",
    max_time: float | None = None,
    engine: Any = None,
) -> Verdict:
    """Whether a plane has every point strictly on its own side, with a proof of the answer.

    w·x + b > 0 on the class that sorts last, < 0 on the other;   or  Σ λ_i y_i (x_i, 1) = 0,  λ > 0 on ≤ d + 2 points

    From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable").

    Parameters
    ----------
    X, y : points (n, d) in any storage, and their labels of two classes (one class is trivially separable with a bias)
    fit_intercept : whether the plane may miss the origin
    numbers : "binary64"; what the numbers mean
    proof : "rational" has the weights of a no found at once; "interval" and "auto" only prove that they exist, where
        that is faster, and find them when asked for
    max_time : seconds after which it gives up, undecided
    engine : None

    Examples
    --------
    >>> import novikoff as nv
    >>> v = nv.decide([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> v.separable, v.kind, v.support, v.weights
    (False, 'overlap', (0, 1, 2, 3), (1, 1, 1, 1))
    """
    choices.truth("fit_intercept", fit_intercept)
    choices.one_of("numbers", numbers, ("binary64",))
    choices.one_of("proof", proof, ("auto", "rational", "interval"))
    if max_time is not None:
        choices.positive("max_time", max_time)
    if engine is not None:
        raise InputError(f"engine: found {engine!r}; None was expected")
    points = points_of(X, y, bool(fit_intercept), numbers)
    verdict = _decided(points, bool(fit_intercept), numbers, proof, max_time)
    verdict._source = (points.problem, labels_of(y))
    return verdict


def _decided(points: Signed, fit_intercept: bool, numbers: str, proof: str, max_time: float | None) -> Verdict:
    shape = (points.n, points.D - points.pad, fit_intercept)
    if points.pad and _one_class(points):
        plane = (*(0,) * shape[1], int(points.problem.y[0]))
        return Verdict(True, *shape, rows_read=0, how="one class only", numbers=numbers, _plane=plane)
    try:
        found = _found(points, _Clock(max_time), proof == "rational")
    except _TimeIsUpError:
        how = f"stopped by max_time after {max_time:g} seconds"
        return Verdict(None, *shape, rows_read=points.rows_read, how=how, numbers=numbers)
    told: dict[str, Any] = {"rows_read": points.rows_read, "how": found.how, "numbers": numbers}
    if isinstance(found, Plane):
        return Verdict(True, *shape, **told, _plane=tuple(found.plane))
    circuit = Relation(points.floats(np.array(found.rows)), found.weights)
    return Verdict(False, *shape, **told, support=tuple(found.rows), _relation=circuit, _points=points)


def _one_class(points: Signed) -> bool:
    y = points.problem.y
    return bool(y[-1] == y[0] and np.count_nonzero(y == y[0]) == y.size)


def _found(points: Signed, between: _Clock, rational: bool) -> Plane | Obstruction:
    """The stages: the perceptron where it is likely to be faster, short proofs in the working set, the working set."""
    if max(WIDE, points.n) < points.D:
        ended = perceptron(points.problem, PASSES, between.end)
        if ended.plane is not None:
            points.rows_read = points.n
            plane = whole_rows(ended.plane[None, : points.D])[0][0]
            return Plane(plane, "perceptron")
        if ended.counts is not None:
            points.rows_read = points.n
            return circuit_among(points, ended.counts)
    some = WorkingSet(points, between, rational)
    found: Plane | Obstruction | None = some.conflict()
    if found is None and MANY <= points.D and some.W.size == points.n <= FEW * points.D:
        found = some.by_perceptron(between.end)
    return found or some.decide()


class _TimeIsUpError(Exception):
    """max_time is over."""


class _Clock:
    """Called between two steps: raises when the time is over."""

    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else time.perf_counter() + limit

    def __call__(self) -> None:
        if self.end is not None and time.perf_counter() > self.end:
            raise _TimeIsUpError
