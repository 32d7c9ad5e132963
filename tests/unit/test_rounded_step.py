"""Score and |x|² of a passive-aggressive step are the exact sums rounded once, whatever the numbers and the storage."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from novikoff.kernels import dense, dense32, exact_sign, mark, reproducible_sums, sparse
from novikoff.kernels.compile import bind, interpreted
from novikoff.kernels.mark import product_error
from novikoff.kernels.reproducible_sums import THIRD, error_of_rests, fine_grid, grid_above, is_exact, two_parts
from novikoff.perceptron import RULES, slots
from novikoff.perceptron.passive_aggressive import rounded_step
from novikoff.perceptron.passive_aggressive.rounded_step import PA, PA1, PA2, grow_by_score

Rows = tuple[np.ndarray, np.ndarray]  # w and x
Maker = Callable[[np.random.Generator, int], Rows]
MODES = ["interpreted", pytest.param("compiled", marks=pytest.mark.compiled)]


def normal(rng: np.random.Generator, d: int) -> Rows:
    return rng.standard_normal(d), rng.standard_normal(d)


def far_apart(rng: np.random.Generator, d: int) -> Rows:
    """Products whose sizes differ by up to 60 digits."""
    return rng.standard_normal(d) * 10.0 ** rng.integers(-30, 30, d), rng.standard_normal(d)


def cancelling(rng: np.random.Generator, d: int) -> Rows:
    """All but one product cancel, and that one is small."""
    w, x = np.repeat(rng.standard_normal((2, d // 2 + 1)), 2, axis=1)
    x[1::2] *= -1.0
    w[0] = np.nextafter(w[0], 9.0)
    return w[:d], x[:d]


def halfway(rng: np.random.Generator, d: int) -> Rows:
    """Weights of 53 bits at points of ones: many sums lie halfway between two numbers."""
    return rng.standard_normal(d) * 2.0 ** rng.integers(-3, 1, d), rng.integers(0, 2, d).astype(float)


def whole(rng: np.random.Generator, d: int) -> Rows:
    return rng.integers(-9, 10, d).astype(float), rng.integers(-9, 10, d).astype(float)


def float32_points(rng: np.random.Generator, d: int) -> Rows:
    return rng.standard_normal(d), rng.standard_normal(d).astype(np.float32).astype(float)


def zeros(rng: np.random.Generator, d: int) -> Rows:
    return -np.zeros(d), rng.standard_normal(d)


def subnormal(rng: np.random.Generator, d: int) -> Rows:
    return rng.standard_normal(d) * 2.0**-540, rng.standard_normal(d) * 2.0 ** rng.integers(-536, -520)


def tiny_sums(rng: np.random.Generator, d: int) -> Rows:
    return rng.standard_normal(d) * 2.0**-430, rng.standard_normal(d) * 2.0**-420


def large(rng: np.random.Generator, d: int) -> Rows:
    return rng.standard_normal(d) * 2.0**480, rng.standard_normal(d) * 2.0**480


KINDS: list[Maker] = [
    normal, far_apart, cancelling, halfway, whole, float32_points, zeros, subnormal, tiny_sums, large,
]  # fmt: skip


def stored(x: np.ndarray) -> list[tuple[str, ModuleType, Any]]:
    """The row in each storage that holds it."""
    at = np.flatnonzero(x)
    found = [("dense", dense, x[None]), ("sparse", sparse, (x[at], at.astype(np.int32), np.array([0, at.size])))]
    with np.errstate(over="ignore"):
        short = x.astype(np.float32)
    if np.array_equal(short.astype(float), x):
        found += [("dense32", dense32, short[None]), ("sparse32", sparse, (short[at], at, np.array([0, at.size])))]
    return found


def numbers(w: np.ndarray, x: np.ndarray, b: float, pad: float, slack: float) -> np.ndarray:
    """The numbers of a plane: bounds of |w|² and |x|², wider by the factor `slack`."""
    num = np.zeros(len(slots.NUM))
    num[slots.PAD] = pad
    num[slots.W2] = (float(w @ w) + b * b) * 1.01 * slack + exact_sign.TINY
    num[slots.R2] = (float(x @ x) + pad * pad) * 1.01 * slack + exact_sign.TINY
    return num


def products(a: np.ndarray, b: np.ndarray) -> Fraction:
    return sum((Fraction(u) * Fraction(v) for u, v in zip(a.tolist(), b.tolist(), strict=True)), Fraction(0))


def expected(total: Fraction) -> float | None:
    """The nearest number; None below the normal ones, where `value_of` says which."""
    return float(total) if total == 0 or abs(total) >= Fraction(2) ** -1022 else None


def in_limbs(a: np.ndarray, b: np.ndarray) -> float:
    acc = np.zeros(exact_sign.LIMBS, np.int64)
    for u, v in zip(a.tolist(), b.tolist(), strict=True):
        exact_sign.put(acc, u, v)
    return float(exact_sign.value_of(acc))


def kernel(function: Callable[..., Any], verbs: ModuleType, mode: str) -> Callable[..., Any]:
    return bind(function, verbs) if mode == "compiled" else interpreted(function, verbs)


@pytest.mark.bounds
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("mode", MODES)
def test_both_sums_are_the_exact_ones_rounded_once(mode: str, kind: Maker) -> None:
    rng = np.random.default_rng(KINDS.index(kind))
    for k in range(40):
        w, x = kind(rng, int(rng.integers(1, 70)))
        pad, slack = float(k % 2), float(4 ** (k % 5))
        b = pad * float(w[0]) * (-1.0) ** (k % 3)
        whole_w, whole_x = np.append(w, b), np.append(x, pad)
        score, square = in_limbs(whole_w, whole_x), in_limbs(whole_x, whole_x)
        assert expected(products(whole_w, whole_x)) in (score, None)
        assert expected(products(whole_x, whole_x)) in (square, None)
        for name, verbs, A in stored(x):
            num = numbers(w, x, b, pad, slack)
            got = kernel(rounded_step.rounded_score, verbs, mode)(A, 0, w, b, num)
            assert (got, math.copysign(1.0, got)) == (score, math.copysign(1.0, score)), (name, k)
            assert kernel(rounded_step.rounded_square, verbs, mode)(A, 0, num) == square, (name, k)


def no_exact_sum(*_: Any) -> float:
    raise AssertionError("an exact sum was made")


@pytest.mark.parametrize("kind", [normal, halfway, whole, float32_points], ids=lambda kind: kind.__name__)
def test_ordinary_numbers_need_no_exact_sum_not_even_halfway(kind: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some sums of `halfway` are between two numbers: the exact parts decide them."""
    monkeypatch.setattr(rounded_step, "exact_score", no_exact_sum)
    if kind is not float32_points:  # squares of 48 bits: one sum of 200 is halfway
        monkeypatch.setattr(rounded_step, "exact_square", no_exact_sum)
    rng = np.random.default_rng(7)
    halves = 0
    for _ in range(200):
        w, x = kind(rng, 30)
        num = numbers(w, x, 0.25, 1.0, 1.0)
        total = products(w, x) + Fraction(1, 4)
        assert rounded_step.rounded_score(x[None], 0, w, 0.25, num) == float(total)
        assert rounded_step.rounded_square(x[None], 0, num) == float(products(x, x) + 1)
        halves += 2 * abs(total - Fraction(float(total))) == Fraction(math.ulp(float(total)))
    assert (halves > 2) == (kind is halfway)


