"""Brent's method: detect weights of one plane that return to an earlier value.

w is saved at updates 0, 64, 192, 448, … and compared after every update; a return is a proof that no plane separates
the points if those added since then sum to exactly zero (Gordan).

From the notes: Z12 S3 (weights that return), R7a (the pocket continues after a proof).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from novikoff.perceptron.run_state import RunState
from novikoff.perceptron.state import NEVER, NOWHERE

FIRST_WINDOW = 64
REPEATING = ("cyclic", "first", "batch")  # orders that repeat themselves when the weights come back


@dataclass
class Returns:
    """What is remembered beside the saved weights, which are part of the state."""

    window: int = FIRST_WINDOW
    failed: int = 0  # returns that proved nothing
    saved_updates: np.ndarray | None = None  # of each row, when the weights were saved; None: zero

    def react(self, run: RunState, back: bool, row: int) -> None:
        """Compare weights that are back after an update at `row`, and save new ones when it is time."""
        if back:
            self._compare(run, row)
        if run.S.counts["updates"] >= run.S.counts["window"]:
            self.window *= 2
            self.save(run, row)

    def save(self, run: RunState, row: int) -> None:
        """Save the weights that those to come are compared with (not when the steps differ)."""
        S, counts, watched = run.S, run.S.counts, self._watches(run)
        S.reference[:] = S.weights[:, 0] if watched else np.nan
        counts["saved_bias"] = S.each[0]["bias"] if watched else np.nan
        counts["witness"], counts["home"], counts["patience"] = 0, self._place_after(run, row), 0
        counts["window"] = counts["updates"] + self.window if watched else NEVER
        self.failed = 0
        if counts["updates"] and watched:
            self.saved_updates = S.row_updates.copy()

    def _compare(self, run: RunState, row: int) -> None:
        """Prove a cycle if the points added since the weights were saved sum to exactly zero."""
        times = run.S.row_updates - (0 if self.saved_updates is None else self.saved_updates)
        times = times.astype(np.int32, copy=False)
        again = self._place_after(run, row) == run.S.counts["home"] != NOWHERE  # the same future as from there
        if run.scorer.sums_to_zero(times):
            run.cycle_counts = times if run.cycle_counts is None else run.cycle_counts
            if run.plan.keep == "pocket":
                self._continue_after_return(run, again, row)
                return
            run.reason = "cycle" if again or run.plan.keep == "last" else None
            self.save(run, row)
        elif again and run.cycle_counts is not None:
            self._continue_after_return(run, again, row)
        elif again:
            run.reason = "rounding"
        else:
            self._wait_for_another(run)

    def _continue_after_return(self, run: RunState, again: bool, row: int) -> None:
        """The pocket continues though no plane separates the points: at random where the order would repeat itself.

        The first passes of `auto` would repeat themselves.
        """
        if again or run.plan.order.name == "auto":
            run.random_from = run.passes + 1
        if self._watches(run):
            self._wait_for_another(run)
        else:
            self.save(run, row)

    def _wait_for_another(self, run: RunState) -> None:
        self.failed += 1
        run.S.counts["patience"] = 2**self.failed

    def _place_after(self, run: RunState, row: int) -> int:
        """The place in the order after an update at `row`, for orders in which the same place means the same future.

        With `auto` it never does: the order changes later, so a return of the weights is a proof or nothing.
        """
        return {"cyclic": row + 1, "first": 0, "batch": 0}.get(run.plan.order.name, NOWHERE)

    def _watches(self, run: RunState) -> bool:
        """Whether a return of the weights has a meaning: a proof, or for the pocket that the order repeats."""
        plan = run.plan
        repeats = plan.keep == "pocket" and plan.order.name in REPEATING and run.random_from is None
        return bool(plan.watches_returns and (run.cycle_counts is None or repeats))
