"""The run: the state of one or several planes between looks, passes and calls, and the rule that ends it.

    look, and where the rule says so  w ← w + step·y·x   (the compiled pass)

From the notes: Z10 (the loss and its steps), Z14 (when it stops), R7a (the pocket continues after a proof). `OnePlane`
and `SeveralPlanes` hold what differs between two classes and more; the loop in `train` drives the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import row_signs
from novikoff.kernels.compile import clock, compiled_or_none
from novikoff.perceptron import SETTLED, SHUFFLED_FROM, orders, passes, slots
from novikoff.perceptron.keeps import keep_of
from novikoff.perceptron.keeps.validation import Validation
from novikoff.perceptron.keeps.vote import Vote, Voters
from novikoff.perceptron.multiclass.scheme import TWO_CLASSES, Scheme
from novikoff.perceptron.multiclass.several_planes import SeveralPlanes
from novikoff.perceptron.orders import Stretch
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.one_plane import OnePlane
from novikoff.perceptron.run.pieces import Piece, count_block, pieces
from novikoff.perceptron.run.plane_arrays import first_planes, looks_at_once
from novikoff.perceptron.run.questions import LIMITS, Questions
from novikoff.perceptron.run.result import COLUMNS, Result
from novikoff.perceptron.run.run_state import RunState
from novikoff.perceptron.slots import Planes
from novikoff.perceptron.stops import Best, Interrupt, fewer, half_stalled, patience_is_over
from novikoff.scoring.scorer import Scorer


@dataclass(kw_only=True)
class Run(RunState):
    """Begins, makes passes, and ends."""

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
        start, scorer = np.atleast_2d(start).copy(), Scorer(problem, plan.factors)
        most = looks_at_once(problem, scheme)
        keep = keep_of(plan.keep, plan.once)
        S = first_planes(scorer, plan, scheme, keep, start, most)
        kind = OnePlane() if scheme.is_binary else SeveralPlanes()
        run = cls(scheme=scheme, kind=kind, start=start, scorer=scorer, plan=plan, S=S, keep=keep, most=most,
                  since=np.zeros(len(start), np.int64), looks_before=np.zeros(len(start) + 1, np.int64))  # fmt: skip
        run.set_limits()
        kind.begin(run)
        run._validate_on(valid)
        return run

    @classmethod
    def grown(cls, old: Run, problem: Problem, plan: Plan, scheme: Scheme, added_class: int) -> Run:
        """Return the run of a stream to which a class is added: its planes begin at 0, the others continue."""
        was, origins = old.S, scheme.origins(added_class)
        start = np.zeros((len(origins), was.w.shape[1] + 1))
        for plane, origin in zip(start, origins, strict=True):
            if origin:
                plane[:] = was.present[origin[0]] * origin[1]
        run = cls.begin(problem, plan, start, None, scheme)
        S, counted = run.S, [slots.LOOKS, slots.UPDATES, slots.MISTAKES]
        for k, origin in enumerate(origins):
            if origin:
                p, sign = origin
                S.u[k], S.num[k, slots.UB] = was.u[p] * sign, was.num[p, slots.UB] * sign
                S.num[k, slots.LOSS], S.cnt[k, counted] = was.num[p, slots.LOSS], was.cnt[p, counted]
        S.all[[*counted, slots.CREATED]] = was.total[[*counted, slots.LOOKS]]
        return run

    def go_on(self, problem: Problem, plan: Plan, valid: Problem | None = None) -> Run:
        """Return a run that continues from the end of this one on the given points, with new limits.

        This one does not change, so that a refused input changes nothing. The pocket is counted again.
        """
        scorer, present = Scorer(problem, plan.factors), self.S.present
        most = looks_at_once(problem, self.scheme)
        keep = keep_of(plan.keep, plan.once)
        new = first_planes(scorer, plan, self.scheme, keep, present, most)
        S = Planes(*(array.copy(order="K") for array in self.S))
        S = S._replace(v=new.v, t=new.t, log=new.log, resting=new.resting)
        if S.mistakes.size != problem.n:
            S = S._replace(mistakes=new.mistakes)
        if plan.keep == "pocket" and self.keep.planes is not None:
            S.queue[0], S.total[slots.QUEUED] = self.keep.planes, 1
        S.num[:, slots.R2] = 0.0
        run = replace(
            self,
            scorer=scorer,
            plan=plan,
            S=S,
            keep=keep,
            most=most,
            start=present,
            since=self.looks(),
            reason=None,
            passes_before=self.passes,
            surveyed=False,
            stall=replace(self.stall),
            history={name: list(column) for name, column in self.history.items()},
            clock=clock(),
            random_from=None,
            cycle_counts=None,
            pressed=False,
            questions=Questions(),
            block=None,
        )
        run.set_limits()
        run.kind = self.kind.continued(run, self)
        run._validate_on(valid)
        return run

    # ---- a pass ----

    def begin_pass(self) -> None:
        """Begin a pass: its loss, its counts, its bounds."""
        self.passes += 1
        self.shown = 0
        if self.passes == SHUFFLED_FROM and self.plan.keep == "auto":
            self.restart_average()
        self.S.num[:, slots.LOSS] = 0.0
        self.at_pass = self.tally()
        if self.scorer.problem.stored >= self.S.w.size:
            self.forget_norm()  # cheap beside a pass
        self.kind.begin_pass(self)
        if self.validation and self.plan.keep == "vote":
            self.validation.pass_start = self.S.present

    def stretches(self) -> Iterator[Stretch]:
        """Yield the looks of the pass that begins, in stretches."""
        n = self.scorer.problem.n
        sort = compiled_or_none(orders.sort_places, orders, n) if n >= orders.MANY else None
        return self.order.stretches(n, self.passes - 1, self.most, sort)

    def pieces(self) -> Iterator[Piece]:
        """Return the looks of the pass that begins in pieces; `after` each of them."""
        return pieces(self, self.stretches())

    def compiled_pass(self, looks: int) -> Any:
        """Return the compiled pass for so many looks."""
        return self.kind.compiled_pass(self, looks)

    def after(self, piece: Piece, ended: tuple[int, int, int]) -> None:
        """Count what the compiled pass did and react to its end: (why, the next look, the last row)."""
        (why, end, row), (*_, lo, _, state), block = ended, piece.arguments, piece.block
        self.shown += end - lo
        self.next_look = end
        if block is not None:
            self.next_look += block.lo
            row = count_block(self, block, state.mistakes, row)
        self.react(why, row)

    def react(self, why: int, row: int) -> None:
        """React to the way the compiled pass ended."""
        self.scorer.R2 = float(self.S.num[0, slots.R2])
        if why in (row_signs.NOT_FINITE, row_signs.TOO_LARGE, row_signs.NOT_TIDY):
            self.scorer.mend(why, row)
        elif why == passes.RATES_SPENT:
            self.set_rates()
        elif why == passes.UPDATES_SPENT:
            self.reason = "max_updates"
        elif why == passes.ALL_RIGHT and self.plan.is_aggressive and self.present_errors():
            self.S.cnt[0, slots.NEXT] = 0  # its ordered sums were right, and the exact ones are not
        elif why == passes.ALL_RIGHT:
            self.reason = "separated"
        self.kind.react(self, why, row)
        self.S = self.keep.after_looks(self.S, self.count if self.surveyed else None)

    def check_clock(self, pressed: Interrupt) -> None:
        """End the run at Ctrl-C or at the time limit."""
        if self.reason is None:
            self.reason = self.plan.stops.by_clock(bool(pressed), clock() - self.clock)

    def end_pass(self) -> None:
        """Update the keep, validate, write the history, and apply the stopping rules."""
        self.survey_remaining()
        self.kind.end_of_looks(self)
        now, before = self.tally(), self.at_pass
        updates, mistakes = now.updates - before.updates, now.mistakes - before.mistakes
        clean = self.reason is None and updates == 0 and not self.order.is_random_draw and not self.plan.is_aggressive
        errors = self.kind.end_of_pass(self, clean)
        if self.reason is None and mistakes == 0 and errors is None:
            errors = self.present_errors()
        valid = self.validation.after_pass(self) if self.validation else None
        share = fewer(self.plan.keep, self.plan.stops.train_patience)
        self.stall.offer(mistakes if self.keep.errors is None else self.keep.errors, share)
        self._write_history(updates, mistakes, now.loss - before.loss, errors, valid)
        if self.reason is None and (clean or (mistakes == 0 and errors == 0)):
            self.reason = "separated"
        if self.reason is None:
            made, stalled = self.passes - self.passes_before, self.stall.since
            enough = patience_is_over(self.plan.keep, now.looks, stalled, stalled * self.scorer.problem.n)
            self.reason = self.plan.stops.after_pass(made, stalled, enough, self.best.since)
        self.questions.after_pass(self)
        if self.plan.keep == "pocket":
            self._improve_pocket()
        else:
            self._end_if_proved()
        self._continue_if_separable()

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
            known = [self.questions.answers.get(k) for k in np.flatnonzero(~self.S.resting).tolist()]
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
            mistakes=self.S.mistakes,
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
        voters = Voters(self.scorer.problem, log, self.start[0], int(self.since[0]), until, self.voters)
        return voters.with_named_rows()

    def _validate_on(self, valid: Problem | None) -> None:
        self.best, self.validation = Best(), None
        if valid is not None:
            self.validation = Validation(Scorer(valid, self.plan.factors), self.voters)

    def _write_history(
        self, updates: int, mistakes: int, loss: float, errors: float | None, valid: float | None
    ) -> None:
        scale, seconds = self.plan.rates.scale, clock() - self.clock
        norm, kept = self.norm() * scale, self.keep.errors
        row = (self.passes, updates, mistakes, loss * scale, errors, norm, kept, valid, seconds)
        for name, value in zip(COLUMNS, row, strict=True):
            self.history[name].append(value)
