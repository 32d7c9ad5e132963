"""Points that know their labels, taken wherever X and y are: `fit(points)` is `fit(points.X, points.y)`."""

from __future__ import annotations

from typing import Any

from novikoff.errors import InputError


class Labelled:
    """rows: what stands for X, in any storage. labels: what stands for y."""

    rows: Any
    labels: Any


def unpacked(X: Any, y: Any = None, name: str = "y") -> tuple[Any, Any]:
    """X and y, taken out of points where these are given."""
    if not isinstance(X, Labelled):
        return X, y
    if y is not None:
        raise InputError(f"{name}: points have labels of their own; give {name} with points.X, or leave it out")
    return X.rows, X.labels
