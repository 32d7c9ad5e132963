"""Cover's count and its logarithms, dichotomies and general position of given points, bits, generalization bounds."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from flint import fmpz_mat

import novikoff as nv
from novikoff import approximate_fraction, cover_count, encoding_bits, general_position, log10_cover_count

GRID = [(P, N) for P in range(1, 40) for N in range(45)]


def by_definition(P: int, N: int) -> int:
    """The sum of the theorem, term by term."""
    return 2 * sum(math.comb(P - 1, k) for k in range(N))


def integers(seed: int, many: int, rows: int, columns: int, largest: int) -> list[np.ndarray]:
    """Sets of points of small whole numbers."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-h, h + 1, (rng.integers(1, rows), rng.integers(1, columns)))
            for h in rng.choice([2, min(5, largest), largest], many)]  # fmt: skip


# ---- Cover's count


def test_the_count_is_the_sum_of_the_theorem_and_a_bias_is_one_more_dimension() -> None:
    for P, N in [*GRID, (200, 30), (200, 100), (201, 100), (201, 101), (500, 499), (500, 1)]:
        assert cover_count(P, N) == by_definition(P, N)
        assert nv.separable_fraction(P, N) == Fraction(by_definition(P, N), 2**P)
    assert all(cover_count(P, N, fit_intercept=True) == cover_count(P, N + 1) for P, N in GRID)
    assert nv.separable_fraction(4, 2, fit_intercept=True) == Fraction(14, 16)  # all but XOR and its complement
    powers = [cover_count(10**k, 4) / 10 ** (3 * k) for k in (4, 5, 6)]  # P^(N−1), not P^N
    assert powers == pytest.approx([1 / 3] * 3, rel=1e-3)


def test_logarithms_agree_with_the_exact_counts_and_neither_overflow_nor_underflow() -> None:
    for P, N in [*GRID, (2000, 999), (2000, 1000), (2000, 1001), (3000, 50)]:
        if N == 0:
            assert log10_cover_count(P, N) == nv.log10_fraction(P, N) == -math.inf
            continue
        assert log10_cover_count(P, N) == pytest.approx(math.log10(by_definition(P, N)), rel=1e-13)
        exact = nv.separable_fraction(P, N)
        assert approximate_fraction(P, N) == pytest.approx(float(exact), rel=1e-12)
        near = math.log10(exact.numerator) - math.log10(exact.denominator)
        assert nv.log10_fraction(P, N) == pytest.approx(near, rel=1e-11, abs=1e-13)
    assert approximate_fraction(10**12, 5 * 10**11) == 0.5
    assert nv.log10_fraction(10**12, 5) == pytest.approx(-(10**12) * math.log10(2), rel=1e-9)
    assert approximate_fraction(10**12, 5) == 0.0
    assert 0 < approximate_fraction(10**9, 5 * 10**8 - 50_000) < 0.01
    assert log10_cover_count(10**12, 10**12) == pytest.approx(10**12 * math.log10(2), rel=1e-15)


# ---- dichotomies and general position of given points


@pytest.mark.parametrize("bias", [True, False])
def test_the_count_of_dichotomies_is_that_of_all_labellings(bias: bool) -> None:
    """Every labelling that `decide` calls separable is counted."""
    for X in integers(1, 15, 7, 4, 2):
        signed = [np.array(y)[:, None] * np.hstack([X, np.ones((len(X), int(bias)))])
                  for y in itertools.product((-1, 1), repeat=len(X))]  # fmt: skip
        labels = np.repeat([1, -1], len(X))
        separable = [nv.decide(np.vstack([Z, -Z]), labels, fit_intercept=False).separable for Z in signed]
        assert nv.count_dichotomies(X, bias) == sum(map(bool, separable))


def test_the_corners_of_cubes_have_the_known_numbers_of_threshold_functions() -> None:
    """4, 14, 104, 1,882: threshold functions of 1 to 4 variables (OEIS A000609)."""
    for d, functions in ((1, 4), (2, 14), (3, 104), (4, 1882)):
        assert nv.count_dichotomies(list(itertools.product((0, 1), repeat=d))) == functions


def test_equal_points_have_one_label_and_the_origin_has_none() -> None:
    assert nv.count_dichotomies([[1.0], [1.0]]) == 2
    assert nv.count_dichotomies([[0.0], [1.0]], fit_intercept=False) == 0
    assert nv.count_dichotomies([[2, 2], [1, 5]], through=[2, 2]) == 0  # a plane through a point does not separate it


