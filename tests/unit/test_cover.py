"""Cover's count: the sum of the definition, consequences, sizes, errors; logarithms and inverse questions."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import novikoff as nv
from novikoff import approximate_fraction, cover_count, log10_cover_count, log10_fraction, separable_fraction

GRID = [(P, N) for P in range(1, 40) for N in range(45)]


def by_definition(P: int, N: int) -> int:
    """The sum of the theorem, term by term."""
    return 2 * sum(math.comb(P - 1, k) for k in range(N))


def test_the_count_is_the_sum_of_the_theorem() -> None:
    for P, N in [*GRID, (200, 30), (200, 100), (201, 100), (201, 101), (500, 499), (500, 1)]:
        assert cover_count(P, N) == by_definition(P, N)
        assert separable_fraction(P, N) == Fraction(by_definition(P, N), 2**P)


def test_a_bias_is_one_more_dimension() -> None:
    assert all(cover_count(P, N, fit_intercept=True) == cover_count(P, N + 1) for P, N in GRID)
    assert separable_fraction(4, 2, fit_intercept=True) == Fraction(14, 16)  # all but XOR and its complement


def test_the_recursion_holds_on_a_grid() -> None:
    for P, N in GRID:
        if N >= 1:
            assert cover_count(P + 1, N) == cover_count(P, N) + cover_count(P, N - 1)


def test_the_consequences_hold() -> None:
    for P, N in GRID:
        if P <= N:
            assert cover_count(P, N) == 2**P
    assert all(cover_count(2 * N, N) == 2 ** (2 * N - 1) for N in (1, 2, 5, 65, 1000))
    powers = [cover_count(10**k, 4) / 10 ** (3 * k) for k in (4, 5, 6)]  # P^(N−1), not P^N
    assert powers == pytest.approx([1 / 3] * 3, rel=1e-3)


def test_logarithms_agree_with_the_exact_counts() -> None:
    for P, N in [*GRID, (2000, 999), (2000, 1000), (2000, 1001), (3000, 50)]:
        if N == 0:
            assert log10_cover_count(P, N) == log10_fraction(P, N) == -math.inf
            continue
        assert log10_cover_count(P, N) == pytest.approx(math.log10(by_definition(P, N)), rel=1e-13)
        exact = separable_fraction(P, N)
        assert approximate_fraction(P, N) == pytest.approx(float(exact), rel=1e-12)
        near = math.log10(exact.numerator) - math.log10(exact.denominator)
        assert log10_fraction(P, N) == pytest.approx(near, rel=1e-11, abs=1e-13)


def test_logarithms_neither_overflow_nor_underflow() -> None:
    assert approximate_fraction(10**12, 5 * 10**11) == 0.5
    assert log10_fraction(10**12, 5) == pytest.approx(-(10**12) * math.log10(2), rel=1e-9)
    assert approximate_fraction(10**12, 5) == 0.0
    assert 0 < approximate_fraction(10**9, 5 * 10**8 - 50_000) < 0.01
    assert log10_cover_count(10**12, 10**12) == pytest.approx(10**12 * math.log10(2), rel=1e-15)


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda: cover_count(-1, 2), "P: found -1; an integer of at least 1"),
        (lambda: cover_count(0, 2), "P: found 0"),
        (lambda: cover_count(2.5, 2), r"P: found 2\.5"),
        (lambda: cover_count(3, -2), "N: found -2"),
        (lambda: cover_count(True, 2), "P: found True"),
        (lambda: cover_count(3, 2, fit_intercept=1), "fit_intercept: found 1"),
        (lambda: cover_count(10**9, 10**8), "P, N: .* digits.*log10_cover_count"),
        (lambda: cover_count(10**15, 10**15), "P, N: .*digits"),
        (lambda: approximate_fraction(10**13, 5), "P: found 1e.13; at most 1e.12"),
    ],
)
def test_bad_sizes_are_refused(call: Any, expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        call()
