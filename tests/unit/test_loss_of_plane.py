"""The perceptron loss of a plane: against fractions, from every storage."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

import novikoff as nv
from novikoff.scoring.loss_of_plane import perceptron_loss


def by_fractions(X: np.ndarray, y: np.ndarray, w: Any, b: float | None) -> float:
    total = Fraction(0)
    for x, sign in zip(X.tolist(), y.tolist(), strict=True):
        score = sum((Fraction(a) * Fraction(float(v)) for a, v in zip(x, w, strict=True)), Fraction(b or 0))
        total -= min(sign * score, Fraction(0))
    return float(total / len(y))


@pytest.mark.parametrize("bias", [True, False])
def test_Z10a_the_loss_is_the_exact_mean_rounded_once(bias: bool) -> None:
    rng = np.random.default_rng(1)
    for size in (1.0, 1e-200, 1e130):
        for _ in range(10):
            n, d = int(rng.integers(2, 40)), int(rng.integers(1, 6))
            X = rng.standard_normal((n, d)) * size * 10.0 ** rng.integers(-8, 8, (n, d))
            y = rng.choice([-1, 1], n)
            y[:2] = -1, 1
            w, b = rng.standard_normal(d), float(rng.standard_normal()) if bias else None
            expected = by_fractions(X, y, w, b)
            assert perceptron_loss(X, y, w, b) == expected
            assert perceptron_loss(sp.csr_matrix(X), y, w, b) == expected
            assert perceptron_loss(np.asfortranarray(X), y, w, b) == expected


def test_sums_that_cancel_are_exact() -> None:
    X = np.array([[1e16, 1.0], [-1e16, 1.0], [0.0, 1.0]])
    y = np.array([-1, -1, 1])
    assert perceptron_loss(X, y, [1, 1]) == by_fractions(X, y, [1, 1], None)
    assert perceptron_loss([[1e16], [3.0], [-1.0]], [-1, -1, 1], [1.0]) == (10**16 + 4) / 3


def test_the_loss_is_zero_exactly_if_no_point_is_on_the_wrong_side() -> None:
    X, y = nv.example("or")
    assert perceptron_loss(X, y, [2, 2], -1) == 0
    assert perceptron_loss(X, y, [0, 0], 0) == 0  # ties lack nothing
    assert perceptron_loss(X, y, [0, 0], 5) == 5 / 4
    assert perceptron_loss(X, y, [2, 2], 1e-300) == 2.5e-301


def test_many_rows_are_summed_in_blocks() -> None:
    rng = np.random.default_rng(2)
    X, y = rng.standard_normal((9000, 3)), rng.choice([-1, 1], 9000)
    assert perceptron_loss(X, y, [1, -2, 0.5], 0.1) == by_fractions(X, y, [1, -2, 0.5], 0.1)


@pytest.mark.parametrize(
    ("w", "b", "expected"),
    [([1], 0, "w: found 1 numbers"), ([1, "a"], 0, "w, b: found"), ([1, float("nan")], 0, "w: not finite"),
     ([1, 2], float("inf"), "b: not finite"), (None, None, "w")],
)  # fmt: skip
def test_bad_planes_are_refused(w: Any, b: Any, expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        perceptron_loss(*nv.example("or"), w, b)
