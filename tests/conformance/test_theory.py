"""The theory of the notes, each statement by its id, through the public names."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import numpy as np
import pytest

import novikoff as nv

N5 = {7: 0.891, 8: 0.773, 9: 0.637, 10: 0.5, 11: 0.377, 12: 0.274}
N65 = {91: 1.000, 104: 0.995, 117: 0.886, 130: 0.5, 143: 0.138, 156: 0.018}


def test_S5_S6_Covers_count_its_consequences_and_the_figure() -> None:
    for P in range(1, 25):
        for N in range(1, 25):
            assert nv.cover_count(P, N) == 2 * sum(comb(P - 1, k) for k in range(N))
            assert nv.cover_count(P + 1, N) == nv.cover_count(P, N) + nv.cover_count(P, N - 1)
            assert (nv.cover_count(P, N) == 2**P) == (P <= N)
        assert nv.cover_count(2 * P, P) == 2 ** (2 * P - 1)
    for N, figure in ((5, N5), (65, N65)):
        for P, fraction in figure.items():
            assert round(float(nv.separable_fraction(P, N)), 3) == fraction
    assert nv.separable_fraction(130, 65) == Fraction(1, 2)


def test_S5a_S5b_Covers_recursion_on_given_points() -> None:
    X = np.random.default_rng(1).standard_normal((12, 4))
    for P in range(1, 12):
        whole, through = nv.count_dichotomies(X[:P], False), nv.count_dichotomies(X[:P], False, through=X[P])
        assert (whole, through) == (nv.cover_count(P, 4), nv.cover_count(P, 3))
        assert nv.count_dichotomies(X[: P + 1], False) == whole + through
    on_a_line = [[0, 0], [1, 1], [2, 2], [3, 0]]
    assert nv.count_dichotomies(on_a_line) < nv.cover_count(4, 2, fit_intercept=True)


def test_S4_general_position_of_smooth_and_of_discrete_points() -> None:
    rng = np.random.default_rng(2)
    assert bool(nv.general_position(rng.standard_normal((30, 3))))
    assert not bool(nv.general_position(rng.integers(0, 2, (30, 3))))
    assert nv.general_position([[0, 0], [1, 1], [3, 3], [1, 0]]).dependent == (0, 1, 2)


def test_S4_general_position_is_not_necessary_for_separability() -> None:
    X, y = [[0, 0], [1, 1], [3, 3]], [-1, 1, 1]
    assert not bool(nv.general_position(X))
    assert nv.decide(X, y).separable


def test_T6_the_sign_needs_a_bit() -> None:
    run = nv.bits_used([[-2], [1]], ["blue", "red"], fit_intercept=False)
    assert (run.s, run.t, run.weights) == (2, 1, (2,))
    assert run.used == 3 == nv.bits_needed(2, 1)


def test_T8_bounds_and_sample_sizes() -> None:
    bounds = nv.generalization_bound(7232, bits=100)
    assert bounds[0].value is not None
    assert bounds[0].value <= 0.01
    assert nv.sample_size(0.01, bits=100) == {"occam": 7232}


def test_Z10a_the_loss_of_a_plane_is_that_of_a_pass_without_updates() -> None:
    X, y = nv.example("cornwell")
    assert nv.perceptron_loss(X, y, [4, -0.5], 1) == 0
    assert nv.perceptron_loss(X, y, [0, 1], 0) == (3 + 1) / 4  # points 1 and 3


@pytest.mark.compiled
def test_S9_S9a_S11_S12_experiments() -> None:
    for row in nv.angle_experiment(N=5, P=20, seed=3).rows:
        assert row["overlap"] >= row["overlap_bound"] * (1 - 1e-12)
        assert row["norm"] <= row["norm_bound"] * (1 + 1e-12)
    assert {fit["in"] for fit in nv.margin_experiment(N=(5, 20), P=(50, 200), trials=50).fits} == {"P", "N"}
    assert nv.worst_case(["1/8", "1/64"]).rows[1]["updates"] > 60 * nv.worst_case(["1/8"]).rows[0]["updates"]
