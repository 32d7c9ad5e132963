"""What the exact pass is measured against: the same pass without exactness, and one read of the same bytes.  (compiled)

    plain   a mistake if y·s ≤ 0 for the rounded score s, weights in binary64; the update fused as the compiler likes
    read    the sum of all stored numbers: what any pass over them must at least do
    gather  Σ w[column]·value over all of a sparse matrix, no rows, no decisions: the same with the weights looked up

`passes` runs the product's own passes on the same problem.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import numpy as np
from numba import njit

from novikoff.data.problem import Problem
from novikoff.perceptron.observer import Observer
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train

FAST = {"reassoc", "contract", "nsz"}


@njit(fastmath=FAST)
def dense_plain(X, y, w, b, pad):  # type: ignore[no-untyped-def]
    """One pass over a dense array; (b, mistakes)."""
    mistakes = 0
    for i in range(y.size):
        s = b * pad
        for j in range(X.shape[1]):
            s += w[j] * X[i, j]
        if y[i] * s <= 0:
            for j in range(X.shape[1]):
                w[j] += y[i] * X[i, j]
            b += y[i] * pad
            mistakes += 1
    return b, mistakes


@njit(fastmath=FAST)
def sparse_plain(A, y, w, b, pad):  # type: ignore[no-untyped-def]
    """One pass over compressed sparse rows; (b, mistakes)."""
    values, columns, starts = A
    mistakes = 0
    for i in range(y.size):
        s = b * pad
        lo, hi = np.uint64(starts[i]), np.uint64(starts[i + 1])
        for j in range(lo, hi):
            s += w[np.uint32(columns[j])] * values[j]
        if y[i] * s <= 0:
            for j in range(lo, hi):
                w[np.uint32(columns[j])] += y[i] * values[j]
            b += y[i] * pad
            mistakes += 1
    return b, mistakes


@njit(fastmath=FAST)
def total(a):  # type: ignore[no-untyped-def]
    """Σ a."""
    s = a[0] * 0
    for i in range(a.size):
        s += a[i]
    return s


@njit(fastmath=FAST)
def sparse_product(A, w):  # type: ignore[no-untyped-def]
    """Σ w[column]·value over all that is stored."""
    values, columns, _ = A
    s = 0.0
    for j in range(np.uint64(values.size)):
        s += w[np.uint32(columns[j])] * values[j]
    return s


def bytes_of(problem: Problem) -> list[np.ndarray]:
    """The stored numbers and columns as `read` takes them, in the widest words."""
    if not problem.sparse:
        return [problem.rows.ravel()]
    values, columns, _ = problem.rows
    return [values.view(np.int64) if values.nbytes % 8 == 0 else values, columns]


def read(problem: Problem) -> float:
    """CPU seconds of one read of everything that a pass must read."""
    start = time.process_time()
    with np.errstate(
        over="ignore"
    ):  # words of two float32 are summed as whole numbers; what they sum to is of no interest
        for words in bytes_of(problem):
            total(words)
    return time.process_time() - start


def gather(problem: Problem) -> float:
    """CPU seconds of one read of a sparse matrix in which each value meets its weight."""
    w = np.ones(problem.d)
    start = time.process_time()
    sparse_product(problem.rows, w)
    return time.process_time() - start


def plain(problem: Problem, count: int) -> tuple[list[float], list[int]]:
    """CPU seconds and mistakes of each of `count` plain passes from w = 0."""
    kernel = sparse_plain if problem.sparse else dense_plain
    w, b, y = np.zeros(problem.d), 0.0, problem.y.astype(np.float64)
    seconds, mistakes = [], []
    for _ in range(count):
        start = time.process_time()
        b, made = kernel(problem.rows, y, w, b, problem.pad)
        seconds.append(time.process_time() - start)
        mistakes.append(int(made))
    return seconds, mistakes


def plan(keep: str, count: int) -> Plan:
    """The plan of `count` passes in the given order."""
    return Plan(Order("cyclic"), keep, Stops(max_passes=count, train_patience=None))


@dataclass(frozen=True)
class Passes:
    """CPU seconds of each pass of a run: in the compiled looks alone, and in all that the training loop does."""

    looks: list[float]
    loop: list[float]
    result: Result


def passes(problem: Problem, keep: str, count: int) -> Passes:
    """Run `count` passes of the product's own training loop from w = 0, with a stop-watch on its compiled part."""
    return watch(lambda: Run.begin(problem, plan(keep, count), np.zeros(problem.d + 1)))


def watch(begin: Callable[[], Run]) -> Passes:
    """Train what begins, with a stop-watch on its compiled part."""
    spent, start = 0.0, time.process_time()
    run = begin()
    looks, loop = [0.0], [start]
    compiled_pass = run.compiled_pass

    def watched(size: int) -> Callable[..., Any]:
        looks_of = compiled_pass(size)

        def call(*args: Any) -> Any:
            nonlocal spent
            start = time.process_time()
            answer = looks_of(*args)
            spent += time.process_time() - start
            return answer

        return call

    class Marks(Observer):
        def end_pass(self, run: Run) -> None:
            looks.append(spent)
            loop.append(time.process_time())

    with patch.object(run, "compiled_pass", watched):
        result = train(run, [Marks()])
    return Passes(_steps(looks), _steps(loop), result)


def _steps(clock: list[float]) -> list[float]:
    return [after - before for before, after in pairwise(clock)]
