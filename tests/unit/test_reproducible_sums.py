"""Sums whose bits depend on nothing but the numbers."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from novikoff.kernels import dense, dense32, reproducible_sums, sparse
from novikoff.kernels.compile import bind
from novikoff.kernels.reproducible_sums import grid_for, length, lengths, off_grid, on_grid, root_above


def rounded(a: float, b: float, g: Fraction) -> Fraction:
    """a·b, rounded to binary64 and then to the nearest multiple of g, the even one of two."""
    return round(Fraction(a * b) / g) * g


def summed(a: list[float], b: list[float], grid: float) -> float:
    total = 0
    for x, z in zip(a, b, strict=True):
        total += int(on_grid(x, z, grid))
    return float(off_grid(np.uint64(total % 2**64).view(np.int64), len(a), grid))


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("seed", range(20))
def test_sums_on_a_grid_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.standard_normal((2, 500)) * 10.0 ** rng.integers(-9, 9, (2, 500))
    grid = grid_for(float(np.sqrt(a @ a) * np.sqrt(b @ b)) * 1.01)
    g = Fraction(grid) / 3 / 2**51
    exact = sum(rounded(x, z, g) for x, z in zip(a.tolist(), b.tolist(), strict=True))
    assert Fraction(summed(a.tolist(), b.tolist(), grid)) == exact
    true = sum(Fraction(x) * Fraction(z) for x, z in zip(a.tolist(), b.tolist(), strict=True))
    assert abs(exact - true) <= 500 * Fraction(2) ** -48 * Fraction(float(np.abs(a) @ np.abs(b)) * 20)


@pytest.mark.filterwarnings("ignore:overflow")
def test_products_below_half_of_the_grid_vanish_and_halves_go_to_the_even_multiple() -> None:
    grid = grid_for(1.0)  # multiples of 2^-50
    assert summed([2.0**-30], [2.0**-22], grid) == 0.0
    assert summed([3.0], [2.0**-50], grid) == 3 * 2.0**-50
    for half, even in ((0.5, 0), (1.5, 2), (-0.5, 0), (-1.5, -2), (2.5, 2)):
        assert summed([half], [2.0**-50], grid) == even * 2.0**-50
        assert summed([half, half], [2.0**-50, 2.0**-50], grid) == 2 * even * 2.0**-50  # whatever was added before


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("power", [-2000, -900, -899, -1, 0, 1, 500, 960])
def test_the_unit_of_every_grid_is_found(power: int) -> None:
    most = math.ldexp(1.0, max(power, -1074))
    grid = grid_for(most)
    g = grid / 3 / 2.0**51
    assert math.frexp(g)[0] == 0.5
    assert summed([g, -3.0 * g], [7.0, 5.0], grid) == -8 * g


@pytest.mark.filterwarnings("ignore:overflow")
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("d", [1, 7, 33, 100, 517])
def test_a_step_returns_the_score_before_it_on_the_grid_from_every_storage(seed: int, d: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((2, d)).astype(np.float32)
    w0, rate = rng.standard_normal(d) * 1e3, 0.37
    grid = grid_for(float(np.linalg.norm(w0) * np.linalg.norm(X[1].astype(np.float64))) * 1.01)
    g = Fraction(grid) / 3 / 2**51
    expected = sum(rounded(a, b, g) for a, b in zip(w0.tolist(), X[1].tolist(), strict=True))
    rows = (X.ravel(), np.tile(np.arange(d, dtype=np.int32), 2), np.arange(3) * d)
    for storage, A in ((dense, X), (dense, X.astype(np.float64)), (dense32, X), (sparse, rows)):
        for compiled in (False, True):
            w, v, u = w0.copy(), w0.astype(np.float32), np.zeros(d)
            score = bind(storage.step, storage, compiled)(A, 1, w, v, rate, grid)
            assert Fraction(float(score)) == expected
            assert w.tolist() == (w0 + rate * X[1].astype(np.float64)).tolist()
            w = w0.copy()
            assert bind(storage.step_and_sum, storage, compiled)(A, 1, w, v, rate, grid, u, 2.0) == score
            assert u.tolist() == (2.0 * X[1].astype(np.float64)).tolist()


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
    compiled = bind(reproducible_sums.sums_of_squares, reproducible_sums)
    assert lengths(wide, compiled) == lengths(rows, compiled) == lengths(rows)
    for row, found in zip(rows, lengths(rows), strict=True):
        assert found == pytest.approx(math.hypot(*row.tolist()), rel=1e-13)
        assert length(row) == found


@pytest.mark.parametrize("d", [1, 2, 3, 16, 16_383, 16_384, 16_385, 40_000])
@pytest.mark.parametrize("scale", [1.0, 1e-250, 1e150])
def test_a_last_column_given_apart_has_the_bits_of_one_among_the_others(d: int, scale: float) -> None:
    rows = np.random.default_rng(d).standard_normal((3, d + 1)) * scale
    w, b = np.ascontiguousarray(rows[:, :-1]), np.ascontiguousarray(rows[:, -1])
    compiled = bind(reproducible_sums.sums_of_squares, reproducible_sums)
    assert lengths(w, None, b) == lengths(w, compiled, b) == lengths(rows, compiled) == lengths(rows)


def test_nothing_has_length_zero_but_zeros() -> None:
    assert length(np.zeros(4)) == 0.0
    assert length(np.array([5e-324, 0.0])) == 5e-324
