"""Errors of many planes on dense rows, counted with planes in lanes, against exact fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from novikoff.data.problem import problem_of
from novikoff.kernels import dense, mark
from novikoff.kernels.compile import bind, interpreted
from novikoff.scoring import lane_counts, scorer
from novikoff.scoring.scorer import Scorer


def _exact(X: np.ndarray, y: np.ndarray, plane: np.ndarray, pad: float) -> list[int]:
    *w, b = (Fraction(c) for c in plane.tolist())
    wrong = [0, 0]
    for row, side in zip(X.tolist(), y.tolist(), strict=True):
        score = sum((Fraction(x) * c for x, c in zip(row, w, strict=True)), b * Fraction(pad))
        wrong[side > 0] += side * score <= 0
    return wrong


def _problem(n: int, d: int, scale: float, kind: str) -> Any:
    """Small whole numbers times a power of two: many scores are 0, and all types hold the numbers."""
    rng = np.random.default_rng(n + d)
    X = (rng.integers(-2, 3, (n, d)) * scale).astype(kind)
    y = np.where(rng.random(n) < 0.5, 1, -1)
    y[:2] = -1, 1
    return X, y, problem_of(X, y)[0]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(("n", "d", "planes"), [(1, 3, 1), (5, 1, 16), (20, 70, 15), (43, 7, 17), (61, 5, 33)])
@pytest.mark.parametrize(
    ("kind", "scale"),
    [("int8", 1.0), ("float32", 1.0), ("float32", 2.0**-140), ("float64", 2.0**-1060), ("float64", 2.0**230)],
)
def test_counts_in_lanes_are_exact(n: int, d: int, planes: int, kind: str, scale: float, compiled: bool) -> None:
    X, y, p = _problem(max(n, 2), d, scale, kind)
    judge = Scorer(p)
    judge.survey()
    rng = np.random.default_rng(planes)
    C = rng.integers(-2, 3, (planes, d + 1)).astype(float)
    C[:, d] *= scale
    C[0] = 0.0
    errors = np.zeros((planes, 2), np.int64)
    count = (bind if compiled else interpreted)(lane_counts.count_in_lanes, dense)
    count(p.rows, C, judge.for_lanes(C), p.pad, judge.R2, p.y, errors)
    assert errors.tolist() == [_exact(X, y, plane, p.pad) for plane in C]


def test_the_scorer_counts_alike_in_lanes_in_tiles_and_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for kind in ("int8", "float32", "float64"):
        for d in (6, 90):
            _, _, p = _problem(3_000, d, 1.0, kind)
            judge, C = Scorer(p), np.random.default_rng(d).normal(size=(20, d + 1))
            judge.survey()
            found = []
            for lanes, singly in ((2, 0), (99, 0), (99, 1 << 62)):
                monkeypatch.setattr(scorer, "IN_LANES", lanes)
                monkeypatch.setattr(scorer, "ONE_BY_ONE", singly)
                found.append(judge.side_errors(C).tolist())
            assert found[0] == found[1] == found[2]


def test_lane_scores_writes_its_own_rows_and_lanes_only() -> None:
    rng = np.random.default_rng(0)
    F, T = rng.integers(-3, 4, (10, 9)).astype("f4"), rng.integers(-3, 4, (9, 32)).astype("f4")
    S = np.full((10, 32), 7.0, "f4")
    bind(_one_tile, lane_counts)(F, T, S)
    want = np.full((10, 32), 7.0, "f4")
    want[5:, 16:] = F[5:, :8] @ T[:8, 16:]
    np.testing.assert_array_equal(S, want)
    S[:] = 7.0
    _one_tile(F, T, S)
    np.testing.assert_array_equal(S, want)


lane_scores = mark.lane_scores


@mark.kernel(mark.EXACT)
def _one_tile(F, T, S):  # type: ignore[no-untyped-def]
    lane_scores(F, 5, 8, T, 16, S)
