"""Many orders and many starts on the same points: the separating plane is not unique, the widest one is.

updates ≤ (R/γ)² in every order from w⁰ = 0

From the notes: Z11 (Zhang, the solution is not unique), S7 R6 (arbitrary start).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.format_numbers import bound_in_words
from novikoff.data.labelled_points import unpacked_in_memory
from novikoff.data.problem import Problem, problem_of
from novikoff.engines.engine import Engine
from novikoff.maxmargin.margin import margin
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.perceptron_runs import run_of
from novikoff.theory.experiments.trials import Cell, check_trials, run_trials

MOST_UPDATES = 1_000_000


def orders_experiment(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    trials: int = 100,
    seed: int = 0,
    max_updates: int = MOST_UPDATES,
    engine: Engine | None = None,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Run the perceptron on the same points in many random orders, beside the widest plane and the mistake bound.

    updates ≤ (R/γ)² in every order; the planes differ

    Parameters
    ----------
    X, y, fit_intercept : separable points, as in `margin`; NotSeparableError is raised for others
    trials, seed, engine, on_block : as in `capacity_experiment`
    max_updates : limit of each run

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.orders_experiment(*nv.example("cornwell"), trials=10)
    >>> max(row["updates"] for row in found.rows) <= 55, all(row["separated"] for row in found.rows)
    (True, True)
    """
    return _experiment("orders", X, y, fit_intercept, trials, seed, max_updates, engine, on_block)


def starts_experiment(
    X: Points,
    y: Labels | None = None,
    fit_intercept: bool = True,
    trials: int = 100,
    seed: int = 0,
    max_updates: int = MOST_UPDATES,
    engine: Engine | None = None,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Run the perceptron on the same points, in cyclic order, from many random initial weights of length R.

    Parameters
    ----------
    X, y, fit_intercept, trials, seed, max_updates, engine, on_block : as in `orders_experiment`

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.starts_experiment(*nv.example("cornwell"), trials=10)
    >>> all(row["separated"] for row in found.rows), len({row["angle"] for row in found.rows}) > 1
    (True, True)
    """
    return _experiment("starts", X, y, fit_intercept, trials, seed, max_updates, engine, on_block)


def _experiment(
    name: str, X: Any, y: Any, fit_intercept: bool, trials: int, seed: int, max_updates: int, engine: Any,
    on_block: Any,
) -> Experiment:  # fmt: skip
    check_trials(trials, seed)
    argument_checks.whole("max_updates", max_updates, 1, optional=False)
    X, y = unpacked_in_memory(X, y, "an experiment")
    m = margin(X, y, fit_intercept=fit_intercept)
    problem = problem_of(X, y, fit_intercept=fit_intercept)[0].ready(None, "shuffle")
    w, b = m.padded.plane
    widest = np.array([*w.tolist(), *([float(b)] if fit_intercept else [])])
    trial = partial(_one, problem=problem, name=name, max_updates=max_updates, radius=float(m.radius))
    found = run_trials(trial, [(problem.n, problem.d)], trials, seed, engine, on_block)
    rows = [
        {"trial": k, "updates": updates, "separated": bool(separated), "angle": _angle(plane, widest), "plane": plane}
        for k, (updates, separated, plane) in enumerate(found[(problem.n, problem.d)])
    ]
    high = m.mistake_bound[1]
    most = max(row["updates"] for row in rows)
    from_zero = f" of at most (R/γ)² = {bound_in_words(high)}" if name == "orders" else ""
    angles = [row["angle"] for row in rows]
    notes: tuple[str, ...] = (
        f"{min(row['updates'] for row in rows):,} to {most:,} updates{from_zero}",
        f"angles to the widest plane {min(angles):.2f}° to {max(angles):.2f}°",
    )
    if stopped := sum(not row["separated"] for row in rows):
        notes += (f"{stopped:,} of {trials:,} runs were stopped at the limit of {max_updates:,} updates, before they "
                  "separated the points",)  # fmt: skip
    return Experiment(name, seed, trials, rows, [], notes)


def _one(
    rng: np.random.Generator, cell: Cell, problem: Problem, name: str, max_updates: int, radius: float
) -> tuple[int, int, list[float]]:
    """Return the updates of one run, whether it separated the points, and its plane."""
    if name == "orders":
        run = run_of(problem, max_updates, "shuffle", int(rng.integers(2**62)))
    else:
        start = rng.standard_normal(problem.d + int(problem.pad > 0))
        run = run_of(problem, max_updates, start=(start * radius / np.linalg.norm(start)).tolist())
    return run.updates, int(run.separated), run.w


def _angle(plane: list[float], widest: np.ndarray) -> float:
    """Return the angle of two planes in degrees, between their weights with the bias."""
    a, b = np.asarray(plane) / math.hypot(*plane), widest / math.hypot(*widest)
    return math.degrees(2 * math.atan2(float(np.linalg.norm(a - b)), float(np.linalg.norm(a + b))))
