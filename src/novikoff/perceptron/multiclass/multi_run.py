"""The course of several planes, trained side by side in one pass over the points.

From the notes: Z15 Z15a. The pocket is one for all planes: those that put the fewest points into a wrong class, among
the sets that were counted; a point counts as right if its own class wins alone. A plane of one-vs-all that separates
its class from the others is the one that is handed back (`_take_separating`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import dense32, row_signs
from novikoff.kernels.compile import clock
from novikoff.kernels.reproducible_sums import length
from novikoff.perceptron import RULES, passes
from novikoff.perceptron.keeps import waiting
from novikoff.perceptron.multiclass import multi_pass
from novikoff.perceptron.multiclass.multi_pass import Planes
from novikoff.perceptron.multiclass.multi_vote import Electorate
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.multiclass.winning_class import lost_of_many
from novikoff.perceptron.passes import (
    KEEP,
    LIMIT,
    LOOKS,
    LOSS,
    MISTAKES,
    PAD,
    POSITIVE,
    QUEUED,
    R2,
    REFB,
    RULE,
    UB,
    UPDATES,
    W2,
    B,
    C,
)
from novikoff.perceptron.run.binary_run import Run
from novikoff.perceptron.run.run_base import (
    Plan,
    Result,
    RunBase,
    Tally,
    counts_as,
    looks_at_once,
    no_mistakes,
    widened,
)
from novikoff.perceptron.run.vote import Voters
from novikoff.perceptron.stops import NEVER, Best
from novikoff.scoring.scorer import Scorer, aligned, weighed

MOST = 4096  # rows of one stretch
LARGEST = 300  # binary digits before the point of a plane that is multiplied


@dataclass(kw_only=True)
class MultiRun(RunBase):
    """The course of several planes."""

    VALUES = MappingProxyType(
        {
            **RunBase.VALUES,
            "errors": (type(None), int, float),
            "best.lowest": (type(None), int, float),
            "best.since": (int,),
        }
    )
    STATE = (*RunBase.STATE, "S.all", "S.resting", "at_plane")
    PLANES = ("chosen", "pocket")

    S: Planes
    scheme: Scheme
    start: np.ndarray  # (planes, d + 1)
    valid: Scorer | None = None
    best: Best
    chosen: np.ndarray | None = None  # on the validation points
    pocket: np.ndarray | None = None
    errors: float | None = None  # of the pocket
    log: list[list[np.ndarray]]
    since: np.ndarray  # looks of each plane before the start
    voters: Electorate | None = None  # of the run that this one goes on with
    verbs: str = ""  # that the float32 planes are laid out for
    at_plane: np.ndarray  # updates and mistakes of each plane when the pass began

    @classmethod
    def begin(
        cls, problem: Problem, plan: Plan, scheme: Scheme, start: np.ndarray, valid: Problem | None = None
    ) -> MultiRun:
        """A run of the scheme's planes on the points from `start`; `problem.y` holds class numbers."""
        judge = Scorer(problem)
        most = looks_at_once(judge, MOST)
        S = _state(judge, plan, scheme, start, most)
        log = [[np.empty((0, 3), np.int64)] for _ in start]
        run = cls(judge=judge, plan=plan, S=S, most=most, scheme=scheme, start=start.copy(), best=Best(), log=log,
                  since=np.zeros(len(start), np.int64),
                  at_plane=np.zeros((2, len(start)), np.int64))  # fmt: skip
        run._set_limits()
        run._choose_on(valid)
        return run

    @classmethod
    def grown(cls, old: Run | MultiRun, problem: Problem, plan: Plan, scheme: Scheme, added_class: int) -> MultiRun:
        """The course of a stream in which a class is born: its planes begin at 0, the others go on."""
        W, u, num, cnt = old.S.w, old.S.u, old.S.num, old.S.cnt
        W, u, num, cnt = (a[None] for a in (W, u, num, cnt)) if isinstance(old, Run) else (W, u, num, cnt)
        origins = scheme.origins(added_class)
        start = np.zeros((len(origins), W.shape[1] + 1))
        for plane, origin in zip(start, origins, strict=True):
            if origin:
                plane[:] = np.append(W[origin[0]], num[origin[0], B]) * origin[1]
        run = cls.begin(problem, plan, scheme, start)
        S, counted = run.S, [LOOKS, UPDATES, MISTAKES]
        for k, origin in enumerate(origins):
            if origin:
                p, sign = origin
                S.u[k], S.num[k, UB], S.num[k, LOSS] = u[p] * sign, num[p, UB] * sign, num[p, LOSS]
                S.cnt[k, counted] = cnt[p, counted]
        tally, places = (
            old.tally(),
            [multi_pass.A_LOOKS, multi_pass.A_UPDATES, multi_pass.A_MISTAKES, multi_pass.A_CREATED],
        )
        S.all[places] = tally.looks, tally.updates, tally.mistakes, tally.looks
        return run

    def take(self, judge: Scorer) -> None:
        S = self.S._replace(mistakes=np.zeros(judge.problem.n, np.int32))
        if judge.verbs.__name__ != self.verbs:
            self.verbs = judge.verbs.__name__
            t = judge.for_tile(self.present())
            S = S._replace(t=t, v=t[: len(S.w)] if judge.verbs is dense32 else np.zeros((len(S.w), 1), np.float32))
        self.S = S
        S.all[multi_pass.A_FIRST] = 0
        self._take(judge, S.w.size)

    def widen(self, d: int) -> None:
        self._keep_longest()
        S, (M, old) = self.S, self.S.w.shape
        w, u = aligned((M, d), np.float64), np.zeros((M, d)) if self.plan.keep == "average" else S.u
        w[:, :old] = S.w
        if self.plan.keep == "average":
            u[:, :old] = S.u
        self.S = S._replace(w=w, u=u, queue=_queue(self.plan, M, d))
        self.start, self.verbs = widened(self.start, d), ""
        self.pocket = None if self.pocket is None else widened(self.pocket, d)

    def refresh(self) -> None:
        self.S.num[:, W2] = -1.0

    def compare(self, weights: tuple[float, ...]) -> None:
        self.S.factors[:] = self.scheme.factors(weights)

    def go_on(self, problem: Problem, plan: Plan, valid: Problem | None = None) -> MultiRun:
        """A run that goes on from the end of this one on the given points, with new limits; this one stays as it is."""
        judge = Scorer(problem)
        most = looks_at_once(judge, MOST)
        fresh = _state(judge, plan, self.scheme, self.present(), most)
        S = Planes(*(array.copy() for array in self.S))._replace(
            v=fresh.v, t=fresh.t, log=fresh.log, factors=fresh.factors, resting=fresh.resting
        )
        same = S.mistakes.size == problem.n
        S = S._replace(mistakes=counts_as(S.mistakes, fresh.mistakes.dtype) if same else fresh.mistakes)
        if self.pocket is not None:
            S.queue[0], S.all[multi_pass.A_QUEUED] = self.pocket, 1
        S.num[:, R2], S.all[multi_pass.A_FIRST] = 0.0, 1
        judge.survey()
        run = replace(
            self,
            judge=judge,
            plan=plan,
            S=S,
            most=most,
            start=self.present(),
            since=_looks(self),
            log=[[np.empty((0, 3), np.int64)] for _ in self.start],
            reason=None,
            passes_before=self.passes,
            surveyed=False,
            pocket=None,
            errors=None,
            chosen=None,
            stall=replace(self.stall),
            history={name: list(column) for name, column in self.history.items()},
            clock=clock(),
            pressed=False,
        )
        for k in np.flatnonzero(self.S.resting):  # a plane at rest stays so if it is right about these points
            S.resting[k] = run._plane_errors(int(k)) == 0
        run._set_limits()
        run._choose_on(valid)
        return run

    def rest(self, voters: Any) -> None:
        """Let go of the points: what is left can be stored, and gone on from."""
        self.judge = self.valid = None  # type: ignore[assignment]
        self.voters = voters

    def _choose_on(self, valid: Problem | None) -> None:
        self.valid, self.best = None if valid is None else Scorer(valid), Best()
        if self.valid:
            self.valid.survey()

    def _set_limits(self) -> None:
        most, all_ = self.plan.stops.max_updates, self.S.all
        all_[multi_pass.A_LIMIT] = NEVER if most is None else all_[multi_pass.A_UPDATES] + most

    def tally(self) -> Tally:
        all_ = self.S.all
        loss = math.fsum(self.S.num[:, LOSS].tolist())
        return Tally(
            int(all_[multi_pass.A_UPDATES]), int(all_[multi_pass.A_LOOKS]), loss, int(all_[multi_pass.A_MISTAKES])
        )

    def compiled_pass(self, looks: int) -> Any:
        function = multi_pass.joint if self.scheme.name == "joint" else multi_pass.independent
        problem = self.judge.problem
        return self.judge.kernel(function, looks * (problem.stored // problem.n + 8) * self.scheme.classes)

    def logs(self) -> list[np.ndarray]:
        return [log[:size] for log, size in zip(self.S.log, self.S.cnt[:, QUEUED], strict=True)]

    def waiting(self) -> int:
        return int(self.S.all[multi_pass.A_QUEUED])

    def whole_logs(self) -> list[np.ndarray]:
        return [np.concatenate(log) for log in self.log] if self.plan.keep == "vote" else []

    def put_logs(self, logs: list[np.ndarray]) -> None:
        if self.plan.keep == "vote":
            self.log = [[log] for log in logs]

    def mirror(self) -> None:
        S, t = self.S, self.judge.for_tile(self.present())
        self.S = S._replace(t=t, v=t[: len(S.w)] if self.judge.verbs is dense32 else S.v)
        S.all[multi_pass.A_FIRST], S.all[multi_pass.A_RUNS] = not self.surveyed, self.plan.keep == "pocket"

    def set_reach(self, lengths: list[float]) -> None:
        joint = self.scheme.name == "joint"  # planes that change together have one bound
        super().set_reach([self.norm()] * len(lengths) if joint else lengths)

    def begin_pass(self) -> None:
        super().begin_pass()
        self.at_plane = self.S.cnt[:, [UPDATES, MISTAKES]].T.copy()
        self.S.all[multi_pass.A_FIRST] = not self.surveyed
        if self.judge.problem.stored >= self.S.w.size:
            self.refresh()

    def answer(self, why: int, row: int) -> None:
        self.judge.R2 = float(self.S.num[0, R2])
        if why in (row_signs.NOT_FINITE, row_signs.TOO_LARGE, row_signs.NOT_TIDY):
            self.judge.mend(why, row)
        elif why == passes.UPDATES_SPENT:
            self.reason = "max_updates"
        elif why == passes.QUEUE_FULL:
            self._empty_queue()
        if self.plan.keep == "vote":
            for log, new in zip(self.log, self.logs(), strict=True):
                log.append(new.copy())
            self.S.cnt[:, QUEUED] = 0

    def settle(self, clean: bool) -> float | None:
        rested = np.empty(0, np.int64)
        if self.reason is None and self.scheme.name != "joint":
            rested = self._pause_planes()
            if self.S.resting.all():
                self.reason = "separated"
        if self.plan.keep != "pocket":
            return None
        errors = None
        if self.S.all[multi_pass.A_COUNTED]:
            self._count_queue([])
        else:
            errors = self._count_queue([self.present()])[-1]
            self.S.all[multi_pass.A_COUNTED] = 1
        if self.scheme.name == "ova":
            self._take_separating(rested)
        return errors

    def _take_separating(self, rested: np.ndarray) -> None:
        """Put planes that separate their class from the others into the pocket, whose errors do not rise by that.

        A large multiple of such a plane gives its own points the highest score and all others the lowest, so that the
        other planes decide among themselves as before: it is multiplied until the errors are as few.
        """
        for k in rested:
            assert self.pocket is not None
            assert self.errors is not None
            trial = self.pocket.copy()
            trial[k] = self.present()[k]
            errors = self.errors_of(self.judge, trial)
            while errors > self.errors and np.abs(trial[k]).max() < 2.0**LARGEST:
                trial[k] *= 4.0
                errors = self.errors_of(self.judge, trial)
            self.pocket, self.errors = trial, errors

    def _pause_planes(self) -> np.ndarray:
        """A plane whose binary run would have ended after this pass needs no more looks; those that came to rest."""
        before = self.S.resting.copy()
        updates, mistakes = self.S.cnt[:, [UPDATES, MISTAKES]].T - self.at_plane
        for k in np.flatnonzero((mistakes == 0) & ~self.S.resting):
            clean = updates[k] == 0 and not self.order.is_random_draw
            self.S.resting[k] = clean or self._plane_errors(int(k)) == 0
        return np.flatnonzero(self.S.resting & ~before)

    def _plane_errors(self, k: int) -> int:
        """How many of its points plane k has on the wrong side."""
        problem, (positive, negative) = self.judge.problem, self.scheme.pairs[k]
        if negative >= 0:
            problem = problem.part(np.flatnonzero((problem.y == positive) | (problem.y == negative)))
        judge = Scorer(replace(problem, y=np.where(problem.y == positive, np.int8(1), np.int8(-1))))
        judge.R2 = self.judge.R2
        return int(judge.errors(self.present()[k][None])[0])

    def present_errors(self) -> float:
        return self.errors_of(self.judge, self.present())

    def counted_errors(self) -> float | None:
        return None if self.pocket is None else self.errors_of(self.judge, self.pocket)

    def kept_errors(self) -> float | None:
        return self.errors

    def validate(self) -> tuple[float | None, int]:
        if self.valid is None:
            return None, 0
        offers = [self.present() if self.plan.keep != "average" else self.average()]
        if self.pocket is not None:
            offers.append(self.pocket)
        counts = [self.errors_of(self.valid, offer) for offer in offers]
        lowest = len(counts) - 1 - int(np.argmin(counts[::-1]))
        if self.best.offer(counts[lowest]):
            self.chosen = offers[lowest].copy()
        return counts[lowest], self.best.since

    def norm(self) -> float:
        return length(np.array(self.reaches()))

    def lengths(self) -> list[float]:
        return self.lengths_of(self.present())

    def note_radius(self) -> None:
        self.judge.R2 = max(float(self.S.num[0, R2]), self.judge.R2)
        self.S.num[:, R2] = self.judge.R2

    def result(self) -> Result:
        """The planes the keep hands back, or the best on the validation points, times η."""
        tally, scale = self.tally(), self.plan.rates.scale
        kept = {"pocket": self.pocket, "average": self.average() if self.plan.keep == "average" else None}
        each = self.chosen if self.chosen is not None else kept.get(self.plan.keep)
        each = self.present() if each is None else each
        return Result(
            plane=each,
            scale=scale,
            stop_reason=str(self.reason),
            passes=self.passes,
            looks=tally.looks,
            updates=tally.updates,
            mistakes=self.S.mistakes.copy(),
            errors=self.errors if self.chosen is None else None,
            history={name: list(column) for name, column in self.history.items()},
            cycle_counts=None,
            voters=self._voters() if self.plan.keep == "vote" else None,
            run=self,
        )

    def present(self) -> np.ndarray:
        """(w, b) of each plane."""
        return np.column_stack([self.S.w, self.S.num[:, B]])

    def average(self) -> np.ndarray:
        """The mean of each plane over its looks: w − u/c."""
        c = np.maximum(_looks(self), 1).astype(np.float64)[:, None]
        return np.asarray(self.present() - np.column_stack([self.S.u, self.S.num[:, UB]]) / c)

    def errors_of(self, judge: Scorer, each: np.ndarray) -> float:
        """How many points (by their class's factor) the planes do not put into their own class, and no other."""
        wrong = lost_of_many(judge, each, None, self.scheme)
        errors: float = weighed(wrong[None], self.plan.factors)[0].item()
        return errors

    def _count_queue(self, more: list[np.ndarray]) -> list[float]:
        """Count the waiting sets of planes (and `more`) and play the ratchet in their order."""
        waiting = [*self.S.queue[: self.S.all[multi_pass.A_QUEUED]], *more]
        self.S.all[multi_pass.A_QUEUED] = 0
        counts = [self.errors_of(self.judge, each) for each in waiting]
        for each, errors in zip(waiting, counts, strict=True):
            if self.errors is None or errors < self.errors:
                self.pocket, self.errors = np.array(each), errors
        return counts

    def _empty_queue(self) -> None:
        if self.plan.once:
            self._keep_longest()
        elif self.surveyed:
            self._count_queue([])
        else:
            self.S = self.S._replace(queue=np.concatenate([self.S.queue, np.zeros_like(self.S.queue)]))

    def _keep_longest(self) -> None:
        """The pocket of a stream: the planes with the longest run of right looks, uncounted."""
        waiting = self.S.all[multi_pass.A_QUEUED]
        if waiting:
            self.pocket, self.S.all[multi_pass.A_QUEUED] = self.S.queue[waiting - 1].copy(), 0

    def kept(self) -> np.ndarray:
        """The planes that a stream hands back now."""
        if self.plan.keep == "average":
            return self.average()
        if self.plan.keep == "pocket":
            self._keep_longest()
            all_ = self.S.all
            if (
                self.pocket is not None
                and all_[multi_pass.A_LOOKS] - all_[multi_pass.A_CREATED] <= all_[multi_pass.A_LONGEST]
            ):
                return self.pocket
        return self.present()

    def _voters(self) -> Electorate:
        """The voters of each plane, with one copy of the rows that any of them names."""
        logs = [np.concatenate(log) for log in self.log]
        named = np.unique(np.concatenate([log[:, 0] for log in logs]))
        part = self.judge.problem.part(named)
        each = []
        for k, (log, start, until) in enumerate(zip(logs, self.start, _looks(self), strict=True)):
            own = np.column_stack([np.searchsorted(named, log[:, 0]), log[:, 1:]])
            earlier = None if self.voters is None else self.voters.each[k]
            each.append(Voters(part, own, start, int(self.since[k]), int(until), earlier))
        return Electorate(self.scheme, each, self.voters)


def _looks(run: MultiRun) -> np.ndarray:
    """How many looks each plane had."""
    return np.full(len(run.start), run.tally().looks) if run.scheme.name == "joint" else run.S.cnt[:, LOOKS].copy()


def _state(judge: Scorer, plan: Plan, scheme: Scheme, start: np.ndarray, most: int) -> Planes:
    """The state of looks at the beginning."""
    M, d = start.shape[0], start.shape[1] - 1
    t, w = judge.for_tile(start), aligned((M, d), np.float64)
    w[:] = start[:, :-1] + 0.0
    S = Planes(
        w=w,
        v=t[:M] if judge.verbs is dense32 else np.zeros((M, 1), np.float32),
        t=t,
        u=np.zeros((M, d)) if plan.keep == "average" else np.zeros((M, 1)),
        num=np.zeros((M, len(passes.NUM))),
        cnt=np.zeros((M, len(passes.CNT)), np.int64),
        positive=np.array([a for a, _ in scheme.pairs]),
        members=scheme.members(),
        factors=scheme.factors(plan.factors),
        resting=np.zeros(M, bool),
        rates=plan.rates.batch(0)[:1],
        mistakes=no_mistakes(judge.problem),
        log=np.zeros((M, most if plan.keep == "vote" else 1, 3), np.int64),
        queue=_queue(plan, M, d),
        all=np.zeros(len(multi_pass.ALL), np.int64),
        settled=np.zeros(2, np.int64),
    )
    codes = {"average": passes.SUMS, "vote": passes.LOG}
    S.num[:, B], S.num[:, PAD], S.num[:, W2], S.num[:, REFB] = start[:, -1] + 0.0, judge.problem.pad, -1.0, np.nan
    S.num[:, passes.THRESHOLD], S.num[:, C] = plan.bound, plan.C
    S.cnt[:, KEEP], S.cnt[:, RULE] = codes.get(plan.keep, passes.NOTHING), RULES.index(plan.rule)
    S.cnt[:, POSITIVE], S.cnt[:, passes.WINDOW], S.cnt[:, LIMIT] = S.positive, NEVER, NEVER
    S.all[multi_pass.A_RUNS], S.all[multi_pass.A_FIRST] = plan.keep == "pocket", 1
    return S


def _queue(plan: Plan, M: int, d: int) -> np.ndarray:
    """Room for candidates of the pocket."""
    return np.zeros((min(16, waiting(M * (d + 1))) if plan.keep == "pocket" else 1, M, d + 1))
