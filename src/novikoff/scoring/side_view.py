"""A side view of points and a plane in any number of dimensions: true sides, true distances.

    horizontal   (w·x + b)/|w|, the signed distance from the plane, its sign that of the exact score
    vertical     the first principal direction of the points within the plane

The plane is the vertical line at 0. No feature is set to a made-up value.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.data.problem import unlabelled
from novikoff.scoring.scorer import Scorer

MOST_PRODUCTS = 1000  # points or features up to which the principal direction is found from their products
MOST_NUMBERS = 5_000_000  # of a dense copy
SMALL = 1e-100  # smaller numbers are scaled up: their squares would be 0
ROUNDS = 100  # of the power iteration for larger ones: any direction within the plane is a true view


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
    mean = np.asarray(M.mean(axis=0), np.float64).ravel()
    direction = _within(_principal(M, mean, normal), normal)
    if direction[np.argmax(np.abs(direction))] < 0:
        direction = -direction
    return SideView(distance, np.asarray(M @ direction).ravel() - mean @ direction, direction)


def _principal(M: Any, mean: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return a first principal direction of what is left of the points without their part along the normal."""
    n, d = M.shape
    if min(n, d) > MOST_PRODUCTS or n * d > MOST_NUMBERS:
        return _by_power_iteration(M, mean, normal)
    inside = np.asarray(M.toarray() if hasattr(M, "toarray") else M, np.float64) - mean
    inside -= np.outer(inside @ normal, normal)
    if 0 < (largest := float(np.abs(inside).max())) < SMALL:
        inside /= largest
    if d <= n:
        return np.asarray(np.linalg.eigh(inside.T @ inside)[1][:, -1])
    return np.asarray(inside.T @ np.linalg.eigh(inside @ inside.T)[1][:, -1])


def _by_power_iteration(M: Any, mean: np.ndarray, normal: np.ndarray) -> np.ndarray:
    v = _within(np.random.Generator(np.random.PCG64(0)).normal(size=mean.size), normal)
    for _ in range(ROUNDS):
        u = np.asarray(M @ v).ravel() - mean @ v
        found = _within(np.asarray(M.T @ u).ravel() - mean * u.sum(), normal)
        if np.abs(found - v).max() < 1e-9:
            break
        v = found
    return v


def _within(v: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return the part of v orthogonal to the normal, of length 1; zeros if there is none."""
    rest = v - (v @ normal) * normal
    rest -= (rest @ normal) * normal  # again: the first time leaves a rounding error
    length = float(np.linalg.norm(rest))
    return rest / length if length > 1e-12 * max(float(np.linalg.norm(v)), 1e-300) else np.zeros_like(v)
