"""A soft-margin problem, its solution, and the limits of a solver.

    penalty l2    P(w, b) = ½|w|² + Σ c_i ℓ(m_i)          D(a) = −½|v|² + Σ −c_i ℓ*(−a_i/c_i)
    penalty l1    P(w, b) = |w|₁ + Σ c_i ℓ(m_i)           D(a) = Σ −c_i ℓ*(−a_i/c_i)   for |v|∞ ≤ 1
    margins m_i = y_i(w·x_i + b), multipliers a_i, v = Σ a_i y_i x_i;   D(a) ≤ min P ≤ P(w, b)

The bias is one more weight with a column of ones. padded: it is penalized as the others. free: it is not, and then
Σ a_i y_i = 0 is required of a dual point.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.kernels.compile import clock, kernel_of
from novikoff.perceptron.stops import Interrupt
from novikoff.softmargin import loss_sums
from novikoff.softmargin.losses import HINGE
from novikoff.softmargin.row_products import RowProducts

TRUSTED = 1e-10  # P − D below this share of P is mostly rounding
HOPELESS = 20  # times as many points without a better gap end any run
NEAR = 1e-6  # relative gap that may be the last one that rounding allows
STALLED = 30  # points without a better gap that end a run near the limit of precision


@dataclass(frozen=True, eq=False)
class SoftProblem:
    """Rows, signs, costs, a loss and a penalty."""

    products: RowProducts
    y: np.ndarray  # ±1, binary64
    costs: np.ndarray  # c_i ≥ 0: C times the weight of the row
    loss: int
    free: bool = False  # whether the bias is not penalized
    l1: bool = False

    def primal(self, w: np.ndarray, m: np.ndarray) -> float:
        """Return P(w)."""
        p = self.penalized(w)
        size = float(np.abs(p).sum()) if self.l1 else 0.5 * float(p @ p)
        return size + float(self.run(loss_sums.primal_sum, m, self.costs))

    def penalized(self, w: np.ndarray) -> np.ndarray:
        """Return the weights that the penalty counts."""
        return w[:-1] if self.free else w

    def margins(self, w: np.ndarray) -> np.ndarray:
        """Return the margin of each row."""
        return np.asarray(self.y * self.products.scores(w))

    def run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Run a kernel of `loss_sums` on the loss of this problem."""
        return kernel_of(function, loss_sums, self.products.n)(self.loss, *arguments)

    @property
    def mean_cost(self) -> float:
        """Mean cost of the rows that have one."""
        return float(self.costs.sum()) / max(1, int(np.count_nonzero(self.costs)))

    @property
    def scale(self) -> float:
        """C·mean(|x|² + 1): how far the loss outweighs the penalty."""
        return self.mean_cost * float(self.products.squared_norms.mean())


@dataclass
class Limits:
    """When a solver ends: at a relative gap, after so many steps or seconds, or when Ctrl-C was pressed."""

    gap: float
    max_steps: int | None = None
    max_time: float | None = None
    timer: Callable[[], float] = clock
    began: float = field(init=False)

    def __post_init__(self) -> None:
        self.began = self.timer()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self.timer() - self.began

    def part(self, gap: float, steps: int | None) -> Limits:
        """Return the limits of a part of the run that begins now: the time that is left, and so many steps."""
        left = None if self.max_time is None else max(self.max_time - self.seconds, 0.0)
        return Limits(gap, steps, left, self.timer)

    def steps_left(self, steps: int) -> int | None:
        """Return how many steps are left after so many; None: no limit."""
        return None if self.max_steps is None else max(self.max_steps - steps, 0)

    def is_up(self, steps: int) -> str | None:
        """Return the limit that is reached, or "interrupted", or None."""
        if Interrupt.is_pressed():
            return "interrupted"
        if self.max_steps is not None and steps >= self.max_steps:
            return "max_iter"
        return "max_time" if self.max_time is not None and self.seconds >= self.max_time else None


