"""Run the perceptron on drawn points: no bias, η = 1, and a limit of updates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from novikoff.data.problem import Problem, problem_of
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan, Rates
from novikoff.perceptron.result import Result
from novikoff.perceptron.run import Run
from novikoff.perceptron.stops import Stops
from novikoff.perceptron.train import train


class Finished(NamedTuple):
    """Updates of a run, whether it separated the points, and its last weights."""

    updates: int
    separated: bool
    w: list[float]


def signed_problem(X: np.ndarray, y: np.ndarray) -> Problem:
    """Return points with labels −1 and 1, no bias; of one class, a point is reflected, which changes no run."""
    if abs(int(y.sum())) == len(y):
        X, y = X.copy(), y.copy()
        X[0], y[0] = -X[0], -y[0]
    problem, _ = problem_of(X, y, fit_intercept=False)
    return problem.ready(None, "cyclic")


def run_of(
    problem: Problem, max_updates: int, order: str = "cyclic", seed: int = 0, start: Sequence[float] | None = None
) -> Finished:
    """Run the perceptron from `start` (zero if None) until it separates the points or reaches the limit."""
    w0 = np.zeros(problem.d + 1)
    if start is not None:
        w0[: len(start)] = start
    result = _result(problem, max_updates, Order(order, seed), "last", w0)
    plane = [*np.ravel(result.w).tolist(), *([float(np.ravel(result.b)[0])] if problem.pad else [])]
    return Finished(int(result.updates), result.stop_reason == "separated", plane)


def rows_of_updates(problem: Problem, max_updates: int) -> tuple[list[int], bool]:
    """Return the rows of the updates of a cyclic run from 0, decided exactly, and whether it separated the points."""
    result = _result(problem, max_updates, Order("cyclic"), "vote", np.zeros(problem.d + 1))
    return result.run.keep.log()[:, 0].tolist(), result.stop_reason == "separated"


def _result(problem: Problem, max_updates: int, order: Order, keep: str, w0: np.ndarray) -> Result:
    plan = Plan(order, keep, Stops(None, max_updates, None, None), Rates(1.0, None, not w0.any()))
    run = Run.begin(problem, plan, w0)
    result = train(run)
    if result.stop_reason == "interrupted":
        raise KeyboardInterrupt
    return result


def teacher_draw(rng: np.random.Generator, N: int, P: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return P Gaussian points of variance 1/N, the labels of a random teacher through the origin, and the teacher."""
    teacher = rng.standard_normal(N)
    teacher /= np.linalg.norm(teacher)
    X = rng.standard_normal((P, N)) / np.sqrt(N)
    return X, np.where(X @ teacher > 0, 1, -1), teacher
