"""A limit of time, asked between two steps."""

from __future__ import annotations

import time


class TimeIsUpError(Exception):
    """max_time is over."""


class Clock:
    """Called between two steps: raises when the time is over."""

    def __init__(self, limit: float | None) -> None:
        self.end = None if limit is None else time.perf_counter() + limit

    def __call__(self) -> None:
        if self.end is not None and time.perf_counter() > self.end:
            raise TimeIsUpError
