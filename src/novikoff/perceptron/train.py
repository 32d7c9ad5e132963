"""One training loop for every rule, order, keep and stop.

    for each pass, for each stretch of looks:  look, and where the rule asks for it  w ← w + step·y·x   (passes.stretch)

From the notes: T3 C6 Z6 (the algorithm), Z14 (when it stops). `run.Run` is what it drives for one plane,
`multi_run.MultiRun` for several.
"""

from __future__ import annotations

from novikoff.perceptron.orders import Stretch
from novikoff.perceptron.run.run_base import Result, RunBase
from novikoff.perceptron.stops import Interrupt


def train(run: RunBase) -> Result:
    """Passes of looks until a rule ends the run."""
    with Interrupt() as pressed:
        while run.reason is None:
            if not run.in_pass:  # else it was broken off, and goes on
                run.begin_pass()
            for stretch in run.stretches():
                show(run, stretch, pressed)
                if run.reason is not None:
                    break
            run.end_pass()
            run.may_pause()
        run.hear(pressed)
    return run.result()


def show(run: RunBase, stretch: Stretch, pressed: Interrupt | None = None) -> None:
    """Looks at a stretch of rows, one after the other."""
    rows, lo, hi = stretch
    while lo < hi and run.reason is None:
        why, lo, row = run.looks(rows, lo, hi)
        run.answer(why, row)
        run.check_clock(pressed)
        run.may_pause()
