"""Generalization bounds: their formulas, and how often simulated draws violate them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff import cover_count, generalization_bound, sample_size

DELTA = 0.05
SIZES = {"bits": 100, "parameters": 3, "updated_rows": 4}


def test_T8_bounds_are_their_formulas() -> None:
    n, d = 1000, 0.05
    occam, vc, compression = (bound.value for bound in generalization_bound(n, d, **SIZES))
    assert occam == pytest.approx((100 * math.log(2) + math.log(1 / d)) / n)
    assert vc == pytest.approx(2 / n * (math.log2(cover_count(2 * n, 3)) + math.log2(2 / d)))
    assert compression == pytest.approx((math.log(math.comb(n, 4)) + math.log(n / d)) / (n - 4))


def test_T8_sample_sizes_are_the_smallest() -> None:
    for error in (0.5, 0.1, 0.01, 0.001):
        for method, n in sample_size(error, **SIZES).items():
            value = {b.method: b.value for k in (n,) for b in generalization_bound(k, **SIZES)}
            below = {b.method: b.value for b in generalization_bound(n - 1, **SIZES)}
            assert value[method] <= error < below[method]


def test_training_errors_and_vacuous_bounds_are_said() -> None:
    for bound in generalization_bound(100, **SIZES, errors=3):
        assert bound.value is None
        assert not bound.vacuous
        assert "not applicable: the model makes 3 training errors" in str(bound)
    for bound in generalization_bound(5, **SIZES):
        assert bound.vacuous
        assert "vacuous" in str(bound)
    (full,) = generalization_bound(4, updated_rows=4)
    assert "no point is left" in str(full)


def test_held_out_errors_give_a_bound_that_holds_with_training_errors_too() -> None:
    found = generalization_bound(100, bits=10, errors=2, held_out=(0, 58))
    assert [bound.method for bound in found] == ["occam", "held-out"]
    assert found[0].value is None
    assert found[1].value == pytest.approx(1 - DELTA ** (1 / 58))  # no error: (1 − p)^n = δ
    (only,) = generalization_bound(100, held_out=(7, 7))
    assert only.value == 1
    for wrong in ((8, 7), (-1, 7), (0, 0), 5):
        with pytest.raises(nv.InputError, match="held_out"):
            generalization_bound(100, held_out=wrong)


def test_T8_a_bound_is_violated_in_at_most_a_fraction_delta_of_the_draws() -> None:
    """Integer points labelled by a teacher; the error of the perceptron's plane is over the whole grid."""
    grid = np.array([x for x in itertools.product(range(-5, 6), repeat=3) if any(x)], float)
    violated, sharp, draws, points = dict.fromkeys(("occam", "vc", "compression"), 0), 0, 150, 200
    for seed in range(draws):
        rng = np.random.default_rng([7, seed])
        labels = np.where(grid @ rng.standard_normal(3) > 0, 1, -1)
        rows = rng.integers(len(grid), size=points)
        clf = nv.Perceptron(order="cyclic", keep="last", fit_intercept=False, max_iter=10**6).fit(
            grid[rows], labels[rows]
        )
        used = int((clf.n_mistakes_ > 0).sum())
        error = float((labels * (grid @ clf.coef_[0]) <= 0).mean())
        for bound in generalization_bound(points, DELTA, nv.encoding_bits(clf), 3, used):
            value = 1.0 if bound.value is None else bound.value
            violated[bound.method] += error > value
            sharp += error > value / 100
    assert max(violated.values()) <= DELTA * draws
    assert sharp > DELTA * draws  # the test can fail


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: generalization_bound(0, bits=1), "n: found 0"),
        (lambda: generalization_bound(10), "bits, parameters, updated_rows: found none"),
        (lambda: generalization_bound(10, bits=0), "bits: found 0"),
        (lambda: generalization_bound(10, delta=1, bits=3), "delta: found 1"),
        (lambda: sample_size(0, bits=3), "error: found 0"),
        (lambda: sample_size(1e-12, bits=300), "error: more than 1e.11 points"),
    ],
)
def test_bad_arguments_are_refused(call: Any, expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        call()
