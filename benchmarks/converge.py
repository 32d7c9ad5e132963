"""What is saved in a long run by leaving out rows that are surely right?

    with     the run as it is made, which leaves out rows where that promises to pay (skip_policy)
    without  the same run in plain passes

Both are the same run, to the bit: weights, mistakes, looks, history; where they are not, a note says so. Whole runs
with keep="last", rows in order. Where rows lie wide of the plane it must be faster, elsewhere not noticeably slower.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import data, yardsticks
from benchmarks.epoch import storages
from benchmarks.harness import FULL, Figures, Row, Size, interleave
from novikoff.data.problem import Problem, problem_of
from novikoff.perceptron.run import skip_policy
from novikoff.perceptron.run.result import Result
from novikoff.perceptron.run.run import Run
from novikoff.perceptron.train import train

FASTER, NOT_SLOWER = 2.5, 0.9
WITH, WITHOUT = "rows left out", "plain passes"
WHEN = {WITH: skip_policy.IF_IT_PAYS, WITHOUT: skip_policy.NEVER}

Points = Callable[[], tuple[Any, np.ndarray]]


def ask(size: Size) -> Iterator[Row]:
    """The rows of this question, set by set."""
    for what, points, passes, bar in sets(size):
        X, y = points()
        problem = problem_of(X, y)[0]
        rounds = interleave([partial(_timed, name, problem, passes) for name in WHEN], size.repeats)
        result, same = compare(problem, passes)
        note = "" if same else f"{what}: NOT the same run."
        yield rounds.speed(f"{what}: {result.passes} passes", WITH, WITHOUT, bar, note=note)


def sets(size: Size) -> Iterator[tuple[str, Points, int, float]]:
    """(name, points, most passes, bar)."""

    def rows(n: int) -> int:
        return max(40, round(n * size.dense[0] / FULL.dense[0]))

    many, few = rows(100_000), rows(20_000)
    yield f"dense float64, {many:,} × 10", partial(data.teacher, many, 10, 1e-4), 600, FASTER
    yield f"dense float64, {many:,} × 50", partial(data.teacher, many, 50, 2e-3), 600, FASTER
    yield f"dense float32, {many:,} × 50", partial(_float32, many, 50, 2e-3), 600, FASTER
    yield f"dense float64, {few // 2:,} × 200", partial(data.teacher, few // 2, 200, 0.0), 1000, NOT_SLOWER
    yield f"dense float64, {few:,} × 200", partial(data.teacher, few, 200, 2e-3), 1000, NOT_SLOWER
    for n, d, length, margin in ((2.5, 30, 5, 1e-3), (1, 100, 10, 1e-2), (1, 20_000, 50, 5e-3)):
        n = round(n * few)
        name = f"CSR float64, {n:,} × {d:,}, {length} numbers a row"
        yield name, partial(data.teacher, n, d, margin, length), 1500, NOT_SLOWER
    for n, d in ((300, 200), (1500, 1000), (1000, 200)):
        yield f"labels by chance, {n:,} × {d:,}", partial(data.labels, n, d), 1000, NOT_SLOWER
    for name, X, y in storages(size):
        for passes in (10, 40) if "dense" in name else (10,):
            yield f"{name}, {X.shape[0]:,} × {X.shape[1]:,}, some flipped", partial(_given, X, y), passes, NOT_SLOWER


def compare(problem: Problem, passes: int) -> tuple[Result, bool]:
    """The run with rows left out, and whether it is the run without."""
    ours, plain = (_run(name, problem, passes) for name in WHEN)
    info = [[*result.history.items()][:-1] for result in (ours, plain)]  # all but the seconds
    same = ours.plane.tobytes() == plain.plane.tobytes() and ours.looks == plain.looks and info[0] == info[1]
    return ours, same and bool(np.array_equal(ours.mistakes, plain.mistakes))


def _run(name: str, problem: Problem, passes: int) -> Result:
    with patch.object(skip_policy, "WHEN", WHEN[name]):
        return train(Run.begin(problem, yardsticks.plan("last", passes), np.zeros(problem.d + 1)))


def _timed(name: str, problem: Problem, passes: int) -> Figures:
    start = time.process_time()
    _run(name, problem, passes)
    return {name: time.process_time() - start}


def _given(X: Any, y: np.ndarray) -> tuple[Any, np.ndarray]:
    return X, y


def _float32(n: int, d: int, margin: float) -> tuple[Any, np.ndarray]:
    X, y = data.teacher(n, d, margin)
    return X.astype(np.float32), y
