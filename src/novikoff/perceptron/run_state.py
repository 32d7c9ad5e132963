"""The state of a run of one or several planes, and what is known of them between looks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels.compile import clock
from novikoff.kernels.exact_sign import TINY
from novikoff.kernels.norms import length
from novikoff.perceptron import RULES
from novikoff.perceptron.keeps import Last, Validation
from novikoff.perceptron.orders import BLOCK, Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.questions import Questions
from novikoff.perceptron.result import COLUMNS, Tally
from novikoff.perceptron.scheme import Scheme, errors_of
from novikoff.perceptron.state import NEVER, Planes, new_planes
from novikoff.perceptron.stops import Best
from novikoff.scoring.scorer import Scorer

NUMBERS_AT_ONCE = 1 << 22  # of a stretch: some milliseconds, after which clock and keyboard are checked


class RowBlock(NamedTuple):
    """Some of the rows, stored in the order of the looks lo ≤ t < hi."""

    listed: np.ndarray  # the rows of the pass, where they are listed
    lo: int
    hi: int
    which: Any  # the rows' own numbers: a slice or an array
    rows: Any
    y: np.ndarray


@dataclass(kw_only=True)
class RunState:
    """The state of a run between looks; `Run` makes its passes."""

    scheme: Scheme
    start: np.ndarray  # (w, b) of each plane before the first look
    scorer: Scorer
    plan: Plan
    S: Planes  # changed in place by the compiled passes
    keep: Last
    most: int  # looks of one stretch
    validation: Validation | None = None
    best: Best = field(default_factory=Best)  # on the validation points
    looks_before: np.ndarray  # looks of each plane, and of all together, that the average does not count
    questions: Questions = field(default_factory=Questions)  # whether a plane separates the points
    reason: str | None = None
    passes: int = 0
    shown: int = 0  # looks of the present pass
    surveyed: bool = False  # every row was seen once
    random_from: int | None = None  # the pass from which on rows are drawn at random, as the order only repeats itself
    cycle_counts: np.ndarray | None = None  # per row: the proof by a return of the weights
    pressed: bool = False  # Ctrl-C was pressed
    stall: Best = field(default_factory=Best)
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    clock: float = field(default_factory=clock)
    at_pass: Tally = Tally()  # when the present pass began
    row_updates_before: Any = None  # order batch: how often each row was added when the pass began
    planes_at_pass: Any = None  # the records of the planes when the present pass began
    stale: int = 0  # numbers of a stream since |w|² was computed
    measured: tuple[int, Any] = (-1, None)  # after so many updates: the length of each plane
    block: RowBlock | None = None  # the rows looked at last, where rows come in blocks

    @property
    def order(self) -> Order:
        """The order of the present pass."""
        if self.random_from is None or self.passes < self.random_from:
            return self.plan.order.of_pass(self.passes)
        return Order("random", self.plan.draw_seed)

    @property
    def proved(self) -> bool:
        """Whether the points of two classes are known to be not separable."""
        return self.cycle_counts is not None or (self.scheme.is_binary and self.questions.not_separable(0))

    def tally(self) -> Tally:
        """Return the counts so far; the loss is that of the present pass."""
        counts = self.S.counts
        looks = int(counts["looks"] + self.looks_before[-1])
        return Tally(int(counts["updates"]), looks, float(counts["loss"]), int(counts["mistakes"]))

    def looks(self) -> np.ndarray:
        """Return how many looks each plane had."""
        return np.asarray(self.averaged_looks() + self.looks_before[:-1])

    def averaged_looks(self) -> np.ndarray:
        """Return how many looks of each plane the average counts."""
        if self.scheme.is_joint:
            return np.full(len(self.start), self.S.counts["looks"])
        return np.asarray(self.S.each["looks"].copy())

    def count(self, sets: np.ndarray) -> np.ndarray:
        """Return the training errors of each set of planes."""
        return errors_of(self.scorer, sets, self.scheme)

    def present_errors(self) -> float:
        """Return the training errors of the present planes."""
        errors = self.count(self.S.present[None])[0]
        return float(errors) if self.scheme.is_binary else errors.item()  # as the histories in model files have them

    def lengths(self) -> np.ndarray:
        """Return the length of the present weights of each plane, computed once between two updates."""
        updates = int(self.S.counts["updates"])
        if self.measured[0] != updates:
            self.measured = updates, self.S.lengths()
        return np.asarray(self.measured[1])

    def norm(self) -> float:
        """Return the length of the present weights, of all planes together."""
        each = self.lengths()
        return float(each[0]) if each.size == 1 else length(each)

    def kept(self) -> np.ndarray:
        """Return (w, b) of each plane that the keep returns now."""
        return self.keep.returned(self.S, self.averaged_looks(), self.reason == "separated")

    def last_pass(self) -> dict[str, Any]:
        """Return the row of the history of the last pass that ended."""
        return {name: column[-1] for name, column in self.history.items()}

    # ---- the state ----

    def restart_average(self) -> None:
        """Count the average from here: the sums and looks of all planes that are not at rest start anew."""
        S, counts, moving = self.S, self.S.counts, ~self.S.each["resting"]
        self.looks_before = self.looks_before.copy()
        self.looks_before[:-1][moving] += self.averaged_looks()[moving]
        self.looks_before[-1] += counts["looks"]
        S.sums[moving], S.each["bias_sum"][moving], S.each["looks"][moving], counts["looks"] = 0.0, 0.0, 0, 0

    def measure_weights(self) -> None:
        """Bound |w|² of each plane anew: the bound grows with every update. Joint planes have one for all together."""
        with np.errstate(over="ignore"):
            bounds = 1.01 * self.lengths() ** 2 + TINY
        self.S.each["norm2"] = bounds.sum() if self.scheme.is_joint else bounds

    def restore_derived(self) -> None:
        """Make anew what follows from the state and the plan: bounds, float32 copies of the weights, rates to come."""
        self.changed_weights()
        self.set_rates()

    def changed_weights(self) -> None:
        """Make anew what follows from weights that were not changed by a compiled pass."""
        self.measured = -1, None
        self.measure_weights()
        self.S.copy_weights()

    def note_radius(self) -> None:
        """Exchange the largest norm of the points between the looks and the scorer."""
        self.scorer.R2 = self.S.counts["radius2"] = max(float(self.S.counts["radius2"]), self.scorer.R2)

    def set_limits(self) -> None:
        most, counts = self.plan.stops.max_updates, self.S.counts
        counts["limit"] = NEVER if most is None else counts["updates"] + most
        self.set_rates()

    def set_rates(self) -> None:
        """Compute the rates of the updates to come."""
        updates = int(self.S.counts["updates"])
        self.S.counts["rates_from"] = updates
        self.S = self.S._replace(rates=self.plan.rates.from_update(updates))

    # ---- a stream ----

    def take(self, scorer: Scorer) -> None:
        """Continue with the next rows of a stream, which the scorer has checked."""
        if is_single(scorer, self.plan, self.scheme) != (self.S.fast.dtype == np.float32):
            start = planes_of(scorer, self.plan, self.scheme, self.keep, self.S.present)
            self.S = self.S._replace(weights=start.weights, fast=start.fast, scores=start.scores)
        self.S = self.S._replace(row_updates=np.zeros(scorer.problem.n, np.int32))
        self.S.counts["new"], self.scorer, self.surveyed, self.block = False, scorer, True, None
        self.note_radius()
        self.stale += scorer.problem.stored
        if self.stale >= self.S.weights.size:
            self.measure_weights()
            self.stale = 0

    def widen(self, d: int) -> None:
        """Continue with d columns: the planes of a stream are 0 in those that are new."""
        S, old = self.S, self.S.weights.shape[0]
        start, recorded = widened(S.present, d), self.keep.arrays(len(S.each), d, 1)
        if recorded["sums"].shape[1] == d:
            recorded["sums"][:, :old] = S.sums
        new = new_planes(start, S.fast.dtype == np.float32, 0, S.sides, recorded | {"log": S.log})
        self.S = S._replace(weights=new.weights, fast=new.fast, **recorded)
        if self.scheme.is_binary:
            self.S = self.S._replace(reference=np.append(S.reference, np.full(d - old, np.nan)))
        self.start = widened(self.start, d)
        if self.keep.planes is not None:
            self.keep.planes = widened(self.keep.planes, d)

    def weigh(self, weights: tuple[float, ...]) -> None:
        """Multiply the steps to come by the weight of each class."""
        self.S.each["negative"], self.S.each["positive"] = self.scheme.factors(weights).T


def is_single(scorer: Scorer, plan: Plan, scheme: Scheme) -> bool:
    """Return whether fast scores are float32 sums, which filter: exact signs need nothing else."""
    dense = not scorer.problem.sparse
    return not plan.is_aggressive and (scorer.single if scheme.is_binary else dense)


def planes_of(scorer: Scorer, plan: Plan, scheme: Scheme, keep: Last, start: np.ndarray) -> Planes:
    """Return the state before the first look; start: (planes, d + 1)."""
    problem, (K, d) = scorer.problem, (start.shape[0], start.shape[1] - 1)
    recorded = keep.arrays(K, d, looks_at_once(problem))
    S = new_planes(start, is_single(scorer, plan, scheme), problem.n, scheme.sides(), recorded)
    S.each["negative"], S.each["positive"] = scheme.factors(plan.factors).T
    with np.errstate(over="ignore"):
        bounds = 1.01 * S.lengths() ** 2 + TINY
    S.each["norm2"] = bounds.sum() if scheme.is_joint else bounds
    counts = S.counts
    counts["rule"], counts["threshold"], counts["C"] = RULES.index(plan.rule), plan.bound, plan.C
    counts["pad"], counts["records"], counts["new"] = problem.pad, keep.code, True
    return S


def looks_at_once(problem: Problem) -> int:
    """Return how many looks make a stretch of some milliseconds."""
    return int(np.clip(NUMBERS_AT_ONCE // max(1, problem.stored // problem.n), 1, BLOCK))


def widened(planes: np.ndarray, d: int) -> np.ndarray:
    """Return the planes (…, w, b) with zeros for new columns."""
    new = np.zeros((*planes.shape[:-1], d + 1 - planes.shape[-1]))
    return np.concatenate([planes[..., :-1], new, planes[..., -1:]], axis=-1)
