"""Ctrl-C during training: the stretch of looks under way is finished, and the best weights are kept."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interrupt:
    """True once Ctrl-C was pressed; a second press interrupts at once. Only the main thread hears the keyboard."""

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
