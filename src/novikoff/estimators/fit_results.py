"""Name the results of a fit, for the display of an estimator in a notebook."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.pages.displays import between

MOST_CLASSES = 12  # listed by name


def fit_results(estimator: Any) -> list[tuple[str, str]]:
    """Return names and values of what a fit found, from the attributes that the estimator has.

    Examples
    --------
    >>> from novikoff import Perceptron
    >>> fit_results(Perceptron().fit([[0, 0], [1, 0], [0, 1], [1, 1]], [0, 1, 1, 1]))[:3]
    [('classes', '0, 1'), ('ended by', 'separated'), ('updates', '9')]
    """
    found = [("classes", _listed(estimator.classes_.tolist()))]
    for name, attribute in COUNTS:
        value = getattr(estimator, attribute, None)
        if value is not None:
            name = "steps" if name == "passes" and not hasattr(estimator, "n_looks_") else name
            found.append((name, f"{value:,}" if isinstance(value, int | np.integer) else str(value)))
    for name, attribute in NUMBERS:
        if hasattr(estimator, attribute):
            found.append((name, _listed([f"{v:.4g}" for v in np.atleast_1d(getattr(estimator, attribute))])))
    if hasattr(estimator, "margin_"):
        found.append(("margin", between(*estimator.margin_)))
        found.append(("support points", f"{len(estimator.support_):,}"))
    verdict = getattr(estimator, "verdict_", None)
    if verdict is not None and not isinstance(verdict, dict):
        found.append(("points", "separable (proved)" if verdict.separable else "not separable (proved)"))
    return found


COUNTS = (
    ("ended by", "stop_reason_"),
    ("updates", "n_updates_"),
    ("passes", "n_iter_"),
    ("looks", "n_looks_"),
)
NUMBERS = (("C", "C_"), ("objective", "objective_"), ("proved gap", "gap_"))


def _listed(values: Sequence[Any]) -> str:
    shown = ", ".join(map(str, values[:MOST_CLASSES]))
    return shown if len(values) <= MOST_CLASSES else f"{shown} and {len(values) - MOST_CLASSES:,} more"
