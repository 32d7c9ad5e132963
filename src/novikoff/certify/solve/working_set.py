"""A few rows decide for all: the working set, and one pass over the rows in each round.

    W ← some rows
    repeat:  a circuit of W         → it is one of all rows: not separable
             a plane that separates W, and in one pass over all rows nobody is on its wrong side → separable
             else the worst rows on the wrong side join W

Every round adds a row that was not there, and every answer on W is exact, so it always ends. The passes need no more
than a few hundred rows in memory (Clarkson's idea: D + 1 rows at most are what matters).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from novikoff.certify.numbers import rescale_kernels
from novikoff.certify.numbers.integer_rows import of_rows, whole_rows
from novikoff.certify.numbers.interpreter_choice import kernel_of
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.solve import active_set
from novikoff.certify.solve.interval_proof import positive_relation
from novikoff.certify.solve.rescale import Frame
from novikoff.certify.solve.solver import ActiveSetSolver, supported
from novikoff.certify.solve.try_perceptron import perceptron
from novikoff.certify.solve.wolfe import Circuit, Separator, strict
from novikoff.data.problem import Problem

FEW_PASSES = 16
MORE = 32  # rows join, at most, the n-th part of this many D: the next round then costs about a pass
ALL = 1 << 13  # numbers that all join at once: a look at them costs less than a round
DEAR = 1000  # rows for each column from which a pass is dear: more rows are looked at first
MOST = 1 << 25  # numbers of the first working set
SEED = 20_240_229  # of the rows that are looked at first: the same every time


class Plane(NamedTuple):
    """A separator of all rows."""

    plane: list[int]
    how: str


class RowCircuit(NamedTuple):
    """A circuit of rows of the problem: Σ weight·z = 0."""

    rows: list[int]
    weights: list[int] | None  # None: positive weights exist, by bounds of every rounding
    how: str


class WorkingSet:
    """Some rows of the problem, as floats in a frame; the rest is asked plane by plane."""

    def __init__(self, points: Signed, between: Callable[[], None], rational: bool = False) -> None:
        self.points, self.between, self.rational = points, between, rational
        self.W = first_rows(points)
        self.Z = points.floats(self.W)
        self.frame = Frame(self.Z, points.pad)
        self.A = self.frame.A
        self.engine = ActiveSetSolver(points.D, between)

    def decide(self) -> Plane | RowCircuit:
        """The exact answer for all rows."""
        while True:
            self.between()
            found = self._on_working_set()
            if isinstance(found, RowCircuit):
                return found
            answer = self._scan_all(found)
            if answer is not None:
                return answer

    def by_perceptron(self, until: float | None) -> Plane | None:
        """A plane that a few passes over the working set find, if it is one for all rows."""
        A = Problem(self.A, np.ones(len(self.A), np.int8), self.points.D, 0.0)
        plane = perceptron(A, max(FEW_PASSES, self.points.D // 4), until).plane
        if plane is None:
            return None
        found = self.frame.short(plane[:-1], self.A)
        return None if self.points.violators(found, 0)[0] else Plane(found, "perceptron")

    def conflict(self) -> RowCircuit | None:
        """One row of W that is zero, or two on opposite rays: the shortest proofs there are."""
        pair = np.empty(2, np.int64)
        if not kernel_of(rescale_kernels.opposite, rescale_kernels, self.Z.size)(self.Z, pair):
            return None
        i, j = pair.tolist()
        if i == j:
            return RowCircuit([int(self.W[i])], [1], "a point at the origin")
        found = self._circuit([i, j])
        y = self.points.problem.y
        if y[self.W[i]] == y[self.W[j]]:
            how = "two points on opposite rays"
        else:
            how = "one point with both labels" if (self.Z[i] == -self.Z[j]).all() else "two points on one ray"
        return found and found._replace(how=how)

    def _on_working_set(self) -> RowCircuit | Separator | list[int]:
        """A circuit of W, or a plane that separates W: as floats see it, or exactly where they see too little."""
        for _ in range(2):
            ended = self.engine.run(self.A)
            if ended == active_set.SEPARATED:
                return self.frame.short(self.engine.w, self.A)
            if ended != active_set.CIRCUIT:
                break
            found = self._circuit(self.engine.support)
            if found is not None:
                return found
            self.engine.refresh(self.A)  # what rotations rounded away may have made a row seem dependent
        return self._exactly()

    def _exactly(self) -> RowCircuit | Separator:
        columns = np.asarray(self.Z.any(axis=0))
        Z, powers = whole_rows(self.Z[:, columns])
        found = strict(Z, self.engine.support, self.engine.weights, self.between)
        if isinstance(found, Separator):
            plane = iter(found.w)
            return Separator([next(plane) if there else 0 for there in columns.tolist()])
        return self._named(found, [powers[i] for i in found.rows], "exact arithmetic")

    def _circuit(self, support: list[int]) -> RowCircuit | None:
        some = self.Z.take(support, axis=0)
        if not self.rational and positive_relation(some):
            return RowCircuit(sorted(self.W.take(support).tolist()), None, "active set")
        Z, powers = whole_rows(used(some))
        found = supported(Z, support)
        if found is None:
            return None
        of = dict(zip(support, powers, strict=True))
        return self._named(found, [of[i] for i in found.rows], "active set")

    def _named(self, found: Circuit, powers: list[int], how: str) -> RowCircuit:
        weights = of_rows(found.weights, powers)
        rows = [int(self.W[i]) for i in found.rows]
        order = sorted(range(len(rows)), key=rows.__getitem__)
        return RowCircuit([rows[i] for i in order], [weights[i] for i in order], how)

    def _scan_all(self, found: Separator | list[int]) -> Plane | RowCircuit | None:
        """One pass: the plane separates all rows, or the worst of the others join W."""
        exact = isinstance(found, Separator)
        plane = found.w if isinstance(found, Separator) else found
        n, D = self.points.n, self.points.D
        most = max(2 * D + 10, n // (MORE * D)) + self.W.size  # more where a pass is dear
        many, rows = self.points.violators(plane, most)
        if not many:
            return Plane(plane, "exact arithmetic" if exact else "active set")
        new = np.setdiff1d(rows, self.W, assume_unique=True)
        if new.size == 0:  # floats mistook a row of W
            again = self._exactly()
            return again if isinstance(again, RowCircuit) else self._scan_all(again)
        self._join(new)
        return None

    def _join(self, new: np.ndarray) -> None:
        Z = self.points.floats(new)
        self.W = np.concatenate([self.W, new])
        self.Z = np.vstack([self.Z, Z])
        self.A = np.vstack([self.A, self.frame.apply(Z)])


def circuit_among(points: Signed, counts: np.ndarray) -> RowCircuit:
    """A circuit among rows that sum to zero when each is taken so often."""
    rows = np.flatnonzero(counts)
    Z, powers = whole_rows(used(points.floats(rows)))
    scale = max(powers)
    found = strict(
        Z, range(len(rows)), [math.ldexp(float(c), e - scale) for c, e in zip(counts[rows], powers, strict=True)]
    )
    if isinstance(found, Separator):
        raise ArithmeticError("rows that sum to zero cannot be separated")  # cannot happen
    weights = of_rows(found.weights, [powers[i] for i in found.rows])
    order = sorted(range(len(weights)), key=found.rows.__getitem__)
    return RowCircuit([int(rows[found.rows[i]]) for i in order], [weights[i] for i in order], "perceptron")


def used(Z: np.ndarray) -> np.ndarray:
    """The columns that are not all zero."""
    return np.asarray(Z[:, Z.any(axis=0)])


def first_rows(points: Signed) -> np.ndarray:
    """All rows where they are few, else some, drawn by a fixed seed."""
    few = 4 * points.D + 10
    if points.n >= DEAR * points.D:
        few = max(few, min(16 * points.D, (MOST >> 5) // points.D))
    few = min(few, max(MOST // points.D, 64))
    if points.n <= 2 * few or points.n * points.D <= ALL:
        return np.arange(points.n)
    rng = np.random.default_rng(SEED)
    if points.n < 100 * few:
        return np.sort(rng.choice(points.n, few, replace=False))
    return np.unique(rng.integers(0, points.n, few))
