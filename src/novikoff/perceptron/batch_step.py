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

import numpy as np

from novikoff.kernels.exact_sign import BIG
from novikoff.kernels.norms import length
from novikoff.kernels.row_signs import TOO_LARGE
from novikoff.perceptron.run_state import RunState
from novikoff.perceptron.state import STREAKS, SUMS
from novikoff.scoring.scorer import raise_fault


def finish(run: RunState) -> bool | None:
    """Make the update of a pass that was completed and made mistakes; else drop its sum, and return None.

    Returns whether the weights are back at the saved ones.

    With as many updates as `max_updates` allows the run ends instead.
    """
    counts = run.S.counts
    wrong = counts["mistakes"] > run.at_pass.mistakes
    if run.reason is None and wrong and counts["updates"] == counts["limit"]:
        run.reason = "max_updates"
    if run.reason is None and wrong:
        return _update(run)
    run.S = run.S._replace(row_updates=run.row_updates_before)
    return None


def _update(run: RunState) -> bool:
    counts, rates = run.S.counts, run.S.rates
    if rates.size > 1 and counts["updates"] - counts["rates_from"] == rates.size:
        run.set_rates()
    S, plane = run.S, run.S.each[0]
    rate = float(S.rates[0 if S.rates.size == 1 else counts["updates"] - counts["rates_from"]])
    before = S.present[0]
    with np.errstate(over="ignore"):
        after = before + rate * S.batch
    if not (np.abs(after) < np.inf).all() or not length(after[:-1], float(after[-1])) < (BIG / 4.1) ** 0.5:
        raise_fault(run.scorer.problem, TOO_LARGE, int(np.flatnonzero(S.row_updates != run.row_updates_before)[-1]))
    if counts["records"] == STREAKS and not counts["counted"]:  # the start: later weights are counted at once
        S.queue[counts["waiting"], 0] = before
        counts["waiting"] += 1
    if counts["records"] == SUMS:
        late = float(counts["looks"] - 1) * rate
        S.sums[0] += late * S.batch[:-1]
        plane["bias_sum"] += late * S.batch[-1]
    S.weights[:, 0], plane["bias"] = after[:-1], after[-1]
    counts["updates"] += 1
    plane["updates"], counts["streak_from"], counts["counted"] = counts["updates"], counts["looks"], False
    run.changed_weights()
    return bool(counts["saved_bias"] == after[-1] and np.array_equal(S.reference, after[:-1]))
