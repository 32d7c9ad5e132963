"""One training loop for every rule, order, keep and stop.

    for each pass, for some looks at a time:  look, and where the rule says so  w ← w + step·y·x   (the compiled pass)

From the notes: T3 C6 Z6 (the algorithm), Z14 (when it stops). `Run` is the state of one or several planes;
`MixedRun` that of parameter mixing, whose pass is a round of such passes over the partitions.
"""

from __future__ import annotations

from collections.abc import Sequence

from novikoff.perceptron.observer import Observer
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Interrupt


def train(run: Run, observers: Sequence[Observer] = ()) -> Result:
    """Make passes over the points until a stopping rule ends the run."""
    for observer in observers:
        observer.begin(run)
    with Interrupt() as pressed:
        while run.reason is None:
            for observer in observers:
                observer.begin_pass(run)
            run.begin_pass()
            for _ in run.make_pass():
                run.check_clock(pressed)
                for observer in observers:
                    observer.after_looks(run)
            run.end_pass()
            for observer in observers:
                observer.end_pass(run)
        run.pressed = run.pressed or bool(pressed)
    for observer in observers:
        observer.end(run)
    return run.result()
