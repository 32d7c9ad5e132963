"""How long a step is: the learning rate η, constant or by a schedule.

From the notes: S7, R6 (w ← w + η·y·x), Z10 (η_t). A constant η from w⁰ = 0 does not change which looks are mistakes,
so the run is made with step 1, where whole numbers stay whole, and η is multiplied in at the end: the claim R6 then
holds to the bit. With order "batch" (Z10a) η/n takes the place of η. A schedule is a function k → factor of η for the
k-th update, k = 1, 2, …
"""

from __future__ import annotations

import contextlib
import math
from dataclasses import dataclass

import numpy as np

from novikoff.errors import InputError
from novikoff.perceptron.schedules import Schedule

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