def test_a_sum_that_two_parts_leave_open_is_made_in_limbs(monkeypatch: pytest.MonkeyPatch) -> None:
    """1 + 2^-53 + 2^-200 is above the middle by less than the bound: exact parts do not hold it."""
    w, x = np.array([1.0, 2.0**-53, 2.0**-200]), np.ones(3)
    num = numbers(w, x, 0.0, 0.0, 1.0)
    assert rounded_step.rounded_score(x[None], 0, w, 0.0, num) == 1.0 + 2.0**-52
    w[2] = -(2.0**-200)
    assert rounded_step.rounded_score(x[None], 0, w, 0.0, num) == 1.0
    monkeypatch.setattr(rounded_step, "exact_score", no_exact_sum)
    with pytest.raises(AssertionError):
        rounded_step.rounded_score(x[None], 0, w, 0.0, num)
    w[2] = 0.0
    assert rounded_step.rounded_score(x[None], 0, w, 0.0, num) == 1.0  # halfway, to the even one


@pytest.mark.compiled
def test_the_error_of_a_product_is_exact_compiled_and_interpreted() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.standard_normal((2, 200)) * 2.0 ** rng.integers(-150, 150, (2, 200))
    compiled = bind(product_errors, reproducible_sums)(a, b)
    for x, y, found in zip(a.tolist(), b.tolist(), compiled.tolist(), strict=True):
        exact = Fraction(x) * Fraction(y) - Fraction(x * y)
        assert Fraction(product_error(x, y, x * y)) == exact == Fraction(found)


