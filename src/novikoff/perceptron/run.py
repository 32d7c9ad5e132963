"""The run: the state of one or several planes between looks, passes and calls, and the rule that ends it.

    look, and where the rule says so  w ← w + step·y·x   (the compiled pass)

From the notes: Z10 (the loss and its steps), Z14 (when it stops), R7a (the pocket continues after a proof). The loop in
`train` drives the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import row_signs
from novikoff.kernels.compile import clock
from novikoff.perceptron import SETTLED, SHUFFLED_FROM, batch_step, look
from novikoff.perceptron.keeps import Validation, Vote, Voters, keep_of
from novikoff.perceptron.orders import NO_ROWS
from novikoff.perceptron.pass_many import pass_joint, pass_many
from novikoff.perceptron.pass_one import pass_one
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.questions import LIMITS
from novikoff.perceptron.resting import rest_planes, take_separating
from novikoff.perceptron.result import COLUMNS, Result
from novikoff.perceptron.returns import Returns
from novikoff.perceptron.run_state import RowBlock, RunState, looks_at_once, planes_of
from novikoff.perceptron.scheme import TWO_CLASSES, Scheme
from novikoff.perceptron.stops import Best, Interrupt, fewer, half_stalled, patience_is_over
from novikoff.scoring.scorer import Scorer

SMALL = 1 << 24  # n²·d, up to which every w of random draws is counted for the pocket


@dataclass(kw_only=True)
class Run(RunState):
    """Begins, makes passes, and ends."""

    returns: Returns = field(default_factory=Returns)  # of the weights of one plane

    @classmethod
    def begin(
        cls,
        problem: Problem,
        plan: Plan,
        start: np.ndarray,
        valid: Problem | None = None,
        scheme: Scheme = TWO_CLASSES,
    ) -> Self:
        """Return a new run on the points from `start`, (w⁰, b⁰) of each plane.

        `problem.y` holds the sides −1 and 1 of two classes, else class numbers.
        """
        start, scorer, keep = np.atleast_2d(start).copy(), Scorer(problem, plan.factors), keep_of(plan.keep, plan.once)
        S = planes_of(scorer, plan, scheme, keep, start)
        run = cls(scheme=scheme, start=start, scorer=scorer, plan=plan, S=S, keep=keep,
                  most=looks_at_once(problem), looks_before=np.zeros(len(start) + 1, np.int64))  # fmt: skip
        run.set_limits()
        if scheme.is_binary:
            run.returns.save(run, problem.n - 1)
        run._validate_on(valid)
        return run

    @classmethod
    def grown(cls, old: Run, problem: Problem, plan: Plan, scheme: Scheme, added_class: int) -> Run:
        """Return the run of a stream to which a class is added: its planes begin at 0, the others continue."""
        was, origins = old.S, scheme.origins(added_class)
        start = np.zeros((len(origins), was.present.shape[1]))
        for plane, origin in zip(start, origins, strict=True):
            if origin:
                plane[:] = was.present[origin[0]] * origin[1]
        run = cls.begin(problem, plan, start, None, scheme)
        for k, origin in enumerate(origins):
            if origin:
                p, sign = origin
                run.S.each[k], run.S.sums[k] = was.each[p], was.sums[p] * sign
                run.S.each["bias"][k], run.S.each["bias_sum"][k] = start[k, -1], was.each["bias_sum"][p] * sign
        run.S.run[:] = was.run
        run.S.counts["streak_from"], run.S.counts["longest"] = was.counts["looks"], 0
        run.measure_weights()
        return run

    # ---- a pass ----

    def begin_pass(self) -> None:
        """Begin a pass: its loss, its counts, its bounds."""
        self.passes += 1
        self.shown = 0
        S, counts, problem, draws = self.S, self.S.counts, self.scorer.problem, self.order.is_random_draw
        if self.passes == SHUFFLED_FROM and self.plan.keep == "auto":
            self.restart_average()
        counts["loss"] = 0.0
        self.at_pass, self.planes_at_pass = self.tally(), S.each.copy()
        if problem.stored >= S.weights.size:
            self.measure_weights()  # cheap beside a pass
        counts["restarts"], counts["new"], counts["batch"] = (
            self.order.name == "first",
            not self.surveyed,
            self.order.is_batch,
        )
        if draws and self.scheme.is_binary:
            counts["longest"] = 0  # a streak by chance is compared with those of its pass
        counts["every"] = draws and self.scheme.is_binary and problem.n**2 * problem.d <= SMALL
        if counts["batch"]:
            self.S = self.S._replace(batch=np.zeros(problem.d + 1))
            self.row_updates_before = S.row_updates.copy()
        if self.validation and self.plan.keep == "vote":
            self.validation.pass_start = S.present

    def make_pass(self) -> Iterator[None]:
        """Make the looks of the pass, some milliseconds at a time, until its or the run's end."""
        n = self.scorer.problem.n
        for rows, lo, hi in self.order.stretches(n, self.passes - 1, self.most):
            yield from self.make_looks(rows, lo, hi)

    def make_looks(self, rows: np.ndarray, lo: int, hi: int) -> Iterator[None]:
        """Make the looks lo ≤ t < hi at these rows (none: the look's number is the row), until the run ends."""
        while lo < hi and self.reason is None:
            p, S, block = self.scorer.problem, self.S, None
            if p.in_blocks:
                block = self._block_of(rows, lo, hi)
                S = S._replace(row_updates=np.zeros(block.y.size, np.int32))
            first = S.counts["offset"] = block.lo if block else 0
            at, y, order, end = (block.rows, block.y, NO_ROWS, min(hi, block.hi)) if block else (p.rows, p.y, rows, hi)
            make = self.compiled_pass(end - lo)
            state = S.flat() if self.scheme.is_binary else S
            why, end, row = make(at, y, order, lo - first, end - first, state)
            self.shown += end + first - lo
            lo = end + first
            self._react(why, row if block is None else self._count_block(block, S.row_updates, row))
            yield

    def compiled_pass(self, looks: int) -> Any:
        """Return the pass of the scheme, compiled or interpreted for so many looks."""
        function = pass_one if self.scheme.is_binary else pass_joint if self.scheme.is_joint else pass_many
        p = self.scorer.problem
        return self.scorer.kernel(function, looks * (p.stored // p.n + 8) * len(self.S.each))

    def _block_of(self, rows: np.ndarray, lo: int, hi: int) -> RowBlock:
        """Return the block of look lo: rows stored by columns, or in another type, are read block by block."""
        old, p = self.block, self.scorer.problem
        if old is None or old.listed is not rows or not old.lo <= lo < old.hi:
            self.block = None  # before the next is made
            end = min(hi, lo + p.rows.at_once)
            which = rows[lo:end] if rows.size else slice(lo, end)
            self.block = RowBlock(rows, lo, end, which, p.rows.take(which), p.y[which])
        return self.block  # type: ignore[return-value]

    def _count_block(self, block: RowBlock, row_updates: np.ndarray, row: int) -> int:
        """Add the updates of a block to those of all rows, number the log by rows; return the number of `row`."""
        numbers = np.arange(block.lo, block.hi) if isinstance(block.which, slice) else block.which
        np.add.at(self.S.row_updates, numbers, row_updates)
        if self.plan.keep == "vote":
            log = self.S.log[: self.S.counts["waiting"]]
            log[:, 0] = numbers[log[:, 0]]
        return int(numbers[row]) if row >= 0 else -1

    def _react(self, why: int, row: int) -> None:
        """React to the way the looks ended."""
        self.scorer.R2 = float(self.S.counts["radius2"])
        if why in (row_signs.NOT_FINITE, row_signs.TOO_LARGE, row_signs.NOT_TIDY):
            self.scorer.mend(why, row)
        elif why == look.RATES_SPENT:
            self.set_rates()
        elif why == look.UPDATES_SPENT:
            self.reason = "max_updates"
        elif why == look.ALL_RIGHT and self.plan.is_aggressive and self.present_errors():
            self.S.counts["place"] = 0  # its ordered sums were right, and the exact ones are not
        elif why == look.ALL_RIGHT:
            self.reason = "separated"
        if self.scheme.is_binary:
            self.returns.react(self, why == look.RETURNED, row)
        self.S = self.keep.after_looks(self.S, self.count if self.surveyed else None)

    def check_clock(self, pressed: Interrupt) -> None:
        """End the run at Ctrl-C or at the time limit."""
        if self.reason is None:
            self.reason = self.plan.stops.by_clock(bool(pressed), clock() - self.clock)

    def end_pass(self) -> None:
        """Update the keep, validate, write the history, and apply the stopping rules."""
        self._survey_remaining()
        if self.order.is_batch and (back := batch_step.finish(self)) is not None:
            self.returns.react(self, back, self.scorer.problem.n - 1)
        now, before = self.tally(), self.at_pass
        updates, mistakes = now.updates - before.updates, now.mistakes - before.mistakes
        clean = self.reason is None and updates == 0 and not self.order.is_random_draw and not self.plan.is_aggressive
        errors = self._errors_after_pass(clean)
        if self.reason is None and mistakes == 0 and errors is None:
            errors = self.present_errors()
        valid = self.validation.after_pass(self) if self.validation else None
        share = fewer(self.plan.keep, self.plan.stops.train_patience)
        self.stall.offer(mistakes if self.keep.errors is None else self.keep.errors, share)
        self._write_history(updates, mistakes, now.loss, errors, valid)
        if self.reason is None and (clean or (mistakes == 0 and errors == 0)):
            self.reason = "separated"
        if self.reason is None:
            stalled = self.stall.since
            enough = patience_is_over(self.plan.keep, now.looks, stalled, stalled * self.scorer.problem.n)
            self.reason = self.plan.stops.after_pass(self.passes, stalled, enough, self.best.since)
        self.questions.after_pass(self)
        if self.plan.keep == "pocket":
            self._improve_pocket()
        else:
            self._end_if_proved()
        self._continue_if_separable()

    def _errors_after_pass(self, clean: bool) -> float | None:
        """Let planes rest, update the keep; return the errors of the present planes where they are known."""
        if self.scheme.is_binary:
            return self.keep.end_of_pass(self.S, self.count, clean or self.reason == "separated")
        rested = rest_planes(self) if self.reason is None and not self.scheme.is_joint else np.empty(0, np.int64)
        if self.reason is None and self.S.each["resting"].all():
            self.reason = "separated"
        errors = self.keep.end_of_pass(self.S, self.count, False)
        if self.plan.keep == "pocket" and self.scheme.name == "ova":
            take_separating(self, rested)
        return errors

    def _survey_remaining(self) -> None:
        """Check rows that were never seen, before anything is counted on all of them."""
        if self.surveyed:
            return
        order = self.order.name
        whole = self.reason is None and order in ("cyclic", "shuffle", "batch") and self.tally().looks > 0
        if not whole:
            self.scorer.survey(int(self.S.counts["farthest"]) if order == "first" else 0)
        self.note_radius()
        self.surveyed = True

    # ---- whether a plane separates the points ----

    def _end_if_proved(self) -> None:
        """End a run of which it is proved whether planes separate the points, after 20 passes; not with keep "last".

        The proof is the reason: it says more than a limit. Classes of unequal weight that no plane separates take more
        passes: steps of the lighter ones hardly change the weights, so the bias of the others needs about R² updates.
        """
        if self.reason not in LIMITS or self.passes < SETTLED:
            return
        goes_on = self.reason is None and len(set(self.plan.factors)) > 1
        if self.cycle_counts is not None:
            self.reason = self.reason if goes_on else "cycle"
        elif self.plan.keep != "last" and (settled := self.questions.settled(self, goes_on)) is not None:
            self.reason = settled

    def _continue_if_separable(self) -> None:
        """Continue a stalled run to its last pass, if that is set and planes are proved to separate the points."""
        if self.reason == "train_stalled" and self.plan.stops.max_passes is not None:
            known = [self.questions.answers.get(k) for k in np.flatnonzero(~self.S.each["resting"]).tolist()]
            if all(one is not None and one.separable for one in known):
                self.reason = None

    def _improve_pocket(self) -> None:
        """Continue a pocket that cannot reach 0 errors: with random draws where the order stalls.

        With one error it ends: no plane has fewer, so that is why, however it was proved. So it does where nothing else
        would end it: then the proof is the reason.
        """
        n, stalled, auto = self.scorer.problem.n, self.stall.since, self.plan.stops.train_patience == "auto"
        if self.reason is None and self.random_from is None and auto and half_stalled(stalled, stalled * n):  # noqa: SIM102
            if self.proved and not self.plan.order.is_random_draw:
                self.random_from = self.passes + 1
        fewest = self.keep.errors == 1 and set(self.plan.factors) == {1.0} and self.validation is None
        if self.reason is None and self.proved and (fewest or not self.plan.stops.ends):
            self.reason = "not_separable" if self.cycle_counts is None or self.plan.stops.ends else "cycle"

    # ---- the end ----

    def radius2(self) -> float:
        """Return the largest |x|² + pad² of all rows."""
        return self.scorer.radius2()

    @property
    def bound_factor(self) -> int:
        """By which (R/γ)² is multiplied to bound the mistakes."""
        return self.plan.rates.rows

    def result(self) -> Result:
        """Return the planes of the keep, or the best on the validation points, to be multiplied by η."""
        tally, chosen = self.tally(), self.validation.planes if self.validation else None
        planes = self.kept() if chosen is None else chosen
        for k, plane in self.questions.computed(self).items():
            planes[k] = plane
        return Result(
            plane=planes[0] if self.scheme.is_binary else planes,
            scale=self.plan.rates.scale,
            stop_reason=str(self.reason),
            passes=self.passes,
            looks=tally.looks,
            updates=tally.updates,
            mistakes=self.S.row_updates,
            errors=self.keep.errors if chosen is None else None,
            history={name: list(column) for name, column in self.history.items()},
            cycle_counts=self.cycle_counts,
            voters=self._voters(self.keep) if isinstance(self.keep, Vote) else None,
            run=self,
            verdicts=dict(self.questions.answers),
            random_from=None if self.random_from is None or self.passes < self.random_from else self.random_from,
            order=self.order.name,
        )

    def _voters(self, keep: Vote) -> Voters:
        """Return all vectors of the run, or those up to the best pass on the validation points."""
        log, until = keep.log(), int(self.looks()[0])
        if self.validation:
            until = self.validation.voters_until
            log = log[log[:, 1] <= until]
        voters = Voters(self.scorer.problem, log, self.start[0], 0, until)
        return voters.with_named_rows()

    def _validate_on(self, valid: Problem | None) -> None:
        self.best, self.validation = Best(), None
        if valid is not None:
            self.validation = Validation(Scorer(valid, self.plan.factors))

    def _write_history(
        self, updates: int, mistakes: int, loss: float, errors: float | None, valid: float | None
    ) -> None:
        scale, seconds = self.plan.rates.scale, clock() - self.clock
        norm, kept = self.norm() * scale, self.keep.errors
        row = (self.passes, updates, mistakes, loss * scale, errors, norm, kept, valid, seconds)
        for name, value in zip(COLUMNS, row, strict=True):
            self.history[name].append(value)
