"""Parameter mixing: in each round every partition makes a pass of its own, and the results are averaged.

Uniform iterative parameter mixing (McDonald, Hall and Mann 2010): P partitions start at v, make a pass with step η each
and end at v + η·δ_p, where δ_p is the sum of the k_p signed points z = y·(x, 1) on which partition p made a mistake;
then v ← v + (η/P)·Σ_p δ_p. The run is made in V = P·v, where no division is left and integers stay integers:

    start    V = P·w⁰
    round    partition p makes a pass from V with step P·η and ends at w_p = V + P·η·δ_p
    mix      V ← (1/P)·Σ_p w_p = V + η·Σ_p δ_p        every mistake is added once

A positive factor changes no sign, so the mistakes are those of v; V is returned. From w⁰ = 0 with a constant η

    Σ k ≤ P·(R/γ)²   mistakes of all partitions in all rounds:   with u the unit vector of a plane of margin γ

⟨V, u⟩ grows by at least η·γ·Σ k_p in a round. |w_p|² ≤ |V|² + P²·η²·R²·k_p (Novikoff, in each partition), and the
square of the mean is at most the mean of the squares: |V|² grows by at most P·η²·R²·Σ k_p. After K mistakes
η·γ·K ≤ ⟨V, u⟩ ≤ |V| ≤ η·R·√(P·K), hence K ≤ P·(R/γ)². For P = 1 this is the perceptron and its bound.

A round without a mistake proves that V separates the points: no partition changed its weights, so each row was looked
at with V itself, and was on its own side by the exact sign. V then stays as it is, as all w_p − V are 0.

Binary64: decisions are exact, local updates are rounded as in a sequential run, and the w_p are mixed in the order of
the partitions. So every bit depends on the points, the parameters and the partition table alone.
As long as V and V + P·δ_p are integers below 2^53, nothing is rounded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.dask_rows import DaskRows
from novikoff.data.problem import Problem
from novikoff.engines.engine import SERIAL, Engine, Partition
from novikoff.errors import InputError
from novikoff.perceptron.orders import BLOCK
from novikoff.perceptron.plan import Plan, Rates
from novikoff.perceptron.result import COLUMNS, Result, Tally
from novikoff.perceptron.run import Run
from novikoff.perceptron.scheme import Scheme, class_errors
from novikoff.perceptron.state import SUMS
from novikoff.perceptron.stops import Stops
from novikoff.scoring.scorer import Scorer, weighed

LARGEST = 2.0**500  # of a weight of the start


class LocalResult(NamedTuple):
    """What the pass of a partition returns."""

    planes: np.ndarray  # (w, b) of each plane after the pass
    moved: np.ndarray  # updates of each plane
    loss: float  # of all planes together
    updates: int  # of all planes together


@dataclass(frozen=True)
class LocalPass:
    """Makes the pass of a partition in round `number` (from 1), from the common weights V.

    A pure function of the partition's rows, so that any worker may compute it, again if need be. Rows are checked in
    every pass: a worker knows nothing of earlier ones.
    """

    plan: Plan  # with the local steps
    scheme: Scheme
    planes: np.ndarray  # V: (w, b) of each plane
    resting: np.ndarray  # planes that need no more looks
    number: int
    partitions: Mapping[int, int]  # the number of the first row of each partition → the number of the partition

    def __call__(self, part: Problem) -> LocalResult:
        order = replace(self.plan.order, partition=self.partitions[part.number(0)])
        run = Run.begin(part, replace(self.plan, order=order), self.planes, None, self.scheme)
        run.S.each["resting"] = self.resting
        run.passes = self.number - 1
        run.begin_pass()
        for _ in run.make_pass():
            pass
        tally = run.tally()
        return LocalResult(run.S.present, run.S.each["updates"].copy(), tally.loss, tally.updates)


@dataclass(kw_only=True)
class MixedRun(Run):
    """A run by parameter mixing; it holds the planes and a count for each partition, but nothing for each row."""

    engine: Engine = SERIAL
    table: Sequence[Partition] = ()
    before: np.ndarray = field(default_factory=lambda: np.empty(0))  # V when the present round began
    change: np.ndarray = field(default_factory=lambda: np.empty(0))  # Σ (w_p − V); of a single partition w_1
    moved: np.ndarray = field(default_factory=lambda: np.empty(0))  # updates of each plane in the present round
    local: list[int] = field(default_factory=list)  # updates of each partition in the present round

    @classmethod
    def begin_mixed(
        cls,
        problem: Problem,
        plan: Plan,
        start: np.ndarray,
        valid: Problem | None,
        scheme: Scheme,
        engine: Engine,
        table: Sequence[Partition],
    ) -> MixedRun:
        """Return a new run on the points from `start`, (w⁰, b⁰) of each plane."""
        planes = len(table) * np.atleast_2d(start)
        if not (np.abs(planes) < LARGEST).all():
            raise InputError(
                f"beyond 2^500 when multiplied by the number of partitions, {len(table):,}; smaller numbers were "
                "expected",
                "coef_init, intercept_init",
            )
        run = cls.begin(problem, plan, planes, valid, scheme)
        run.engine, run.table, run.surveyed = engine, table, True  # the passes check the rows
        run.S = run.S._replace(row_updates=np.zeros(len(table), np.int64))
        return run

    def tally(self) -> Tally:
        """Return the counts so far, those of the present round included."""
        tally, made = super().tally(), sum(self.local)
        return tally._replace(updates=tally.updates + made, mistakes=tally.mistakes + made)

    # ---- a round ----

    def begin_pass(self) -> None:
        """Begin a round."""
        super().begin_pass()
        self.before = self.S.present
        self.change, self.moved = np.zeros_like(self.before), np.zeros(len(self.before), np.int64)

    def make_pass(self) -> Iterator[None]:
        """Make the passes of the partitions in turn; a reason to stop ends the round."""
        number = self.scorer.problem.number
        stops, firsts = Stops(None, None, None, None), {number(part.first): part.number for part in self.table}
        rates = Rates(len(self.table) * (1.0 if self.plan.rates.from_zero else self.plan.rates.eta), None, False)
        plan = Plan(self.plan.order, "last", stops, rates, self.plan.factors, once=True)
        local = LocalPass(plan, self.scheme, self.before, self.S.each["resting"], self.passes, firsts)
        results = self.engine.map(local, self.scorer.problem, self.table)
        try:
            for made in results:
                self.change += made.planes if len(self.table) == 1 else made.planes - self.before
                self.moved += made.moved
                self.S.counts["loss"] += made.loss
                self.shown = self.table[len(self.local)].end
                self.local.append(made.updates)
                yield
                if self.reason is not None:
                    return
        finally:
            if (close := getattr(results, "close", None)) is not None:
                close()  # partitions that are not under way are not begun

    def end_pass(self) -> None:
        """Mix, and end the round as any pass. One that Ctrl-C or the time limit cut short is dropped: V stays."""
        local, self.local = self.local, []
        if len(local) < len(self.table):
            self.passes -= 1
            return
        S, n, P = self.S, self.scorer.problem.n, len(local)
        planes = self.change if P == 1 else self.before + self.change / P
        if self.keep.code == SUMS:
            late = self.averaged_looks()[:, None] * (planes - self.before)
            S.sums[:] += late[:, :-1]
            S.each["bias_sum"] += late[:, -1]
        S.weights[:, : len(planes)], S.each["bias"] = planes[:, :-1].T, planes[:, -1]
        S.each["looks"][~S.each["resting"]] += n
        S.each["updates"] += self.moved
        S.each["mistakes"] += self.moved
        S.row_updates[:] += local
        counts = S.counts
        counts["looks"] += n
        counts["updates"] += sum(local)
        counts["mistakes"] += sum(local)
        counts["counted"] = counts["counted"] and not any(local)
        self.changed_weights()
        most = self.plan.stops.max_updates
        if self.reason is None and any(local) and most is not None and counts["updates"] >= most:
            self.reason = "max_updates"
        super().end_pass()

    def last_pass(self) -> dict[str, Any]:
        """Return the row of the history of the last round; zeros if there was none."""
        if not self.history["pass"]:
            return dict.fromkeys(COLUMNS, 0) | {"pocket_errors": None, "valid_errors": None}
        return super().last_pass()

    # ---- counts over all partitions ----

    def count(self, sets: np.ndarray) -> np.ndarray:
        """Return the training errors of each set of planes, weighted by class."""
        counts = sum(self.engine.map(ClassErrors(sets, self.scheme), self.scorer.problem, self.table))
        return weighed(np.asarray(counts), self.plan.factors)

    def radius2(self) -> float:
        """Return the largest |x|² + pad² of all rows."""
        return max(self.engine.map(radius2_of, self.scorer.problem, self.table))

    @property
    def bound_factor(self) -> int:
        """By which (R/γ)² is multiplied to bound the mistakes."""
        return len(self.table)

    def result(self) -> Result:
        """Return the planes of the keep, or the best on the validation points, to be multiplied by η."""
        return replace(super().result(), partition_rows=rows_of_each(self.table))


@dataclass(frozen=True)
class ClassErrors:
    """Counts, by class, the points that each set of planes does not give their own class: (sets, classes)."""

    sets: np.ndarray
    scheme: Scheme

    def __call__(self, part: Problem) -> np.ndarray:
        return class_errors(_checked(part), self.sets, self.scheme)


def radius2_of(part: Problem) -> float:
    """Return the largest |x|² + pad² of a partition's rows."""
    return _checked(part).radius2()


