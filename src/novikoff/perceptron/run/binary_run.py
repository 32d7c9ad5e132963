"""The course of one plane: the state of its looks, its keep, and the watch for weights that return.

    look, and where the rule says so  w ← w + step·y·x   (the compiled pass)

From the notes: Z10 (the loss and its steps), Z12 S3 (weights that return to an earlier value, found by Brent's method:
w is saved at updates 0, 64, 192, 448, … and compared after every update), R7a (the pocket goes on after a proof).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import dense32, row_signs
from novikoff.kernels.compile import clock
from novikoff.perceptron import RULES, passes
from novikoff.perceptron.keeps import Pocket, Vote, keep_of
from novikoff.perceptron.orders import BLOCK, Stretch
from novikoff.perceptron.passes import (
    EVERY,
    FARTHEST,
    HOME,
    LIMIT,
    LONGEST,
    LOOKS,
    LOSS,
    MISTAKES,
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
from novikoff.perceptron.run import skip_pass
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
from novikoff.perceptron.run.skip_policy import Fewer
from novikoff.perceptron.run.validation import Validation
from novikoff.perceptron.run.vote import Voters
from novikoff.perceptron.stops import NEVER, half_stalled
from novikoff.scoring.scorer import Scorer, aligned

FIRST_WINDOW = 64
NOWHERE = -1
REPEATING = ("cyclic", "first", "worst")  # orders that repeat themselves when the weights come back
EXACT_SUMS = 30  # looks of the perceptron that an update with two exact sums costs, in the interpreter
SMALL = 1 << 24  # n²·d, up to which every w of random draws is counted for the pocket
GRACE = 20  # passes that the average and the vote are given though no plane separates the points


@dataclass(kw_only=True)
class Run(RunBase):
    """The course of one plane: the state of its looks and everything counted beside it."""

    VALUES = MappingProxyType(
        {
            **RunBase.VALUES,
            "window": (int,),
            "returns": (int,),
            "saved_here": (bool,),
            "keep.errors": (type(None), int, float),
            "validation.best.lowest": (type(None), int, float),
            "validation.best.since": (int,),
            "validation.voters_until": (int,),
        }
    )
    STATE = (*RunBase.STATE, "S.ref")
    ROWS = ("saved_mistakes", "cycle_counts", "validation.votes")
    PLANES = ("pass_plane", "keep.plane", "validation.plane")

    S: passes.State
    keep: Any
    start: np.ndarray
    validation: Validation | None = None
    since: int = 0  # looks before the start
    voters: Voters | None = None  # of the run that this one goes on with
    window: int = FIRST_WINDOW
    returns: int = 0  # that proved nothing
    saved_here: bool = True  # whether the saved weights are of this fit, not of one before it
    saved_mistakes: np.ndarray | None = None  # per row, when the weights were saved; None: zero
    cycle_counts: np.ndarray | None = None
    pass_plane: np.ndarray = field(default_factory=lambda: np.empty(0))
    fewer: Fewer = field(default_factory=Fewer)  # looks, while that pays

    @classmethod
    def begin(cls, problem: Problem, plan: Plan, start: np.ndarray, valid: Problem | None = None) -> Run:
        """A run on the points from `start` = (w⁰, b⁰)."""
        judge, keep = Scorer(problem, plan.factors), keep_of(plan.keep, plan.once)
        most = looks_at_once(judge, BLOCK)
        S = _state(judge, start, keep.room(problem.d, most))
        run = cls(judge=judge, plan=plan, S=S, keep=keep, start=start.copy(), most=most)
        run._set_rule()
        run._set_limits()
        run._save_weights(problem.n - 1)
        run._choose_on(valid)
        return run

    def go_on(self, problem: Problem, plan: Plan, valid: Problem | None = None) -> Run:
        """A run that goes on from the end of this one on the given points, with new limits.

        This one stays as it is, so that a refused input changes nothing. The pocket is counted again.
        """
        judge = Scorer(problem, plan.factors)
        most = looks_at_once(judge, BLOCK)
        S = passes.State(*(array.copy() for array in self.S))._replace(v=_float32(self.S.w, judge))
        begun = no_mistakes(problem)
        S = S._replace(mistakes=counts_as(S.mistakes, begun.dtype) if S.mistakes.size == problem.n else begun)
        if plan.keep == "vote":
            S = S._replace(log=np.zeros((most, 3), np.int64))
        if plan.keep == "pocket" and self.keep.plane is not None:
            S.queue[0], S.cnt[passes.QUEUED] = self.keep.plane, 1
        S.num[R2] = 0.0
        run = replace(
            self,
            judge=judge,
            plan=plan,
            S=S,
            most=most,
            keep=keep_of(plan.keep, plan.once),
            start=self._present(),
            since=self.tally().looks,
            reason=None,
            passes_before=self.passes,
            surveyed=False,
            stall=replace(self.stall),
            history={name: list(column) for name, column in self.history.items()},
            clock=clock(),
            random_from=None,
            pressed=False,
            saved_mistakes=None,
            cycle_counts=None,
            verdict=None,
            fewer=Fewer(),
        )
        run._set_limits()
        run._go_on_watching(self)
        run._choose_on(valid)
        return run

    def take(self, judge: Scorer) -> None:
        S = self.S._replace(mistakes=np.zeros(judge.problem.n, np.int32))
        self.S = S._replace(v=_float32(S.w, judge)) if judge.verbs is dense32 else S
        self._take(judge, S.w.size)

    def widen(self, d: int) -> None:
        S, old = self.S, self.S.w.size
        w, ref = aligned((d,), np.float64), np.full(d, np.nan)
        w[:old], ref[:old] = S.w, S.ref
        room = self.keep.room(d, self.most)
        if "u" in room:
            room["u"][:old] = S.u
        self.S = S._replace(**({"w": w, "ref": ref, "queue": np.zeros((1, d + 1))} | room))
        self.start = widened(self.start, d)
        if isinstance(self.keep, Pocket) and self.keep.plane is not None:
            self.keep.plane = widened(self.keep.plane, d)

    def refresh(self) -> None:
        self.S.num[W2] = -1.0

    def compare(self, weights: tuple[float, ...]) -> None:
        self.S.factors[:] = weights

    def kept(self) -> np.ndarray:
        return np.asarray(self.keep.planes(self.S)[-1])

    def rest(self, voters: Any) -> None:
        """Let go of the points: what is left can be stored, and gone on from."""
        self.judge = self.validation = self.verdict = None  # type: ignore[assignment]
        self.on_stall = None
        self.voters, self.fewer = voters, Fewer()

    def tally(self) -> Tally:
        cnt = self.S.cnt
        return Tally(int(cnt[UPDATES]), int(cnt[LOOKS]), float(self.S.num[LOSS]), int(cnt[MISTAKES]))

    def stretches(self) -> Iterator[Stretch]:
        if self.order.name != "worst":
            yield from super().stretches()
            return
        if self.shown:
            return
        self.survey_remaining()
        S, p = self.S, self.judge.problem
        find = self.judge.kernel(row_signs.worst, p.stored)
        row = find(p.rows, p.y, S.w, S.v, S.num[B], p.pad, self.judge.R2)
        S.cnt[LOOKS] += p.n - 1  # all points were shown, the worst one last
        S.cnt[passes.CREATED] = S.cnt[LOOKS]  # and runs of right looks have no meaning
        yield np.array([row], np.int64), 0, 1

    def compiled_pass(self, looks: int) -> Any:
        """The compiled pass for this order; rows never seen are measured on the way."""
        if self.fewer.angles is not None:
            return self.judge.kernel(skip_pass.looks, self.judge.problem.stored)
        order = {"cyclic": passes.IN_ORDER, "first": passes.FROM_THE_FIRST}.get(self.order.name, passes.LISTED)
        problem = self.judge.problem
        if problem.in_blocks:
            order = passes.IN_ORDER  # a block holds its rows in the order of the looks
        pass_over = passes.make(order, not self.surveyed, self.plan.rule != "perceptron")
        dear = EXACT_SUMS if self.plan.rule.startswith("pa") else 1
        return self.judge.kernel(pass_over, dear * looks * (problem.stored // problem.n + 8))

    def order_of(self, rows: np.ndarray) -> Any:
        return rows if self.fewer.angles is None else self.fewer.angles

    def begin_pass(self) -> None:
        super().begin_pass()
        if self.judge.problem.stored >= self.S.w.size:
            self.refresh()  # cheap beside a pass
        if self.passes == self.random_from:
            self.fewer = Fewer()
        if draws := self.order.is_random_draw:
            self.S.cnt[LONGEST] = 0  # a run by chance is compared with those of its pass
        self.S.cnt[EVERY] = draws and self.judge.problem.n**2 * self.judge.problem.d <= SMALL
        if self.validation and isinstance(self.keep, Vote):
            self.pass_plane = self._present()
        self.fewer.begin_pass(self)

    def logs(self) -> list[np.ndarray]:
        return [self.S.log[: self.S.cnt[passes.QUEUED]]]

    def waiting(self) -> int:
        return int(self.S.cnt[passes.QUEUED])

    def whole_logs(self) -> list[np.ndarray]:
        return [self.keep.updates()] if isinstance(self.keep, Vote) else []

    def put_logs(self, logs: list[np.ndarray]) -> None:
        if isinstance(self.keep, Vote):
            self.keep.log = logs

    def mirror(self) -> None:
        self.S = self.S._replace(v=_float32(self.S.w, self.judge))
        self._set_rates()

    def shift(self, by: int) -> None:
        if self.S.cnt[HOME] != NOWHERE:
            self.S.cnt[HOME] += by

    def answer(self, why: int, row: int) -> None:
        self.judge.R2 = float(self.S.num[R2])
        if why in (row_signs.NOT_FINITE, row_signs.TOO_LARGE, row_signs.NOT_TIDY):
            self.judge.mend(why, row)
        elif why == passes.RETURNED:
            self._compare_return(row)
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

    def end_pass(self) -> None:
        super().end_pass()
        if self.plan.keep == "pocket":
            self._improve_pocket()
        elif self._returned and self.passes >= GRACE and self.reason in (None, "max_passes", "train_stalled"):
            self.reason = "cycle"  # a proof says more than a limit
        self.ask()

    def _improve_pocket(self) -> None:
        """Few errors are the pocket's aim: where none is impossible, it goes on, by chance where the order stalls.

        With one error it ends: no plane has fewer, so that is why, however it was proved. So it does where nothing else
        would end it: then the proof is the reason.
        """
        n, stalled, auto = self.judge.problem.n, self.stall.since, self.plan.stops.train_patience == "auto"
        if self.reason is None and self.random_from is None and auto and half_stalled(stalled, stalled * n):
            self.put_question()
            if self.proved and not self.plan.order.is_random_draw:
                self.random_from = self.passes + 1
        fewest = self.keep.errors == 1 and set(self.plan.factors) == {1.0} and self.validation is None
        if self.reason is None and self.proved and (fewest or not self.plan.stops.ends):
            self.reason = "not_separable" if self.cycle_counts is None or self.plan.stops.ends else "cycle"

    @property
    def proved(self) -> bool:
        return self._returned or super().proved

    @property
    def _returned(self) -> bool:
        """Whether a return of the weights has proved that no plane separates the points."""
        return self.cycle_counts is not None

    def settle(self, clean: bool) -> float | None:
        errors: float | None = self.keep.end_of_pass(self.S, self.judge, clean)
        return errors

    def present_errors(self) -> float:
        return float(self.judge.errors(self._present()[None])[0])

    def counted_errors(self) -> float | None:
        plane = getattr(self.keep, "plane", None)
        return None if plane is None else self.judge.errors(plane[None])[0].item()

    def kept_errors(self) -> float | None:
        errors: float | None = self.keep.errors
        return errors

    def validate(self) -> tuple[float | None, int]:
        if self.validation is None:
            return None, 0
        errors = self.validation.after_pass(self.keep, self.S, self._voters_of_pass())
        return errors, self.validation.best.since

    def norm(self) -> float:
        return self.reaches()[0]

    def lengths(self) -> list[float]:
        return self.lengths_of(self._present()[None])

    def note_radius(self) -> None:
        self.S.num[R2] = self.judge.R2 = max(float(self.S.num[R2]), self.judge.R2)

    def rows_seen(self) -> int:
        return int(self.S.cnt[FARTHEST]) if self.plan.order.name == "first" else 0

    def result(self) -> Result:
        """The weights the keep hands back, or the best on the validation points, times η."""
        S, scale, tally = self.S, self.plan.rates.scale, self.tally()
        chosen = self.validation.plane if self.validation else None
        plane = self.keep.planes(S)[-1] if chosen is None else chosen
        return Result(
            plane=plane,
            scale=scale,
            stop_reason=str(self.reason),
            passes=self.passes,
            looks=tally.looks,
            updates=tally.updates,
            mistakes=S.mistakes,
            errors=self.keep.errors if chosen is None else None,
            history={name: list(column) for name, column in self.history.items()},
            cycle_counts=self.cycle_counts,
            voters=self._voters() if isinstance(self.keep, Vote) else None,
            run=self,
            verdict=self.verdict,
            random_from=None if self.random_from is None or self.passes < self.random_from else self.random_from,
        )

    def _present(self) -> np.ndarray:
        return np.concatenate([self.S.w, self.S.num[B : B + 1]])

    def _choose_on(self, valid: Problem | None) -> None:
        self.validation = None if valid is None else Validation(Scorer(valid, self.plan.factors), self.voters)

    def _set_rule(self) -> None:
        S, plan = self.S, self.plan
        S.factors[:], S.cnt[passes.KEEP], S.cnt[passes.RULE] = plan.factors, self.keep.code, RULES.index(plan.rule)
        S.num[passes.C], S.num[passes.THRESHOLD], S.cnt[passes.POSITIVE] = plan.C, plan.bound, 1

    def _set_limits(self) -> None:
        most = self.plan.stops.max_updates
        self.S.cnt[LIMIT] = NEVER if most is None else self.S.cnt[UPDATES] + most
        self._set_rates()

    def _set_rates(self) -> None:
        self.S.cnt[RATE0] = self.S.cnt[UPDATES]
        self.S = self.S._replace(rates=self.plan.rates.batch(int(self.S.cnt[UPDATES])))

    def _place_after(self, row: int) -> int:
        """The place in the order after an update at `row`, for orders in which the same place means the same future."""
        return {"cyclic": row + 1, "first": 0}.get(self.plan.order.name, NOWHERE)

    def _save_weights(self, row: int) -> None:
        """Brent's method: compare with these weights from now on (not when the steps differ)."""
        S, watched = self.S, self._watches()
        S.ref[:] = S.w if watched else np.nan
        S.num[REFB] = S.num[B] if watched else np.nan
        S.cnt[WITNESS], S.cnt[HOME], S.cnt[PATIENCE] = 0, self._place_after(row), 0
        S.cnt[WINDOW] = S.cnt[UPDATES] + self.window if watched else NEVER
        self.returns, self.saved_here = 0, True
        if S.cnt[UPDATES] and watched:
            if self.saved_mistakes is None or self.saved_mistakes.dtype != S.mistakes.dtype:
                self.saved_mistakes = S.mistakes.copy()
            np.copyto(self.saved_mistakes, S.mistakes)

    def _go_on_watching(self, before: Run) -> None:
        """Brent's method goes on where the run before left it, if it had as many points.

        They need not be the same: a return is a proof only if the points at hand sum to zero.
        """
        n = self.judge.problem.n
        if before.S.mistakes.size != n:
            self._save_weights(n - 1)
            return
        self.saved_here, self.random_from = False, before.random_from
        if before.saved_mistakes is not None:
            self.saved_mistakes = before.saved_mistakes.copy()
        if before.cycle_counts is not None and self.judge.sums_to_zero(before.cycle_counts):
            self.cycle_counts = before.cycle_counts.copy()

    def _compare_return(self, row: int) -> None:
        """The weights are back at the saved ones: a proof if the points added since sum to exactly zero."""
        times = self.S.mistakes - (0 if self.saved_mistakes is None else self.saved_mistakes)
        times = times.astype(np.int32, copy=False)
        again = self._place_after(row) == self.S.cnt[HOME] != NOWHERE  # the same future as from the saved weights
        if self.judge.sums_to_zero(times):
            self.cycle_counts = times if self.cycle_counts is None else self.cycle_counts
            if self.plan.keep == "pocket":
                self._go_on_after_return(again, row)
                return
            self.reason = "cycle" if again or self.plan.keep == "last" else None
            self._save_weights(row)
        elif again and self.cycle_counts is not None:
            self._go_on_after_return(again, row)
        elif again and self.saved_here:
            self.reason = "rounding"
        elif again:
            self._save_weights(row)
        else:
            self._wait_for_another()

    def _go_on_after_return(self, again: bool, row: int) -> None:
        """The pocket goes on though no plane separates the points: at random where the order would repeat itself."""
        if again or self.plan.order.name == "worst":  # the next row of `worst` depends on the weights only
            self.random_from = self.passes + 1
        if self._watches():
            self._wait_for_another()
        else:
            self._save_weights(row)

    def _wait_for_another(self) -> None:
        self.returns += 1
        self.S.cnt[PATIENCE] = 2**self.returns

    def _watches(self) -> bool:
        """Whether a return of the weights would say something: a proof, or for the pocket that the order repeats."""
        repeats = self.plan.keep == "pocket" and self.plan.order.name in REPEATING and self.random_from is None
        return self.plan.watches_returns and (self.cycle_counts is None or repeats)

    def _voters_of_pass(self) -> Voters | None:
        """The vectors present during this pass."""
        if not isinstance(self.keep, Vote):
            return None
        since, log = self.at_pass.looks, self.keep.updates()
        return Voters(self.judge.problem, log[log[:, 1] > since], self.pass_plane, since, self.tally().looks)

    def _voters(self) -> Voters:
        """All vectors of the run, or those up to the best pass on the validation points."""
        until = self.validation.voters_until if self.validation else self.tally().looks
        log = self.keep.updates()
        log = log[log[:, 1] <= until]
        return Voters(self.judge.problem, log, self.start, self.since, until, self.voters).compact()


