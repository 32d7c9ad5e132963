"""Explanations and removals against brute force that imports nothing of novikoff."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from data.degenerate import degenerate
from examples import STRESS, examples
from oracles import supports as supports


def convex(side: Any, X: Any) -> tuple[Fraction, ...]:
    """Σ weight·x, from the user's numbers."""
    rows = [[Fraction(v) for v in X[i]] for i in side.rows]
    return tuple(
        sum((m * x[j] for m, x in zip(side.weights, rows, strict=True)), Fraction(0)) for j in range(len(X[0]))
    )


def explained(X: Any, y: Any, v: Any) -> None:
    """Both sides are the same point, exactly, and convex combinations where there is a bias."""
    why = v.obstruction
    assert why is not None
    assert len(why.rows) <= v.d + 1 + v.fit_intercept
    assert all(m > 0 for m in (*why.positive.weights, *why.negative.weights))
    for side in (why.positive, why.negative):
        assert all(y[i] == side.label for i in side.rows)
        if v.fit_intercept:
            assert sum(side.weights) == 1
        assert convex(side, X) == why.point if side.rows else not any(why.point)
    assert v.explain()


@given(seed=st.integers(0, 2**32))
@examples(120)
def test_C4_both_combinations_give_the_same_point_exactly(seed: int) -> None:
    X, y, bias = degenerate(np.random.default_rng(seed))
    v = nv.decide(X, y, fit_intercept=bias)
    assert v.explain()
    if not v:
        explained(X.tolist(), y.tolist(), v)


@pytest.mark.parametrize("seed", range(2_000 if STRESS else 40))
def test_a_removal_is_the_smallest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, y, bias = degenerate(rng)
    found = nv.removal(X, y, fit_intercept=bias)
    out = set(found.rows)
    kept = [i for i in range(len(y)) if i not in out]

    def separable(rows: list[int]) -> bool:
        return supports.answer(X[rows].tolist(), y[rows].tolist(), bias)[0] == "complete" if rows else True

    assert separable(kept)
    least = next(k for k in range(len(y) + 1) for some in combinations(range(len(y)), k)
                 if separable([i for i in range(len(y)) if i not in some]))  # fmt: skip
    assert found.at_least == len(out) == least
    if kept:
        assert found.rest is not None
        assert found.rest.check(X[kept], y[kept]) or len(set(y[kept].tolist())) == 1
    else:
        assert found.rest is None
