"""Tiny problems full of ties, copies, opposite rays, zero rows, near ties, offsets and columns far apart."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Generator = np.random.Generator
LARGEST, WIDEST = 8, 4  # rows and columns


def degenerate(rng: Generator) -> tuple[Array, NDArray[np.int64], bool]:
    """(X, signs, whether there is a bias)."""
    n, d = int(rng.integers(2, LARGEST + 1)), int(rng.integers(1, WIDEST + 1))
    X = rng.integers(-2, 3, (n, d)).astype(float)
    for change in (_copies, _combinations, _row_scales, _column_scales, _offset, _near, _zeros):
        if rng.random() < 0.3:
            X = change(rng, X)
    y = np.where(X @ rng.integers(-2, 3, d) + rng.integers(-1, 2) > 0, 1, -1)  # a teacher, not always right
    y = np.where(rng.random(n) < rng.choice([0.0, 0.2, 0.5]), -y, y)
    return X, y.astype(np.int64), bool(rng.integers(2))


def _copies(rng: Generator, X: Array) -> Array:
    return X[rng.integers(0, len(X), len(X))]


def _combinations(rng: Generator, X: Array) -> Array:
    for i in range(2, len(X)):
        a, b = X[rng.integers(0, i)], X[rng.integers(0, i)]
        X[i] = [(a + b) / 2, a - b, -a, 2 * a - b][int(rng.integers(4))]
    return X


def _row_scales(rng: Generator, X: Array) -> Array:
    return X * np.ldexp(1.0, rng.integers(-20, 20, (len(X), 1)))


def _column_scales(rng: Generator, X: Array) -> Array:
    return X * np.ldexp(1.0, rng.integers(-40, 40, X.shape[1]))


def _offset(rng: Generator, X: Array) -> Array:
    return X + rng.choice([1e3, 1e6, 1e9, 0.1])


def _near(rng: Generator, X: Array) -> Array:
    return X * (1.0 + rng.integers(-1, 2, X.shape) * 2.0 ** -int(rng.integers(10, 53)))


def _zeros(rng: Generator, X: Array) -> Array:
    X[rng.integers(0, len(X))] = 0.0
    return X
