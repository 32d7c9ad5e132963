"""Find few rows whose removal makes the points separable, with proofs, and a lower bound of their number.

    at most    E = the rows that a good plane (of the pocket algorithm) misclassifies: it separates all others.
               While the remaining rows are not separable, every obstruction among them has a row of E; the one
               farthest on the wrong side is removed. So only rows of E are removed, and the loop ends.
               Then each removed row is put back if the rest stays separable. The rows still removed are needed: any
               one of them, put back alone, makes the rest not separable (rows put back later do not change that).
    at least   find obstructions one after the other, removing all rows of each: they share no row, and every set of
               rows whose removal leaves separable points contains a row of each.

The minimum is somewhere between; finding it is hard (Johnson and Preparata 1978: the densest hemisphere).

From the notes: R7 (Gallant's pocket), C4 (the obstructions).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.arguments.signature_types import Decided, Labels, Points
from novikoff.certify.deadline import Clock
from novikoff.certify.decide.decide import decided
from novikoff.certify.decide.proof_points import ProofPoints, check_question
from novikoff.certify.decide.verdict import Verdict
from novikoff.certify.numbers.rescale import Frame, rounded
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.data.labelled_points import unpacked_in_memory
from novikoff.data.problem import Problem
from novikoff.data.text.format_numbers import count
from novikoff.kernels.reproducible_sums import ordered_products
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train

NUMBERS = 100_000_000  # read by the pocket algorithm, about
PASSES = (5, 500)  # of the pocket algorithm: minimum, maximum
DIGITS = 24  # binary digits of its plane
TAKING, PACKING = 0.4, 0.6  # fractions of the time after which removing rows, and searching obstructions, ends


@dataclass(frozen=True)
class Removal:
    """Rows to remove, the proved plane of the rest, and a lower bound of the number of rows.

    Rows are numbered from 0 as in the user's file or frame.

    minimal: putting back any one of the rows makes the rest not separable. A smaller set may exist, unless `at_least`
    is the number of rows.
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


def removal(
    X: Points | Decided, y: Labels | None = None, fit_intercept: bool = True, max_time: float | None = 60.0
) -> Removal:
    """Find a small set of rows whose removal makes the points separable, and a lower bound of its size.

    Parameters
    ----------
    X, y, fit_intercept : as of `decide`; or, as X, a verdict about the points in place of all three
    max_time : seconds after which the search ends; what is returned is proved

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.removal(*nv.example("xor"))
    >>> len(found.rows), found.at_least, bool(found.rest)
    (1, 1, True)
    """
    check_question(fit_intercept, max_time)
    whole = X if isinstance(X, Verdict) else None
    if whole is None:
        unpacked_in_memory(X, y, "removal")
        search = _Search(ProofPoints.of(X, y, bool(fit_intercept)), bool(fit_intercept), max_time)
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
    """The removed rows, the proved plane of the rest, and every obstruction found."""

    def __init__(self, source: ProofPoints, fit_intercept: bool, max_time: float | None) -> None:
        self.source, self.fit_intercept = source, fit_intercept
        self.taking, self.looking, self.clock = (
            Clock(None if max_time is None else part * max_time) for part in (TAKING, PACKING, 1.0)
        )
        self.known: list[frozenset[int]] = []
        self.out, self.sides, self.rest = self._pocket()

    def take_out(self) -> None:
        """Remove, of one obstruction after another, the row that the plane has farthest on the wrong side."""
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
        """Return obstructions without a common row."""
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
        """Put back every row that can be; return whether every other row is known to be needed."""
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
        """Return the verdict about some of the rows; None if time is over."""
        left = clock.left
        if left == 0.0:
            return None
        found = decided(self.source.part(np.flatnonzero(there)), self.fit_intercept, max_time=left)
        return None if found.separable is None else found

    def _seen(self, found: Verdict, there: np.ndarray) -> list[int]:
        """Record an obstruction and return its rows."""
        rows: list[int] = np.flatnonzero(there)[list(found.indices)].tolist()
        self.known.append(frozenset(rows))
        return rows

    def _pocket(self) -> tuple[np.ndarray, np.ndarray, Verdict | None]:
        """Return which rows a good plane misclassifies, the scores of all rows, and the verdict about the others."""
        points = self.source.points
        plane, sides = _good_plane(points, self.fit_intercept, self.taking)
        wrong = points.margins(plane) <= 0
        if self.fit_intercept:
            signs = self.source.problem.y
            smaller = 1 if (signs > 0).sum() * 2 <= wrong.size else -1
            less = signs == smaller
            if less.sum() < wrong.sum():  # all of the larger class on one side is better
                plane, wrong = [0] * (points.D - 1) + [-smaller], less
        if wrong.all():
            return wrong, sides, None
        part = self.source.part(np.flatnonzero(~wrong))
        n, d = int((~wrong).sum()), points.D - self.fit_intercept
        info: dict[str, Any] = {"rows_read": n, "how": "pocket", "_source": part}
        return wrong, sides, Verdict(True, n, d, self.fit_intercept, **info, _plane=tuple(plane))


def _good_plane(points: Signed, fit_intercept: bool, clock: Clock) -> tuple[list[int], np.ndarray]:
    """Return a plane with few errors, by the pocket algorithm on rescaled rows, and the float scores of the rows."""
    Z = points.floats(np.arange(points.n))
    frame = Frame(Z, int(fit_intercept))
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
