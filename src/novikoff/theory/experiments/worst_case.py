"""The worst case: two opposite points at distance δ from the plane between them, with δ → 0.

    (1, δ) and (−1, δ), both positive: the only separating directions are close to (0, 1), γ = δ, R = √(1 + δ²)

The perceptron adds the two points in turn, and each pair of updates moves w by (0, 2δ): about 1/δ² updates, as many as
the bound (R/γ)² = 1 + 1/δ² allows, up to a constant factor.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.exact_points import exact_number
from novikoff.errors import InputError
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.perceptron_runs import run_of, signed_problem

DELTAS = tuple(f"1/{2**k}" for k in range(1, 11))


@known_arguments
def worst_case(deltas: Any = DELTAS, max_updates: int = 10_000_000) -> Experiment:
    """Count the updates on a pair of opposite points at distance δ, against the mistake bound.

    updates/(R/γ)²  for  γ = δ → 0

    From the notes: S12 (Sompolinsky, the worst case: two opposite examples very close, time → ∞).

    Parameters
    ----------
    deltas : distances above 0 and up to 1, each exact in binary64
    max_updates : limit of each run

    Examples
    --------
    >>> [(row["updates"], row["bound"]) for row in worst_case(["1/2", "1/4", "1/8"]).rows]
    [(3, 5.0), (9, 17.0), (33, 65.0)]
    """
    argument_checks.whole("max_updates", max_updates, 1, optional=False)
    several = [deltas] if isinstance(deltas, str | int | float) or not hasattr(deltas, "__iter__") else list(deltas)
    rows = [_row(_delta(value), max_updates) for value in several]
    if not rows:
        raise InputError("found none; at least one was expected", "deltas")
    censored = [row for row in rows if not row["finished"]]
    notes = (f"{len(censored)} runs were stopped after {max_updates:,} updates",) if censored else ()
    return Experiment("worst", 0, 1, rows, [], notes)


def _delta(value: Any) -> float:
    exact = exact_number(value, "deltas")
    if not 0 < exact <= 1 or Fraction(float(exact)) != exact or float(exact) < 1e-150:
        raise InputError(f"found {value}; numbers above 0 and up to 1 were expected, each exact in binary64, as 1/8 is",
                         "deltas")  # fmt: skip
    return float(exact)


def _row(delta: float, max_updates: int) -> dict[str, Any]:
    X = np.array([[1.0, delta], [-1.0, delta]])
    run = run_of(signed_problem(X, np.array([1, 1])), max_updates)
    bound = 1 + 1 / delta**2
    return {"delta": delta, "updates": run.updates, "bound": bound, "ratio": run.updates / bound,
            "finished": run.separated}  # fmt: skip