@dataclass(eq=False)
class BestPoints:
    """The best weights and multipliers so far, and the history of (seconds, P, D).

    The gap is the smaller of P − D of the best ones, and of the sum of Fenchel–Young terms of one pair, which has no
    cancellation.
    """

    limits: Limits
    w: np.ndarray
    a: np.ndarray
    primal: float = np.inf
    dual: float = -np.inf
    pair: tuple[np.ndarray, np.ndarray] | None = None
    pair_gap: float = np.inf
    steps: int = 0
    reason: str = "gap"
    mu: float | None = None
    history: list[tuple[float, float, float]] = field(default_factory=list)
    patience: int = STALLED
    overflowed: bool = False
    _halved: tuple[float, int] = (np.inf, 0)

    def offer(self, P: float, D: float, w: np.ndarray, a: np.ndarray, pair_gap: float) -> None:
        """Take what is better; a may be changed afterwards."""
        self.overflowed |= not np.isfinite(P)
        if self.primal > P:
            self.primal, self.w = P, w
        if self.dual < D:
            self.dual, self.a = D, a.copy()
        if pair_gap < self.pair_gap and pair_gap < NEAR * abs(P):
            self.pair_gap, self.pair = pair_gap, (w, a.copy())
        elif pair_gap < self.pair_gap:
            self.pair_gap, self.pair = pair_gap, None
        self.history.append((self.limits.seconds, self.primal, self.dual))

    @property
    def gap(self) -> float:
        """P − D of the best points so far."""
        mixed = self.primal - self.dual
        return min(self.pair_gap, mixed if mixed > TRUSTED * abs(self.primal) else np.inf)

    def is_done(self) -> bool:
        """Return whether the gap or a limit is reached or progress has ended; `reason` says which.

        "precision": the gap is so small that rounding explains the end. "stalled": it is not.
        """
        gap = self.gap
        if gap <= self.limits.gap * abs(self.primal):
            self.reason = "gap"
            return True
        limit = self.limits.is_up(self.steps)
        if limit is not None:
            self.reason = limit
            return True
        if gap < 0.5 * self._halved[0]:
            self._halved = (gap, len(self.history))
        since = len(self.history) - self._halved[1]
        near = gap < NEAR * abs(self.primal)
        if since >= (self.patience if near else HOPELESS * self.patience) or self.overflowed:
            self.reason = "precision" if near else "stalled"
            return True
        return False

    def points(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the weights and multipliers with the smallest gap."""
        if self.pair is not None and self.pair_gap <= max(self.primal - self.dual, TRUSTED * abs(self.primal)):
            return self.pair
        return self.w, self.a


def balanced(problem: SoftProblem, a: np.ndarray) -> np.ndarray:
    """Return feasible multipliers with Σ a_i y_i = 0 up to rounding.

    Hinge: rows strictly between 0 and their cost have margins near 1, where a change costs little; they take the rest
    if they have room for it. Otherwise the class with the larger sum is scaled down.
    """
    y, costs = problem.y, problem.costs
    rest = float(a @ y)
    if problem.loss == HINGE and rest != 0.0:
        room = np.where((y > 0) == (rest > 0), a, costs - a)
        room[(a <= 0.0) | (a >= costs)] = 0.0
        total = float(room.sum())
        if total > 2.0 * abs(rest):
            return a - y * room * (rest / total)
    up, down = float(a[y > 0].sum()), float(a[y < 0].sum())
    f, g = (down / up if up > down else 1.0), (up / down if down > up else 1.0)
    return np.where(y > 0, f * a, g * a)


def middle_bias(problem: SoftProblem, w: np.ndarray) -> float:
    """Return the middle of the biases that minimize Σ c·max(0, 1 − y(w·x + b)).

    The slope in b begins at −Σ_{y=1} c and grows by c_i at b = y_i − w·x_i: the minimum is where it passes 0.
    """
    kinks = problem.y - (problem.products.scores(w) - w[-1])
    order = np.argsort(kinks, kind="stable")
    order = order[problem.costs[order] > 0.0]
    below = float(problem.costs[problem.y > 0].sum())
    slopes = np.cumsum(problem.costs[order]) - below
    at = int(np.searchsorted(slopes, -1e-12 * below))
    at = min(at, order.size - 1)
    first = float(kinks[order[at]])
    if abs(slopes[at]) <= 1e-12 * below and at + 1 < order.size:
        return 0.5 * (first + float(kinks[order[at + 1]]))
    return first


def with_middle_bias(problem: SoftProblem, w: np.ndarray) -> np.ndarray:
    """Return w with the bias in the middle of its interval, for the hinge with a free bias; else w itself."""
    if not (problem.free and problem.loss == HINGE):
        return w
    w = w.copy()
    w[-1] = middle_bias(problem, w)
    return w
