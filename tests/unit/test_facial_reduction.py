"""The three-way answer does not depend on the rows that are read first."""

from __future__ import annotations

import numpy as np
import pytest

import novikoff as nv


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("dummies", [0, 70])
def test_a_row_that_is_not_among_the_first_ones_is_separated(seed: int, dummies: int) -> None:
    """Every other row is held; the one row that a plane of what is left separates may come anywhere."""
    n = 1000
    X = np.column_stack([np.zeros(n), np.arange(n) % 2, *(np.arange(n) // 4 % 71 == k for k in range(dummies))])
    last = int(np.random.default_rng(seed).integers(n))
    y = np.arange(n) // 2 % 2
    X[last, 0], y[last] = 1.0, 1
    verdict = nv.decide(X, y)
    assert verdict.kind == "quasi-complete"
    assert verdict.separated.tolist() == [last]
    assert nv.verify(verdict, X, y) == "quasi-complete"
