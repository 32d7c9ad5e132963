"""What does the pocket cost?

    keep="pocket"  against  keep="last":  the same looks, and every candidate counted exactly on all points

Candidates of a pass are counted together at its end, in one pass over the points for all of them. So pass 1 is measured
by a run of one pass, and the later ones by a run of many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from statistics import fmean
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import yardsticks
from benchmarks.epoch import storages
from benchmarks.harness import Figures, Row, Size, interleave
from novikoff.data.problem import Problem, problem_of
from novikoff.perceptron.keeps import Pocket
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.run import Run
from novikoff.perceptron.train import train

PASSES = 20
WHEN = ("pass 1", f"{PASSES} passes in all")
PASS_1, IN_ALL = 4.5, 2.2


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, storage by storage."""
    for name, X, y in storages(size):
        problem = problem_of(X, y)[0]
        rounds = interleave([partial(_passes, problem, keep) for keep in ("last", "pocket")], size.repeats)
        for when, bar, note in zip(WHEN, (PASS_1, IN_ALL), _counted(name, problem), strict=True):
            yield rounds.time(
                f"{name}: keep=pocket, {when}", f"keep=pocket, {when}", f"keep=last, {when}", bar, note=note
            )


def _passes(problem: Problem, keep: str) -> Figures:
    """CPU seconds of a run of one pass, and of a longer one."""
    seconds = (sum(yardsticks.passes(problem, keep, count).loop) for count in (1, PASSES))
    return dict(zip((f"keep={keep}, {when}" for when in WHEN), seconds, strict=True))


def _counted(name: str, problem: Problem) -> tuple[str, str]:
    """How many candidates were counted in pass 1, and in the later passes."""
    first, *later = candidates(problem)
    mean = f"{fmean(later):.1f}" if later else "no"
    return (
        f"{name}: {first} candidates were counted in pass 1.",
        f"{name}: {mean} candidates on average were counted in each later pass.",
    )


class AfterPasses(Observer):
    """Call a function at the end of each pass."""

    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call

    def end_pass(self, run: Run) -> None:
        self.call()


def candidates(problem: Problem) -> list[int]:
    """The number of weight vectors counted in each pass."""
    so_far = [0]
    counted = 0

    def watched(keep: Pocket, *given: Any, offer: Callable[..., None] = Pocket._offer) -> None:
        nonlocal counted
        counted += 1
        offer(keep, *given)

    with patch.object(Pocket, "_offer", watched):
        plan = yardsticks.plan("pocket", PASSES)
        run = Run.begin(problem, plan, np.zeros(problem.d + 1))
        train(run, [AfterPasses(lambda: so_far.append(counted))])
    return [after - before for before, after in pairwise(so_far)]
