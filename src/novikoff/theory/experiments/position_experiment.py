"""How often are points with discrete coordinates in general position?

From the notes: S4 (Sompolinsky: general position holds almost surely for smooth inputs, and nearly so for discrete ones
in high dimension).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Sizes
from novikoff.engines.engine import Engine
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.statistics_of_draws import fraction_interval
from novikoff.theory.experiments.trials import Cell, check_draws, check_trials, run_trials, sizes_of
from novikoff.theory.position import general_position

SECONDS = 10.0


def position_experiment(
    N: Sizes = (2, 4, 6, 8, 10, 15, 20, 30),
    P: Sizes | None = None,
    trials: int = 200,
    seed: int = 0,
    max_time: float = SECONDS,
    engine: Engine | None = None,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Measure how often P random points with coordinates −1 and 1 are in general position in N dimensions.

    Each draw is decided exactly.

    Parameters
    ----------
    N : numbers of dimensions, one or several
    P : numbers of points; None: N + 1 for each N
    max_time : seconds for each draw; draws that are not decided in time are counted apart (which ones
        depends on the machine)
    trials, seed, engine, on_block : as in `capacity_experiment`

    Examples
    --------
    >>> import novikoff as nv
    >>> [row["P"] for row in nv.position_experiment(N=[2, 3], trials=5).rows]
    [3, 4]
    """
    check_trials(trials, seed)
    argument_checks.positive("max_time", max_time)
    dimensions = sizes_of("N", N)
    cells = [(n, p) for n in dimensions for p in ([n + 1] if P is None else sizes_of("P", P))]
    check_draws(cells)
    trial = partial(discrete_draw, max_time=float(max_time))
    found = run_trials(trial, cells, trials, seed, engine, on_block)
    rows = []
    for (n, p), results in found.items():
        decided = [one for one in results if one >= 0]
        hits = sum(decided)
        low, high = fraction_interval(hits, len(decided)) if decided else (0.0, 1.0)
        rows.append({"N": n, "P": p, "in_general_position": hits, "decided": len(decided),
                     "undecided": len(results) - len(decided), "fraction": hits / len(decided) if decided else None,
                     "low": low, "high": high})  # fmt: skip
    return Experiment("position", seed, trials, rows, [])


def discrete_draw(rng: np.random.Generator, cell: Cell, max_time: float) -> int:
    """Return 1 if random points of −1 and 1 are in general position, 0 if not, −1 if undecided in time."""
    N, P = cell
    holds = general_position(2 * rng.integers(2, size=(P, N)) - 1, fit_intercept=False, max_time=max_time).holds
    return -1 if holds is None else int(holds)
