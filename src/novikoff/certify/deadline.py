"""The time that a question may take: asked between two steps, and before a step that cannot be interrupted."""

from __future__ import annotations

import math

from novikoff.kernels.compile import clock


class TimeIsUpError(Exception):
    """The time is over, or would be before the next step ends."""


class Clock:
    """Called between two steps: raises when the time is over."""

    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else clock() + limit

    def __call__(self) -> None:
        if self.end is not None and clock() > self.end:
            raise TimeIsUpError

    @property
    def left(self) -> float | None:
        """Seconds, not below 0; None: no limit."""
        return None if self.end is None else max(self.end - clock(), 0.0)

    def require(self, seconds: float) -> None:
        """Raises before a step that takes about so long and cannot be interrupted, if it would end far too late."""
        self()
        if self.left is not None and seconds > 2.0 * self.left + 0.1:
            raise TimeIsUpError


def elimination(rows: int) -> float:
    """About how many seconds the exact relation of so many rows of doubles takes: 0.04 for 100, 3 for 400."""
    return 3.0 * math.pow(rows / 400.0, 3.4)
