"""Lay out points of more than two features in a picture: on their true side of a plane, at their true distance.

    across   (w·x + b)/|w|, the signed distance from the plane, its sign that of the exact score
    up       the coordinate along the direction of largest variance among those within the plane

No feature is fixed at some value: the vertical line at 0 is the plane itself.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.data.problem import unlabelled
from novikoff.scoring.scorer import Scorer

ROUNDS = 100  # of the power iteration: the direction only has to be a good view


def along_plane(X: Any, w: np.ndarray, b: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the two coordinates of each row of X, an array or a sparse matrix."""
    problem = unlabelled(X)
    largest = float(np.abs(w).max())
    length = largest * float(np.linalg.norm(w / largest))
    across = Scorer(problem).scores(np.asarray(w, np.float64), float(b)) / length
    normal = np.asarray(w, np.float64) / length
    return across, _widest_direction(problem.matrix(), normal)


def _widest_direction(M: Any, normal: np.ndarray) -> np.ndarray:
    """Return the coordinates along the first principal direction orthogonal to the normal, by power iteration."""
    mean = np.asarray(M.mean(axis=0)).ravel().astype(np.float64)
    v = _within(np.random.Generator(np.random.PCG64(0)).normal(size=mean.size), normal)
    for _ in range(ROUNDS):
        u = np.asarray(M @ v).ravel() - mean @ v
        found = _within(np.asarray(M.T @ u).ravel() - mean * u.sum(), normal)
        if not found.any():
            return np.zeros(M.shape[0])
        if np.abs(found - v).max() < 1e-9:
            break
        v = found
    return np.asarray(np.asarray(M @ v).ravel() - mean @ v)


def _within(v: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """Return the part of v orthogonal to the normal, of length 1; zeros if there is none."""
    rest = v - (v @ normal) * normal
    rest -= (rest @ normal) * normal  # again: the first time leaves a rounding error
    length = float(np.linalg.norm(rest))
    return rest / length if length > 1e-12 * max(float(np.linalg.norm(v)), 1e-300) else np.zeros_like(v)