def padded(X: Any, bias: bool) -> list[list[int]]:
    return [[*map(int, x), *([1] if bias else [])] for x in X]


def check_dependent(Z: list[list[int]], found: Any) -> None:
    """The rows that are named depend on each other, none of them can be left out, and fewer rows never do."""
    rows = [Z[i] for i in found.dependent]
    assert fmpz_mat(rows).rank() == len(rows) - 1 < len(Z[0])
    assert all(fmpz_mat(rows[:i] + rows[i + 1 :]).rank() == len(rows) - 1 for i in range(len(rows)) if len(rows) > 1)
    assert found.independent_up_to < len(rows)
    assert found.independent_up_to == len(rows) - 1 or not found.fewest
    for some in itertools.combinations(Z, found.independent_up_to):
        assert not some or fmpz_mat(list(some)).rank() == len(some)


@pytest.mark.parametrize("bias", [True, False])
def test_general_position_is_the_answer_of_all_determinants(bias: bool) -> None:
    answers = set()
    for X in integers(0, 150, 9, 6, 40):
        found, Z = general_position(X, bias), padded(X, bias)
        k = min(len(Z), len(Z[0]))
        answers.add(found.holds)
        assert found.holds == bool(found) == all(fmpz_mat(list(s)).rank() == k for s in itertools.combinations(Z, k))
        if not found.holds:
            check_dependent(Z, found)
    assert answers == {True, False}


def test_the_only_dependent_subset_is_found() -> None:
    """Three points on a line among twenty, four in a plane of space among twelve, 31 points with one relation."""
    rng = np.random.default_rng(3)
    X = rng.integers(-(10**6), 10**6, (20, 2))
    X[13] = X[4] + 3 * (X[9] - X[4])
    found = general_position(X)
    assert (found.holds, found.dependent, found.fewest) == (False, (4, 9, 13), True)
    X = rng.integers(-(10**6), 10**6, (12, 3))
    X[11] = X[0] + X[5] - X[7]
    found = general_position(X)
    assert (found.dependent, found.independent_up_to) == ((0, 5, 7, 11), 3)
    X = rng.integers(-1000, 1000, (31, 30))
    assert general_position(X, False).holds
    X[30] = X[0] + X[1] + X[2]
    found = general_position(X, False)
    assert (found.holds, found.dependent, found.fewest, found.independent_up_to) == (False, (0, 1, 2, 30), True, 3)
    X = np.zeros((50, 40))
    X[:, :20] = np.random.default_rng(6).standard_normal((50, 20))
    found = general_position(X, False)  # a low rank needs no search
    assert (found.holds, found.rank, len(found.dependent or ())) == (False, 20, 21)


def test_floats_are_taken_exactly() -> None:
    assert not bool(general_position([[0.0], [0.5], [0.5]]))
    assert bool(general_position([[0.1, 0.2], [0.3, 0.6000000000000001]], fit_intercept=False))
    assert not bool(general_position([["0.1", "0.2"], ["0.3", "0.6"]], fit_intercept=False))


def test_a_time_limit_leaves_what_is_proved() -> None:
    X = np.random.default_rng(5).standard_normal((200, 12))
    found = general_position(X, max_time=0.2)
    assert found.holds is None
    assert 2 <= found.independent_up_to < 13
    with pytest.raises(nv.UndecidedError, match="time limit"):
        bool(found)
    with pytest.raises(nv.UndecidedError, match=r"within 0\.1 seconds"):
        nv.count_dichotomies(X, max_time=0.1)


# ---- bits and generalization


def elias_delta(n: int) -> str:
    """The code itself: the length of n in binary by Elias γ, then n without its leading 1."""
    digits = f"{n:b}"
    length = f"{len(digits):b}"
    return "0" * (len(length) - 1) + length + digits[1:]


@pytest.mark.parametrize("order", ["cyclic", "first", "shuffle", "random"])
def test_bits_used_are_at_most_the_bound_on_every_run(order: str) -> None:
    for X in integers(1, 30, 8, 4, 9):
        X, y = np.vstack([X, X[:1]]) / 8, np.arange(len(X) + 1) % 2
        for bias in (True, False):
            run = nv.bits_used(X, y, fit_intercept=bias, order=order, max_updates=300)
            assert run.used == max(run.at_update, default=1) <= run.bound
            assert all(used <= nv.bits_needed(run.s, t) for t, used in enumerate(run.at_update, start=1))


