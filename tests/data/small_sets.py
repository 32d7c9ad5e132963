"""Small random sets of points, and a fit without its warning, for tests of all folders."""

from __future__ import annotations

import warnings
from typing import Any, TypeVar

import numpy as np

import novikoff as nv

Estimator = TypeVar("Estimator")


def noisy_teacher(n: int = 60, d: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian points labelled ±1 by a plane, then 30 % of the labels flipped: no plane separates them."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    y = np.where(X @ rng.standard_normal(d) + 0.2 > 0, 1, -1)
    y[rng.random(n) < 0.3] *= -1
    return X, y


def random_labels(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian points with labels 0 and 1 that do not depend on them."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, d)), rng.integers(0, 2, n)


def labels_in_turn(n: int, d: int, classes: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Gaussian points with labels 0, 1, …, classes − 1, 0, 1, …"""
    return np.random.default_rng(seed).standard_normal((n, d)), np.arange(n) % classes


def fit_quietly(estimator: Estimator, X: Any, y: Any, *valid: Any, **more: Any) -> Estimator:
    """The estimator, fitted; that no plane was found is no warning here."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=nv.NotSeparatedWarning.__mro__[1])
        estimator.fit(X, y, *valid, **more)  # type: ignore[attr-defined]
    return estimator
