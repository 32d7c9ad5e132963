"""Decide exactly whether points are in general position, and find a smallest dependent subset if they are not.

    general position in N dimensions: every subset of at most N points is linearly independent

A subset of k + 2 points is dependent exactly if, after projecting along k of them, two points are parallel. So all
subsets of k + 2 points are searched by C(P, k) projections, and a search for equal directions in each: C(P, N − 2)
instead of the C(P, N) determinants of brute force. Projections are computed modulo a prime p: points that are dependent
are so modulo every prime, so that "no two are parallel modulo p" is a proof; what is parallel modulo p is checked in
exact arithmetic. N + 1 points have one relation: any N of them are independent exactly if none of its weights is 0.

From the notes: S4 (Sompolinsky, general position; the note's "less than N" should read "at most N").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Points
from novikoff.data.exact_points import exact_rows
from novikoff.errors import InputError, UndecidedError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.exact.integer_rows import whole
from novikoff.theory.given_points import numbers_in_memory

LARGEST_PRIME = 2**61 - 1  # for ranks
MOST = 10_000_000  # numbers of X


@dataclass(frozen=True)
class Position:
    """Whether points are in general position.

    holds: True, False, or None if the time limit was reached before the answer was found. points, dimensions: P and N,
    the bias counted. rank: of all points, None if not computed. dependent: rows (from 0) of a minimal dependent subset;
    fewest: whether no smaller one exists. independent_up_to: every subset of at most so many points is proved to be
    independent.
    """

    holds: bool | None
    points: int
    dimensions: int
    rank: int | None
    dependent: tuple[int, ...] | None
    fewest: bool
    independent_up_to: int

    def __bool__(self) -> bool:
        if self.holds is None:
            raise UndecidedError("general position is not decided within the time limit; use `holds`, which is None")
        return self.holds


def general_position(X: Points, fit_intercept: bool = True, max_time: float | None = None) -> Position:
    """Decide whether points are in general position, with a dependent subset if they are not.

    Parameters
    ----------
    X : points (n, d): any numbers, taken exactly
    fit_intercept : True: no d + 1 points on a plane, no d on a plane of one dimension less, and so on. False: planes
        through the origin
    max_time : seconds after which the answer is None, with what is proved so far

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.general_position([[0, 0], [0, 1], [1, 0], [1, 1], [2, 2]])
    >>> found.holds, found.dependent, found.independent_up_to
    (False, (0, 3, 4), 2)
    """
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    numbers = numbers_in_memory(X, None, "general position")[0]
    rows = [whole(row) for row in exact_rows(numbers, bool(fit_intercept))]
    if len(rows) * len(rows[0]) > MOST:
        raise InputError(f"found {len(rows):,} rows of {len(rows[0]):,} numbers; at most {MOST:,} numbers were "
                         "expected", "X")  # fmt: skip
    return _DependentSubsets(rows, Clock(max_time)).position()


class UnluckyPrimeError(Exception):
    """Raised when a row that is not zero is zero modulo p; another prime is used then."""


class _DependentSubsets:
    """The search for a dependent subset of integer rows, modulo one prime at a time."""

    def __init__(self, rows: Sequence[Sequence[int]], clock: Clock) -> None:
        self.rows, self.clock = rows, clock
        self.P, self.N = len(rows), len(rows[0])
        self.proved = 0
        self.rank: int | None = None

    def position(self) -> Position:
        """Return the answer, or what is proved at the time limit."""
        for p in primes():
            try:
                return self._modulo(p)
            except UnluckyPrimeError:
                continue
            except TimeIsUpError:
                break
        return self._result(None)

    def _modulo(self, p: int) -> Position:
        for i, row in enumerate(self.rows):
            if not any(row):
                return self._result(False, (i,), fewest=True)
        self.proved = 1
        if self.N == 1:
            self.rank = 1
            return self._result(True)
        residues = np.array([[v % p for v in row] for row in self.rows], np.int64)
        if (found := next(self._parallel(residues, 0, p), None)) is not None:
            return self._result(False, found, fewest=True)
        self.proved = min(2, self.P)
        self.clock()
        self.rank = self._rank(range(self.P))
        if self.rank < min(self.P, self.N):  # any rank + 1 rows are dependent
            return self._result(False, self._circuit(range(min(self.P, self.rank + 1))))
        if self.P <= self.N:
            self.proved = self.P
            return self._result(True)
        if self.P == self.N + 1:
            relation = self._circuit(range(self.P))
            self.proved = len(relation) - 1
            return self._result(True) if len(relation) == self.P else self._result(False, relation, fewest=True)
        for k in range(1, self.N - 1):
            if (found := next(self._parallel(residues, k, p), None)) is not None:
                return self._result(False, found, fewest=True)
            self.proved = k + 2
        return self._result(True)

    def _parallel(self, residues: np.ndarray, k: int, p: int) -> Iterator[tuple[int, ...]]:
        """Yield the dependent subsets of k + 2 rows, found as rows that are parallel after k projections."""
        for chosen, rest, projected in self._projected(residues, k, p, (), np.arange(len(residues))):
            self.clock()
            for a, b in equal_directions(projected, p):
                subset = (*chosen, int(rest[a]), int(rest[b]))
                if self._rank(subset) < len(subset):
                    yield tuple(sorted(subset))

    def _projected(
        self, residues: np.ndarray, k: int, p: int, chosen: tuple[int, ...], rest: np.ndarray
    ) -> Iterator[tuple[tuple[int, ...], np.ndarray, np.ndarray]]:
        """Yield the rows after projecting along each choice of k of them: (the chosen ones, the others, projected)."""
        if k == 0:
            yield chosen, rest, residues
            return
        for i in range(len(rest) - k - 1):
            below = project(residues[i + 1 :], residues[i], p)
            yield from self._projected(below, k - 1, p, (*chosen, int(rest[i])), rest[i + 1 :])

    def _circuit(self, rows: Sequence[int]) -> tuple[int, ...]:
        """Return a minimal dependent subset of dependent rows: those of one relation of a reduced null space."""
        from flint import fmpz_mat

        null, _ = fmpz_mat([list(self.rows[i]) for i in rows]).transpose().nullspace()
        return tuple(i for j, i in enumerate(rows) if int(null[j, 0]))

    def _rank(self, which: Sequence[int]) -> int:
        """Return the exact rank; a rank modulo p is a lower bound."""
        from flint import fmpz_mat, nmod_mat

        some = [list(self.rows[i]) for i in which]
        full, flat = min(len(some), self.N), [v % LARGEST_PRIME for row in some for v in row]
        if nmod_mat(len(some), self.N, flat, LARGEST_PRIME).rank() == full:
            return full
        return int(fmpz_mat(some).rank())

    def _result(self, holds: bool | None, rows: tuple[int, ...] | None = None, fewest: bool = False) -> Position:
        proved = min(self.P, self.N) if holds else self.proved if rows is None else min(self.proved, len(rows) - 1)
        fewest = fewest or (rows is not None and len(rows) == proved + 1)
        return Position(holds, self.P, self.N, self.rank, rows, fewest, proved)


def primes() -> Iterator[int]:
    """Yield the primes below 2^31, the largest first: products of two residues fit into int64."""
    from flint import fmpz

    return (p for p in range(2**31 - 1, 2, -2) if fmpz(p).is_prime())


def project(rows: np.ndarray, along: np.ndarray, p: int) -> np.ndarray:
    """Return rows − (row_c/along_c)·along without column c, modulo p; raise UnluckyPrimeError if `along` is zero."""
    places = np.flatnonzero(along)
    if not places.size:
        raise UnluckyPrimeError
    c = int(places[0])
    unit = along * pow(int(along[c]), -1, p) % p
    below = (rows - rows[:, c, None] * unit % p) % p
    return np.concatenate([below[:, :c], below[:, c + 1 :]], axis=1)


def equal_directions(rows: np.ndarray, p: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs of rows that are parallel modulo p; a row that is zero modulo p is parallel to every other."""
    nonzero = rows != 0
    lead = nonzero.argmax(axis=1)
    inverses = [pow(v, -1, p) if v else 0 for v in rows[np.arange(len(rows)), lead].tolist()]
    scaled = rows * np.array(inverses, np.int64)[:, None] % p
    if rows.shape[1] == 2:  # one number is enough
        keys: list[Any] = np.where(lead == 0, scaled[:, 1], -1).tolist()
    else:
        keys = [row.tobytes() for row in scaled]
    zeros = np.flatnonzero(~nonzero.any(axis=1)).tolist()
    yield from ((i, j) for i in zeros for j in range(len(rows)) if i != j)
    if len(set(keys)) == len(keys):
        return
    same: dict[Any, list[int]] = {}
    for i, key in enumerate(keys):
        yield from ((j, i) for j in same.get(key, ()))
        same.setdefault(key, []).append(i)
