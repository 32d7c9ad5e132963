"""The choices of a run: an order, a keep, stops, rates and a rule make every variant of the notes."""

from __future__ import annotations

from dataclasses import dataclass

from novikoff.perceptron.orders import Order
from novikoff.perceptron.rates import Rates
from novikoff.perceptron.stops import Stops


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