def _float32(w: np.ndarray, judge: Scorer) -> np.ndarray:
    """The float32 copy of the weights, where looks want one."""
    if judge.verbs is not dense32:
        return np.zeros(1, np.float32)
    v = aligned(w.shape)
    with np.errstate(over="ignore"):
        v[:] = w
    return v


def _state(judge: Scorer, start: np.ndarray, room: dict[str, np.ndarray]) -> passes.State:
    """The state of looks at the beginning.

    -0.0 in the start becomes 0.0, so that no storage can tell the difference.
    """
    problem, d = judge.problem, judge.problem.d
    w = aligned((d,), np.float64)
    w[:] = start[:-1] + 0.0
    arrays = {"u": np.zeros(1), "queue": np.zeros((1, d + 1)), "log": np.zeros((1, 3), np.int64)} | room
    S = passes.State(
        w=w,
        v=_float32(w, judge),
        ref=np.zeros(d),
        rates=np.ones(1),
        factors=np.ones(2),
        mistakes=no_mistakes(problem),
        num=np.zeros(len(passes.NUM)),
        cnt=np.zeros(len(passes.CNT), np.int64),
        settled=np.zeros(2, np.int64),
        **arrays,
    )
    S.num[B], S.num[PAD], S.num[W2] = start[-1] + 0.0, problem.pad, -1.0
    return S
