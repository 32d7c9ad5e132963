"""The calls that `train` makes while it drives a run: progress and checkpoints are observers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from novikoff.perceptron.run import Run


class Observer:
    """Does nothing at each call; subclasses override the calls that they need."""

    def begin(self, run: Run) -> None:
        """Training begins, or resumes."""

    def begin_pass(self, run: Run) -> None:
        """A pass is about to begin."""

    def after_looks(self, run: Run) -> None:
        """Some milliseconds of looks were made."""

    def end_pass(self, run: Run) -> None:
        """A pass has ended, and the stopping rules were checked."""

    def end(self, run: Run) -> None:
        """Training has ended."""
