"""Exact sums: many blocks, full blocks, the largest digits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.prepare import moments
from novikoff.prepare.moments import BASE, ROWS, Moments, digits


def test_more_than_one_full_block_of_the_largest_digits() -> None:
    """2^16 + 5 rows of numbers whose every digit is 2^18 − 1: the sums of a block nearly reach 2^53."""
    n = ROWS + 5
    largest = float(2**36 - 1)
    X = np.full((n, 1), largest)
    X[-1] = -largest
    for rows in (X, sp.csr_matrix(X)):
        found = Moments(1)
        found.look(rows)
        mean = Fraction((n - 2) * (2**36 - 1), n)
        assert found.mean()[0] == float(mean)
        assert found.variance(["x"])[0] == float((2**36 - 1) ** 2 - mean**2)


@pytest.mark.parametrize("often", [1, 2, 5])
def test_sums_that_outgrow_int64_go_on_as_whole_numbers(often: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moments, "OFTEN", often)
    X = np.random.default_rng(0).normal(size=(60, 3)) * 10.0 ** np.random.default_rng(1).integers(-9, 9, (60, 3))
    found = Moments(3)
    for row in X:
        found.look(row[None, :])
    for j, column in enumerate(X.T):
        exact = list(map(Fraction, column.tolist()))
        mean = sum(exact) / len(exact)
        assert found.mean()[j] == float(mean)
        assert found.variance(list("abc"))[j] == float(sum((x - mean) ** 2 for x in exact) / len(exact))


@pytest.mark.parametrize("value", [5e-324, 2.0**-1022, 1.7976931348623157e308, -0.1, 262144.0, 262143.0, 1 / 3])
def test_digits_are_whole_and_small_and_make_up_the_number(value: float) -> None:
    found = [(place, a[0]) for place, a in digits(np.array([value]))]
    assert all(a == int(a) and 0 < abs(a) < 2**BASE for _, a in found)
    assert sum(Fraction(a) * Fraction(2) ** (BASE * place) for place, a in found) == Fraction(value)


def test_a_column_of_zeros_has_no_digits() -> None:
    assert list(digits(np.zeros(3))) == []
    found = Moments(2)
    found.look(np.zeros((3, 2)))
    assert found.mean().tolist() == found.variance(["a", "b"]).tolist() == [0.0, 0.0]
