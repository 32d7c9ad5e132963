"""Lines w·x + b = 0 in the plane, computed from w and b and cut at the edges of a rectangle."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from novikoff.pages.window import Limits


def line_across(w: Sequence[float], b: float, x_limits: Limits, y_limits: Limits) -> np.ndarray | None:
    """Return the two ends (2, 2) of the line w·x + b = 0 inside a rectangle; None if it does not cross it.

    foot −b·w/|w|² ± t·(−w₂, w₁),  t cut at the four edges

    Examples
    --------
    >>> line_across([1, 1], -1, (0, 1), (0, 1)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    >>> line_across([1, 0], -5, (0, 1), (0, 1))
    """
    normal = np.asarray(w, np.float64)
    length = float(np.hypot(*normal))
    if not np.isfinite(length) or length == 0:
        return None
    normal, offset = normal / length, float(b) / length
    direction = np.array([-normal[1], normal[0]])
    middle = np.array([np.mean(x_limits), np.mean(y_limits)])
    foot = middle - (normal @ middle + offset) * normal
    first, last = -np.inf, np.inf
    for j, (low, high) in enumerate((x_limits, y_limits)):
        if direction[j] == 0:
            if not low <= foot[j] <= high:
                return None
            continue
        ends = sorted(((low - foot[j]) / direction[j], (high - foot[j]) / direction[j]))
        first, last = max(first, ends[0]), min(last, ends[1])
    if not first < last:
        return None
    return np.array([foot + first * direction, foot + last * direction])
