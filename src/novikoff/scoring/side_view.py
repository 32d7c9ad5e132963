"""A side view of points and a plane in any number of dimensions: true sides, true distances.

    horizontal   (w·x + b)/|w|, the signed distance from the plane, its sign that of the exact score
    vertical     the first principal direction of the points within the plane (of at most 1,000 rows)

The plane is the vertical line at 0. No feature is set to a made-up value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.data.problem import unlabelled
from novikoff.scoring.scorer import Scorer

MOST_ROWS, MOST_NUMBERS = 1000, 5_000_000  # whose first principal direction is computed: evenly spaced rows of more


class SideView(NamedTuple):
    """The coordinates of each point, and the direction (of length 1, orthogonal to w) that is drawn vertically."""

    distance: np.ndarray
    along: np.ndarray
    direction: np.ndarray


def side_view(X: Any, w: np.ndarray, b: float) -> SideView:
    """Return the side view of points X (n, d), an array or a sparse matrix, and the plane w·x + b = 0, w ≠ 0.

    Examples
    --------
    >>> view = side_view(np.array([[3.0, 0, 0], [-1, 4, 0]]), np.array([2.0, 0, 0]), 2.0)
    >>> view.distance.tolist(), np.abs(view.direction).tolist()
    ([4.0, 0.0], [0.0, 1.0, 0.0])
    """
    problem, w = unlabelled(X), np.asarray(w, np.float64)
    largest = float(np.abs(w).max())
    length = largest * float(np.linalg.norm(w / largest))
    distance = Scorer(problem).scores(w, float(b)) / length
    M, normal = problem.matrix(), w / length
    rows = min(problem.n, MOST_ROWS, max(2, MOST_NUMBERS // problem.d))
    some = M[np.linspace(0, problem.n - 1, rows).astype(np.intp)]
    inside = np.asarray(some.toarray() if hasattr(some, "toarray") else some, np.float64)
    mean = inside.mean(axis=0)
    inside -= mean
    inside -= np.outer(inside @ normal, normal)
    direction = _within(np.linalg.svd(inside, full_matrices=False)[2][0], normal)
    if direction[np.argmax(np.abs(direction))] < 0:
        direction = -direction
    return SideView(distance, np.asarray(M @ direction).ravel() - mean @ direction, direction)


def _within(v: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return the part of v orthogonal to the normal, of length 1; zeros if there is none."""
    rest = v - (v @ normal) * normal
    rest -= (rest @ normal) * normal  # again: the first time leaves a rounding error
    length = float(np.linalg.norm(rest))
    return rest / length if length > 1e-12 * max(float(np.linalg.norm(v)), 1e-300) else np.zeros_like(v)
