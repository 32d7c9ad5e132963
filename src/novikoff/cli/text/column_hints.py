"""Hints about columns that usually harm a linear model: very different scales, row numbers, a category for each row."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

RATIO = 100  # of the largest to the smallest standard deviation
FEW_ROWS = 10  # with fewer there are no hints
MANY = 1 << 22  # numbers: with more there are no hints about them


def column_hints(data: Any, request: Mapping[str, Any]) -> list[str]:
    """Return the hints about the rows of a table in memory, with the options that help."""
    if data.in_a_file or data.stored.form.width is None or data.n < FEW_ROWS:
        return []
    raw = data.stored.raw
    hints = [
        f"hint   column {name} has a different value in every row: --drop {name}, or --text {name} counts its words"
        for name, values in raw.categories.items()
        if len(set(values)) == len(values)
    ]
    if raw.d and not hasattr(raw.numbers, "indptr") and raw.numbers.size <= MANY:
        hints += _of_numbers(raw, request)
    return hints


def _of_numbers(raw: Any, request: Mapping[str, Any]) -> list[str]:
    import numpy as np

    X, names = np.asarray(raw.numbers, np.float64), list(raw.number_names)
    counting = [j for j in range(raw.d) if (X[:, j] == X[0, j] + np.arange(len(X))).all()]
    hints = [f"hint   column {names[j]} numbers the rows: --drop {names[j]}" for j in counting]
    if any(request[name] for name in ("scale", "scale_by", "normalize")):
        return hints
    with np.errstate(all="ignore"):
        spread = np.nan_to_num(np.nanstd(X, axis=0), nan=0.0, posinf=0.0)
    others = [j for j in range(raw.d) if spread[j] > 0 and j not in counting]
    if len(others) > 1:
        low, high = (pick(others, key=spread.__getitem__) for pick in (min, max))
        if spread[high] > RATIO * spread[low]:
            both = ", ".join(f"{names[j]} {_short(float(spread[j]))}" for j in (low, high))
            hints.append(f"hint   the columns have very different scales (deviation of {both}): --scale usually helps")
    return hints


def _short(value: float) -> str:
    """Format a deviation: 0.81, 11,000."""
    return f"{float(f'{value:.2g}'):,.0f}" if 100 <= value < 1e15 else f"{value:.2g}"
