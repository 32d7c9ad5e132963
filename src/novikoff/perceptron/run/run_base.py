"""The course of a run, whatever it trains: passes, clock, history, and the rule that ends it.

`Run` is the run of one plane, `MultiRun` that of several; the loop in `train` drives both.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, Protocol

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels.compile import clock
from novikoff.kernels.reproducible_sums import grid_for, lengths, root_above
from novikoff.perceptron.orders import NO_ROWS, Order, Stretch
from novikoff.perceptron.passes import LOSS, R2, RADIUS
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import Best, Interrupt, Stops, enough_looks
from novikoff.scoring.scorer import Scorer

NUMBERS_AT_ONCE = 1 << 22  # a stretch is some milliseconds long, so that clock and keyboard are heard
MANY = 1 << 20  # rows: with more of them in a file, their counts are of a byte as long as that is enough
COLUMNS = ("pass", "updates", "mistakes", "loss", "errors", "norm", "pocket_errors", "valid_errors", "seconds")


@dataclass(frozen=True)
class Plan:
    """The choices that make every variant of the notes: an order, a keep, stops, rates, a rule."""

    order: Order = Order("cyclic")
    keep: str = "pocket"
    stops: Stops = Stops()
    rates: Rates = Rates()
    factors: tuple[float, ...] = (1.0, 1.0)  # of the steps and errors of each class
    rule: str = "perceptron"
    threshold: float = 1.0  # of the rule margin
    C: float = 1.0  # of the rules pa1 and pa2
    once: bool = False  # a stream: every row is shown once and dropped
    draw_seed: int = 0  # of the random draws with which the pocket goes on after a cycle

    @property
    def watches_returns(self) -> bool:
        """Whether a return of the weights can be a proof: rows are kept, and every step adds as much of a point."""
        equal = self.rates.schedule is None and set(self.factors) == {1.0}
        return equal and not self.once and self.rule in ("perceptron", "margin")

    @property
    def bound(self) -> float:
        """m above this needs no update."""
        return {"perceptron": 0.0, "margin": self.threshold}.get(self.rule, 1.0)


class ProvedAnswer(Protocol):
    """An answer with its proof, such as `verdict.Verdict`."""

    separable: bool | None


class Tally(NamedTuple):
    """What was counted so far."""

    updates: int = 0
    looks: int = 0
    loss: float = 0.0
    mistakes: int = 0


@dataclass(frozen=True)
class Result:
    """What a run hands back: the weights, the counts, and the rule that ended it."""

    plane: np.ndarray  # (w, b) as trained: (d + 1,), or (planes, d + 1)
    scale: float  # η, where it is multiplied in at the end
    stop_reason: str
    passes: int
    looks: int
    updates: int
    mistakes: np.ndarray  # per row
    errors: float | None  # of the pocket
    history: dict[str, list[Any]]
    cycle_counts: np.ndarray | None  # per row: the Gordan weights of a cycle
    voters: Any  # who votes, with keep="vote"
    run: RunBase | None  # all that is needed to go on; None of a stream
    verdict: Any = None  # whether the points are separable, where that was asked
    random_from: int | None = None  # the first pass of random draws after a cycle

    @property
    def w(self) -> np.ndarray:
        """The weights: (d,), or (planes, d)."""
        return np.asarray(self.plane[..., :-1] * self.scale)

    @property
    def b(self) -> Any:
        """The bias, or that of each plane."""
        return self.plane[..., -1] * self.scale

    @property
    def last_pass_mistakes(self) -> int:
        return int(self.history["mistakes"][-1]) if self.history["mistakes"] else 0


class Piece(NamedTuple):
    """Some looks of a pass: the compiled pass, its arguments, and the block of rows that they are in."""

    compiled_pass: Any
    arguments: tuple[Any, ...]  # rows, labels, the order of the rows, the first look, the end, the state
    block: RowBlock | None


class RowBlock(NamedTuple):
    """Some of the rows, laid out in the order of the looks lo ≤ t < hi."""

    listed: np.ndarray  # the rows of the pass, where they are listed
    lo: int
    hi: int
    which: Any  # the rows' own numbers: a slice or an array
    rows: Any
    y: np.ndarray


@dataclass(kw_only=True)
class RunBase(ABC):
    """A run under way."""

    # what `run_state` stores of it
    VALUES: ClassVar[Mapping[str, tuple[type, ...]]] = MappingProxyType(
        {
            "reason": (type(None), str),
            "passes": (int,),
            "in_pass": (bool,),
            "shown": (int,),
            "surveyed": (bool,),
            "random_from": (type(None), int),
            "stall.lowest": (type(None), int, float),
            "stall.since": (int,),
            "judge.R2": (float,),
            "judge.tidied": (bool,),
            "judge.spent": (int,),  # by it the compiler takes over
        }
    )
    STATE: ClassVar[tuple[str, ...]] = ("S.w", "S.u", "S.mistakes", "S.num", "S.cnt", "S.settled")
    ROWS: ClassVar[tuple[str, ...]] = ()
    PLANES: ClassVar[tuple[str, ...]] = ()

    start: np.ndarray  # (w, b) of each plane before the first look
    judge: Scorer
    plan: Plan
    S: Any  # the state of its looks, changed by the compiled passes
    most: int  # looks of one stretch
    on_stall: Callable[[float | None], ProvedAnswer | None] | None = None  # decides in so many seconds; None: it cannot
    verdict: ProvedAnswer | None = None  # what it said
    reason: str | None = None
    passes: int = 0
    in_pass: bool = False  # a pass has begun and not ended,
    shown: int = 0  # with so many looks
    next_look: int = 0  # of the stretch under way
    resumed: bool = False  # within the present pass: its looks so far are the word of a checkpoint
    passes_before: int = 0
    surveyed: bool = False  # every row was seen once
    random_from: int | None = None  # the pass from which on rows are drawn at random, as the order only repeats itself
    pressed: bool = False  # Ctrl-C was pressed
    stall: Best = field(default_factory=Best)
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    clock: float = field(default_factory=clock)
    at_pass: Tally = Tally()  # when the present pass began
    stale: int = 0  # numbers of a stream since |w|² was computed
    measured: tuple[int, list[float]] = (-1, [])  # after so many updates: the length of each plane
    block: RowBlock | None = None  # the rows looked at last, where rows come in blocks

    @property
    def order(self) -> Order:
        """The order of the present pass."""
        if self.random_from is None or self.passes < self.random_from:
            return self.plan.order
        return Order("random", self.plan.draw_seed)

    @property
    def proved(self) -> bool:
        """Whether the points are known to be not separable."""
        return self.verdict is not None and not self.verdict.separable

    @abstractmethod
    def tally(self) -> Tally:
        """What was counted so far."""

    @abstractmethod
    def compiled_pass(self, looks: int) -> Any:
        """The compiled pass for so many looks."""

    @abstractmethod
    def answer(self, why: int, row: int) -> None:
        """React to the way the compiled pass ended."""

    @abstractmethod
    def settle(self, clean: bool) -> float | None:
        """Settle the keep after a pass; the errors of the present weights where they are counted anyway."""

    @abstractmethod
    def present_errors(self) -> float:
        """The errors of the present weights, counted."""

    @abstractmethod
    def counted_errors(self) -> float | None:
        """The errors of the pocket, counted anew; None where there is no pocket."""

    @abstractmethod
    def kept_errors(self) -> float | None:
        """The errors of what is kept, where they are known."""

    @abstractmethod
    def validate(self) -> tuple[float | None, int]:
        """(validation errors after this pass, passes since they fell)."""

    @abstractmethod
    def norm(self) -> float:
        """The length of the present weights."""

    @abstractmethod
    def lengths(self) -> list[float]:
        """The length of the present weights of each plane."""

    def lengths_of(self, planes: np.ndarray) -> list[float]:
        """The length of each plane (w, b); a run at rest has no judge, and nothing compiled."""
        return lengths(planes) if self.judge is None else self.judge.lengths(planes)

    def reaches(self) -> list[float]:
        """The length of the present weights of each plane, computed once between two updates."""
        updates = self.tally().updates
        if self.measured[0] != updates:
            self.measured = updates, self.lengths()
        return self.measured[1]

    @abstractmethod
    def note_radius(self) -> None:
        """Exchange what is known about the largest norm between the looks and the judge."""

    @abstractmethod
    def take(self, judge: Scorer) -> None:
        """Go on with the next rows of a stream, which the judge has surveyed."""

    @abstractmethod
    def widen(self, d: int) -> None:
        """Go on with d columns: the planes of a stream are 0 in those that are new."""

    @abstractmethod
    def refresh(self) -> None:
        """Have |w|² computed anew: its bound grows with every update."""

    @abstractmethod
    def compare(self, weights: tuple[float, ...]) -> None:
        """Multiply the steps to come by the weight of each class."""

    @abstractmethod
    def kept(self) -> np.ndarray:
        """(w, b), of one plane or of each, that a stream hands back now."""

    def _take(self, judge: Scorer, numbers: int) -> None:
        self.judge, self.surveyed, self.block = judge, True, None
        self.note_radius()
        self.stale += judge.problem.stored
        if self.stale >= numbers:
            self.refresh()
            self.stale = 0

    @abstractmethod
    def rest(self, voters: Any) -> None:
        """Let go of the points: what is left can be stored, and gone on from."""

    @abstractmethod
    def result(self) -> Result:
        """What the run hands back."""

    @abstractmethod
    def logs(self) -> list[np.ndarray]:
        """The log of each plane since it was emptied (row, look, step)."""

    @abstractmethod
    def waiting(self) -> int:
        """How many candidates for the pocket wait to be counted."""

    @abstractmethod
    def whole_logs(self) -> list[np.ndarray]:
        """The log of each plane since the start; none where none is kept."""

    @abstractmethod
    def put_logs(self, logs: list[np.ndarray]) -> None:
        """Take over logs that `whole_logs` gave."""

    @abstractmethod
    def mirror(self) -> None:
        """Make anew what follows from the state and the plan: float32 copies of the weights, the rates to come."""

    def shift(self, by: int) -> None:
        """Looks are counted from another row: move what remembers a place."""
        return

    def pieces(self, stretches: Iterable[Stretch]) -> Iterator[Piece]:
        """The looks of the stretches in pieces, each to be reported to `after`, until the run ends."""
        for rows, lo, hi in stretches:
            self.next_look = lo
            while self.next_look < hi and self.reason is None:
                yield self._piece(rows, self.next_look, hi)
            if self.reason is not None:
                return

    def _piece(self, rows: np.ndarray, lo: int, hi: int) -> Piece:
        """Looks lo ≤ t < hi, or as many of them as a block has."""
        p = self.judge.problem
        if not p.in_blocks:
            return Piece(self.compiled_pass(hi - lo), (p.rows, p.y, self.order_of(rows), lo, hi, self.S), None)
        block = self._block_at(rows, lo, hi)
        self.shift(-block.lo)
        state = self.S._replace(mistakes=np.zeros(block.y.size, np.int32))
        lo, end = lo - block.lo, min(hi, block.hi) - block.lo
        size = block.hi - block.lo - lo
        return Piece(self.compiled_pass(size), (block.rows, block.y, NO_ROWS, lo, end, state), block)

    def order_of(self, rows: np.ndarray) -> Any:
        """The order of the rows as the compiled pass takes it."""
        return rows

    def after(self, piece: Piece, ended: tuple[int, int, int]) -> None:
        """Count what the compiled pass did; ended: (why, the next look, the last row)."""
        (why, end, row), (*_, lo, _, state), block = ended, piece.arguments, piece.block
        self.shown += end - lo
        self.next_look = end
        if block is not None:
            self.shift(block.lo)
            self.next_look += block.lo
            numbers = range(block.lo, block.hi) if isinstance(block.which, slice) else block.which
            self._count(block.which, state.mistakes)
            if self.plan.keep == "vote":
                for log in self.logs():
                    log[:, 0] = np.asarray(numbers)[log[:, 0]]
            row = int(numbers[row]) if row >= 0 else -1
        self.answer(why, row)

    def _count(self, which: Any, mistakes: np.ndarray) -> None:
        """Add the mistakes at some rows to those before; rows of a file come once in a block."""
        counts = self.S.mistakes
        if counts.dtype == np.uint8:
            here = counts[which] + mistakes
            if here.max() > 255:
                counts = counts.astype(np.int32)
                self.S = self.S._replace(mistakes=counts)
            counts[which] = here
        elif isinstance(which, slice):
            counts[which] += mistakes
        else:
            np.add.at(counts, which, mistakes)

    def _block_at(self, rows: np.ndarray, lo: int, hi: int) -> RowBlock:
        """The block that begins with look lo, or the last one if it holds it."""
        p, last = self.judge.problem, self.block
        if last is None or last.listed is not rows or not last.lo <= lo < last.hi:
            end = min(hi, lo + p.rows.at_once)
            which = rows[lo:end] if rows.size else slice(lo, end)
            self.block = last = None  # before the next is made
            last = self.block = RowBlock(rows, lo, end, which, p.rows.take(which), p.y[which])
        return last

    def begin_pass(self) -> None:
        self.passes += 1
        self.in_pass, self.shown, self.resumed = True, 0, False
        self.set_reach(self.reaches())
        self.at_pass = self.tally()

    def set_reach(self, lengths: list[float]) -> None:
        """The loss of a pass begins, with a bound of the weights of each plane."""
        every = self.S.num if self.S.num.ndim == 2 else (self.S.num,)
        for num, reach in zip(every, lengths, strict=True):
            radius, reach2 = root_above(float(num[R2])), 1.01 * reach * reach
            num[LOSS] = 0.0
            num[RADIUS:] = radius, reach2, 4.0 * reach2, grid_for(math.sqrt(4.0 * reach2) * radius)

    def stretches(self) -> Iterator[Stretch]:
        """The looks of the pass that begins, or those that are left of it, in pieces."""
        over = self.shown
        for rows, lo, hi in self.order.stretches(self.judge.problem.n, self.passes - 1, self.most):
            if over < hi - lo:
                yield rows, lo + over, hi
            over = max(0, over - (hi - lo))

    def check_clock(self, pressed: Interrupt) -> None:
        """End the run at Ctrl-C or at the time limit."""
        limit = self.plan.stops.max_seconds
        if self.reason is None and pressed:
            self.reason = "interrupted"
        if self.reason is None and limit is not None and clock() - self.clock >= limit:
            self.reason = "max_seconds"

    def end_pass(self) -> None:
        """Settle the keep, validate, write the history, and ask the stopping rules."""
        self.in_pass = False
        self.survey_remaining()
        now, before = self.tally(), self.at_pass
        updates, mistakes = now.updates - before.updates, now.mistakes - before.mistakes
        draws = self.order.is_random_draw
        clean = self.reason is None and updates == 0 and not draws
        if clean and self.resumed:
            clean = self.present_errors() == 0
        errors = self.settle(clean or self.reason == "separated")
        if self.reason is None and mistakes == 0 and errors is None:
            errors = self.present_errors()
        valid, valid_stalled = self.validate()
        kept = self.kept_errors()
        self.stall.offer(mistakes if kept is None else kept)
        self._write_history(updates, mistakes, now.loss - before.loss, errors, valid)
        if self.reason is None and (clean or (mistakes == 0 and errors == 0)):
            self.reason = "separated"
        if self.reason is None:
            made, stalled = self.passes - self.passes_before, self.stall.since
            enough = enough_looks(self.plan.keep == "pocket", now.looks, stalled * self.judge.problem.n)
            self.reason = self.plan.stops.after_pass(made, stalled, enough, valid_stalled)

    def ask(self) -> None:
        """Ask once about a stall: no plane separates the points, or one does and the run goes on to its last pass.

        Nothing is asked where the pocket separates them, or where the run has proved that no plane does. Where no last
        pass is set, a stall stays an end; so it does for the pocket, whose aim is few errors, not none. Undecided is as
        if nothing had been asked; Ctrl-C ends the question and the run.
        """
        if self.reason not in ("train_stalled", "max_passes"):
            return
        self.put_question()
        if self.verdict is None or self.reason == "interrupted":
            return
        if not self.verdict.separable:
            self.reason = self.reason if self.plan.keep == "pocket" else "not_separable"
        elif self.reason == "train_stalled" and self.plan.stops.max_passes is not None:
            self.reason = None

    def put_question(self) -> None:
        """Have it decided whether a plane separates the points, if that was not asked before and is not known."""
        stops = self.plan.stops
        if not stops.asks or self.proved or self.kept_errors() == 0:
            return
        on_stall, self.on_stall = self.on_stall, None
        left = None if stops.max_seconds is None else stops.max_seconds - (clock() - self.clock)
        if on_stall is not None and (left is None or left > 0):
            try:
                with Interrupt.at_once():
                    self.verdict = on_stall(left)
            except KeyboardInterrupt:
                self.reason, self.pressed = "interrupted", True

    def survey_remaining(self) -> None:
        """Look at rows that were never seen, before anything is counted on all of them."""
        if self.surveyed:
            return
        whole = self.reason is None and self.plan.order.name in ("cyclic", "shuffle") and self.tally().looks > 0
        if not whole:
            self.judge.survey(self.rows_seen())
        self.note_radius()
        self.surveyed = True

    def rows_seen(self) -> int:
        """How many of the first rows were surely seen."""
        return 0

    def _write_history(
        self, updates: int, mistakes: int, loss: float, errors: float | None, valid: float | None
    ) -> None:
        scale = self.plan.rates.scale
        seconds = clock() - self.clock
        norm, kept = self.norm() * scale, self.kept_errors()
        row = (self.passes, updates, mistakes, loss * scale, errors, norm, kept, valid, seconds)
        for name, value in zip(COLUMNS, row, strict=True):
            self.history[name].append(value)

    def last_pass(self) -> dict[str, Any]:
        """The row of the history of the last pass that ended."""
        return {name: column[-1] for name, column in self.history.items()}


def no_mistakes(problem: Problem) -> np.ndarray:
    """How often each row was added: never."""
    small = problem.in_blocks and problem.rows.in_a_file and problem.n > MANY
    return np.zeros(problem.n, np.uint8 if small else np.int32)


def counts_as(counts: np.ndarray, kind: np.dtype) -> np.ndarray:
    """Counts in this kind, or in a larger one where they need it."""
    return counts.astype(kind if kind != np.uint8 or counts.max(initial=0) <= 255 else np.int32)


def widened(planes: np.ndarray, d: int) -> np.ndarray:
    """Planes (…, w, b) with zeros for columns that are new."""
    new = np.zeros((*planes.shape[:-1], d + 1 - planes.shape[-1]))
    return np.concatenate([planes[..., :-1], new, planes[..., -1:]], axis=-1)


def looks_at_once(judge: Scorer, most: int) -> int:
    """How many looks make a stretch of some milliseconds."""
    numbers = max(1, judge.problem.stored // judge.problem.n)
    return int(np.clip(NUMBERS_AT_ONCE // numbers, 1, most))
