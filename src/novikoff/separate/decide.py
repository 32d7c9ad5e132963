"""Decide whether points are linearly separable, with an exact proof of the answer.

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"), T7a (the positive class).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Label, Labels, Points
from novikoff.data.labels import classes_of
from novikoff.data.positive_class import positive_place
from novikoff.engines.engine import Engine, engine_of
from novikoff.errors import InputError, ManyClassesError
from novikoff.exact.deadline import Clock as _Clock, TimeIsUpError, WorkIsUpError
from novikoff.exact.integer_rows import whole_rows
from novikoff.exact.signed_rows import Signed
from novikoff.separate.pairs import PairVerdicts
from novikoff.separate.proof_points import ProofPoints, check_question, points_and_labels
from novikoff.separate.relation import Relation
from novikoff.separate.separator_search import Plane, RowCircuit, SeparatorSearch, circuit_among, perceptron
from novikoff.separate.verdict import Verdict

WIDE = 500  # columns: with more of them than points the perceptron runs first, on all points
PASSES = 200
MANY = 100  # columns from which a few passes of the perceptron cost little compared with the active set,
FEW = 1.6  # and rows per column up to which they are likely to separate: at 2 it is one in two (Cover)


def decide(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    proof: str = "auto",
    max_time: float | None = None,
    engine: Engine | None = None,
    positive: Label | None = None,
) -> Verdict | PairVerdicts:
    """Decide whether a plane has every point strictly on its own side, with a proof of the answer.

    Of more than two classes each pair is decided: {(a, b): verdict}, a sorts before b (`PairVerdicts`).

    w·x + b > 0 on the positive class, < 0 on the other;   or  Σ λ_i y_i (x_i, 1) = 0,  λ > 0 on ≤ d + 2 points

    Parameters
    ----------
    X, y : points (n, d) in any storage, and their labels (one class is trivially separable with a bias)
    fit_intercept : whether the plane may miss the origin
    proof : "rational" computes the weights of a proof of "not separable" at once; "interval" and "auto" prove that they
        exist, where that is faster, and compute them when they are first used
    max_time : seconds (for all pairs together) after which a verdict is "undecided"; its properties may each take as
        long again
    engine : how the rows are scanned, as in `novikoff.engine("threads")`; None: serially. No result depends on it
    positive : of two classes, that on which the plane is above 0; None: `+` of `+` and `-`, else yes, true, spam,
        positive or on, else the label that sorts last

    Examples
    --------
    >>> import novikoff as nv
    >>> v = nv.decide([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> v.separable, v.kind, v.support, v.weights
    (False, 'overlap', (0, 1, 2, 3), (1, 1, 1, 1))
    >>> pairs = nv.decide(*nv.example("iris"))
    >>> print(pairs.explain())
    2 of 3 pairs of classes are separable, each by a plane checked exactly
      setosa | versicolor     separable
      setosa | virginica      separable
      versicolor | virginica  NOT SEPARABLE, overlap: points 51, 71, 78, 84, 134, 139
    >>> pairs.separable, pairs["setosa", "virginica"].separable
    (False, True)
    """
    check_question(fit_intercept, max_time)
    argument_checks.one_of("proof", proof, ("auto", "rational", "interval"))
    try:
        source = ProofPoints.of(X, y, bool(fit_intercept), engine_of(engine), positive)
    except ManyClassesError:
        if positive is not None:
            raise InputError(
                f"found {positive!r} and more than two classes; it chooses one of two: leave it out, or keep the rows "
                "of two classes",
                "positive",
            ) from None
        return verdicts_of_pairs(X, y, bool(fit_intercept), proof, max_time, engine)
    return decided(source, bool(fit_intercept), proof, max_time)


def decide_pairs(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    max_time: float | None = None,
    engine: Engine | None = None,
) -> PairVerdicts:
    """Decide for each pair of classes whether a plane separates them: {(a, b): verdict}, a sorts before b.

    As `decide` of more than two classes; two are one pair.

    Parameters
    ----------
    X, y, fit_intercept : as of `decide`; two classes or more
    max_time : seconds for all pairs; pairs not reached by then are undecided
    engine : as of `decide`

    Returns
    -------
    Verdicts: each is about the rows of its two classes, numbered as in X

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.decide_pairs(*nv.example("iris"))
    >>> [pair for pair, verdict in found.items() if not verdict]
    [('versicolor', 'virginica')]
    """
    check_question(fit_intercept, max_time)
    return verdicts_of_pairs(X, y, bool(fit_intercept), "auto", max_time, engine)


def verdicts_of_pairs(
    X: Any, y: Any, fit_intercept: bool, proof: str, max_time: float | None, engine: Any
) -> PairVerdicts:
    """Return the verdicts of all pairs of classes."""
    problem, labels = points_and_labels(X, y, fit_intercept)
    classes, codes = classes_of(labels)
    clock, found = _Clock(max_time), PairVerdicts()
    values = np.unique(codes)  # in the order of the classes
    for pair in combinations(range(classes.size), 2):
        names = classes[[*pair]].tolist()
        up = positive_place(names)
        side = codes == values[pair[up]]
        rows = np.flatnonzero(side | (codes == values[pair[1 - up]]))
        signed = replace(problem.part(rows), y=np.where(side[rows], np.int8(1), np.int8(-1)))
        source = ProofPoints(signed, engine_of(engine), labels[rows], (names[1 - up], names[up]))
        found[names[0], names[1]] = decided(source, fit_intercept, proof, clock.max_time)
    return found


def decided(source: ProofPoints, fit_intercept: bool, proof: str = "auto", max_time: float | None = None) -> Verdict:
    """Return the verdict about these points."""
    points, clock = source, _Clock(max_time)
    shape = (points.n, points.D - fit_intercept, fit_intercept)
    info: dict[str, Any] = {"max_time": max_time, "_source": source}
    sign = source.problem.only_sign if fit_intercept else None
    if sign is not None:
        plane = (*(0,) * shape[1], sign)
        return Verdict(True, *shape, rows_read=0, how="one class only", _plane=plane, **info)
    try:
        with points.watched(clock):
            found = _found(points, clock, proof == "rational")
            if (needed := points.rows_read) < points.n:
                points.survey()  # check the other rows too: NaN, infinity or a wrong column is an error
                points.rows_read = needed
    except TimeIsUpError:
        how = f"stopped by max_time after {max_time:g} seconds"
        return Verdict(None, *shape, rows_read=points.rows_read, how=how, **info)
    return _verdict(found, points, shape, info)


def decided_within(source: ProofPoints, clock: _Clock, first: np.ndarray, stored: int, enough: bool) -> Verdict | None:
    """Return the verdict about points that were checked before, or None if the clock does not allow enough work.

    The answer, and whether there is one, are the same on every machine; TimeIsUpError is raised when the time is over.
    first: rows to begin with, in order. stored: how many numbers of the points are not zero. enough: whether the work
    may be enough for more than a proof by one or two of the first rows.
    """
    points = source
    try:
        with points.watched(clock):
            search = SeparatorSearch(points, clock, first=first, stored=stored)
            found = search.conflict() or (search.run() if enough else None)
    except WorkIsUpError:
        return None
    shape = (points.n, points.D - points.pad, bool(points.pad))
    return None if found is None else _verdict(found, points, shape, {"_source": source})


def _verdict(found: Plane | RowCircuit, points: Signed, shape: tuple[int, int, bool], info: dict[str, Any]) -> Verdict:
    """Return the verdict for a plane of all rows, or for rows that sum to zero."""
    info |= {"rows_read": points.rows_read, "how": found.how}
    if isinstance(found, Plane):
        return Verdict(True, *shape, **info, _plane=tuple(found.plane))
    circuit = Relation(points.floats(found.rows), found.weights)
    return Verdict(False, *shape, **info, indices=tuple(found.rows), _relation=circuit)


def _found(points: Signed, between: _Clock, rational: bool) -> Plane | RowCircuit:
    """Try in turn: the perceptron where it is likely to be faster, proofs by one or two rows, the working set."""
    if max(WIDE, points.n) < points.D:
        ended = perceptron(points.problem, PASSES, between.end)
        if ended.plane is not None:
            points.rows_read = points.n
            plane = whole_rows(ended.plane[None, : points.D])[0][0]
            return Plane(plane, "perceptron")
        if ended.counts is not None:
            points.rows_read = points.n
            return circuit_among(points, ended.counts)
    some = SeparatorSearch(points, between, rational)
    found: Plane | RowCircuit | None = some.conflict()
    if found is None and MANY <= points.D and some.W.size == points.n <= FEW * points.D:
        found = some.by_perceptron(between.end)
    return found or some.run()
