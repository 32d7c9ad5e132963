"""Rows without which a plane separates the rest: few of them, every step proved, and a bound from below.

    at most    E = the rows that a good plane (the pocket's) has wrong: it separates all others.
               As long as the rows that are left are not separable, some obstruction among them has a row of E; the one
               that the plane has most wrong is taken out. So no row outside E ever is, and it ends.
               Then each row taken out is put back if the rest stays separable. What is left out now is needed: put
               back alone, it makes the rest not separable (rows that come back later do not change that).
    at least   obstructions one after the other, each taken out with all its rows: they share no row, and every set of
               rows whose removal leaves separable points has one of each.

The least number is somewhere between; to find it is hard (Johnson and Preparata 1978: the densest hemisphere).

From the notes: R7 (Gallant's pocket), C4 (the obstructions).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.certify.deadline import Clock
from novikoff.certify.decide.decide import decided
from novikoff.certify.decide.proof_points import ProofSource, source_of
from novikoff.certify.decide.relation import outward
from novikoff.certify.decide.verdict import Verdict
from novikoff.certify.numbers.rescale import Frame, rounded
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.solve.solver import floats_of
from novikoff.data.labelled_points import unpacked_in_memory
from novikoff.data.problem import Problem
from novikoff.data.text.format_numbers import count
from novikoff.kernels.reproducible_sums import ordered_products
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train

NUMBERS = 100_000_000  # that the pocket reads, or so
PASSES = (5, 500)  # of the pocket: not fewer, not more
DIGITS = 24  # of the pocket's plane
TAKING, PACKING = 0.4, 0.6  # parts of the time after which rows are no longer taken out, obstructions no longer sought


@dataclass(frozen=True)
class Removal:
    """Rows to take out, the proved plane of the rest, and how few rows could do at all.

    Rows are numbered from 0 as in the user's file or frame.

    minimal: putting back any one of the rows makes the rest not separable. It is not said that no smaller set exists,
    unless `at_least` is the number of rows.
    obstructions: the rows of each of `at_least` obstructions without a common row.
    """

    rows: tuple[int, ...]
    rest: Verdict | None  # None: no row is left
    at_least: int
    minimal: bool
    obstructions: tuple[tuple[int, ...], ...]

    @property
    def at_most(self) -> int:
        return len(self.rows)

    def __repr__(self) -> str:
        least = f"{self.at_least} to " if self.at_least < self.at_most else "exactly "
        return (
            f"Removal({least}{count(self.at_most, 'row')}{'' if self.minimal else ', not every one seen to be needed'})"
        )


@known_arguments
def removal(
    X: Any, y: Any = None, fit_intercept: bool = True, numbers: str = "binary64", max_time: float | None = 60.0
) -> Removal:
    """A small set of rows whose removal makes the points separable; an upper bound, with a lower one beside it.

    Parameters
    ----------
    X, y, fit_intercept, numbers : as of `decide`; or in place of all four the verdict about the points, as X
    max_time : seconds after which rows are no longer put back, nor obstructions sought; what is returned is proved all
        the same

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.removal(*nv.example("xor"))
    >>> len(found.rows), found.at_least, bool(found.rest)
    (1, 1, True)
    """
    argument_checks.truth("fit_intercept", fit_intercept)
    argument_checks.one_of("numbers", numbers, ("binary64", "decimal"))
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    whole = X if isinstance(X, Verdict) else None
    if whole is None:
        unpacked_in_memory(X, y, "removal")
        search = _Search(source_of(X, y, bool(fit_intercept), numbers), bool(fit_intercept), max_time)
    elif whole:
        return Removal((), whole, 0, True, ())
    else:
        search = _Search(whole.check_source("removal"), whole.fit_intercept, max_time)
    search.take_out()
    packing = search.packing(whole)
    minimal = search.put_back(len(packing))
    rows, *packed = (
        tuple(search.source.numbers_of(np.asarray(some, np.int64)).tolist())
        for some in (np.flatnonzero(search.out), *packing)
    )
    return Removal(rows, search.rest, len(packing), minimal, tuple(packed))


class _Search:
    """The rows that are out, the proved plane of the rest, and every obstruction met."""

    def __init__(self, source: ProofSource, fit_intercept: bool, max_time: float | None) -> None:
        self.source, self.fit_intercept = source, fit_intercept
        self.taking, self.looking, self.clock = (
            Clock(None if max_time is None else part * max_time) for part in (TAKING, PACKING, 1.0)
        )
        self.known: list[frozenset[int]] = []
        self.out, self.sides, self.rest = self._pocket()

    def take_out(self) -> None:
        """Fewer rows than the pocket has wrong: of obstruction after obstruction the row that it has most wrong."""
        out = np.zeros_like(self.out)
        while not out.all():
            found = self._request(~out, self.taking)
            if found is None:
                return
            if found.separable:
                self.out, self.rest = out, found
                return
            rows = self._seen(found, ~out)
            out[min(rows, key=lambda i: (not self.out[i], self.sides[i]))] = True

    def packing(self, whole: Verdict | None) -> tuple[tuple[int, ...], ...]:
        """Obstructions without a common row."""
        there, found = np.ones_like(self.out), whole
        packed: list[tuple[int, ...]] = []
        while there.any() and len(packed) < np.count_nonzero(self.out):
            found = found or self._request(there, self.looking)
            if found is None or found.separable is not False:
                break
            packed.append(tuple(self._seen(found, there)))
            there[list(packed[-1])] = False
            found = None
        return tuple(packed)

    def put_back(self, least: int) -> bool:
        """Every row that can come back; whether none of the others can."""
        for row in sorted(np.flatnonzero(self.out).tolist(), key=lambda i: -self.sides[i]):
            if np.count_nonzero(self.out) == least:
                return True  # no set is smaller
            if any(row in rows and not self.out[list(rows - {row})].any() for rows in self.known):
                continue
            self.out[row] = False
            found = self._request(~self.out, self.clock)
            if found is None:
                self.out[row] = True
                return False
            if found.separable:
                self.rest = found
            else:
                self._seen(found, ~self.out)
                self.out[row] = True
        return True

    def _request(self, there: np.ndarray, clock: Clock) -> Verdict | None:
        """The verdict about some of the rows; None: no time for it."""
        left = clock.left
        if left == 0.0:
            return None
        found = decided(self.source.part(np.flatnonzero(there)), self.fit_intercept, max_time=left)
        return None if found.separable is None else found

    def _seen(self, found: Verdict, there: np.ndarray) -> list[int]:
        """The rows of an obstruction, remembered."""
        rows: list[int] = np.flatnonzero(there)[list(found.indices)].tolist()
        self.known.append(frozenset(rows))
        return rows

    def _pocket(self) -> tuple[np.ndarray, np.ndarray, Verdict | None]:
        """Which rows a good plane has wrong, how far each is on its right side, and what it proves of the others."""
        points = self.source.points()
        plane, sides = _good_plane(points, self.fit_intercept, self.taking)
        wrong = points.margins(plane) <= 0
        if self.fit_intercept:
            smaller = 1 if (self.source.signs() > 0).sum() * 2 <= wrong.size else -1
            less = self.source.signs() == smaller
            if less.sum() < wrong.sum():  # all of the larger class on one side is better
                plane, wrong = [0] * (points.D - 1) + [-smaller], less
        if wrong.all():
            return wrong, sides, None
        part = self.source.part(np.flatnonzero(~wrong))
        n, d = int((~wrong).sum()), points.D - self.fit_intercept
        info: dict[str, Any] = {"rows_read": n, "how": "pocket", "numbers": self.source.numbers, "_source": part}
        return wrong, sides, Verdict(True, n, d, self.fit_intercept, **info, _plane=tuple(outward(points, plane)))


def _good_plane(points: Any, fit_intercept: bool, clock: Clock) -> tuple[list[int], np.ndarray]:
    """A plane with few errors, by the pocket in a frame of floats, and the scores that floats see."""
    if isinstance(points, Signed):
        Z = points.floats(np.arange(points.n))
        frame = Frame(Z, int(fit_intercept))
    else:
        Z = floats_of(points.rows)
        frame = Frame(Z, 0)
    A = frame.apply(Z)
    passes = min(max(NUMBERS // A.size, PASSES[0]), PASSES[1])
    seconds = None if clock.left is None else clock.left / 2
    stops = Stops(passes, None, seconds, train_patience=None)
    plan = Plan(keep="pocket", stops=stops)
    found = train(Run.begin(Problem(A, np.ones(len(A), np.int8), points.D, 0.0), plan, np.zeros(points.D + 1)))
    if found.stop_reason == "interrupted":
        raise KeyboardInterrupt
    w = found.plane[:-1]
    return (frame.back(rounded(w, DIGITS)) if w.any() else [0] * points.D), ordered_products(A, w)
