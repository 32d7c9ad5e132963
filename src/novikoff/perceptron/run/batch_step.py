"""The update of the order `batch`: after a pass, with the sum of its mistaken points.

    w ← w + (η/n)·Σ y·x   over the points with   y·⟨w, x⟩ ≤ 0,   all of them decided before w changes

From the notes: Z10a (Zhang, the full gradient of the perceptron loss beside the stochastic one). From w⁰ = 0 with a
constant η the run is made with step 1, where whole numbers stay whole, and η/n is multiplied in at the end (`Rates`):
no decision depends on it. Then

    Σ mistakes ≤ n·(R/γ)²:   γ·M ≤ ⟨w, u⟩ ≤ |w|,   |w|² ≤ Σ m²·R² ≤ n·M·R²   (m mistakes in a pass, M in all)

A pass that a limit or Ctrl-C cuts short makes no update: w and the counts of added points are those before it, so that
w stays η/n times the sum of the points that were added.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.kernels.exact_sign import BIG
from novikoff.kernels.norms import length
from novikoff.kernels.row_signs import TOO_LARGE
from novikoff.perceptron import passes, slots
from novikoff.scoring.scorer import raise_fault

NO_COUNTS = np.empty(0, np.int32)


@dataclass
class BatchStep:
    """The sum of the mistaken points of the present pass, and the state when the pass began."""

    sums: np.ndarray = field(default_factory=lambda: np.empty(0))  # Σ factor·y·(x, pad): (d + 1,)
    mistakes: np.ndarray = field(default_factory=lambda: NO_COUNTS)  # how often each row was added before
    counters: np.ndarray = field(default_factory=lambda: NO_COUNTS)  # of the plane

    def begin(self, run: Any) -> None:
        """Begin a pass."""
        self.sums = np.zeros(run.scorer.problem.d + 1)
        self.mistakes, self.counters = run.S.mistakes.copy(), run.S.cnt[0].copy()

    def finish(self, run: Any) -> None:
        """Make the update of a pass that was completed and made mistakes; else drop its sum.

        With as many updates as `max_updates` allows the run ends instead.
        """
        cnt = run.S.cnt[0]
        wrong = cnt[slots.MISTAKES] > self.counters[slots.MISTAKES]
        if run.reason is None and wrong and cnt[slots.UPDATES] == cnt[slots.LIMIT]:
            run.reason = "max_updates"
        if run.reason is None and wrong:
            self._update(run)
        else:
            run.S = run.S._replace(mistakes=self.mistakes)

    def _update(self, run: Any) -> None:
        S, n = run.S, run.scorer.problem.n
        cnt, num = S.cnt[0], S.num[0]
        rate = self._rate(run)
        before = S.present[0]
        with np.errstate(over="ignore"):
            after = before + rate * self.sums
        if not (np.abs(after) < np.inf).all() or not 4.1 * length(after[:-1], float(after[-1])) ** 2 < BIG:
            raise_fault(run.scorer.problem, TOO_LARGE, int(np.flatnonzero(S.mistakes != self.mistakes)[-1]))
        if cnt[slots.KEEP] == slots.RUNS and not cnt[slots.COUNTED]:  # the start: later weights are counted at once
            S.queue[cnt[slots.QUEUED], 0] = before
            cnt[slots.QUEUED] += 1
        if cnt[slots.KEEP] == slots.SUMS:
            late = float(cnt[slots.LOOKS] - 1) * rate
            S.u[0] += late * self.sums[:-1]
            num[slots.UB] += late * self.sums[-1]
        S.w[0], num[slots.B] = after[:-1], after[-1]
        cnt[slots.UPDATES] += 1
        cnt[slots.CREATED], cnt[slots.COUNTED] = cnt[slots.LOOKS], 0
        run.forget_norm()
        run.copy_weights()
        back = num[slots.REFB] == after[-1] and np.array_equal(S.ref[0], after[:-1])
        run.kind.react(run, passes.RETURNED if back else passes.DONE, n - 1)

    def _rate(self, run: Any) -> float:
        """Return the step of the update that comes."""
        if run.S.rates.size > 1 and run.S.cnt[0, slots.UPDATES] - run.S.cnt[0, slots.RATE0] == run.S.rates.size:
            run.set_rates()
        rates = run.S.rates
        return float(rates[0 if rates.size == 1 else run.S.cnt[0, slots.UPDATES] - run.S.cnt[0, slots.RATE0]])
