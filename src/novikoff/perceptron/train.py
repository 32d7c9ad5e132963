"""One training loop for every rule, order, keep and stop.

    for each pass, for each stretch of looks:  look, and at a mistake  w ← w + η·y·x   (passes.stretch)

From the notes: T3 C6 Z6 (the algorithm), Z14 (when it stops), Z12 S3 (weights that return to an earlier value, found
by Brent's method: w is saved at updates 0, 64, 192, 448, … and compared after every update).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.perceptron import passes
from novikoff.perceptron.keeps import Vote, keep_of
from novikoff.perceptron.orders import BLOCK, Order
from novikoff.perceptron.passes import (
    FARTHEST,
    HOME,
    LIMIT,
    LOOKS,
    LOSS,
    NEXT,
    PAD,
    PATIENCE,
    R2,
    RATE0,
    REFB,
    UPDATES,
    W2,
    WINDOW,
    WITNESS,
    B,
)
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import NEVER, Best, Interrupt, Stops
from novikoff.perceptron.validation import Validation
from novikoff.perceptron.vote import Voters
from novikoff.points.problem import Problem
from novikoff.sides import dense32, scores
from novikoff.sides.judge import Judge

FIRST_WINDOW = 64
NOWHERE = -1
NUMBERS_AT_ONCE = 1 << 22  # a stretch is some milliseconds long, so that clock and keyboard are heard
COLUMNS = ("pass", "updates", "mistakes", "loss", "errors", "norm", "pocket_errors", "valid_errors", "seconds")


@dataclass(frozen=True)
class Plan:
    """The four choices that make every variant of the notes, and the rates."""

    order: Order = Order("cyclic")
    keep: str = "pocket"
    stops: Stops = Stops()
    rates: Rates = Rates()
    factors: tuple[float, float] = (1.0, 1.0)  # of the steps and errors of the negative, the positive class

    @property
    def steps_are_equal(self) -> bool:
        """Whether every update adds the same multiple of a point, so that a return of the weights can be a proof."""
        return self.rates.schedule is None and self.factors == (1.0, 1.0)


@dataclass(frozen=True)
class Result:
    """What a run hands back: the weights, the counts, and the rule that ended it."""

    w: np.ndarray
    b: float
    stop_reason: str
    passes: int
    looks: int
    updates: int
    mistakes: np.ndarray  # per row
    errors: float | None  # of the pocket
    history: dict[str, list[Any]]
    cycle_counts: np.ndarray | None  # per row: the Gordan weights of a cycle
    voters: Voters | None
    run: Run  # all that is needed to go on

    @property
    def last_pass_mistakes(self) -> int:
        return int(self.history["mistakes"][-1]) if self.history["mistakes"] else 0


def train(
    problem: Problem,
    plan: Plan,
    start: np.ndarray,
    valid: Problem | None = None,
    resume: Run | None = None,
    on_pass: Callable[[dict[str, Any]], None] | None = None,
) -> Result:
    """Run the perceptron on the points from `start` = (w⁰, b⁰), or go on with an earlier run."""
    run = resume.go_on(problem, plan) if resume else Run.begin(problem, plan, start)
    run.validation = Validation(Judge(valid, plan.factors)) if valid else None
    run.on_pass = on_pass
    with Interrupt() as pressed:
        while run.reason is None:
            run.begin_pass()
            for rows, lo, hi in plan.order.stretches(problem.n, run.passes - 1, run.most):
                while lo < hi and run.reason is None:
                    stretch = run.kernel(hi - lo)
                    why, lo, row = stretch(run.judge.problem.rows, problem.y, rows, lo, hi, run.S)
                    run.answer(why, row)
                    run.check_clock(pressed)
                if run.reason is not None:
                    break
            run.end_pass()
    return run.result()


@dataclass
class Run:
    """A run under way: the state of its looks and everything counted beside it."""

    judge: Judge
    plan: Plan
    S: passes.State
    keep: Any
    start: np.ndarray
    most: int
    validation: Validation | None = None
    on_pass: Callable[[dict[str, Any]], None] | None = None
    reason: str | None = None
    passes: int = 0
    passes_before: int = 0
    surveyed: bool = False  # every row was seen once
    window: int = FIRST_WINDOW
    returns: int = 0  # that proved nothing
    saved_mistakes: np.ndarray | None = None  # per row, when the weights were saved; None: zero
    cycle_counts: np.ndarray | None = None
    stall: Best = field(default_factory=Best)
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    clock: float = field(default_factory=time.perf_counter)
    pass_start: tuple[int, int, float] = (0, 0, 0.0)  # updates, looks, loss
    pass_plane: np.ndarray = field(default_factory=lambda: np.empty(0))

    @classmethod
    def begin(cls, problem: Problem, plan: Plan, start: np.ndarray) -> Run:
        """A run from w⁰."""
        judge, keep = Judge(problem, plan.factors), keep_of(plan.keep)
        numbers = max(1, problem.stored // problem.n)
        most = max(1, min(BLOCK, NUMBERS_AT_ONCE // numbers))
        S = _state(problem, start, keep.room(problem.d, most), judge.verbs is dense32)
        run = cls(judge, plan, S, keep, start.copy(), most)
        run.S.factors[:], run.S.cnt[passes.KEEP] = plan.factors, keep.code
        run._set_limits()
        run._save_weights(problem.n - 1)
        return run

    def go_on(self, problem: Problem, plan: Plan) -> Run:
        """The same run on the given points, with new limits; the pocket is counted again."""
        self.judge, self.plan, self.reason, self.cycle_counts = Judge(problem, plan.factors), plan, None, None
        self.clock, self.passes_before, self.surveyed = time.perf_counter(), self.passes, False
        self.S.num[R2] = 0.0
        if self.S.mistakes.size != problem.n:
            self.S, self.saved_mistakes = self.S._replace(mistakes=np.zeros(problem.n, np.int32)), None
            self._save_weights(problem.n - 1)
        if plan.keep == "pocket" and self.keep.plane is not None:
            self.S.queue[0], self.S.cnt[passes.QUEUED], self.keep.errors = self.keep.plane, 1, None
        self._set_limits()
        return self

    def _set_limits(self) -> None:
        most = self.plan.stops.max_updates
        self.S.cnt[LIMIT] = NEVER if most is None else self.S.cnt[UPDATES] + most
        self.S = self.S._replace(rates=self.plan.rates.batch(int(self.S.cnt[UPDATES])))
        self.S.cnt[RATE0] = self.S.cnt[UPDATES]

    def kernel(self, looks: int) -> Any:
        """The stretch of looks for this order and keep; rows never seen are measured on the way."""
        order = {"cyclic": passes.IN_ORDER, "first": passes.FROM_THE_FIRST}.get(self.plan.order.name, passes.LISTED)
        function = passes.make(order, not self.surveyed)
        problem = self.judge.problem
        return self.judge.kernel(function, looks * (problem.stored // problem.n + 8))

    def begin_pass(self) -> None:
        self.passes += 1
        num, cnt = self.S.num, self.S.cnt
        if self.judge.problem.stored >= self.S.w.size:
            num[W2] = -1.0  # |w|² anew: cheap beside a pass
        self.pass_start = (int(cnt[UPDATES]), int(cnt[LOOKS]), float(num[LOSS]))
        self.pass_plane = (
            np.append(self.S.w, num[B]) if self.validation and isinstance(self.keep, Vote) else self.pass_plane
        )

    def answer(self, why: int, row: int) -> None:
        """What follows from the way a stretch ended."""
        self.judge.R2 = float(self.S.num[R2])
        if why in (scores.NOT_FINITE, scores.TOO_LARGE, scores.NOT_TIDY):
            self.judge.mend(why, row)
        elif why == passes.RETURNED:
            self._weigh_return(row)
        elif why == passes.RATES_SPENT:
            self._set_rates()
        elif why == passes.UPDATES_SPENT:
            self.reason = "max_updates"
        elif why == passes.ALL_RIGHT:
            self.reason = "separated"
        if self.S.cnt[UPDATES] >= self.S.cnt[WINDOW]:
            self.window *= 2
            self._save_weights(row)
        self.S = self.keep.drain(self.S, self.judge, self.surveyed)

    def check_clock(self, pressed: Interrupt) -> None:
        """Heed the time limit and Ctrl-C between two stretches."""
        limit = self.plan.stops.max_seconds
        if self.reason is None and pressed:
            self.reason = "interrupted"
        if self.reason is None and limit is not None and time.perf_counter() - self.clock >= limit:
            self.reason = "max_seconds"

    def end_pass(self) -> None:
        """Settle the keep, validate, write the history, and ask the stopping rules."""
        self._survey_rest()
        mistakes = int(self.S.cnt[UPDATES]) - self.pass_start[0]
        clean = self.reason == "separated" or (
            self.reason is None and mistakes == 0 and not self.plan.order.is_random_draw
        )
        errors = self.keep.end_of_pass(self.S, self.judge, clean)
        if self.reason is None and mistakes == 0 and errors is None:
            errors = self.judge.errors(np.append(self.S.w, self.S.num[B])[None])[0].item()
        valid = self.validation.after_pass(self.keep, self.S, self._voters_of_pass()) if self.validation else None
        self.stall.offer(mistakes if self.keep.errors is None else self.keep.errors)
        self._write_history(mistakes, errors, valid)
        if self.reason is None and mistakes == 0 and errors == 0:
            self.reason = "separated"
        if self.reason is None:
            passes_made, looks = self.passes - self.passes_before, int(self.S.cnt[LOOKS])
            stalled = self.validation.best.since if self.validation else 0
            self.reason = self.plan.stops.after_pass(passes_made, looks, self.stall.since, stalled)

    def result(self) -> Result:
        """The weights the keep hands back, or the best on the validation points, times η."""
        S, scale = self.S, self.plan.rates.scale
        plane = (
            self.validation.plane if self.validation and self.validation.plane is not None else self.keep.planes(S)[-1]
        )
        return Result(
            w=plane[:-1] * scale,
            b=float(plane[-1] * scale),
            stop_reason=str(self.reason),
            passes=self.passes,
            looks=int(S.cnt[LOOKS]),
            updates=int(S.cnt[UPDATES]),
            mistakes=S.mistakes,
            errors=self.keep.errors,
            history={name: list(column) for name, column in self.history.items()},
            cycle_counts=self.cycle_counts,
            voters=self._voters() if isinstance(self.keep, Vote) else None,
            run=self,
        )

    def _place_after(self, row: int) -> int:
        """The place in the order after an update at `row`, for orders in which the same place means the same future."""
        return {"cyclic": row + 1, "first": 0}.get(self.plan.order.name, NOWHERE)

    def _save_weights(self, row: int) -> None:
        """Brent's method: compare with these weights from now on (not when the rate changes)."""
        S, watched = self.S, self.plan.steps_are_equal
        S.ref[:] = S.w if watched else np.nan
        S.num[REFB] = S.num[B] if watched else np.nan
        S.cnt[WITNESS], S.cnt[HOME], S.cnt[PATIENCE] = 0, self._place_after(row), 0
        S.cnt[WINDOW] = S.cnt[UPDATES] + self.window if watched else NEVER
        self.returns = 0
        if S.cnt[UPDATES]:
            self.saved_mistakes = S.mistakes.copy() if self.saved_mistakes is None else self.saved_mistakes
            np.copyto(self.saved_mistakes, S.mistakes)

    def _weigh_return(self, row: int) -> None:
        """The weights are back at the saved ones: a proof if the points added since sum to exactly zero."""
        times = self.S.mistakes - (0 if self.saved_mistakes is None else self.saved_mistakes)
        if self.judge.sums_to_zero(times):
            self.reason, self.cycle_counts = "cycle", times
        elif self._place_after(row) == self.S.cnt[HOME] != NOWHERE:
            self.reason = "rounding"
        else:
            self.returns += 1
            self.S.cnt[PATIENCE] = 2**self.returns

    def _set_rates(self) -> None:
        self.S.cnt[RATE0] = self.S.cnt[UPDATES]
        self.S = self.S._replace(rates=self.plan.rates.batch(int(self.S.cnt[UPDATES])))

    def _survey_rest(self) -> None:
        """Look at rows that were never seen, before anything is counted on all of them."""
        if self.surveyed:
            return
        order = self.plan.order.name
        whole = self.reason is None and order in ("cyclic", "shuffle")
        if not whole:
            self.judge.survey(int(self.S.cnt[FARTHEST]) if order == "first" else 0)
            self.S.num[R2] = max(self.S.num[R2], self.judge.R2)
        self.judge.R2, self.surveyed = float(self.S.num[R2]), True

    def _voters_of_pass(self) -> Voters | None:
        """The vectors present during this pass."""
        if not isinstance(self.keep, Vote):
            return None
        updates, looks, _ = self.pass_start
        log = self.keep.mistakes()
        made = log[log[:, 1] > looks]
        return Voters(
            self.judge.problem,
            made,
            self.pass_plane,
            self.plan.rates,
            self.S.factors,
            updates,
            looks,
            int(self.S.cnt[LOOKS]),
        )

    def _voters(self) -> Voters:
        """All vectors of the run, or those up to the best pass on the validation points."""
        until = self.validation.voters_until if self.validation else int(self.S.cnt[LOOKS])
        log = self.keep.mistakes()
        log = log[log[:, 1] <= until]
        return Voters(self.judge.problem, log, self.start, self.plan.rates, self.S.factors, 0, 0, until).compact()

    def _write_history(self, mistakes: int, errors: float | None, valid: float | None) -> None:
        scale = self.plan.rates.scale
        loss = (float(self.S.num[LOSS]) - self.pass_start[2]) * scale
        norm = float(np.sqrt(self.S.w @ self.S.w + self.S.num[B] ** 2)) * scale
        seconds = time.perf_counter() - self.clock
        row = (self.passes, mistakes, mistakes, loss, errors, norm, self.keep.errors, valid, seconds)
        for name, value in zip(COLUMNS, row, strict=True):
            self.history[name].append(value)
        if self.on_pass:
            self.on_pass(dict(zip(COLUMNS, row, strict=True)))


def _state(problem: Problem, start: np.ndarray, room: dict[str, np.ndarray], filtered: bool) -> passes.State:
    """The state of looks at the beginning.

    -0.0 in the start becomes 0.0, so that no storage can tell the difference.
    """
    d = problem.d
    w = start[:-1] + 0.0
    arrays = {"u": np.zeros(1), "queue": np.zeros((1, d + 1)), "log": np.zeros((1, 2), np.int64)} | room
    S = passes.State(
        w=w,
        v=w.astype(np.float32) if filtered else np.zeros(1, np.float32),
        ref=np.zeros(d),
        rates=np.ones(1),
        factors=np.ones(2),
        mistakes=np.zeros(problem.n, np.int32),
        num=np.zeros(len(passes.NUM)),
        cnt=np.zeros(len(passes.CNT), np.int64),
        settled=np.zeros(2, np.int64),
        **arrays,
    )
    S.num[B], S.num[PAD], S.num[W2], S.cnt[NEXT] = start[-1] + 0.0, problem.pad, -1.0, 0
    return S
