"""Find a plane that separates all rows, or a circuit of some: by a working set, in floats first.

a circuit of W            → it is one of all rows: not separable
a plane that separates W  → separable if one pass finds every row on its own side, else the worst rows join W
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.exact import rescale_kernels
from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import of_rows, whole_rows
from novikoff.exact.rescale import Frame
from novikoff.exact.signed_rows import Signed
from novikoff.kernels.compile import clock, kernel_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.separate import active_set
from novikoff.separate.interval_proof import positive_relation
from novikoff.separate.solver import ActiveSet, circuit_of
from novikoff.separate.wolfe import Circuit, Separator, by_row, strict
from novikoff.separate.working_set import Final, draw_rows, few_rows, most_joining, run_working_set

FEW_PASSES = 16
MORE = 32  # at most n/(MORE·D) rows join at once: the next round then costs about as much as a pass
MANY = 1 << 23  # rows from which no more join at once: memory does not grow with the rows
ALL = 1 << 13  # numbers up to which all rows join at once: that costs less than a round
DEAR = 1000  # rows per column from which a pass is expensive: the first working set is larger
MOST = 1 << 25  # numbers of the first working set
SEED = 20_240_229  # of the first working set
# work, in numbers read: of each number that joins the working set, of each row scanned beside its numbers, and of an
# interval proof and an exact relation of k rows, by k³
JOINED, SCANNED, BOUNDED, EXACTLY = 8, 8, 2, 50


class Plane(NamedTuple):
    """A separator of all rows."""

    plane: list[int]
    how: str


class RowCircuit(NamedTuple):
    """A circuit of rows of the problem: Σ weight·z = 0."""

    rows: list[int]
    weights: list[int] | None  # None: positive weights exist, by bounds of every rounding error
    how: str


class SeparatorSearch:
    """The working set W of rows, as floats in rescaled coordinates; all other rows are only scanned."""

    def __init__(
        self,
        points: Signed,
        between: Clock,
        rational: bool = False,
        first: np.ndarray | None = None,
        stored: int | None = None,
    ) -> None:
        """first: the rows of the first W, in order. stored: how many numbers of all rows are not zero, if known."""
        self.points, self.between, self.rational = points, between, rational
        self.stored = points.n * points.D if stored is None else stored
        self.W = first_rows(points) if first is None else first
        self.between.spend(JOINED * self.W.size * points.D)
        self.Z = points.floats(self.W)
        self.frame = Frame(self.Z, points.pad)
        self.A = self.frame.A
        self.engine = ActiveSet(points.D, between)

    def run(self) -> Plane | RowCircuit:
        """Return the exact answer for all rows."""
        found: Plane | RowCircuit = run_working_set(self._solutions, self._violators, self._join, self.between)
        return found

    def by_perceptron(self, until: float | None) -> Plane | None:
        """Return the plane that a few passes of the perceptron over W find, if it separates all rows."""
        A = Problem(self.A, np.ones(len(self.A), np.int8), self.points.D, 0.0)
        plane = perceptron(A, max(FEW_PASSES, self.points.D // 4), until).plane
        if plane is None:
            return None
        found = self.frame.short(plane[:-1], self.A)
        return None if self.points.violators(found, 0)[0] else Plane(found, "perceptron")

    def conflict(self) -> RowCircuit | None:
        """Return one row of W that is zero, or two on opposite rays: the shortest proofs there are."""
        pair = np.empty(2, np.int64)
        if not kernel_of(rescale_kernels.opposite, rescale_kernels, self.Z.size)(self.Z, pair):
            return None
        i, j = pair.tolist()
        if i == j:
            return RowCircuit([int(self.W[i])], [1], "a point at the origin")
        found = self._circuit([i, j])
        one, two = self.points.problem.y[self.W[[i, j]]]
        if one == two:
            how = "two points on opposite rays"
        else:
            how = "one point with both labels" if (self.Z[i] == -self.Z[j]).all() else "two points on one ray"
        return found and found._replace(how=how)

    def _solutions(self) -> Iterator[Plane | Final]:
        """Yield circuits of W or planes that separate W: by floats, then exactly."""
        for _ in range(2):
            ended = self.engine.run(self.A)
            if ended == active_set.SEPARATED:
                self.between.spend(self.A.size)
                yield Plane(self.frame.short(self.engine.w, self.A), "active set")
            if ended != active_set.CIRCUIT:
                break
            found = self._circuit(self.engine.support)
            if found is not None:
                yield Final(found)
            self.engine.refresh(self.A)  # rounding errors of the rotations may have made a row seem dependent
        yield self._exactly()

    def _exactly(self) -> Plane | Final:
        columns = np.asarray(self.Z.any(axis=0))
        self._before_solution()
        Z, powers = whole_rows(self.Z[:, columns])
        found = strict(Z, self.engine.support, self.engine.weights, self._before_solution)
        if isinstance(found, Separator):
            plane = iter(found.w)
            return Plane([next(plane) if there else 0 for there in columns.tolist()], "exact arithmetic")
        return Final(self._named(found, [powers[i] for i in found.rows], "exact arithmetic"))

    def _before_solution(self) -> None:
        """Check the limits before an exact solution of at most min(rows, D + 1) rows."""
        rows, D = self.Z.shape
        self.between()
        self.between.spend(EXACTLY * min(rows, D + 1) ** 3 + SCANNED * self.Z.size)

    def _circuit(self, support: list[int]) -> RowCircuit | None:
        some, limited = self.Z.take(support, axis=0), self.between.work is not None
        k, D = some.shape
        if not self.rational and k == D + 1:
            self.between.spend(BOUNDED * k**3)
            if positive_relation(some, reproducible=limited):
                return RowCircuit(sorted(self.W.take(support).tolist()), None, "active set")
        self.between.spend(EXACTLY * k * k * max(k, D))
        Z, powers = whole_rows(used(some))
        found = circuit_of(Z, support)
        if found is None:
            return None
        of = dict(zip(support, powers, strict=True))
        return self._named(found, [of[i] for i in found.rows], "active set")

    def _named(self, found: Circuit, powers: list[int], how: str) -> RowCircuit:
        weights = of_rows(found.weights, powers)
        return RowCircuit(*by_row([int(self.W[i]) for i in found.rows], weights), how)

    def _violators(self, found: Plane) -> np.ndarray | None:
        """Return the worst rows outside W on the wrong side of the plane or on it; None if it separates all rows."""
        n, D = self.points.n, self.points.D
        most = most_at_once(n, D) + self.W.size
        self.between.spend(self.stored + SCANNED * n)
        many, rows = self.points.violators(found.plane, most)
        return np.setdiff1d(rows, self.W, assume_unique=True) if many else None

    def _join(self, new: np.ndarray) -> None:
        self.between.spend(JOINED * new.size * self.points.D)
        Z = self.points.floats(new)
        self.W = np.concatenate([self.W, new])
        self.Z = np.vstack([self.Z, Z])
        self.A = np.vstack([self.A, self.frame.apply(Z)])


def most_at_once(n: int, D: int) -> int:
    """Return how many of n rows may join the working set at once: more where a pass is expensive, up to a limit."""
    return max(most_joining(D), min(n, MANY) // (MORE * D))


def likely_work(rows: int, D: int) -> int:
    """Return about how much work a circuit of D + 1 among so many rows takes: 3·D rounds, and its proof, twice."""
    return JOINED * rows * D + 3 * D * D * (rows // 16 + D + 8) + 2 * BOUNDED * (D + 1) ** 3


def circuit_among(points: Signed, counts: np.ndarray) -> RowCircuit:
    """Return a circuit among rows that sum to zero with these counts as weights."""
    rows = np.flatnonzero(counts)
    Z, powers = whole_rows(used(points.floats(rows)))
    scale = max(powers)
    found = strict(
        Z, range(len(rows)), [math.ldexp(float(c), e - scale) for c, e in zip(counts[rows], powers, strict=True)]
    )
    if isinstance(found, Separator):
        raise ArithmeticError("rows that sum to zero cannot be separated")  # cannot happen
    weights = of_rows(found.weights, [powers[i] for i in found.rows])
    return RowCircuit(*by_row([int(rows[i]) for i in found.rows], weights), "perceptron")


def used(Z: np.ndarray) -> np.ndarray:
    """Return the columns that are not all zero."""
    return np.asarray(Z[:, Z.any(axis=0)])


def first_rows(points: Signed) -> np.ndarray:
    """Return the first W: all rows if they are few, else some, drawn with a fixed seed."""
    few = few_rows(points.D)
    if points.n >= DEAR * points.D:
        few = max(few, min(16 * points.D, (MOST >> 5) // points.D))
    few = min(few, max(MOST // points.D, 64))
    all_up_to = max(2 * few, ALL // points.D)
    if points.n < max(100 * few, all_up_to + 1):
        return draw_rows(points.n, few, SEED, all_up_to)
    return np.unique(np.random.default_rng(SEED).integers(0, points.n, few))


class Ended(NamedTuple):
    """The result of a run: a plane (w, b) that has every row on its own side, or the counts of a cycle, or neither."""

    plane: np.ndarray | None
    counts: np.ndarray | None


def perceptron(problem: Problem, passes: int, until: float | None) -> Ended:
    """Run so many passes of the perceptron, until the deadline at most.

    A run that ends `separated` has every exact sign right: its weights are the plane. A run that ends in a `cycle` has
    added rows that sum to exactly zero: Gordan's weights, of which a circuit is kept. It is the fastest method if there
    are more columns than points, or nearly so.
    """
    seconds = None if until is None else max(until - clock(), 0.0)
    plan = Plan(order=Order("cyclic"), keep="last", stops=Stops(passes, None, seconds, train_patience=None))
    run = Run.begin(problem, plan, np.zeros(problem.d + 1))
    result = train(run)
    if result.stop_reason == "interrupted":
        raise KeyboardInterrupt
    return Ended(result.plane if result.stop_reason == "separated" else None, result.cycle_counts)
