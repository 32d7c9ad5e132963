"""Decide which pairs of more than two classes a plane separates."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.certify.deadline import Clock
from novikoff.certify.decide.decide import decided
from novikoff.certify.decide.decimal_points import check_question, source_of
from novikoff.certify.decide.verdict import Verdict
from novikoff.data.labelled_points import Numbered, unpacked
from novikoff.data.labels.classes import classes_of, labels_of
from novikoff.data.labels.positive_class import positive_place
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import engine_of


@known_arguments
def decide_pairs(
    X: Any,
    y: Any = None,
    fit_intercept: bool = True,
    numbers: str = "binary64",
    max_time: float | None = None,
    engine: Any = None,
) -> dict[tuple[Any, Any], Verdict]:
    """Decide for each pair of classes whether a plane separates them: {(a, b): verdict}, a sorts before b.

    From the notes: T1 Z7 (a strict plane, or none).

    Parameters
    ----------
    X, y, fit_intercept, numbers : as of `decide`; two classes or more
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
    check_question(fit_intercept, numbers, max_time)
    origin, (X, y) = origin_of(X), unpacked(X, y)
    classes, codes = classes_of(y)
    if classes.size == 2:
        codes = (codes > 0).astype(np.int32)
    all_rows = Numbered(X, np.zeros(codes.size, np.int64), origin)
    source = source_of(all_rows, None, bool(fit_intercept), numbers, engine_of(engine))
    labels, stays = labels_of(y), getattr(X, "in_a_file", False)
    clock, found = Clock(max_time), dict[tuple[Any, Any], Verdict]()
    for a, b in combinations(range(classes.size), 2):
        both = (codes == a) | (codes == b)
        rows = both if stays else np.flatnonzero(both)  # the rows of a mask stay in their file
        names = tuple(classes[[a, b]].tolist())
        positive = (a, b)[positive_place(names)]
        pair = source.relabelled(rows, labels[rows], np.where(codes[rows] == positive, 1, -1).astype(np.int8))
        found[names[0], names[1]] = decided(pair, bool(fit_intercept), max_time=clock.max_time)
    return found
