"""Points as exact computations read them: rows of numbers in memory, with or without labels."""

from __future__ import annotations

from typing import Any

from novikoff.data.labelled_points import Labelled, unpacked_in_memory


def numbers_in_memory(X: Any, y: Any, what: str) -> tuple[Any, Any]:
    """Return rows of numbers and labels; of points of `read`, their own. what: what needs all rows in memory."""
    if not isinstance(X, Labelled):
        return X, y
    from novikoff.data.problem import unlabelled

    X, y = unpacked_in_memory(X, y, what)
    numbers = unlabelled(X).matrix()
    return numbers.toarray() if hasattr(numbers, "toarray") else numbers, y
