"""Entry point of the command `novikoff` and of `python -m novikoff`.

Ctrl-C ends it with exit code 130 and without a traceback, also while modules are imported: until they all are, this
module needs nothing but the standard library, and little of that. Verbs that keep something when Ctrl-C is pressed
(fit, cv) hear it themselves.
"""

from __future__ import annotations

import _thread
import atexit
import gc
import os
import signal
import sys
import time

TYPE_CHECKING = False  # that of typing, which takes longer to import than all else here
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any

BAD_INPUT, INTERRUPTED = 3, 130
SOON = 0.01  # second


class Keyboard:
    """Raises KeyboardInterrupt when Ctrl-C is pressed, as Python does, and remembers it.

    An import that is broken off may end in another error, or in none: what follows is then of no interest to anyone.
    """

    def __init__(self) -> None:
        self.pressed = False

    def listen(self) -> None:
        """Install the signal handler."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as in the background
            signal.signal(signal.SIGINT, self.press)
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # the last of all: Python itself is left
        sys.unraisablehook = self.not_raised

    def press(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C."""
        self.pressed = True
        raise KeyboardInterrupt

    def not_raised(self, what: Any) -> None:
        """Raise KeyboardInterrupt later, without a message, if Python cannot raise it now (in a finalizer)."""
        if isinstance(what.exc_value, KeyboardInterrupt):
            _thread.start_new_thread(again, ())
        else:
            sys.__unraisablehook__(what)

    def end(self, code: int) -> None:
        """Make Ctrl-C end the process with its exit code: the result has been printed."""
        if self.pressed or signal.getsignal(signal.SIGINT) == self.press:
            signal.signal(signal.SIGINT, lambda *_: os._exit(code))


def again() -> None:
    """Press Ctrl-C for the main thread."""
    time.sleep(SOON)
    _thread.interrupt_main()


def run() -> int:
    """The command line; its exit code."""
    keyboard = Keyboard()
    try:
        keyboard.listen()
        from novikoff.cli import main

        code = main()
        if keyboard.pressed and code == BAD_INPUT:
            code = INTERRUPTED
        keyboard.end(code)
    except BaseException as error:
        if not keyboard.pressed and not isinstance(error, KeyboardInterrupt):
            raise
        code = INTERRUPTED
        keyboard.end(code)
        _say_so()
    gc.freeze()  # the process ends: a last search for unreachable objects would only take time
    # Python remembers that a KeyboardInterrupt went through a text that was executed (as of a named tuple), and would
    # end by the signal whatever the code; the next text that is executed makes it forget
    eval("None")
    return code


def _say_so() -> None:
    """One line on stderr, where there is one."""
    import contextlib

    with contextlib.suppress(AttributeError, OSError, ValueError):
        sys.stderr.write("novikoff: interrupted\n")


if __name__ == "__main__":
    sys.exit(run())
