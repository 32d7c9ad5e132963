"""The active set: factors that went wrong are made anew."""

from __future__ import annotations

import numpy as np
import pytest

from novikoff.certify.solve import active_set
from novikoff.certify.solve.solver import DRIFT, ActiveSetSolver


def teacher(n: int, d: int, seed: int) -> np.ndarray:
    """Signed rows that a plane separates by little."""
    rng = np.random.default_rng(seed)
    X, w = rng.normal(size=(n, d)), rng.normal(size=d)
    return X * np.sign(X @ w)[:, None]


def off(engine: ActiveSetSolver, A: np.ndarray) -> float:
    """How far the active rows are from 1."""
    return float(np.abs(A[engine.support] @ engine.w - 1.0).max())


@pytest.mark.parametrize("seed", range(5))
def test_damaged_factors_are_made_anew_and_the_run_goes_on(seed: int) -> None:
    A = teacher(400, 12, seed)
    engine = ActiveSetSolver(12)
    assert engine.run(A[:100]) == active_set.SEPARATED
    rng = np.random.default_rng(seed)
    engine.Q += 1e-3 * rng.normal(size=engine.Q.shape)
    engine.w += 1e-3 * rng.normal(size=12)
    assert off(engine, A) > DRIFT
    assert engine.run(A) == active_set.SEPARATED
    assert off(engine, A) < DRIFT
    assert (A @ engine.w).min() > 0
    assert min(engine.weights) > 0


def test_a_row_that_depends_on_others_leaves() -> None:
    A = np.vstack([np.eye(3), [[1.0, 1.0, 0.0]]])
    engine = ActiveSetSolver(3)
    engine.run(A)
    engine.S[:4], engine.k = [0, 1, 3, 2], 4
    engine.make_room(5)
    engine.refresh(A)
    assert engine.support == [0, 1, 2]
    assert off(engine, A) < 1e-12


def test_a_row_that_pulls_the_wrong_way_leaves() -> None:
    A = np.array([[1.0, 0.0], [3.0, 0.1]])  # the second is far on the right side of the first one's plane
    engine = ActiveSetSolver(2)
    engine.make_room(3)
    engine.S[:2], engine.k = [0, 1], 2
    engine.refresh(A)
    assert engine.support == [0]
