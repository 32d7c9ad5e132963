"""A side view of points and a plane in any number of dimensions: true distances, true sides.

    horizontal   (w·x + b)/|w|, the signed distance from the plane
    vertical     the first principal direction of the points within the plane

The plane is the vertical line at 0. No feature is set to a made-up value.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

MOST_FEATURES = 2000  # up to which the principal direction is computed from the features' products


class SideView(NamedTuple):
    """The coordinates of each point, and the direction (of length 1, orthogonal to w) that is drawn vertically."""

    distance: np.ndarray
    along: np.ndarray
    direction: np.ndarray


def side_view(X: np.ndarray, w: np.ndarray, b: float) -> SideView:
    """Return the side view of points X (n, d) and the plane w·x + b = 0, w ≠ 0.

    Examples
    --------
    >>> view = side_view(np.array([[3.0, 0, 0], [-1, 4, 0]]), np.array([2.0, 0, 0]), 2.0)
    >>> view.distance.tolist(), np.abs(view.direction).tolist()
    ([4.0, 0.0], [0.0, 1.0, 0.0])
    """
    length = float(np.linalg.norm(w))
    normal = w / length
    distance = (X @ w + b) / length
    inside = X - np.outer(X @ normal, normal)
    inside = inside - inside.mean(axis=0)
    direction = _principal(inside)
    direction = direction - (direction @ normal) * normal
    size = float(np.linalg.norm(direction))
    direction = direction / size if size > 0 else direction
    if direction[np.argmax(np.abs(direction))] < 0:
        direction = -direction
    return SideView(distance, X @ direction, direction)


def _principal(centered: np.ndarray) -> np.ndarray:
    """Return the first principal direction of centered points."""
    n, d = centered.shape
    if d <= min(n, MOST_FEATURES):
        return np.asarray(np.linalg.eigh(centered.T @ centered)[1][:, -1])
    if n <= MOST_FEATURES:
        vectors = np.linalg.eigh(centered @ centered.T)[1][:, -1]
        return np.asarray(centered.T @ vectors)
    direction = np.ones(d)  # power iterations: any direction within the plane is a true picture
    for _ in range(50):
        direction = centered.T @ (centered @ direction)
        direction /= max(float(np.linalg.norm(direction)), 1e-300)
    return direction
