"""Learn from a stream: every row is used once, in its order, and not kept.

    on an endless separable stream the mistakes stay finite:  mistakes ≤ (R/γ)²,  R the largest |x| so far

From the notes: R2 (incremental presentation). The division into chunks changes no bit: a chunk is checked before
anything is learned from it, so that a bad row leaves the model unchanged, and bounds that depend on the rows so far
only decide how a sign is computed, never the sign.

A class that was not named beforehand is added at its first row: its planes start there, at 0. Nothing is learned before
a second class is seen. Two classes have one plane; when a third is added, it becomes the plane of the last class and,
negated, that of the first.
"""

from __future__ import annotations

import copy
import itertools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.data.labels import as_before, check_labels, known_numbers, numbers_of
from novikoff.data.problem import Problem
from novikoff.kernels.exact_sign import BIG
from novikoff.maxmargin.mistake_bound import bound_of
from novikoff.perceptron.orders import NO_ROWS
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.result import Result, Tally
from novikoff.perceptron.run import Run
from novikoff.perceptron.run_state import widened
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Interrupt
from novikoff.scoring.scorer import Scorer

COLUMNS = ("looks", "updates", "mistakes", "norm", "mistake_bound", "seconds")


@dataclass
class Stream:
    """What was learned from the rows so far."""

    plan: Plan
    scheme: str  # of more than two classes
    classes: np.ndarray  # in order
    fixed: bool  # whether they were all named beforehand
    class_weight: Mapping[Any, float] | None = None
    start: np.ndarray | None = None  # planes (w, b) to begin with; zero if not given
    gamma: float | None = None  # a margin that some plane is known to have
    run: Run | None = None
    rows: int = 0
    mistakes: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))  # updates at rows of each class
    R2: float = 0.0
    radius2: float = 0.0  # where a margin is known: max |x|² + pad²
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    began: float = field(default_factory=time.perf_counter)

    def learn(self, points: Problem, labels: np.ndarray, allow: Callable[[int], None]) -> bool:
        """Learn from each of these rows once, and return whether Ctrl-C was pressed.

        A bad row or label raises InputError and changes nothing. allow(number of classes) raises if the parameters do
        not support so many.
        """
        if self.fixed:
            known_numbers(labels, self.classes, "y", "the classes of this stream")
        else:
            check_labels(labels)
        labels = as_before(labels, self.classes)
        different, first = np.unique(labels, return_index=True)
        pairs = zip(different, first.tolist(), strict=True)
        added_class = sorted(row for label, row in pairs if label not in self.classes)  # the first row of each
        allow(self.classes.size + len(added_class))
        judge = Scorer(points)
        judge.survey()
        before = copy.deepcopy(self.__dict__) if self._may_fail(judge) else None
        try:
            with Interrupt() as pressed:
                self._learn(judge, labels, added_class)
        except BaseException:
            self.__dict__.update(before or {})
            raise
        return bool(pressed)

    @property
    def mistake_bound(self) -> float | None:
        """(R/γ)², if a margin is known."""
        return None if self.gamma is None else bound_of(self.radius2, self.gamma)

    def result(self, d: int) -> Result:
        """Return what was learned so far, as a run of one pass over rows of d columns."""
        planes = np.zeros((0, d + 1)) if self.run is None else np.atleast_2d(self.run.kept())
        tally = Tally() if self.run is None else self.run.tally()
        history, mistakes = {name: list(column) for name, column in self.history.items()}, self.mistakes.copy()
        return Result(planes, self.plan.rates.scale, "stream_ended", 1, tally.looks, tally.updates, mistakes,
                      errors=None, history=history, cycle_counts=None, voters=None, run=None)  # fmt: skip

    def _may_fail(self, judge: Scorer) -> bool:
        """Return whether a look could still raise: a schedule, steps of any length, or weights near the limit."""
        if self.run is None or self.run.S.weights.shape[0] < judge.problem.d:
            return True
        if self.plan.rates.schedule is not None or self.plan.rule.startswith("pa"):
            return True
        W2 = float(self.run.S.each["norm2"].max())
        step = np.float64(self.plan.rates.eta) * max([1.0, *(self.class_weight or {}).values()])
        with np.errstate(over="ignore"):
            most = W2 + 100.0 * judge.problem.n * (step * step * judge.R2 + step * self.plan.bound)
        return not (most < 2.0**-20 * BIG)

    def _learn(self, judge: Scorer, labels: np.ndarray, added_class: list[int]) -> None:
        d = judge.problem.d  # new columns start at 0, as if d had been known
        if self.start is not None and self.start.shape[1] < d + 1:
            self.start = widened(self.start, d)
        if self.run is not None and self.run.S.weights.shape[0] < d:
            self.run.widen(d)
        self.R2 = max(self.R2, judge.R2)
        if self.gamma is not None:
            self.radius2 = max(self.radius2, judge.radius2())
        powers = (1 << k for k in range(self.rows.bit_length(), (self.rows + labels.size).bit_length()))
        marks = {power - self.rows for power in powers}  # after so many of these rows the history gets a row
        for lo, hi in itertools.pairwise(sorted({0, labels.size, *added_class, *marks})):
            points = judge.problem if hi - lo == labels.size else judge.problem.part(slice(lo, hi))
            created = labels[lo] if lo in added_class else None
            self._show(points, labels[lo:hi], created)
            if hi in marks and self.run is not None:
                tally, seconds = self.run.tally(), time.perf_counter() - self.began
                row = (tally.looks, tally.updates, tally.mistakes, self.run.norm() * self.plan.rates.scale,
                       self.mistake_bound, seconds)  # fmt: skip
                for name, value in zip(COLUMNS, row, strict=True):
                    self.history[name].append(value)

    def _show(self, points: Problem, labels: np.ndarray, created: Any) -> None:
        """Learn from rows of known classes; created: the new class of the first row, or None."""
        at = None
        if created is not None:
            label = np.array([created], dtype=object if self.classes.dtype == object else None)
            self.classes = np.unique(np.append(self.classes, label) if self.classes.size else label)
            at = int(np.searchsorted(self.classes, label)[0])
            self.mistakes = np.insert(self.mistakes, at, 0)
        numbers = numbers_of(labels, self.classes)
        points = replace(points, y=numbers if self.classes.size > 2 else (2 * numbers - 1).astype(np.int8))
        K = self.classes.size
        if K > 1 and (at is not None or self.run is None):
            scheme, plan = Scheme(self.scheme, K), replace(self.plan, factors=(1.0,) * K)
            if self.run is not None and at is not None:
                self.run = Run.grown(self.run, points, plan, scheme, at)
            else:
                start = np.zeros((scheme.planes, points.d + 1)) if self.start is None else self.start
                self.run = Run.begin(points, plan, start, None, scheme)
        self.rows += points.n
        if self.run is None:
            return
        judge = Scorer(points)
        judge.R2 = self.R2
        self.run.take(judge)
        given = self.class_weight or {}
        self.run.weigh(tuple(float(given.get(label, 1.0)) for label in self.classes.tolist()))
        for _ in self.run.make_looks(NO_ROWS, 0, points.n):
            pass
        made = np.bincount(numbers, weights=self.run.S.row_updates, minlength=self.classes.size)
        self.mistakes += made.astype(np.int64)
        self.run.scorer = self.run.block = None  # type: ignore[assignment]  # the rows go
