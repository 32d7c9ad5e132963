"""The stopping rules, and the name of the one that ended the run.

From the notes: Z14 (maximum iterations, maximum run time, training error stops changing, validation error stops
decreasing), T3 S7 (all points right). Rules count mistakes and errors, never a tolerance, so they do not change when
the data are rescaled. A stall has one of two causes, and a decision finds which (T1 C4): no plane separates the points,
or the perceptron needs more passes.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, TracebackType
from typing import Any

NEVER = 2**62
AUTO_PASSES = 100
AUTO_LOOKS = 10_000_000  # in all; for the pocket:
POCKET_LOOKS = 10_000  # without a better one
AVERAGE_PASSES, AVERAGE_LOOKS = 20, 100_000  # of keep "auto": more passes hardly change its average
FEWER = 0.75  # of the mistakes, in so many passes: else keep "auto" ends; its average gets worse from there (MNIST)

REASONS = {  # {plane}: see `plane_of`
    "separated": "every point is on its own side",
    "cycle": "the weights returned to an earlier value, and the points added in between, with their signs, sum to "
    "exactly zero, so no {plane} separates them",
    "not_separable": "no {plane} separates the points, which is proved",
    "rounding": "the weights returned to an earlier value because of rounding: updates no longer change them in "
    "binary64, and nothing is proved",
    "separable": "a {plane} separates the points, which is proved; it was computed, as the run had not found one",
    "max_passes": "the limit of passes was reached",
    "max_updates": "the limit of updates was reached",
    "max_seconds": "the time limit was reached",
    "train_stalled": "the training error stopped falling",
    "valid_stalled": "the validation error stopped falling",
    "interrupted": "it was interrupted",
    "stream_ended": "every row that came was looked at once",
}


@dataclass(frozen=True)
class Stops:
    """The limits of one run; None means no such limit."""

    max_passes: int | None = 10_000
    max_updates: int | None = None
    max_seconds: float | None = None
    train_patience: int | str | None = "auto"
    valid_patience: int | None = None

    @property
    def decides(self) -> bool:
        """Whether separability is decided during the run; never in a short one."""
        return self.train_patience == "auto" and (self.max_passes is None or self.max_passes >= AUTO_PASSES)

    def by_clock(self, pressed: bool, seconds: float) -> str | None:
        """Return the rule that ends a run after these seconds, if one does; pressed: whether Ctrl-C was."""
        if pressed:
            return "interrupted"
        return "max_seconds" if self.max_seconds is not None and seconds >= self.max_seconds else None

    @property
    def ends(self) -> bool:
        """Whether some limit ends a run that never separates the points."""
        return any(limit is not None for limit in vars(self).values())

    def after_pass(self, passes: int, stalled: int, enough: bool, valid_stalled: int) -> str | None:
        """The rule that ends the run after a pass that still made mistakes.

        stalled: passes without progress; enough: whether the automatic patience is over.
        """
        if self.max_passes is not None and passes >= self.max_passes:
            return "max_passes"
        if self._train_stalled(stalled, enough):
            return "train_stalled"
        if self.valid_patience is not None and valid_stalled >= self.valid_patience:
            return "valid_stalled"
        return None

    def _train_stalled(self, stalled: int, enough: bool) -> bool:
        if self.train_patience is None:
            return False
        if self.train_patience == "auto":
            return enough
        return stalled >= int(self.train_patience)


def fewer(keep: str, patience: int | str | None) -> float:
    """Return the share of the lowest count that a pass must be below to be progress."""
    return FEWER if keep == patience == "auto" else 1.0


def patience_is_over(keep: str, looks: int, stalled: int, stalled_looks: int) -> bool:
    """Whether the automatic patience is over: passes without progress, and looks in all, or since a better pocket."""
    if keep == "auto":
        return stalled >= AVERAGE_PASSES and looks >= AVERAGE_LOOKS
    return stalled >= AUTO_PASSES and (stalled_looks >= POCKET_LOOKS if keep == "pocket" else looks >= AUTO_LOOKS)


def half_stalled(stalled: int, stalled_looks: int) -> bool:
    """Whether half of the pocket's automatic patience is over."""
    return 2 * stalled >= AUTO_PASSES and 2 * stalled_looks >= POCKET_LOOKS


@dataclass
class Best:
    """The lowest count so far, and for how many passes nothing was lower."""

    lowest: float | None = None
    since: int = 0

    def offer(self, count: float, share: float = 1.0) -> bool:
        """Record a count; return whether it is below this share of the lowest so far, and so the lowest now."""
        better = self.lowest is None or count < share * self.lowest
        self.lowest, self.since = (count, 0) if better else (self.lowest, self.since + 1)
        return better


class Interrupt:
    """True once Ctrl-C was pressed: the stretch of looks under way is finished and the best weights are kept.

    A second press interrupts at once. Only the main thread receives Ctrl-C.
    """

    def __init__(self) -> None:
        self._pressed = False
        self._before: Any = None

    def __bool__(self) -> bool:
        return self._pressed

    def __enter__(self) -> Interrupt:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.getsignal(signal.SIGINT)
            if callable(self._before):
                signal.signal(signal.SIGINT, self._press)
            else:
                self._before = None
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _press(self, number: int, frame: FrameType | None) -> None:
        if self._pressed:
            self._before(number, frame)
        self._pressed = True

    @staticmethod
    def is_pressed() -> bool:
        """Return whether Ctrl-C was pressed in the block of this thread that handles it, if there is one."""
        run = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
        here = threading.current_thread() is threading.main_thread()
        return here and isinstance(run, Interrupt) and bool(run)

    @staticmethod
    @contextlib.contextmanager
    def at_once() -> Iterator[None]:
        """Make Ctrl-C raise KeyboardInterrupt at once, without waiting for the current batch of looks."""
        waiting = signal.getsignal(signal.SIGINT)
        run = getattr(waiting, "__self__", None)
        if threading.current_thread() is not threading.main_thread() or not isinstance(run, Interrupt):
            yield
            return
        signal.signal(signal.SIGINT, run._before)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, waiting)
