"""The worst case: two points with opposite labels at distance 2δ, with δ → 0.

    (1/2, 1) and (1, δ) positive, (1, −δ) negative:   γ = δ,   R² = 5/4 for δ ≤ 1/2

After the first update w = (1/2, 1), and then the two close points are added in turn: w = (∓1/2, 1 + mδ) after m more
updates, until δ·(1 + mδ) > 1/2. That is about 1/(2δ²) updates, a constant part of the bound (R/γ)² = 5/(4δ²).

From the notes: S12 (Sompolinsky, the worst case: two opposite examples very close, time → ∞).
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Number
from novikoff.data.exact_points import exact_number
from novikoff.errors import InputError
from novikoff.theory.experiments.experiment_table import Experiment
from novikoff.theory.experiments.perceptron_runs import run_of, signed_problem
from novikoff.theory.experiments.trials import several_of

DELTAS = tuple(f"1/{2**k}" for k in range(1, 9))


def worst_case(deltas: Sequence[Number] = DELTAS, max_updates: int = 10_000_000) -> Experiment:
    """Count the updates on two points with opposite labels at distance 2δ, against the mistake bound.

    updates/(R/γ)²  for  γ = δ → 0

    Parameters
    ----------
    deltas : half the distances, above 0 and up to 1/2, each exact in binary64
    max_updates : limit of each run

    Examples
    --------
    >>> import novikoff as nv
    >>> [(row["updates"], row["bound"]) for row in nv.worst_case(["1/2", "1/4", "1/8"]).rows]
    [(2, 5.0), (6, 20.0), (26, 80.0)]
    """
    argument_checks.whole("max_updates", max_updates, 1, optional=False)
    rows = [_row(_delta(value), max_updates) for value in several_of("deltas", deltas)]
    censored = [row for row in rows if not row["finished"]]
    notes = (f"{len(censored)} runs were stopped after {max_updates:,} updates",) if censored else ()
    return Experiment("worst", 0, 1, rows, [], notes)


def _delta(value: Any) -> float:
    exact = exact_number(value, "deltas")
    if not 0 < 2 * exact <= 1 or Fraction(float(exact)) != exact or float(exact) < 1e-150:
        raise InputError(f"found {value}; numbers above 0 and up to 1/2 were expected, each exact in binary64, as 1/8",
                         "deltas")  # fmt: skip
    return float(exact)


def _row(delta: float, max_updates: int) -> dict[str, Any]:
    X = np.array([[0.5, 1.0], [1.0, delta], [1.0, -delta]])
    run = run_of(signed_problem(X, np.array([1, 1, -1])), max_updates)
    bound = 1.25 / delta**2
    return {"delta": delta, "updates": run.updates, "bound": bound, "ratio": run.updates / bound,
            "finished": run.separated}  # fmt: skip
