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
the partitions (`local_pass.Mean`). So every bit depends on the points, the parameters and the partition table alone.
As long as V and V + P·δ_p are integers below 2^53, nothing is rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.engines.engine import Engine
from novikoff.engines.partitions import Partition
from novikoff.errors import InputError
from novikoff.kernels.compile import clock
from novikoff.kernels.reproducible_sums import length
from novikoff.perceptron import SHUFFLED_FROM
from novikoff.perceptron.keeps.validation import Validation
from novikoff.perceptron.mixing.local_pass import LocalPass, LocalResult, Mean
from novikoff.perceptron.mixing.partition_counts import ClassErrors, PlaneErrors, radius2_of
from novikoff.perceptron.mixing.partition_table import rows_of_each
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.run.pieces import Piece
from novikoff.perceptron.run.result import COLUMNS, Result, Tally
from novikoff.perceptron.stops import Best, Interrupt, Stops, fewer, patience_is_over
from novikoff.scoring.scorer import Scorer, weighed

LARGEST = 2.0**500  # of a weight of the start


@dataclass
class Round:
    """What the partitions of the present round have done so far."""

    mean: Mean
    moved: np.ndarray  # updates of each plane
    loss: np.ndarray  # of each plane
    updates: list[int] = field(default_factory=list)  # of each partition
    looks: int = 0

    def add(self, result: LocalResult) -> None:
        """Add the result of the next partition."""
        self.mean.add(result)
        self.moved += result.moved
        self.loss += result.loss
        self.updates.append(result.updates)
        self.looks += result.looks