def test_bits_hold_the_largest_possible_weight_and_the_code_of_a_model() -> None:
    for s, t in itertools.product(range(1, 12), range(1, 70)):
        assert (t * (2**s - 1)).bit_length() + 1 <= nv.bits_needed(s, t)
    X, y = nv.example("cornwell")
    assert encoding_bits(nv.Perceptron().fit(X, y)) == encoding_bits([8, -1, 2]) == len(elias_delta(4)) + 3 * 5
    assert encoding_bits(nv.Perceptron(fit_intercept=False).fit(*nv.example("tao"))) == encoding_bits([1, 1])
    many = SimpleNamespace(coef_=np.array([[1.0, 2.0], [0.5, -3.0]]), intercept_=np.array([4.0, 0.25]))
    assert encoding_bits(many) == encoding_bits([1, 2, 4]) + encoding_bits([2, -12, 1])


SIZES = {"bits": 100, "parameters": 3, "updated_rows": 4}


def test_generalization_bounds_are_their_formulas_and_sample_sizes_the_smallest() -> None:
    n, d = 1000, 0.05
    occam, vc, compression = (bound.value for bound in nv.generalization_bound(n, d, **SIZES))
    assert occam == pytest.approx((100 * math.log(2) + math.log(1 / d)) / n)
    assert vc == pytest.approx(2 / n * (math.log2(cover_count(2 * n, 3)) + math.log2(2 / d)))
    assert compression == pytest.approx((math.log(math.comb(n, 4)) + math.log(n / d)) / (n - 4))
    for error in (0.5, 0.1, 0.01, 0.001):
        for method, least in nv.sample_size(error, **SIZES).items():
            value, below = (
                {b.method: b.value for b in nv.generalization_bound(k, **SIZES)} for k in (least, least - 1)
            )
            assert value[method] <= error < below[method]


def test_bounds_that_say_nothing_say_so_and_held_out_errors_give_one_that_does() -> None:
    for bound in nv.generalization_bound(100, **SIZES, errors=3):
        assert (bound.value, bound.vacuous) == (None, False)
        assert "not applicable: the model makes 3 training errors" in str(bound)
    for bound in nv.generalization_bound(5, **SIZES):
        assert bound.vacuous
        assert "vacuous" in str(bound)
    (full,) = nv.generalization_bound(4, updated_rows=4)
    assert "no point is left" in str(full)
    found = nv.generalization_bound(100, bits=10, errors=2, held_out=(0, 58))
    assert [(bound.method, bound.value is None) for bound in found] == [("occam", True), ("held-out", False)]
    assert found[1].value == pytest.approx(1 - 0.05 ** (1 / 58))  # no error: (1 − p)^n = δ
    (only,) = nv.generalization_bound(100, held_out=(7, 7))
    assert only.value == 1


def test_a_bound_is_violated_in_at_most_a_fraction_delta_of_the_draws() -> None:
    """Integer points labelled by a teacher; the error of the perceptron's plane is over the whole grid."""
    grid = np.array([x for x in itertools.product(range(-5, 6), repeat=3) if any(x)], float)
    violated, sharp, draws, points = dict.fromkeys(("occam", "vc", "compression"), 0), 0, 60, 200
    for seed in range(draws):
        rng = np.random.default_rng([7, seed])
        labels = np.where(grid @ rng.standard_normal(3) > 0, 1, -1)
        rows = rng.integers(len(grid), size=points)
        clf = nv.Perceptron(order="cyclic", keep="last", fit_intercept=False, max_iter=10**6)
        used = int((clf.fit(grid[rows], labels[rows]).n_mistakes_ > 0).sum())
        error = float((labels * (grid @ clf.coef_[0]) <= 0).mean())
        for bound in nv.generalization_bound(points, 0.05, encoding_bits(clf), 3, used):
            value = 1.0 if bound.value is None else bound.value
            violated[bound.method] += error > value
            sharp += error > value / 100
    assert max(violated.values()) <= 0.05 * draws
    assert sharp > 0.05 * draws  # the test can fail
