"""The three-way answer does not depend on the rows that are looked at first."""

from __future__ import annotations

import numpy as np
import pytest

from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.solve.facial_reduction import staged
from novikoff.certify.solve.wolfe import Circuit
from novikoff.data.problem import problem_of


@pytest.mark.parametrize("seed", range(20))
def test_rows_that_none_of_the_first_ones_speaks_for_are_not_forgotten(seed: int) -> None:
    """Every first row is held soon; the one row that a plane of what is left separates is none of them."""
    n = 1000
    X = np.column_stack([np.zeros(n), np.arange(n) % 2])
    X[n - 1, 0] = 1.0
    y = np.arange(n) // 2 % 2
    y[n - 1] = 1
    points = Signed(problem_of(X, y)[0])
    first = Circuit([0, 2], [1, 1])  # one point with both labels
    for faces in (staged(points, seed=seed), staged(points, first, seed=seed)):
        assert faces.kind == "quasi-complete"
        assert faces.separated.tolist() == [n - 1]
