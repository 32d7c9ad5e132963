"""Bounds of every rounding prove a positive relation, and never one that is not."""

from __future__ import annotations

import numpy as np
from flint import arb_mat, ctx

from novikoff.exact.integer_rows import whole_rows
from novikoff.certify.solve.interval_proof import positive_relation
from novikoff.certify.solve.solver import circuit_of


def simplex(rng: np.random.Generator) -> np.ndarray:
    """D + 1 rows with a relation whose smallest weight is ±1e-18 … 1, known but for rounding."""
    D = int(rng.integers(1, 8))
    Z = rng.standard_normal((D + 1, D))
    weights = rng.random(D + 1) + 0.01
    weights[rng.integers(D + 1)] = rng.choice([-1, 1]) * 10.0 ** -rng.uniform(0, 18)
    Z[0] = -(weights[1:] @ Z[1:]) / weights[0]
    if rng.random() < 0.3:
        Z = Z * 10.0 ** rng.uniform(-6, 6, (1, D))
    if rng.random() < 0.3:
        Z = Z * 10.0 ** rng.uniform(-100, 100, (D + 1, 1))
    return Z


def is_positive(Z: np.ndarray) -> bool:
    """The same in whole numbers."""
    found = circuit_of(whole_rows(Z)[0])
    return found is not None and len(found.rows) == len(Z)


def by_flint(Z: np.ndarray) -> bool:
    """The same by the ball arithmetic of FLINT, in as many digits as it takes."""
    k = len(Z)
    ctx.prec = 2000
    try:
        B = arb_mat([[*column] for column in Z.T.tolist()] + [[1.0] * k])
        solution = B.solve(arb_mat([[0]] * (k - 1) + [[1]]))
        return all(solution[i, 0] > 0 for i in range(k))
    finally:
        ctx.prec = 53


def test_what_is_proved_is_true() -> None:
    rng = np.random.default_rng(0)
    proved = true = 0
    for _ in range(2000):
        Z = simplex(rng)
        said, is_so = positive_relation(Z), is_positive(Z)
        assert is_so or not said, Z
        proved, true = proved + said, true + is_so
    assert true > 500
    assert proved > 0.8 * true


def test_flint_agrees() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        Z = simplex(rng)
        assert by_flint(Z) == is_positive(Z)
        assert by_flint(Z) or not positive_relation(Z)


def test_rows_without_full_rank_are_left_to_whole_numbers() -> None:
    assert positive_relation(np.array([[1.0], [-2.0]]))
    assert not positive_relation(np.array([[1.0], [2.0]]))
    assert not positive_relation(np.array([[1.0], [0.0]]))
    assert not positive_relation(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]))
    assert not positive_relation(np.array([[1.0, 2.0], [-1.0, -2.0]]))
    assert not positive_relation(np.array([[1.0, 1e-310], [-1.0, 1.0], [1.0, -2.0]]))