@mark.kernel(mark.EXACT)
def product_errors(a, b):  # type: ignore[no-untyped-def]
    """The error of each product, rounded."""
    errors = np.empty(a.size)
    for j in range(a.size):
        errors[j] = product_error(a[j], b[j], a[j] * b[j])
    return errors


@pytest.mark.parametrize("seed", range(8))
def test_two_parts_are_a_multiple_and_a_rest_within_the_bound(seed: int) -> None:
    rng = np.random.default_rng(seed)
    w, x = KINDS[seed % 4](rng, 300)
    grid = float(grid_above(float(w @ w) * 1.01, float(x @ x) * 1.01))
    g = Fraction(grid * THIRD)
    assert grid == 3 * 2.0**51 * g
    hi, lo = 0.0, 0.0
    for a, b in zip(w.tolist(), x.tolist(), strict=True):
        multiple, rest = two_parts(a, b, grid)
        exact = Fraction(a) * Fraction(b)
        assert Fraction(multiple) % g == 0
        assert abs(exact - Fraction(multiple)) <= Fraction(52, 100) * g
        assert abs(exact - Fraction(multiple) - Fraction(rest)) <= Fraction(2) ** -53 * Fraction(52, 100) * g
        assert Fraction(hi) + Fraction(multiple) == Fraction(hi + multiple)  # no rounding
        hi, lo = hi + multiple, lo + rest
    off = Fraction(float(error_of_rests(len(w), grid)))
    assert abs(products(w, x) - Fraction(hi) - Fraction(lo)) <= off
    assert off <= 310**2 * Fraction(2) ** -53 * g


@pytest.mark.parametrize("powers", [(0, 0), (1, 0), (-1, 0), (5, -8), (-1000, -1000), (-1000, 1000), (1000, 1000)])
def test_a_grid_is_above_the_root_of_its_bounds(powers: tuple[int, int]) -> None:
    for f in (1.0, 1.5, 2.0 - 2.0**-52):
        a, b = f * 2.0 ** powers[0], 2.0 ** powers[1]
        most = Fraction(float(grid_above(a, b))) / 3
        assert Fraction(a) * Fraction(b) < most**2 <= 16 * Fraction(a) * Fraction(b)


def test_exact_parts_are_told_from_rounded_ones() -> None:
    grid = float(grid_above(1.0, 1.0))
    fine = float(fine_grid(2, grid))
    assert is_exact(0.3, 1.0, grid, fine)
    assert is_exact(0.0, 5e-324, grid, fine)
    assert not is_exact(0.3, 0.3, grid, fine)  # bits below the fine grid
    assert not is_exact(2.0**-200, 1.0, grid, fine)
    assert not is_exact(2.0**-500, 2.0**-500, grid, fine)  # bits may be lost


@pytest.mark.parametrize("power", [-230, -20, 0, 20, 230])
def test_the_bound_on_the_length_holds_and_stays_close(power: int) -> None:
    """After 300 updates W2 is still at least |w|², and not two hundredths above it."""
    rng = np.random.default_rng(power + 1000)
    scale = 2.0**power
    w, num = np.zeros(5), np.zeros(len(slots.NUM))
    num[slots.W2] = exact_sign.TINY
    for _ in range(300):
        x, side = rng.standard_normal(5) * scale, float(rng.choice([-1.0, 1.0]))
        m, q = side * float(products(w, x)), float(products(x, x))
        rate = (1.0 - m) / q if m < 1.0 else 0.0
        grow_by_score(m, q, rate, num)
        w = w + (rate * side) * x
        assert products(w, w) <= Fraction(float(num[slots.W2]))
    assert num[slots.W2] <= 1.02 * float(products(w, w))


def test_a_step_without_end_gives_the_largest_bound() -> None:
    for m, q, rate in ((-(2.0**900), 2.0**-900, math.inf), (0.0, 0.0, math.inf), (-1.0, 2.0**600, 2.0**300)):
        num = np.zeros(len(slots.NUM))
        with np.errstate(all="ignore"):
            grow_by_score(np.float64(m), np.float64(q), np.float64(rate), num)
        assert num[slots.W2] == exact_sign.BIG


def test_the_rules_have_their_places() -> None:
    assert [RULES[place] for place in (PA, PA1, PA2)] == ["pa", "pa1", "pa2"]
    assert rounded_step.NORMAL == reproducible_sums.NORMAL
