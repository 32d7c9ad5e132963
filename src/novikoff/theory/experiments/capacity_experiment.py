"""Measure the fraction of separable dichotomies: random points with random labels, each draw decided with a proof.

From the notes: S5 S6 (Sompolinsky, Figure 3: N = 5 and 65, P/N from 0 to 4).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Number, Sizes
from novikoff.data.exact_points import exact_number
from novikoff.engines.engine import Engine
from novikoff.errors import InputError
from novikoff.theory.cover_logs import approximate_fraction, log10_cover_count
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.statistics_of_draws import fraction_interval
from novikoff.theory.experiments.trials import Cell, check_draws, check_trials, run_trials, several_of, sizes_of

RATIOS = tuple(f"{k / 5:g}" for k in range(1, 21))  # P/N = 0.2, 0.4, … 4
LARGEST_RATIO = 1000


def capacity_experiment(
    N: Sizes = (5, 65),
    ratios: Sequence[Number] = RATIOS,
    trials: int = 2000,
    seed: int = 0,
    engine: Engine | None = None,
    level: float = 0.95,
    on_block: Callable[[int, int], None] | None = None,
) -> Experiment:
    """Measure which fraction of random labellings of P Gaussian points in N dimensions is separable, beside theory.

    hits/trials  against  C(P, N)/2^P,   P = the ratio times N, rounded

    Planes pass through the origin.

    Parameters
    ----------
    N : number of dimensions, one or several
    ratios : P/N, one or several, above 0
    trials : draws for each N and P; each is decided with a proof
    seed : of the draws; the results depend on nothing else
    engine : as in `decide`: the draws are decided in parallel by it
    level : of the intervals of Clopper and Pearson
    on_block : called with the number of blocks done and of all blocks

    Examples
    --------
    >>> import novikoff as nv
    >>> found = nv.capacity_experiment(N=5, ratios=["2"], trials=20, seed=1)
    >>> [(row["N"], row["P"], row["theory"], row["trials"]) for row in found.rows]
    [(5, 10, 0.5, 20)]
    """
    check_trials(trials, seed)
    argument_checks.share("level", level)
    cells = cells_of(sizes_of("N", N), ratios)
    found = measured_fractions(cells, trials, seed, engine, on_block, level)
    rows = [
        {"N": n, "P": p, "ratio": p / n, "theory": approximate_fraction(p, n), "log10_count": log10_cover_count(p, n)}
        | row
        for (n, p), row in zip(cells, found, strict=True)
    ]
    return Experiment("capacity", seed, trials, rows, [])


def measured_fractions(
    cells: Sequence[Cell], trials: int, seed: int, engine: Any = None, on_block: Any = None,
    level: float = 0.95,
) -> list[dict[str, Any]]:  # fmt: skip
    """Return how many draws are separable for each (N, P), their fraction and its interval."""
    check_draws(cells)
    found = run_trials(separable_draw, cells, trials, seed, engine, on_block)
    rows = []
    for results in found.values():
        low, high = fraction_interval(hits := sum(results), trials, level)
        rows.append({"separable": hits, "trials": trials, "measured": hits / trials, "low": low, "high": high})
    return rows


def cells_of(dimensions: list[int], ratios: Any) -> list[Cell]:
    """Return (N, P) for every N and ratio, each once; raise InputError for ratios out of range."""
    several = several_of("ratios", ratios)
    exact = [exact_number(value, "ratios") for value in several]
    for value, ratio in zip(several, exact, strict=True):
        if not 0 < ratio <= LARGEST_RATIO:
            raise InputError(f"found {value}; numbers above 0 and up to {LARGEST_RATIO} were expected", "ratios")
    return list(dict.fromkeys((N, max(1, round(ratio * N))) for N in dimensions for ratio in exact))


def separable_draw(rng: np.random.Generator, cell: Cell) -> int:
    """Return 1 if a plane through the origin separates P random points with random labels, else 0; proved."""
    from novikoff.separate.decide import decide

    N, P = cell
    X, y = rng.standard_normal((P, N)), 2 * rng.integers(2, size=P) - 1
    if P == 1:
        return 1  # a nonzero point
    if abs(int(y.sum())) == P:  # one class: reflect a point, which changes no answer
        X[0], y[0] = -X[0], -y[0]
    return int(bool(decide(X, y, fit_intercept=False)))
