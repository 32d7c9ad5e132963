"""The run of one plane: its compiled passes, and Brent's method to detect weights that return.

From the notes: Z12 S3 (weights that return to an earlier value: w is saved at updates 0, 64, 192, 448, … and compared
after every update; a return is a proof if the points added since then sum to exactly zero), R7a (the pocket continues
after a proof).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.perceptron import passes, slots
from novikoff.perceptron.batch.batch_pass import make_batch
from novikoff.perceptron.passive_aggressive import aggressive
from novikoff.perceptron.run.batch_step import BatchStep
from novikoff.perceptron.slots import Planes
from novikoff.perceptron.stops import NEVER

FIRST_WINDOW = 64
NOWHERE = -1
REPEATING = ("cyclic", "first", "batch")  # orders that repeat themselves when the weights come back
SMALL = 1 << 24  # n²·d, up to which every w of random draws is counted for the pocket


@dataclass
class OnePlane:
    """What a run of one plane does and remembers beside its state. `run` is its `Run`."""

    window: int = FIRST_WINDOW
    returns: int = 0  # that proved nothing
    saved_here: bool = True  # whether the saved weights are of this fit, not of one before it
    saved_mistakes: np.ndarray | None = None  # per row, when the weights were saved; None: zero
    batch: BatchStep = field(default_factory=BatchStep)  # of the order batch

    def begin(self, run: Any) -> None:
        """Save the weights of the start."""
        self._save_weights(run, run.scorer.problem.n - 1)

    def continued(self, run: Any, before: Any) -> OnePlane:
        """Continue Brent's method of the run before, if it had as many points.

        They need not be the same: a return is a proof only if the points at hand sum to zero.
        """
        new = replace(self, saved_mistakes=None, batch=BatchStep())
        n = run.scorer.problem.n
        if before.S.mistakes.size != n:
            new._save_weights(run, n - 1)
            return new
        new.saved_here, run.random_from = False, before.random_from
        if self.saved_mistakes is not None:
            new.saved_mistakes = self.saved_mistakes.copy()
        if before.cycle_counts is not None and run.scorer.sums_to_zero(before.cycle_counts):
            run.cycle_counts = before.cycle_counts.copy()
        return new

    def compiled_pass(self, run: Any, looks: int) -> Any:
        """Return the compiled pass for this order; it measures rows that were never seen."""
        problem = run.scorer.problem
        if run.plan.is_aggressive:
            return run.scorer.kernel(aggressive, looks * (problem.stored // problem.n + 8))
        if run.order.is_batch:
            return run.scorer.kernel(make_batch(not run.surveyed), looks * (problem.stored // problem.n + 8))
        order = {"cyclic": passes.IN_ORDER, "first": passes.FROM_THE_FIRST}.get(run.order.name, passes.LISTED)
        if problem.in_blocks:
            order = passes.IN_ORDER  # a block holds its rows in the order of the looks
        pass_over = passes.make(order, not run.surveyed, run.plan.rule != "perceptron")
        return run.scorer.kernel(pass_over, looks * (problem.stored // problem.n + 8))

    def begin_pass(self, run: Any) -> None:
        """Set up the pocket's queue, and the sum of the order batch."""
        cnt, problem, draws = run.S.cnt[0], run.scorer.problem, run.order.is_random_draw
        run.S.all[slots.FIRST], run.S.all[slots.RESTARTS] = not run.surveyed, run.order.name == "first"
        if draws:
            cnt[slots.LONGEST] = 0  # a run by chance is compared with those of its pass
        cnt[slots.EVERY] = draws and problem.n**2 * problem.d <= SMALL
        self.batch = BatchStep()
        if run.order.is_batch:
            self.batch.begin(run)

    def react(self, run: Any, why: int, row: int) -> None:
        """Compare weights that returned, and save new ones when it is time."""
        cnt = run.S.cnt[0]
        if why == passes.RETURNED:
            self._compare_return(run, row)
        if cnt[slots.UPDATES] >= cnt[slots.WINDOW]:
            self.window *= 2
            self._save_weights(run, row)

    def end_of_looks(self, run: Any) -> None:
        """Make the update of the order batch."""
        if run.order.is_batch:
            self.batch.finish(run)

    def end_of_pass(self, run: Any, clean: bool) -> float | None:
        """Update the keep; return the errors of the present weights where they are known."""
        errors: float | None = run.keep.end_of_pass(run.S, run.count, clean or run.reason == "separated")
        return errors

    def shift(self, S: Planes, by: int) -> None:
        """Move the saved place in the order: looks are counted from another row."""
        if S.cnt[0, slots.HOME] != NOWHERE:
            S.cnt[0, slots.HOME] += by

    def _place_after(self, run: Any, row: int) -> int:
        """The place in the order after an update at `row`, for orders in which the same place means the same future.

        With `auto` it never does: the order changes later, so a return of the weights is a proof or nothing.
        """
        return {"cyclic": row + 1, "first": 0, "batch": 0}.get(run.plan.order.name, NOWHERE)

    def _save_weights(self, run: Any, row: int) -> None:
        """Save the weights that those to come are compared with (not when the steps differ)."""
        S, watched = run.S.first_plane(), self._watches(run)
        S.ref[:] = S.w if watched else np.nan
        S.num[slots.REFB] = S.num[slots.B] if watched else np.nan
        S.cnt[slots.WITNESS], S.cnt[slots.HOME], S.cnt[slots.PATIENCE] = 0, self._place_after(run, row), 0
        S.cnt[slots.WINDOW] = S.cnt[slots.UPDATES] + self.window if watched else NEVER
        self.returns, self.saved_here = 0, True
        if S.cnt[slots.UPDATES] and watched:
            self.saved_mistakes = S.mistakes.copy()

    def _compare_return(self, run: Any, row: int) -> None:
        """The weights are back at the saved ones: a proof if the points added since sum to exactly zero."""
        times = run.S.mistakes - (0 if self.saved_mistakes is None else self.saved_mistakes)
        times = times.astype(np.int32, copy=False)
        again = self._place_after(run, row) == run.S.cnt[0, slots.HOME] != NOWHERE  # the same future as from there
        if run.scorer.sums_to_zero(times):
            run.cycle_counts = times if run.cycle_counts is None else run.cycle_counts
            if run.plan.keep == "pocket":
                self._continue_after_return(run, again, row)
                return
            run.reason = "cycle" if again or run.plan.keep == "last" else None
            self._save_weights(run, row)
        elif again and run.cycle_counts is not None:
            self._continue_after_return(run, again, row)
        elif again and self.saved_here:
            run.reason = "rounding"
        elif again:
            self._save_weights(run, row)
        else:
            self._wait_for_another(run)

    def _continue_after_return(self, run: Any, again: bool, row: int) -> None:
        """The pocket continues though no plane separates the points: at random where the order would repeat itself.

        The first passes of `auto` would repeat themselves.
        """
        if again or run.plan.order.name == "auto":
            run.random_from = run.passes + 1
        if self._watches(run):
            self._wait_for_another(run)
        else:
            self._save_weights(run, row)

    def _wait_for_another(self, run: Any) -> None:
        self.returns += 1
        run.S.cnt[0, slots.PATIENCE] = 2**self.returns

    def _watches(self, run: Any) -> bool:
        """Whether a return of the weights has a meaning: a proof, or for the pocket that the order repeats."""
        plan = run.plan
        repeats = plan.keep == "pocket" and plan.order.name in REPEATING and run.random_from is None
        return bool(plan.watches_returns and (run.cycle_counts is None or repeats))
