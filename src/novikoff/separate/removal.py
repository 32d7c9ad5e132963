"""Find the fewest rows whose removal makes the points separable, with proofs.

Every set of rows whose removal leaves separable points contains a row of each obstruction (at most d + 2 rows that no
plane separates). So for k = 0, 1, 2, … rows, each row of one obstruction is tried, and k − 1 rows for what is left:
the first k for which a plane separates the rest is the minimum. Finding it is hard (Johnson and Preparata 1978: the
densest hemisphere): the search is for few rows.

From the notes: C4 (the obstructions).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

import numpy as np

from novikoff.arguments.signature_types import Decided, Labels, Points
from novikoff.data.format_numbers import count as counted
from novikoff.data.labelled_points import unpacked_in_memory
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.separate.decide import decided
from novikoff.separate.proof_points import ProofPoints, check_question
from novikoff.separate.verdict import Verdict


@dataclass(frozen=True)
class Removal:
    """The fewest rows to remove, and the proved plane of the rest.

    Rows are numbered from 0 as in the user's file or frame.

    rows: None if they were not found in time.
    rest: the verdict about the rows that stay; None if no row stays, or the rows were not found.
    at_least: how many rows must be removed; as many as `rows` has, where they were found.
    """

    rows: tuple[int, ...] | None
    rest: Verdict | None
    at_least: int

    def __repr__(self) -> str:
        return f"Removal({'at least' if self.rows is None else 'exactly'} {counted(self.at_least, 'row')})"


def removal(
    X: Points | Decided, y: Labels | None = None, fit_intercept: bool = True, max_time: float | None = 60.0
) -> Removal:
    """Find the fewest rows whose removal makes the points separable.

    The search is for few rows: its time grows with the number of rows of an obstruction to the power of their number.

    Parameters
    ----------
    X, y, fit_intercept : as of `decide`; or, as X, a verdict about the points in place of all three
    max_time : seconds after which the search ends; then `rows` is None, and `at_least` is proved

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.removal(*nv.example("xor"))
    >>> len(found.rows), bool(found.rest)
    (1, True)
    """
    check_question(fit_intercept, max_time)
    if isinstance(X, Verdict):
        if X:
            return Removal((), X, 0)
        search = _Search(X.check_source("removal"), X.fit_intercept, max_time)
    else:
        unpacked_in_memory(X, y, "removal")
        search = _Search(ProofPoints.of(X, y, bool(fit_intercept)), bool(fit_intercept), max_time)
    return search.fewest()


class _Search:
    """The obstructions seen, as rows that cannot all stay."""

    def __init__(self, source: ProofPoints, fit_intercept: bool, max_time: float | None) -> None:
        self.source, self.fit_intercept, self.clock = source, fit_intercept, Clock(max_time)
        self.obstructions: list[frozenset[int]] = []
        self.seen: set[frozenset[int]] = set()

    def fewest(self) -> Removal:
        for k in count():
            self.seen = set()
            try:
                found = self._with(frozenset(), k)
            except TimeIsUpError:
                return Removal(None, None, k)
            if found is not None:
                out, rest = found
                return Removal(tuple(map(self.source.problem.number, sorted(out))), rest, k)
        raise AssertionError("without all rows nothing is left to separate")  # cannot happen

    def _with(self, out: frozenset[int], more: int) -> tuple[frozenset[int], Verdict | None] | None:
        """Return rows to remove, these and at most so many more, and the verdict about the rest; None if none do."""
        self.seen.add(out)
        obstruction = next((rows for rows in self.obstructions if not rows & out), None)
        if obstruction is None:
            there = np.setdiff1d(np.arange(self.source.problem.n), list(out))
            if not there.size:
                return out, None
            self.clock()
            found = decided(self.source.part(there), self.fit_intercept, max_time=self.clock.max_time)
            if found.separable is None:
                raise TimeIsUpError
            if found.separable:
                return out, found
            obstruction = frozenset(there[list(found.indices)].tolist())
            self.obstructions.append(obstruction)
        for row in sorted(obstruction) if more else ():
            if out | {row} not in self.seen and (answer := self._with(out | {row}, more - 1)) is not None:
                return answer
        return None
