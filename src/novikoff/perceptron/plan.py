"""The choices of a run: an order, a keep, stops, rates and a rule make every variant of the notes.

The rates say how long a step is: the learning rate η, constant or by a schedule. From the notes: S7, R6
(w ← w + η·y·x), Z10 (η_t). A constant η from w⁰ = 0 does not change which looks are mistakes, so the run is made with
step 1, where whole numbers stay whole, and η is multiplied in at the end: the claim R6 then holds to the bit. With
order "batch" (Z10a) η/n takes the place of η. A schedule is a function k → factor of η for the k-th update, k = 1, 2, …
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

import numpy as np

from novikoff.errors import InputError
from novikoff.perceptron.orders import Order
from novikoff.perceptron.schedules import Schedule
from novikoff.perceptron.stops import Stops

AHEAD = 1024


@dataclass(frozen=True)
class Rates:
    """The rates of one run: `scale` is what the weights are multiplied by at the end."""

    eta: float = 1.0
    schedule: Schedule | None = None
    from_zero: bool = True
    rows: int = 1  # by which each step is divided: n of the order batch

    @property
    def scale(self) -> float:
        return self.eta / self.rows if self.schedule is None and self.from_zero else 1.0

    def from_update(self, done: int) -> np.ndarray:
        """The rates from update done + 1 on: one number if they are all the same."""
        if self.schedule is None:
            return np.array([1.0 if self.from_zero else self.eta / self.rows])
        rates = [self._rate(done + 1)]  # a rate computed ahead raises only when its update comes
        with contextlib.suppress(Exception):
            rates.extend(self._rate(k) for k in range(done + 2, done + 1 + AHEAD))
        return np.array(rates)

    def _rate(self, k: int) -> float:
        try:
            rate = float(self.schedule(k))  # type: ignore[misc]
        except (TypeError, ValueError) as problem:
            raise InputError(
                f"gave no number for update {k} ({problem}); a rate above 0 was expected", "schedule"
            ) from None
        if not (0.0 < rate < math.inf):
            raise InputError(f"gave {rate!r} for update {k}; a finite rate above 0 was expected", "schedule")
        return self.eta * rate / self.rows


@dataclass(frozen=True)
class Plan:
    """The choices of one run."""

    order: Order = Order("cyclic")
    keep: str = "pocket"
    stops: Stops = Stops()
    rates: Rates = Rates()
    factors: tuple[float, ...] = (1.0, 1.0)  # of the steps and errors of each class
    rule: str = "perceptron"
    threshold: float = 1.0  # of the rule margin
    C: float = 1.0  # of the rules pa1 and pa2
    once: bool = False  # a stream: every row is shown once and dropped
    draw_seed: int = 0  # of the random draws with which the pocket continues after a cycle

    @property
    def watches_returns(self) -> bool:
        """Whether a return of the weights can be a proof: rows are kept, and every step adds as much of a point."""
        equal = self.rates.schedule is None and set(self.factors) == {1.0}
        return equal and not self.once and self.rule in ("perceptron", "margin")

    @property
    def is_aggressive(self) -> bool:
        """Whether the rule is one of the passive-aggressive ones."""
        return self.rule.startswith("pa")

    @property
    def bound(self) -> float:
        """The threshold of the rule: m above it needs no update."""
        return {"perceptron": 0.0, "margin": self.threshold}.get(self.rule, 1.0)
