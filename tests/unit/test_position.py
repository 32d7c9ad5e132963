"""General position: against all determinants, against the number of dichotomies, and what a time limit leaves."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from flint import fmpz_mat

import novikoff as nv
from novikoff import count_dichotomies, cover_count, general_position


def padded(X: Any, bias: bool) -> list[list[int]]:
    return [[*map(int, x), *([1] if bias else [])] for x in X]


def by_determinants(X: Any, bias: bool) -> bool:
    """Every subset of the largest size that can be independent is independent."""
    Z = padded(X, bias)
    k = min(len(Z), len(Z[0]))
    return all(fmpz_mat([Z[i] for i in some]).rank() == k for some in itertools.combinations(range(len(Z)), k))


def sets(seed: int, many: int) -> list[np.ndarray]:
    """Small integers: some of these sets are in general position, some are not."""
    rng = np.random.default_rng(seed)
    return [rng.integers(-hi, hi + 1, (rng.integers(1, 9), rng.integers(1, 6)))
            for hi in rng.choice([2, 5, 40], many)]  # fmt: skip


@pytest.mark.parametrize("bias", [True, False])
def test_the_answer_is_that_of_all_determinants_and_of_the_dichotomies(bias: bool) -> None:
    answers = set()
    for X in sets(0, 150):
        found = general_position(X, bias)
        answers.add(found.holds)
        assert found.holds == by_determinants(X, bias)
        assert found.holds == (count_dichotomies(X, bias) == cover_count(*X.shape, bias))
        assert bool(general_position(X, bias)) == found.holds
        if not found.holds:
            _check_dependent(X, bias, found)
    assert answers == {True, False}


def _check_dependent(X: np.ndarray, bias: bool, found: Any) -> None:
    Z = padded(X, bias)
    rows = [Z[i] for i in found.dependent]
    assert fmpz_mat(rows).rank() == len(rows) - 1
    assert len(rows) <= len(Z[0])
    for i in range(len(rows)):  # minimal
        assert len(rows) == 1 or fmpz_mat(rows[:i] + rows[i + 1 :]).rank() == len(rows) - 1
    assert found.independent_up_to < len(rows)
    for some in itertools.combinations(range(len(Z)), found.independent_up_to):
        assert not some or fmpz_mat([Z[i] for i in some]).rank() == len(some)
    if found.fewest:
        assert found.independent_up_to == len(rows) - 1


def test_the_only_dependent_subset_is_found() -> None:
    """Three points on a line among twenty, and four in a plane of space among twelve."""
    rng = np.random.default_rng(3)
    X = rng.integers(-(10**6), 10**6, (20, 2))
    X[13] = X[4] + 3 * (X[9] - X[4])
    found = general_position(X)
    assert (found.holds, found.dependent, found.fewest) == (False, (4, 9, 13), True)
    X = rng.integers(-(10**6), 10**6, (12, 3))
    X[11] = X[0] + X[5] - X[7]
    found = general_position(X)
    assert (found.dependent, found.independent_up_to) == ((0, 5, 7, 11), 3)


def test_one_more_point_than_dimensions_is_decided_by_one_relation() -> None:
    rng = np.random.default_rng(4)
    X = rng.integers(-1000, 1000, (31, 30))
    assert general_position(X, False).holds
    X[30] = X[0] + X[1] + X[2]
    found = general_position(X, False)
    assert (found.holds, found.dependent, found.fewest, found.independent_up_to) == (False, (0, 1, 2, 30), True, 3)


def test_floats_are_taken_exactly() -> None:
    assert not bool(general_position([[0.0], [0.5], [0.5]]))
    assert bool(general_position([[0.1, 0.2], [0.3, 0.6000000000000001]], fit_intercept=False))
    assert not bool(general_position([["0.1", "0.2"], ["0.3", "0.6"]], fit_intercept=False))


def test_a_time_limit_leaves_what_is_proved() -> None:
    X = np.random.default_rng(5).standard_normal((120, 12))
    found = general_position(X, max_time=0.2)
    assert found.holds is None
    assert 2 <= found.independent_up_to < 13
    with pytest.raises(nv.UndecidedError, match="time limit"):
        bool(found)
    with pytest.raises(nv.UndecidedError):
        bool(general_position(X, max_time=0.2))


def test_low_rank_is_no_search() -> None:
    X = np.zeros((50, 40))
    X[:, :20] = np.random.default_rng(6).standard_normal((50, 20))
    found = general_position(X, False)
    assert (found.holds, found.rank) == (False, 20)
    assert found.dependent is not None
    assert len(found.dependent) == 21


@pytest.mark.parametrize(
    ("X", "expected"),
    [([], "X: found no rows"), ([[]], "rows without columns"), ([[1], [2, 3]], "row 2"),
     ([["a"]], "row 1 .0 counted from 0., column 1"),
     ([[float("nan")]], "row 1 .0 counted from 0., column 1"), (5, "X: found 5")],
)  # fmt: skip
def test_bad_points_are_refused(X: Any, expected: str) -> None:
    for function in (general_position, count_dichotomies):
        with pytest.raises(nv.InputError, match=expected):
            function(X)
