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
SOON, LATER = 0.01, 0.2  # seconds


class Keyboard:
    """Raises KeyboardInterrupt when Ctrl-C is pressed, as Python does, and remembers it.

    An import that is broken off may end in another error, or in none: what follows is then of no interest to anyone.
    """

    def __init__(self) -> None:
        self.pressed = self.heard = False

    def listen(self) -> None:
        """Install the signal handler."""
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as in the background
            signal.signal(signal.SIGINT, self.press)
            atexit.register(signal.signal, signal.SIGINT, signal.SIG_IGN)  # the last of all: Python itself is left
        sys.unraisablehook = self.not_raised

    def press(self, number: int, frame: FrameType | None) -> None:
        """Handle Ctrl-C."""
        self.pressed = True
        if importing(frame):  # packages try imports, and some go on whatever is raised there
            _thread.start_new_thread(self.press_again, (_thread.get_ident(),))
        raise KeyboardInterrupt

    def press_again(self, main: int) -> None:
        """Press Ctrl-C once more for the main thread, after the import, if it went on there."""
        time.sleep(LATER)
        while not self.heard and importing(sys._current_frames().get(main)):
            time.sleep(SOON)
        if not self.heard:
            _thread.interrupt_main()

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


def importing(frame: FrameType | None) -> bool:
    """Return whether a module is being imported in the calls that led to a frame."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


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
        keyboard.heard = True
        if keyboard.pressed and code == BAD_INPUT:
            code = INTERRUPTED
        keyboard.end(code)
    except BaseException as error:
        keyboard.heard = True
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
