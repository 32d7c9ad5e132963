"""Sums whose bits depend on nothing but the numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from novikoff.sides.summation import grid_for, length, lengths, on_grid, root_above


@pytest.mark.parametrize("seed", range(20))
def test_sums_on_a_grid_are_exact_in_every_order(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, 500)) * 10.0 ** rng.integers(-9, 9, (2, 500))
    grid = grid_for(float(np.sqrt(a @ a) * np.sqrt(b @ b)) * 1.01)
    terms = [on_grid(x, z, grid) for x, z in zip(a.tolist(), b.tolist(), strict=True)]
    exact = sum(map(Fraction, terms))
    for order in (np.arange(500), np.argsort(a), rng.permutation(500)):
        total = 0.0
        for k in order.tolist():
            total += terms[k]
        assert Fraction(total) == exact
    true = sum(Fraction(x) * Fraction(z) for x, z in zip(a.tolist(), b.tolist(), strict=True))
    assert abs(exact - true) <= 500 * Fraction(2) ** -48 * Fraction(float(np.abs(a) @ np.abs(b)) * 20)


def test_products_below_half_of_the_grid_vanish() -> None:
    grid = grid_for(1.0)  # multiples of 2^-50
    assert on_grid(2.0**-30, 2.0**-22, grid) == 0.0
    assert on_grid(3.0, 2.0**-50, grid) == 3 * 2.0**-50


@pytest.mark.parametrize("x", [1.0, 2.0, 3.99, 4.0, 4.01, 0.25, 0.26, 1e-200, 1e200, 2.0**-1000, 2.0**999])
def test_the_power_of_two_above_a_root_is_the_smallest(x: float) -> None:
    root = root_above(x)
    assert math.frexp(root)[0] == 0.5
    assert Fraction(root) ** 2 >= Fraction(x) > Fraction(root / 2) ** 2


@pytest.mark.parametrize("d", [1, 2, 3, 17, 1000, 40_000])
@pytest.mark.parametrize("scale", [1.0, 1e-250, 1e150])
def test_lengths_are_right_and_columns_of_zeros_change_no_bit(d: int, scale: float) -> None:
    rows = np.random.default_rng(d).standard_normal((3, d)) * scale
    wide = np.column_stack([rows, np.zeros((3, 5 * d))])
    assert lengths(wide) == lengths(rows)
    for row, found in zip(rows, lengths(rows), strict=True):
        assert found == pytest.approx(math.hypot(*row.tolist()), rel=1e-13)
        assert length(row) == found


def test_nothing_has_length_zero_but_zeros() -> None:
    assert length(np.zeros(4)) == 0.0
    assert length(np.array([5e-324, 0.0])) == 5e-324
