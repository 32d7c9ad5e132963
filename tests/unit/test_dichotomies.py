"""Dichotomies of given points: the recursion and all 2^P labellings agree."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import novikoff as nv
from novikoff import count_dichotomies, cover_count


def by_deciding_all(X: np.ndarray, bias: bool) -> set[tuple[int, ...]]:
    """Every labelling that `decide` calls separable."""
    found = set()
    for y in itertools.product((-1, 1), repeat=len(X)):
        signed = np.array(y)[:, None] * np.hstack([X, np.ones((len(X), int(bias)))])
        if nv.decide(np.vstack([signed, -signed]), np.repeat([1, -1], len(X)), fit_intercept=False).separable:
            found.add(y)
    return found


def sets(seed: int, many: int) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [rng.integers(-2, 3, (rng.integers(1, 7), rng.integers(1, 4))).astype(float) for _ in range(many)]


@pytest.mark.parametrize("bias", [True, False])
def test_the_count_is_that_of_all_labellings(bias: bool) -> None:
    for X in sets(1, 15):
        assert count_dichotomies(X, bias) == len(by_deciding_all(X, bias))


@pytest.mark.parametrize("bias", [True, False])
def test_S5b_the_recursion_holds_for_any_points(bias: bool) -> None:
    """C(X ∪ {x}) = C(X) + D(X, x), unless x or a point of X is at the origin."""
    for X in sets(2, 40):
        if len(X) > 1 and (bias or X.any(axis=1).all()):
            both = count_dichotomies(X[:-1], bias) + count_dichotomies(X[:-1], bias, through=X[-1])
            assert count_dichotomies(X, bias) == both


def test_S5a_in_general_position_the_counts_are_Covers() -> None:
    rng = np.random.default_rng(3)
    for P, N in ((1, 3), (5, 1), (7, 3), (12, 4), (9, 8), (10, 5)):
        X = rng.standard_normal((P, N))
        assert count_dichotomies(X, False) == cover_count(P, N)
        assert count_dichotomies(X, True) == cover_count(P, N, True)
        if P > 1:
            assert count_dichotomies(X[:-1], False, through=X[-1]) == cover_count(P - 1, N - 1)


def test_the_corners_of_cubes_have_the_known_numbers_of_threshold_functions() -> None:
    """4, 14, 104, 1,882: threshold functions of 1 to 4 variables (OEIS A000609)."""
    for d, functions in ((1, 4), (2, 14), (3, 104), (4, 1882)):
        assert count_dichotomies(list(itertools.product((0, 1), repeat=d))) == functions


def test_equal_points_have_one_label_and_the_origin_has_none() -> None:
    assert count_dichotomies([[1.0], [1.0]]) == 2
    assert count_dichotomies([[0.0], [1.0]], fit_intercept=False) == 0
    assert count_dichotomies([[2, 2], [1, 5]], through=[2, 2]) == 0  # a plane through a point does not separate it


def test_a_time_limit_is_reported() -> None:
    X = np.random.default_rng(4).standard_normal((200, 8))
    with pytest.raises(nv.UndecidedError, match=r"within 0\.1 seconds"):
        count_dichotomies(X, max_time=0.1)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"through": [1]}, "through: found 1 numbers; 2 were expected"),
        ({"through": [0, 0], "fit_intercept": False}, "through: found the origin"),
        ({"fit_intercept": "no"}, "fit_intercept: found 'no'"),
        ({"max_time": -1}, "max_time: found -1"),
    ],
)
def test_bad_arguments_are_refused(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(nv.InputError, match=expected):
        count_dichotomies([[1, 2], [3, 5]], **given)


def test_too_many_numbers_are_refused() -> None:
    with pytest.raises(nv.InputError, match="at most 100,000 numbers"):
        count_dichotomies(np.zeros((60_000, 2)))
