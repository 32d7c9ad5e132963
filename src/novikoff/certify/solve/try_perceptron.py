"""The perceptron first: a few passes of it, and a run that separates, or that comes back, is an answer.

A run ends `separated` after a pass in which every exact sign was right: its weights are the plane. A run that ends in a
`cycle` has added points that sum to exactly zero: Gordan's weights, of which a circuit is kept. Else nothing is said.
It is the fastest way where there are more columns than points, or nearly so.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels.compile import clock
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train
from novikoff.scoring import scorer


class Ended(NamedTuple):
    """What a run came to: a plane (w, b) that has every row on its own side, or how often each row was added."""

    plane: np.ndarray | None
    counts: np.ndarray | None


def perceptron(problem: Problem, passes: int, until: float | None) -> Ended:
    """So many passes over the rows, not beyond the time given."""
    seconds = None if until is None else max(until - clock(), 0.0)
    plan = Plan(order=Order("cyclic"), keep="last", stops=Stops(passes, None, seconds, train_patience=None))
    run = Run.begin(problem, plan, np.zeros(problem.d + 1))
    if "numba" in sys.modules:
        run.scorer.spent = scorer.INTERPRETED  # the compiler is there: nobody waits for it
    result = train(run)
    if result.stop_reason == "interrupted":
        raise KeyboardInterrupt
    return Ended(result.plane if result.stop_reason == "separated" else None, result.cycle_counts)
