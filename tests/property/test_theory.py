"""What the theory says, on generated points: Cover's recursion, general position, bits."""

from __future__ import annotations

import numpy as np
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

import novikoff as nv

small = st.integers(1, 7).flatmap(
    lambda n: st.integers(1, 3).flatmap(lambda d: arrays(np.int64, (n, d), elements=st.integers(-3, 3)))
)


@given(small, st.booleans())
def test_points_are_in_general_position_exactly_if_they_have_as_many_dichotomies_as_any(
    X: np.ndarray, bias: bool
) -> None:
    most = nv.cover_count(*X.shape, bias)
    count = nv.count_dichotomies(X, bias)
    assert count <= most
    assert bool(nv.general_position(X, bias)) == (count == most)


@given(small, st.booleans(), st.randoms(use_true_random=False))
def test_neither_answer_depends_on_order_scale_or_basis(X: np.ndarray, bias: bool, random: object) -> None:
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    d = X.shape[1]
    shear = np.eye(d, dtype=np.int64) + np.triu(rng.integers(-2, 3, (d, d)), 1)
    other = (X[rng.permutation(len(X))] * 3) @ shear
    assert bool(nv.general_position(other, bias)) == bool(nv.general_position(X, bias))
    assert nv.count_dichotomies(other, bias) == nv.count_dichotomies(X, bias)


@given(small, st.booleans())
def test_one_more_point_adds_the_dichotomies_by_planes_through_it(X: np.ndarray, bias: bool) -> None:
    if len(X) > 1 and (bias or X.any(axis=1).all()):
        before = nv.count_dichotomies(X[:-1], bias)
        assert nv.count_dichotomies(X, bias) == before + nv.count_dichotomies(X[:-1], bias, through=X[-1])


@given(small, st.integers(0, 2**32 - 1))
def test_the_loss_is_zero_exactly_for_planes_without_errors_or_with_ties_only(X: np.ndarray, seed: int) -> None:
    rng = np.random.default_rng(seed)
    y, w = rng.choice([-1, 1], len(X)), rng.integers(-3, 4, X.shape[1])
    if len(set(y.tolist())) == 2 and w.any():
        sides = nv.margins(X, y, w).sides
        assert (nv.perceptron_loss(X, y, w) == 0) == bool((sides * y >= 0).all())
        assert nv.perceptron_loss(X, y, 4 * w) == 4 * nv.perceptron_loss(X, y, w)
