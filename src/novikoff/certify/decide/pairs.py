"""Decide which pairs of more than two classes a plane separates."""

from __future__ import annotations

from functools import cached_property
from itertools import combinations
from typing import Any, NoReturn

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
from novikoff.data.text.format_numbers import SHOWN, count
from novikoff.data.text.plain_files import plane_of
from novikoff.engines.engine import engine_of
from novikoff.errors import InputError, UndecidedError


class PairVerdicts(dict[tuple[Any, Any], Verdict]):
    """The answer for each pair of classes: {(a, b): verdict}, a sorts before b.

    Each verdict is about the rows of its two classes, numbered as in all rows. A proof is saved of one pair:
    `pairs[a, b].save(path)`.
    """

    @property
    def separable(self) -> bool | None:
        """Whether every pair is separable; None: no pair is known not to be, and one or more are undecided."""
        answers = {verdict.separable for verdict in self.values()}
        return False if False in answers else None if None in answers else True

    def __bool__(self) -> bool:
        if self.separable is None:
            raise UndecidedError(f"decide: {self}. Allow more time with max_time")
        return self.separable

    @cached_property
    def kinds(self) -> dict[tuple[Any, Any], str]:
        """The kind of each pair; `not separable` where it was not found in time."""
        return {pair: verdict.kind_in_time() for pair, verdict in self.items()}

    def explain(self) -> str:
        """Return one line for each pair; points are numbered from 1."""
        named = [f"{a} | {b}" for a, b in self]
        width = max(map(len, named), default=0)
        lines = [f"  {name.ljust(width)}  {self._line(pair)}" for name, pair in zip(named, self, strict=True)]
        return "\n".join([str(self), *lines])

    def _line(self, pair: tuple[Any, Any]) -> str:
        verdict = self[pair]
        if verdict.separable is None or verdict.separable:
            return "separable" if verdict.separable else "undecided"
        places = [verdict.place(row) for row in verdict.support[:SHOWN]]
        named = ", ".join(place if isinstance(place, str) else f"{place:,}" for place in places)
        return f"NOT SEPARABLE, {self.kinds[pair]}: points {named}{', …' if len(verdict.support) > SHOWN else ''}"

    def certificate(self, *_: Any, **__: Any) -> NoReturn:
        """Raise InputError: a certificate is about two classes."""
        a, b = next(iter(self))
        raise InputError(
            f"certificate: found {count(len(self), 'pair')} of classes; a certificate is about two classes: take the "
            f"verdict of a pair, as in found[{a!r}, {b!r}].save(path)"
        )

    save = certificate

    def __str__(self) -> str:
        answers = [verdict.separable for verdict in self.values()]
        plane = plane_of(all(verdict.fit_intercept for verdict in self.values()))
        share = f"{answers.count(True):,} of {count(len(self), 'pair')}"
        rest = f"; {answers.count(None):,} undecided" if None in answers else ""
        return f"{share} of classes are separable, each by a {plane} checked exactly{rest}"

    def __repr__(self) -> str:
        return f"PairVerdicts({self})"


@known_arguments
def decide_pairs(
    X: Any,
    y: Any = None,
    fit_intercept: bool = True,
    numbers: str = "binary64",
    max_time: float | None = None,
    engine: Any = None,
) -> PairVerdicts:
    """Decide for each pair of classes whether a plane separates them: {(a, b): verdict}, a sorts before b.

    As `decide` of more than two classes; two are one pair.

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
    return verdicts_of_pairs(X, y, bool(fit_intercept), numbers, "auto", max_time, engine)


def verdicts_of_pairs(
    X: Any, y: Any, fit_intercept: bool, numbers: str, proof: str, max_time: float | None, engine: Any
) -> PairVerdicts:
    """Return the verdicts of all pairs of classes."""
    origin, (X, y) = origin_of(X), unpacked(X, y)
    classes, codes = classes_of(y)
    if classes.size == 2:
        codes = (codes > 0).astype(np.int32)
    all_rows = Numbered(X, np.zeros(codes.size, np.int64), origin)
    source = source_of(all_rows, None, fit_intercept, numbers, engine_of(engine))
    labels, stays = labels_of(y), getattr(X, "in_a_file", False)
    clock, found = Clock(max_time), PairVerdicts()
    for a, b in combinations(range(classes.size), 2):
        both = (codes == a) | (codes == b)
        rows = both if stays else np.flatnonzero(both)  # the rows of a mask stay in their file
        names = tuple(classes[[a, b]].tolist())
        positive = (a, b)[positive_place(names)]
        pair = source.relabelled(rows, labels[rows], np.where(codes[rows] == positive, 1, -1).astype(np.int8))
        found[names[0], names[1]] = decided(pair, fit_intercept, proof, clock.max_time)
    return found
