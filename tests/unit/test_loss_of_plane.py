"""The perceptron loss of a plane: against fractions, from every storage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff import perceptron_loss


def by_fractions(X: np.ndarray, y: np.ndarray, w: Any, b: float | None) -> tuple[float, float]:
    """The mean, rounded once, and the largest error that binary64 sums may have."""
    total, size = Fraction(0), 0.0
    for x, sign in zip(X.tolist(), y.tolist(), strict=True):
        score = sum((Fraction(a) * Fraction(float(v)) for a, v in zip(x, w, strict=True)), Fraction(b or 0))
        total -= min(sign * score, Fraction(0))
        size += sum(abs(a * float(v)) for a, v in zip(x, w, strict=True)) + abs(b or 0.0)
    return float(total / len(y)), (X.shape[1] + 2) * 2.0**-52 * size / len(y)


@pytest.mark.parametrize("bias", [True, False])
def test_Z10a_the_loss_is_the_mean_that_fractions_give(bias: bool) -> None:
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-200, 1e130):
        for _ in range(10):
            n, d = int(rng.integers(2, 40)), int(rng.integers(1, 6))
            X = rng.standard_normal((n, d)) * size * 10.0 ** rng.integers(-8, 8, (n, d))
            y = rng.choice([-1, 1], n)
            y[:2] = -1, 1
            w, b = rng.standard_normal(d), float(rng.standard_normal()) if bias else None
            expected, error = by_fractions(X, y, w, b)
            for rows in (X, sp.csr_matrix(X), np.asfortranarray(X)):
                assert abs(perceptron_loss(rows, y, w, b) - expected) <= error


def test_a_point_on_the_plane_lacks_nothing_though_its_sum_rounds() -> None:
    """0.1·3 − 0.3 is above 0 in exact numbers: the first point is on its own side."""
    exact = Fraction(0.1) * 3 - Fraction(0.3)
    assert exact > 0
    assert perceptron_loss([[3.0], [0.0]], [1, -1], [0.1], -0.3) == 0


def test_the_loss_is_zero_exactly_if_no_point_is_on_the_wrong_side() -> None:
    X, y = nv.example("or")
    assert perceptron_loss(X, y, [2, 2], -1) == 0
    assert perceptron_loss(X, y, [0, 0], 0) == 0  # ties lack nothing
    assert perceptron_loss(X, y, [0, 0], 5) == 5 / 4
    assert perceptron_loss(X, y, [2, 2], 1e-300) == 2.5e-301


@pytest.mark.parametrize(
    ("w", "b", "expected"),
    [([1], 0, "w: found 1 numbers"), ([1, "a"], 0, "w, b: found"), ([1, float("nan")], 0, "w: not finite"),
     ([1, 2], float("inf"), "b: not finite"), (None, None, "w")],
)  # fmt: skip
def test_bad_planes_are_refused(w: Any, b: Any, expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        perceptron_loss(*nv.example("or"), w, b)
