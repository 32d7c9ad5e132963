"""The exact sum in limbs is what fractions say, in the interpreter and compiled."""

from __future__ import annotations

import math
from fractions import Fraction
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, strategies as st

from novikoff.kernels import dense, exact_sign
from novikoff.kernels.compile import bind

doubles = st.floats(allow_nan=False, allow_infinity=False, min_value=-(2.0**500), max_value=2.0**500)
pairs = st.lists(st.tuples(doubles, doubles), max_size=12)
HOME: ModuleType = exact_sign


def limbs(products: list[tuple[float, float]], compiled: bool) -> np.ndarray:
    acc = np.zeros(exact_sign.LIMBS, np.int64)
    put = bind(exact_sign.put, HOME, compiled)
    for a, b in products:
        put(acc, a, b)
    return acc


def true_sum(products: list[tuple[float, float]]) -> Fraction:
    return sum((Fraction(a) * Fraction(b) for a, b in products), Fraction(0))


@pytest.mark.parametrize("compiled", [False, True])
@given(products=pairs)
def test_the_sign_of_the_limbs_is_the_sign_of_the_exact_sum(
    compiled: bool, products: list[tuple[float, float]]
) -> None:
    s = true_sum(products)
    assert bind(exact_sign.sign_of, HOME, compiled)(limbs(products, compiled)) == (s > 0) - (s < 0)


@pytest.mark.parametrize("compiled", [False, True])
@given(products=pairs)
def test_the_value_of_the_limbs_is_the_nearest_double_and_zero_only_at_zero(
    compiled: bool, products: list[tuple[float, float]]
) -> None:
    s = true_sum(products)
    value = bind(exact_sign.value_of, HOME, compiled)(limbs(products, compiled))
    if abs(s) >= Fraction(2) ** -1022 or s == 0:
        assert value == float(s)
    else:
        assert value != 0.0
        assert (value > 0) == (s > 0)


@pytest.mark.parametrize("compiled", [False, True])
def test_terms_that_cancel_leave_exactly_zero(compiled: bool) -> None:
    products = [(0.1, 0.3), (-0.3, 0.1), (5e-324, 5e-324), (-5e-324, 5e-324), (2.0**499, 3.0), (-3.0, 2.0**499)]
    acc = limbs(products, compiled)
    assert bind(exact_sign.sign_of, HOME, compiled)(acc) == 0


@given(st.integers(1, 40), st.floats(0, 1e100), st.floats(0, 1e100))
def test_the_reach_of_a_rounded_sum_grows_with_terms_and_lengths(n: int, w2: float, r2: float) -> None:
    reach = exact_sign.reach(n, w2, r2)
    assert reach >= n * 2.0**-53 * math.sqrt(w2) * math.sqrt(r2)
    assert exact_sign.reach(n + 1, w2, r2) >= reach


@given(
    st.lists(st.tuples(doubles.filter(lambda v: abs(v) < 1e100), doubles.filter(lambda v: abs(v) < 1e100)), min_size=1)
)
def test_a_second_look_is_never_wrong_when_it_is_sure(products: list[tuple[float, float]]) -> None:
    w = np.array([a for a, _ in products])
    X = np.array([[b for _, b in products]])
    s, a, f = dense.second_look(X, 0, w, 0.0, 0.0)
    answer = exact_sign.sure(len(products) + 1, s, a, f)
    truth = true_sum(products)
    assert answer in (2, (truth > 0) - (truth < 0))


def test_whole_rows_become_floats_up_to_a_power_of_two_each() -> None:
    from novikoff.separate.solver import floats_of

    assert floats_of([[1, -2], [3, 2**60 + 1]]).tolist() == [[1.0, -2.0], [3.0, 2.0**60]]
    F = floats_of([[3 << 900, -(1 << 899)], [1 << 3000, 0], [5, -7]])
    assert np.isfinite(F).all()
    assert F[0, 0] / F[0, 1] == -6.0
    assert F[1, 0] > 0 == F[1, 1]
    assert F[2].tolist() == [5.0, -7.0]
