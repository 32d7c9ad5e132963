"""Separable or not against brute force, and what must not change the answer."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st

import novikoff as nv
from data.degenerate import degenerate
from examples import STRESS, examples
from oracles.supports import answer, echelon, held_rows, in_span, positive_circuits, signed_rows

PROBLEMS = 1_000_000 if STRESS else 5_000


def signs_of(y: np.ndarray) -> list[int]:
    """One class is all positive."""
    return [1] * len(y) if abs(y.sum()) == len(y) else y.tolist()


def the_proof_holds(v: Any, X: np.ndarray, y: np.ndarray) -> bool:
    """In Python's whole numbers, with nothing of the package."""
    rows = signed_rows(X.tolist(), signs_of(y), v.fit_intercept)
    if v.separable:
        assert v.w is not None
        plane = [*v.w, v.b] if v.fit_intercept else list(v.w)
        return all(sum(a * b for a, b in zip(z, plane, strict=True)) > 0 for z in rows)
    return _relation(v.support, v.weights, X, y, v) and _three_way(v, X, y, rows)


def _relation(which: tuple[int, ...], weights: tuple[int, ...], X: np.ndarray, y: np.ndarray, v: Any) -> bool:
    signs = signs_of(y)
    rows = [[signs[i] * Fraction(a) for a in X[i].tolist()] + [signs[i]] * v.fit_intercept for i in which]
    sums = [sum(m * z[j] for m, z in zip(weights, rows, strict=True)) for j in range(v.d + v.fit_intercept)]
    return min(weights, default=1) > 0 and not any(sums)


def _three_way(v: Any, X: np.ndarray, y: np.ndarray, rows: list[tuple[int, ...]]) -> bool:
    """At most 2·rank rows hold the others: they sum to zero, and every row not separated lies in their span."""
    if not _relation(v.held, v.held_weights, X, y, v):
        return False
    S, basis = set(v.separated.tolist()), echelon([rows[i] for i in v.held])
    if len(v.held) > 2 * len(basis) or not all(in_span(basis, z) for i, z in enumerate(rows) if i not in S):
        return False
    if v.w is None:
        return not S
    plane = [*v.w, v.b] if v.fit_intercept else list(v.w)
    scores = [sum(a * b for a, b in zip(z, plane, strict=True)) for z in rows]
    return all((s > 0) if i in S else s == 0 for i, s in enumerate(scores))


@pytest.mark.timeout(0)
def test_degenerate_problems_have_the_answer_of_brute_force() -> None:
    """None is wrong and none is undecided; every proof holds in Python's own numbers."""
    rng = np.random.default_rng(2024)
    seen: dict[str, int] = {}
    for _ in range(PROBLEMS):
        X, y, bias = degenerate(rng)
        kind, separated = answer(X.tolist(), signs_of(y), bias)
        v = nv.decide(X, y, fit_intercept=bias)
        assert (v.separable, v.kind, v.separated.tolist()) == (kind == "complete", kind, separated), (X, y, bias)
        assert the_proof_holds(v, X, y), (X, y, bias)
        assert v.check(X, y), (X, y, bias)
        seen[kind] = seen.get(kind, 0) + 1
    assert min(seen[kind] for kind in ("complete", "quasi-complete", "overlap")) > PROBLEMS // 20


def test_brute_force_knows_the_theorem() -> None:
    """A positive circuit holds its rows; without one every row is separated."""
    square = [(1, 0), (-1, 0), (0, 1)]
    assert held_rows(square) == {0, 1}
    assert list(positive_circuits([(0, 0)])) == [{0}]
    assert list(positive_circuits([(2, 1), (3, 5)])) == []
    assert {frozenset(c) for c in positive_circuits([(1, 0), (0, 1), (-1, -1), (-2, 0)])} == {
        frozenset({0, 1, 2}),
        frozenset({0, 3}),
    }


def same(a: Any, b: Any, rows: list[int] | None = None) -> bool:
    """The same kind, and the same rows separated; rows[i]: where row i of b is in a."""
    there = b.separated.tolist() if rows is None else sorted({rows[i] for i in b.separated.tolist()})
    return a.kind == b.kind and a.separated.tolist() == there


@examples(150)
@given(st.integers(0, 2**32))
def test_the_answer_does_not_depend_on_how_the_points_are_told(seed: int) -> None:
    """Rows permuted, repeated, scaled; labels negated or renamed; columns mapped by whole numbers."""
    rng = np.random.default_rng(seed)
    X, y, bias = degenerate(rng)
    y[:2] = 1, -1
    v = nv.decide(X, y, fit_intercept=bias)
    order = rng.permutation(len(X))
    assert same(v, nv.decide(X[order], y[order], fit_intercept=bias), order.tolist())
    assert same(v, nv.decide(X, -y, fit_intercept=bias))
    assert same(v, nv.decide(X, np.where(y > 0, "blue", "amber"), fit_intercept=bias))
    twice = [*range(len(X)), *rng.integers(0, len(X), 3).tolist()]
    assert same(v, nv.decide(X[twice], y[twice], fit_intercept=bias), twice)
    assert same(v, nv.decide(X * 2.0 ** int(rng.integers(-30, 30)), y, fit_intercept=bias))
    if not bias:
        assert same(v, nv.decide(X * np.ldexp(1.0, rng.integers(-30, 30, (len(X), 1))), y, fit_intercept=False))


@examples(100)
@given(st.integers(0, 2**32))
def test_a_column_map_that_can_be_undone_keeps_the_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(2, 9)), int(rng.integers(1, 5))
    X, y, bias = rng.integers(-3, 4, (n, d)).astype(float), rng.choice([-1, 1], n), bool(rng.integers(2))
    y[:2] = 1, -1
    shear = np.eye(d)
    for _ in range(4):
        i, j = rng.integers(0, d, 2)
        if i != j:
            shear[i] += int(rng.integers(-3, 4)) * shear[j]
    moved = X @ shear * rng.choice([-1.0, 1.0, 2.0], d) + (rng.integers(-9, 10, d) if bias else 0)
    v = nv.decide(X, y, fit_intercept=bias)
    assert same(v, nv.decide(moved, y, fit_intercept=bias))
    assert same(v, nv.decide(np.column_stack([moved, moved[:, :1]]), y, fit_intercept=bias))