@dataclass(kw_only=True)
class MixedRun:
    """A run by parameter mixing; it holds the planes and a count for each partition, but nothing for each row."""

    scorer: Scorer
    plan: Plan
    scheme: Scheme
    engine: Engine
    table: Sequence[Partition]
    planes: np.ndarray  # V after the last round: (w, b) of each plane
    sums: np.ndarray  # Σ V over the rounds that the average counts
    counted: np.ndarray  # these rounds, of each plane
    resting: np.ndarray  # planes of one-vs-all and one-vs-one that separate their points
    mistakes: np.ndarray  # of each partition
    validation: Validation | None = None
    best: Best = field(default_factory=Best)  # on the validation points
    stall: Best = field(default_factory=Best)
    pocket: np.ndarray | None = None
    errors: float | None = None  # of the pocket
    reason: str | None = None
    passes: int = 0  # rounds
    passes_before: int = 0
    shown: int = 0  # rows of the round whose partitions are done
    looks: int = 0
    pressed: bool = False  # Ctrl-C was pressed
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    clock: float = field(default_factory=clock)
    at_pass: Tally = field(default_factory=Tally)  # when the present round began
    round: Round | None = None

    @classmethod
    def begin(
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
        planes = len(table) * np.atleast_2d(start) + 0.0  # no -0.0
        if not (np.abs(planes) < LARGEST).all():
            raise InputError(
                f"beyond 2^500 when multiplied by the number of partitions, {len(table):,}; smaller numbers were "
                "expected",
                "coef_init, intercept_init",
            )
        return cls(
            scorer=Scorer(problem, plan.factors),
            plan=plan,
            scheme=scheme,
            engine=engine,
            table=table,
            planes=planes,
            sums=np.zeros_like(planes),
            counted=np.zeros(len(planes), np.int64),
            resting=np.zeros(len(planes), bool),
            mistakes=np.zeros(len(table), np.int64),
            validation=None if valid is None else Validation(Scorer(valid, plan.factors)),
        )

    @property
    def order(self) -> Order:
        """The order of the present round."""
        return self.plan.order.of_pass(self.passes)

    def tally(self) -> Tally:
        """Return the counts so far, those of the present round included."""
        updates, looks, loss = int(self.mistakes.sum()), self.looks, 0.0
        if self.round is not None:
            updates, looks = updates + sum(self.round.updates), looks + self.round.looks
            loss = math.fsum(self.round.loss.tolist())
        return Tally(updates, looks, loss, updates)

    # ---- a round ----

    def begin_pass(self) -> None:
        """Begin a round."""
        self.passes += 1
        self.at_pass, self.shown = self.tally(), 0
        if self.passes == SHUFFLED_FROM and self.plan.keep == "auto":  # the average counts from here
            moving = ~self.resting
            self.sums[moving], self.counted[moving] = 0.0, 0
        count = len(self.planes)
        self.round = Round(Mean(self.planes, len(self.table)), np.zeros(count, np.int64), np.zeros(count))

    def pieces(self) -> Iterator[Piece]:
        """Yield the passes of the partitions, to be made in turn; a reason to stop ends the round."""
        results = self.engine.map(self._local_pass(), self.scorer.problem, self.table)
        try:
            for _ in self.table:
                yield Piece(next, (results,), None)
                if self.reason is not None:
                    return
        finally:
            if (close := getattr(results, "close", None)) is not None:
                close()  # partitions that are not under way are not begun

    def after(self, piece: Piece, result: LocalResult) -> None:
        """Add the result of the next partition."""
        now = self.round
        assert now is not None
        now.add(result)
        self.shown = self.table[len(now.updates) - 1].end

    def _local_pass(self) -> LocalPass:
        rates, problem = self.plan.rates, self.scorer.problem
        step = len(self.table) * (1.0 if rates.from_zero else rates.eta)
        plan = Plan(
            order=self.plan.order,
            keep="last",
            stops=Stops(None, None, None, None),
            rates=Rates(step, None, False),
            factors=self.plan.factors,
            once=True,
        )
        firsts = {problem.number(part.first): part.number for part in self.table}
        return LocalPass(plan, self.scheme, self.planes, self.resting, self.passes, firsts)

    def check_clock(self, pressed: Interrupt) -> None:
        """End the run at Ctrl-C or at the time limit."""
        if self.reason is None:
            self.reason = self.plan.stops.by_clock(bool(pressed), clock() - self.clock)

    def end_pass(self) -> None:
        """Mix, update the keep, validate, write the history, and apply the stopping rules.

        A round that Ctrl-C or the time limit cut short is dropped: V stays as it was.
        """
        made, self.round = self.round, None
        assert made is not None
        if len(made.updates) < len(self.table):
            self.passes -= 1
            return
        updates, moving = sum(made.updates), ~self.resting
        self.planes = made.mean.mixed()
        self.looks += made.looks
        self.mistakes += made.updates
        if not self.scheme.is_joint:
            self.resting = made.moved == 0  # planes at rest do not move
        self.sums[moving] += self.planes[moving]
        self.counted[moving] += 1
        errors = self._count_errors(updates)
        valid = None
        if self.validation:
            valid = self.validation.offer(self._candidates(), self.scheme, self.best)
        self.stall.offer(
            updates if self.errors is None else self.errors, fewer(self.plan.keep, self.plan.stops.train_patience)
        )
        self._write_history(updates, math.fsum(made.loss.tolist()), errors, valid)
        if self.reason is None:
            self.reason = "separated" if updates == 0 else self._limit()

    def _count_errors(self, updates: int) -> float | None:
        """Return the errors of the present planes where they are known, and offer them to the pocket."""
        alone = self.scheme.is_binary or self.scheme.is_joint
        errors: float | None = 0 if updates == 0 and alone else None
        if errors is None and (updates == 0 or self.plan.keep == "pocket"):
            errors = self.count(self.planes[None])[0].item()
        if self.plan.keep == "pocket" and errors is not None and (self.errors is None or errors < self.errors):
            self.pocket, self.errors = self.planes.copy(), errors
        return errors

    def _limit(self) -> str | None:
        """Return the rule that ends a run after a round with mistakes, if one does."""
        stops, looks, stalled = self.plan.stops, self.looks, self.stall.since
        if stops.max_updates is not None and int(self.mistakes.sum()) >= stops.max_updates:
            return "max_updates"
        enough = patience_is_over(self.plan.keep, looks, stalled, stalled * self.scorer.problem.n)
        return stops.after_pass(self.passes, stalled, enough, self.best.since)

    def _write_history(self, updates: int, loss: float, errors: float | None, valid: float | None) -> None:
        scale, each = self.plan.rates.scale, self.scorer.lengths(self.planes)
        norm = each[0] if len(each) == 1 else length(np.array(each))
        row = (self.passes, updates, updates, loss * scale, errors, norm * scale, self.errors, valid,
               clock() - self.clock)  # fmt: skip
        for name, value in zip(COLUMNS, row, strict=True):
            self.history[name].append(value)

    def last_pass(self) -> dict[str, Any]:
        """Return the row of the history of the last round; zeros if there was none."""
        if not self.history["pass"]:
            return dict.fromkeys(COLUMNS, 0) | {"pocket_errors": None, "valid_errors": None}
        return {name: column[-1] for name, column in self.history.items()}

    # ---- counts over all partitions ----

    def count(self, sets: np.ndarray) -> np.ndarray:
        """Return the training errors of each set of planes, weighted by class."""
        op = ClassErrors(sets, self.scheme)
        counts = sum(self.engine.map(op, self.scorer.problem, self.table))
        return weighed(np.asarray(counts), self.plan.factors)

    def plane_errors(self) -> np.ndarray:
        """Return how many points of its classes each present plane has on the wrong side or on it."""
        op = PlaneErrors(self.planes, self.scheme)
        return np.asarray(sum(self.engine.map(op, self.scorer.problem, self.table)))

    def radius2(self) -> float:
        """Return the largest |x|² + pad² of all rows."""
        return max(self.engine.map(radius2_of, self.scorer.problem, self.table))

    # ---- the end ----

    @property
    def bound_factor(self) -> int:
        """By which (R/γ)² is multiplied to bound the mistakes."""
        return len(self.table)

    def _mean(self) -> np.ndarray:
        """Return the mean of V over the rounds that count; V itself before the first."""
        rounds = np.maximum(self.counted, 1).astype(np.float64)[:, None]
        return np.where(self.counted[:, None] > 0, self.sums / rounds, self.planes)

    def _candidates(self) -> np.ndarray:
        """Return the sets of planes to validate; the last one is what the keep returns."""
        if self.plan.keep == "pocket" and self.pocket is not None:
            return np.stack([self.planes, self.pocket])
        return np.asarray((self._mean() if self.plan.keep in ("average", "auto") else self.planes)[None])

    def kept(self) -> np.ndarray:
        """Return (w, b) of each plane that the keep returns now."""
        if self.plan.keep == "auto":
            separates = self.resting | (self.reason == "separated")
            return np.where(separates[:, None], self.planes, self._mean())
        return np.asarray(self._candidates()[-1])

    def result(self) -> Result:
        """Return the planes of the keep, or the best on the validation points, to be multiplied by η."""
        chosen = self.validation.planes if self.validation else None
        planes = self.kept() if chosen is None else chosen
        return Result(
            plane=planes[0] if self.scheme.is_binary else planes,
            scale=self.plan.rates.scale,
            stop_reason=str(self.reason),
            passes=self.passes,
            looks=self.looks,
            updates=int(self.mistakes.sum()),
            mistakes=self.mistakes,
            errors=self.errors if chosen is None else None,
            history={name: list(column) for name, column in self.history.items()},
            cycle_counts=None,
            voters=None,
            run=self,
            order=self.order.name,
            partition_rows=rows_of_each(self.table),
        )
