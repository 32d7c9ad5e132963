"""What does the pocket cost?

    keep="pocket"  against  keep="last":  the same looks, and every candidate counted exactly on all points

Candidates wait in a queue and are counted together, so a pass that counts k of them is not k passes longer.
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
from novikoff.perceptron.run.observer import Observer
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.train import train
from novikoff.scoring.scorer import Scorer

PASSES = 4
WHEN = ("pass 1", "later pass")
PASS_1, LATER = 4.0, 2.0


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, storage by storage."""
    for name, X, y in storages(size):
        problem = problem_of(X, y)[0]
        rounds = interleave([partial(_passes, problem, keep) for keep in ("last", "pocket")], size.repeats)
        for when, bar, note in zip(WHEN, (PASS_1, LATER), _counted(name, problem), strict=True):
            yield rounds.time(
                f"{name}: keep=pocket, {when}", f"keep=pocket, {when}", f"keep=last, {when}", bar, note=note
            )


def _passes(problem: Problem, keep: str) -> Figures:
    first, *later = yardsticks.passes(problem, keep, PASSES).loop
    return dict(zip((f"keep={keep}, {when}" for when in WHEN), (first, fmean(later)), strict=True))


def _counted(name: str, problem: Problem) -> tuple[str, str]:
    """How many candidates were counted in pass 1, and in the later passes."""
    first, *later = candidates(problem)
    return (
        f"{name}: {first} candidates were counted in pass 1.",
        f"{name}: {', '.join(map(str, later))} candidates were counted in passes 2 to {1 + len(later)}.",
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

    def watched(judge: Scorer, planes: np.ndarray, errors: Callable[..., Any] = Scorer.errors) -> Any:
        nonlocal counted
        counted += len(planes)
        return errors(judge, planes)

    with patch.object(Scorer, "errors", watched):
        plan = yardsticks.plan("pocket", PASSES)
        run = Run.begin(problem, plan, np.zeros(problem.d + 1))
        train(run, [AfterPasses(lambda: so_far.append(counted))])
    return [after - before for before, after in pairwise(so_far)]
