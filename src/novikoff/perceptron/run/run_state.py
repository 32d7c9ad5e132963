"""The state of a run of one or several planes, and what is known of them between looks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.kernels.compile import clock
from novikoff.kernels.exact_sign import TINY
from novikoff.kernels.norms import length
from novikoff.perceptron import slots
from novikoff.perceptron.keeps.keep import Last
from novikoff.perceptron.keeps.validation import Validation
from novikoff.perceptron.keeps.vote import Voters
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.multiclass.several_planes import SeveralPlanes
from novikoff.perceptron.multiclass.winning_class import errors_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.batch_step import BatchStep
from novikoff.perceptron.run.one_plane import OnePlane
from novikoff.perceptron.run.pieces import RowBlock
from novikoff.perceptron.run.plane_arrays import widened, widened_planes, with_float32
from novikoff.perceptron.run.questions import Questions
from novikoff.perceptron.run.result import COLUMNS, Tally
from novikoff.perceptron.slots import Planes
from novikoff.perceptron.stops import NEVER, Best
from novikoff.scoring.scorer import Scorer


@dataclass(kw_only=True)
class RunState:
    """The state of a run; `OnePlane` and `SeveralPlanes` hold what differs between two classes and more."""

    scheme: Scheme
    kind: OnePlane | SeveralPlanes
    start: np.ndarray  # (w, b) of each plane before the first look
    scorer: Scorer
    plan: Plan
    S: Planes  # changed in place by the compiled passes
    keep: Last
    most: int  # looks of one stretch
    validation: Validation | None = None
    best: Best = field(default_factory=Best)  # on the validation points
    since: np.ndarray  # looks of each plane before the start
    looks_before: np.ndarray  # looks of each plane, and of all together, that the average does not count
    voters: Voters | None = None  # of the run that this one continues
    questions: Questions = field(default_factory=Questions)  # whether a plane separates the points
    reason: str | None = None
    passes: int = 0
    shown: int = 0  # looks of the present pass
    next_look: int = 0  # of the stretch under way
    passes_before: int = 0
    surveyed: bool = False  # every row was seen once
    random_from: int | None = None  # the pass from which on rows are drawn at random, as the order only repeats itself
    cycle_counts: np.ndarray | None = None  # per row: the proof by a return of the weights
    pressed: bool = False  # Ctrl-C was pressed
    stall: Best = field(default_factory=Best)
    history: dict[str, list[Any]] = field(default_factory=lambda: {name: [] for name in COLUMNS})
    clock: float = field(default_factory=clock)
    at_pass: Tally = Tally()  # when the present pass began
    stale: int = 0  # numbers of a stream since |w|² was computed
    verbs: str = ""  # row operations that the float32 copies are made for
    measured: tuple[int, list[float]] = (-1, [])  # after so many updates: the length of each plane
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
        """Return the counts so far."""
        total, loss = self.S.total, math.fsum(self.S.num[:, slots.LOSS].tolist())
        looks = int(total[slots.LOOKS] + self.looks_before[-1])
        return Tally(int(total[slots.UPDATES]), looks, loss, int(total[slots.MISTAKES]))

    def looks(self) -> np.ndarray:
        """Return how many looks each plane had."""
        return np.asarray(self.averaged_looks() + self.looks_before[:-1])

    def averaged_looks(self) -> np.ndarray:
        """Return how many looks of each plane the average counts."""
        if self.scheme.is_joint:
            return np.full(len(self.start), self.S.all[slots.LOOKS])
        return np.asarray(self.S.cnt[:, slots.LOOKS].copy())

    def restart_average(self) -> None:
        """Count the average from here: the sums and looks of all planes that are not at rest start anew."""
        S, moving = self.S, ~self.S.resting
        joint = self.scheme.is_joint
        self.looks_before = self.looks_before.copy()
        self.looks_before[:-1][moving] += S.total[slots.LOOKS] if joint else S.cnt[moving, slots.LOOKS]
        self.looks_before[-1] += S.total[slots.LOOKS]
        S.u[moving], S.num[moving, slots.UB], S.cnt[moving, slots.LOOKS], S.total[slots.LOOKS] = 0.0, 0.0, 0, 0

    def count(self, sets: np.ndarray) -> np.ndarray:
        """Return the training errors of each set of planes."""
        return errors_of(self.scorer, sets, self.scheme)

    def present_errors(self) -> float:
        """Return the training errors of the present planes."""
        errors = self.count(self.S.present[None])[0]
        return float(errors) if self.scheme.is_binary else errors.item()  # as the histories in model files have them

    def norm(self) -> float:
        """Return the length of the present weights, of all planes together."""
        each = self.lengths()
        return each[0] if len(each) == 1 else length(np.array(each))

    def lengths(self) -> list[float]:
        """Return the length of the present weights of each plane, computed once between two updates."""
        updates = int(self.S.total[slots.UPDATES])
        if self.measured[0] != updates:
            biases = self.S.num[:, slots.B].tolist()
            self.measured = updates, [length(w, b) for w, b in zip(self.S.w, biases, strict=True)]
        return self.measured[1]

    def note_radius(self) -> None:
        """Exchange the largest norm of the points between the looks and the scorer."""
        self.scorer.R2 = max(float(self.S.num[0, slots.R2]), self.scorer.R2)
        self.S.num[:, slots.R2] = self.scorer.R2

    def forget_norm(self) -> None:
        """Have |w|² computed anew: its bound grows with every update. Of independent planes the length may be known."""
        self.S.num[:, slots.W2] = -1.0
        if len(self.S.w) > 1 and not self.scheme.is_joint and self.measured[0] == self.S.total[slots.UPDATES]:
            self.S.num[:, slots.W2] = [1.01 * each * each + TINY for each in self.measured[1]]

    def copy_weights(self) -> None:
        """Make the float32 copies of the weights anew."""
        self.S = with_float32(self.S, self.scorer, self.scheme, self.plan)

    def restore_derived(self) -> None:
        """Make anew what follows from the state and the plan: float32 copies of the weights, the rates to come."""
        self.measured = -1, []
        self.copy_weights()
        self.set_rates()
        self.S.all[slots.FIRST] = not self.surveyed

    def survey_remaining(self) -> None:
        """Check rows that were never seen, before anything is counted on all of them."""
        if self.surveyed:
            return
        order = self.order.name
        whole = self.reason is None and order in ("cyclic", "shuffle", "batch") and self.tally().looks > 0
        if not whole:
            self.scorer.survey(int(self.S.cnt[0, slots.FARTHEST]) if order == "first" else 0)
        self.note_radius()
        self.surveyed = True

    def set_limits(self) -> None:
        most, total = self.plan.stops.max_updates, self.S.total
        total[slots.LIMIT] = NEVER if most is None else total[slots.UPDATES] + most
        self.set_rates()

    def set_rates(self) -> None:
        updates = self.S.total[slots.UPDATES]
        self.S.total[slots.RATE0] = updates
        self.S = self.S._replace(rates=self.plan.rates.from_update(int(updates)))

    def last_pass(self) -> dict[str, Any]:
        """Return the row of the history of the last pass that ended."""
        return {name: column[-1] for name, column in self.history.items()}

    # ---- a stream ----

    def take(self, scorer: Scorer) -> None:
        """Continue with the next rows of a stream, which the scorer has checked."""
        self.S = self.S._replace(mistakes=np.zeros(scorer.problem.n, np.int32))
        if scorer.verbs.__name__ != self.verbs:
            self.verbs, self.S = scorer.verbs.__name__, with_float32(self.S, scorer, self.scheme, self.plan)
        self.S.all[slots.FIRST] = 0
        self.scorer, self.surveyed, self.block = scorer, True, None
        self.note_radius()
        self.stale += scorer.problem.stored
        if self.stale >= self.S.w.size:
            self.forget_norm()
            self.stale = 0

    def widen(self, d: int) -> None:
        """Continue with d columns: the planes of a stream are 0 in those that are new."""
        self.S = widened_planes(self.S, self.keep, d, self.most, self.plan)
        self.start, self.verbs = widened(self.start, d), ""
        if self.keep.planes is not None:
            self.keep.planes = widened(self.keep.planes, d)

    def weigh(self, weights: tuple[float, ...]) -> None:
        """Multiply the steps to come by the weight of each class."""
        self.S.factors[:] = self.scheme.factors(weights)

    def kept(self) -> np.ndarray:
        """Return (w, b) of each plane that the keep returns now."""
        return self.keep.returned(self.S, self.averaged_looks(), self.reason == "separated")

    def rest(self, voters: Voters | None) -> None:
        """Drop the points: what is left can be stored, and continued."""
        self.scorer = self.validation = self.block = None  # type: ignore[assignment]
        self.questions = Questions()
        self.voters = voters
        if isinstance(self.kind, OnePlane):
            self.kind.batch = BatchStep()