def _checked(part: Problem) -> Scorer:
    """Return the scorer of rows that were checked."""
    scorer = Scorer(part)
    scorer.survey()
    return scorer


# ---- the partitions ----


def mixing_table(n: int, partitions: int | None) -> list[Partition]:
    """Return the partitions of n rows; partitions: how many, K; None for ⌈n/65,536⌉.

    Partition k has the rows ⌊n·k/K⌋ ≤ i < ⌊n·(k + 1)/K⌋: whatever the storage, the engine or the number of workers.

    Examples
    --------
    >>> [(part.first, part.end) for part in mixing_table(10, 3)], len(mixing_table(200_000, None))
    ([(0, 3), (3, 6), (6, 10)], 4)
    """
    count = -(-n // BLOCK) if partitions is None else int(partitions)
    if count > n:
        raise InputError(
            f"found {count:,} for {n:,} rows; at most one partition for each row was expected", "partitions"
        )
    return [Partition(k, n * k // count, n * (k + 1) // count) for k in range(count)]


def in_partitions(problem: Problem, partitions: int) -> Problem:
    """Return the same points in the layout from which partitions are taken in every round.

    Only column-major sparse storage is copied, or a single partition that kernels cannot read.
    """
    if isinstance(problem.rows, DaskRows) or partitions > 1:
        return problem
    return problem.ready(None, "cyclic")


def rows_of_each(table: Sequence[Partition]) -> np.ndarray:
    """Return the number of rows of each partition."""
    return np.array([part.end - part.first for part in table], np.int64)
