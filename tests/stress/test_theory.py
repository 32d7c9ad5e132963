"""The theory on more draws than a test run has time for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from flint import fmpz_mat

import novikoff as nv


def test_general_position_is_that_of_all_determinants() -> None:
    rng = np.random.default_rng(11)
    for _ in range(5000):
        X = rng.integers(-9, 10, (rng.integers(1, 11), rng.integers(1, 7)))
        Z = X.tolist()
        k = min(X.shape)
        exact = all(fmpz_mat([Z[i] for i in some]).rank() == k for some in itertools.combinations(range(len(Z)), k))
        assert bool(nv.general_position(X, False)) == exact


def enumerated(points: np.ndarray, y: np.ndarray) -> int:
    """Count the separable labellings that begin with y, point by point."""
    if y.size == len(points):
        return 1
    found = 0
    for longer in (np.append(y, 1), np.append(y, -1)):
        signed = longer[:, None] * points[: longer.size]
        labels = np.repeat([1, -1], longer.size)  # two classes, whatever y is
        if nv.decide(np.vstack([signed, -signed]), labels, fit_intercept=False).separable:
            found += enumerated(points, longer)
    return found


def test_dichotomies_are_counted_as_they_are_enumerated() -> None:
    rng = np.random.default_rng(12)
    for _ in range(200):
        X = rng.integers(-2, 3, (rng.integers(1, 9), rng.integers(1, 5))).astype(float)
        for bias in (True, False):
            points = np.hstack([X, np.ones((len(X), int(bias)))])
            half = enumerated(points, np.ones(1)) if points[0].any() else 0
            assert 2 * half == nv.count_dichotomies(X, bias)


@pytest.mark.parametrize("seed", range(3))
def test_measured_fractions_agree_with_theory(seed: int) -> None:
    found = nv.capacity_experiment(N=(5, 20, 65), trials=2000, seed=seed, level=1 - 1e-5)
    for row in found.rows:
        assert row["low"] <= row["theory"] <= row["high"]


@pytest.mark.parametrize("seed", range(5))
def test_margin_exponents_are_those_of_the_notes(seed: int) -> None:
    for fit in nv.margin_experiment(trials=1000, seed=seed).fits:
        low, high = fit["interval"]
        assert low - 0.02 <= fit["theory"] <= high + 0.02
