"""Limits of time and of work: checked between two steps, and before a step that cannot be interrupted.

Work is an integer, about how many numbers are read: it depends on no machine, so what a limit of work cuts off is the
same everywhere.
"""

from __future__ import annotations

import math

from novikoff.kernels.compile import clock


class TimeIsUpError(Exception):
    """Raised when the time is over, or would be before the next step ends."""


class WorkIsUpError(TimeIsUpError):
    """Raised before a step that needs more work than is left."""


class Clock:
    """A deadline and a limit of work. Called between two steps, it raises TimeIsUpError after the deadline."""

    def __init__(self, limit: float | None, work: int | None = None) -> None:
        self.end = None if limit is None else clock() + limit
        self.work, self.spent = work, 0

    def __call__(self) -> None:
        if self.end is not None and clock() > self.end:
            raise TimeIsUpError

    @property
    def left(self) -> float | None:
        """Seconds, not below 0; None: no limit."""
        return None if self.end is None else max(self.end - clock(), 0.0)

    @property
    def max_time(self) -> float | None:
        """`left` for the next question: above 0 also after the deadline, when only known answers are returned."""
        return None if self.end is None else max(self.end - clock(), 1e-9)

    def spend(self, numbers: int) -> None:
        """Count the work of the next step, or raise WorkIsUpError if it is more than is left."""
        if self.work is not None and self.spent + numbers > self.work:
            raise WorkIsUpError
        self.spent += numbers

    def require(self, seconds: float) -> None:
        """Raise before a step that takes about so long and cannot be interrupted, if it would end far too late."""
        self()
        if self.left is not None and seconds > 2.0 * self.left + 0.1:
            raise TimeIsUpError


def elimination(rows: int) -> float:
    """Return about how many seconds the exact relation of so many rows of doubles takes: 0.04 for 100, 3 for 400."""
    return 3.0 * math.pow(rows / 400.0, 3.4)
