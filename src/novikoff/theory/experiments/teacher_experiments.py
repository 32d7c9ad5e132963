"""Smallest margin and convergence time for Gaussian points that a random teacher labels.

    smallest margin of the teacher   δ ≈ 1/(P·√N)        exponents −1 in P and −1/2 in N
    updates                          n, typically below P²·N

From the notes: S11 (Sompolinsky, convergence time of typical inputs).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Sizes
from novikoff.engines.engine import Engine
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.perceptron_runs import run_of, signed_problem, teacher_draw
from novikoff.theory.experiments.statistics_of_draws import power_fit
from novikoff.theory.experiments.trials import Cell, check_draws, check_trials, run_trials, sizes_of

MOST_UPDATES = 1_000_000


def margin_experiment(
    N: Sizes = (10, 20, 40, 80),
    P: Sizes = (50, 100, 200, 400),
    trials: int = 400,
    seed: int = 0,
    engine: Engine | None = None,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Measure the teacher's smallest margin, min |w*·x| with |w*| = 1, and fit its exponents in P and N.

    median δ ~ P^(−1)·N^(−1/2)

    Parameters
    ----------
    N, P : numbers of dimensions and points, one or several each; all combinations are drawn
    trials, seed, engine, on_block : as in `capacity_experiment`

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.margin_experiment(N=10, P=[100, 200], trials=50)
    >>> [fit["in"] for fit in found.fits], len(found.rows)
    (['P'], 2)
    """
    check_trials(trials, seed)
    cells = [(n, p) for n in sizes_of("N", N) for p in sizes_of("P", P)]
    check_draws(cells)
    found = run_trials(smallest_margin, cells, trials, seed, engine, on_block)
    rows = []
    for (n, p), draws in found.items():
        low, median, high = np.quantile(draws, [0.25, 0.5, 0.75]).tolist()
        rows.append({"N": n, "P": p, "median": median, "quarter": low, "three_quarters": high,
                     "theory": math.sqrt(math.pi / 2) * math.log(2) / (p * math.sqrt(n))})  # fmt: skip
    fits = power_fit(list(found.values()), [(p, n) for n, p in found], ("P", "N"), "margin", (-1.0, -0.5))
    return Experiment("margin", seed, trials, rows, fits)


def smallest_margin(rng: np.random.Generator, cell: Cell) -> float:
    """Return the smallest distance of a point from the teacher's plane."""
    X, _, teacher = teacher_draw(rng, *cell)
    return float(np.abs(X @ teacher).min())


def convergence_experiment(
    N: Sizes = (10, 20, 40),
    P: Sizes = (50, 100, 200),
    trials: int = 200,
    seed: int = 0,
    max_updates: int = MOST_UPDATES,
    engine: Engine | None = None,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Count the updates until the perceptron separates Gaussian points labelled by a teacher, and fit exponents.

    updates ≤ (R/δ)², and typically below P²·N; the exponents are reported as measured

    Convention: planes through the origin, w⁰ = 0, cyclic order. A run that reaches max_updates is censored: it counts
    as longer than all others, and the table has the number of such runs.

    Parameters
    ----------
    N, P : numbers of dimensions and points, one or several each; all combinations are drawn
    max_updates : limit of each run
    trials, seed, engine, on_block : as in `capacity_experiment`

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.convergence_experiment(N=5, P=[20, 40], trials=5)
    >>> [row["censored"] for row in found.rows]
    [0, 0]
    """
    check_trials(trials, seed)
    argument_checks.whole("max_updates", max_updates, 1, optional=False)
    cells = [(n, p) for n in sizes_of("N", N) for p in sizes_of("P", P, 2)]
    check_draws(cells)
    trial = partial(updates_of_draw, max_updates=max_updates)
    found = run_trials(trial, cells, trials, seed, engine, on_block)
    rows, draws = [], []
    for (n, p), results in found.items():
        updates = [math.inf if count is None else float(count) for count, _ in results]
        draws.append(updates)
        median = float(np.median(updates))
        rows.append({"N": n, "P": p, "median": None if math.isinf(median) else median,
                     "longest": max((int(u) for u in updates if not math.isinf(u)), default=None),
                     "censored": sum(math.isinf(u) for u in updates), "P2N": p * p * n,
                     "largest_ratio_to_bound": max(ratio for _, ratio in results)})  # fmt: skip
    fits = power_fit(draws, [(p, n) for n, p in found], ("P", "N"), "updates", (None, None))
    censored = sum(row["censored"] for row in rows)
    notes = (f"{censored:,} runs were stopped after {max_updates:,} updates (censored)",) if censored else ()
    return Experiment("convergence", seed, trials, rows, fits, notes)


def updates_of_draw(rng: np.random.Generator, cell: Cell, max_updates: int) -> tuple[int | None, float]:
    """Return the updates of one run, None if it was stopped, and updates/(R/δ)² with the teacher's margin δ."""
    X, y, teacher = teacher_draw(rng, *cell)
    run = run_of(signed_problem(X, y), max_updates)
    bound = float((X * X).sum(axis=1).max()) / float(np.abs(X @ teacher).min()) ** 2
    return run.updates if run.separated else None, run.updates / bound
