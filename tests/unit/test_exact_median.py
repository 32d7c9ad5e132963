"""Medians are exact: the same bits from rows in memory and from rows read digit by digit in any chunks."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

from novikoff.prepare.missing.exact_median import Medians, keys, medians_of, middle, numbers_of

SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 1.7e308, -1.7e308, 1.0, -1.0, 2.0**-1022, 0.1, 1 / 3]


def slow(column: np.ndarray) -> float:
    """The median in fractions, rounded once."""
    known = sorted(Fraction(x) for x in column.tolist() if x == x)
    n = len(known)
    return float((known[(n - 1) // 2] + known[n // 2]) / 2) if n else np.nan


def in_chunks(X: np.ndarray, size: int) -> np.ndarray:
    found = Medians(X.shape[1])
    while not found.done:
        for lo in range(0, len(X), size):
            found.look(X[lo : lo + size])
        found.next()
    return found.values()


@pytest.mark.parametrize("seed", range(8))
def test_the_median_is_that_of_fractions_in_any_chunks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    X = rng.normal(size=(n, 5)) * 10.0 ** rng.integers(-200, 200, (n, 5))
    X[:, 1] = rng.integers(-3, 4, n)
    X[:, 2] = rng.choice(SPECIAL, n)
    X[rng.random(X.shape) < 0.3] = np.nan
    X[:, 4] = np.nan if seed % 2 else X[:, 4]
    wanted = np.array([slow(X[:, j]) for j in range(5)])
    for found in (medians_of(X), in_chunks(X, 1), in_chunks(X, 7), in_chunks(X, 100)):
        assert found.tobytes() == medians_of(X).tobytes()
        assert np.array_equal(found, wanted, equal_nan=True)


def test_keys_are_in_the_order_of_the_numbers() -> None:
    numbers = np.sort(np.array(SPECIAL))
    found = keys(numbers).astype(object)
    assert all(a <= b for a, b in itertools.pairwise(found))
    assert (numbers_of(keys(numbers)) == numbers).all()


def test_the_middle_of_two_numbers_whose_sum_is_beyond_binary64_is_finite() -> None:
    assert middle(np.array(1.6e308), np.array(1.7e308)) == pytest.approx(1.65e308)
    assert str(float(middle(np.array(-0.0), np.array(-0.0)))) == "0.0"
