"""Hints about columns that usually harm a linear model: very different scales, row numbers, a category for each row."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

RATIO = 100  # of the largest to the smallest standard deviation
FEW_ROWS = 10  # with fewer there are no hints
MANY = 1 << 22  # numbers: with more there are no hints about them


def column_hints(data: Any, prepared: Any, request: Mapping[str, Any]) -> list[str]:
    """Return the hints about the rows of a table in memory, with the options that help. prepared: their preparation."""
    if data.stored.spill.active or data.stored.form.width is None or data.n < FEW_ROWS:
        return []
    raw, by_name = data.stored.raw, raw_has_names(data)

    def typed(name: str) -> str:
        """Return a column as an option takes it: by name, in quotes where needed, or by number from 1."""
        if not by_name:
            return name.removeprefix("x")
        return shlex.quote(f'"{name}"' if "," in name else name)

    hints = [
        f"hint   column {name} has a different value in every row: --drop {typed(name)}, or --text {typed(name)} "
        "counts its words"
        for name, values in raw.categories.items()
        if len(set(values)) == len(values)
    ]
    if raw.d and not hasattr(raw.numbers, "indptr") and raw.numbers.size <= MANY:
        names = [prepared.names[j] for j in range(raw.d)]
        hints += _of_numbers(raw, names, data.stored.numbering, typed, request)
    return hints


def raw_has_names(data: Any) -> bool:
    """Whether the columns of a table have names, not numbers."""
    form = data.stored.form
    return all(isinstance(c, str) for c in (form.label, *form.text, *form.categories) if c is not None)


def _of_numbers(
    raw: Any, names: list[str], rows: Any, typed: Callable[[str], str], request: Mapping[str, Any]
) -> list[str]:
    """Return the hints about columns of numbers. rows: the numbers of the rows in the file; None for 0, 1, 2, …"""
    import numpy as np

    X, place = np.asarray(raw.numbers, np.float64), np.arange(raw.n) if rows is None else np.asarray(rows, np.float64)
    counting = [j for j in range(raw.d) if (X[:, j] - X[0, j] == place - place[0]).all()]
    hints = [f"hint   column {names[j]} numbers the rows: --drop {typed(names[j])}" for j in counting if names[j]]
    if any(request[name] for name in ("scale", "normalize")):
        return hints
    return hints + scale_hints(X, names, counting)


def scale_hints(X: Any, names: Sequence[str], without: Sequence[int] = ()) -> list[str]:
    """Return the hint about columns of very different scales, if they are. without: columns that do not count."""
    import numpy as np

    with np.errstate(all="ignore"):
        spread = np.nan_to_num(np.nanstd(X, axis=0), nan=0.0, posinf=0.0)
    others = [j for j in range(X.shape[1]) if spread[j] > 0 and j not in without]
    if len(others) < 2:
        return []
    low, high = (pick(others, key=spread.__getitem__) for pick in (min, max))
    if spread[high] <= RATIO * spread[low]:
        return []
    both = ", ".join(f"{names[j]} {_short(float(spread[j]))}" for j in (low, high))
    return [f"hint   the columns have very different scales (deviation of {both}): --scale usually helps"]


def _short(value: float) -> str:
    """Format a deviation: 0.81, 11,000."""
    return f"{float(f'{value:.2g}'):,.0f}" if 100 <= value < 1e15 else f"{value:.2g}"
