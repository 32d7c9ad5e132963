"""The side of an arrow's tip on which its text covers no point."""

from __future__ import annotations

import numpy as np

from novikoff.plot.geometry.straight_lines import Limits

SIDES = tuple((float(right), float(up)) for right in (1, 0, -1) for up in (1, 0, -1) if right or up)
AWAY = 0.05  # of the longer side of the panel: from the tip to the middle of the text
NEAR = 0.07  # of the same: a text that far from everything is readable; farther is not better


def free_side(
    tip: np.ndarray, start: np.ndarray, points: np.ndarray, x_limits: Limits, y_limits: Limits
) -> tuple[float, float]:
    """Return the side (right, up) of the tip that is farthest from the points and from the arrow, inside the limits.

    Each of right and up is −1, 0 or 1. Of equally good sides the first is right and above.

    Examples
    --------
    >>> square, tip, start = (0.0, 1.0), np.array([0.5, 0.5]), np.array([0.5, 0.2])
    >>> free_side(tip, start, np.array([[0.0, 0.0]]), square, square)
    (1.0, 1.0)
    >>> free_side(tip, start, np.array([[0.55, 0.55]]), square, square)
    (-1.0, 1.0)
    """
    limits = np.array([x_limits, y_limits])
    unit = float((limits[:, 1] - limits[:, 0]).max())
    shaft = start + np.linspace(0.0, 1.0, 9)[:, None] * (tip - start)
    covered = np.vstack([points, shaft])

    def room(side: tuple[float, float]) -> float:
        middle = tip + AWAY * unit * np.array(side)
        if (middle < limits[:, 0]).any() or (middle > limits[:, 1]).any():
            return -1.0
        return min(NEAR, float(np.sqrt(((covered - middle) ** 2).sum(axis=1).min())) / unit)

    rooms = [round(room(side), 3) for side in SIDES]
    return SIDES[int(np.argmax(rooms))]
