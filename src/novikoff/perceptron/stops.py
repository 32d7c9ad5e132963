"""When to stop: each rule alone and all together, and the word for the one that ended the run.

From the notes: Z14 (maximum iterations, maximum run time, training error stops changing, validation error stops decreasing),
T3 S7 (all points right). Rules count mistakes and errors, never a tolerance, so they do not change when the data are rescaled.
"""

from __future__ import annotations

from dataclasses import dataclass

NEVER = 2**62
AUTO_PASSES = 100
AUTO_LOOKS = 10_000_000

REASONS = {
    "separated": "every point is on its own side",
    "cycle": "the weights came back to an earlier value and the points added in between sum to exactly zero: no plane separates them",
    "rounding": "the weights came back to an earlier value by rounding: binary64 can no longer move them, and nothing is proved",
    "max_passes": "the limit of passes was reached",
    "max_updates": "the limit of updates was reached",
    "max_seconds": "the time limit was reached",
    "train_stalled": "the training error stopped falling",
    "valid_stalled": "the validation error stopped falling",
    "interrupted": "it was interrupted",
}


@dataclass(frozen=True)
class Stops:
    """The limits of one run; None means no such limit."""

    max_passes: int | None = 10_000
    max_updates: int | None = None
    max_seconds: float | None = None
    train_patience: int | str | None = "auto"
    valid_patience: int | None = None

    def after_pass(self, passes: int, looks: int, stalled: int, valid_stalled: int) -> str | None:
        """The rule that ends the run after a pass that still made mistakes."""
        if self.max_passes is not None and passes >= self.max_passes:
            return "max_passes"
        if self._train_stalled(stalled, looks):
            return "train_stalled"
        if self.valid_patience is not None and valid_stalled >= self.valid_patience:
            return "valid_stalled"
        return None

    def _train_stalled(self, stalled: int, looks: int) -> bool:
        if self.train_patience is None:
            return False
        if self.train_patience == "auto":
            return stalled >= AUTO_PASSES and looks >= AUTO_LOOKS
        return stalled >= int(self.train_patience)


@dataclass
class Best:
    """The lowest count so far, and for how many passes nothing was lower."""

    lowest: float | None = None
    since: int = 0

    def offer(self, count: float) -> bool:
        """Take a count; whether it is the lowest so far."""
        better = self.lowest is None or count < self.lowest
        self.lowest, self.since = (count, 0) if better else (self.lowest, self.since + 1)
        return better
