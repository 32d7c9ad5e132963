"""Polygons and side views: regions are where the model predicts, and distances are true."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.pages.polygons import area, clipped, highest_regions, rectangle, vote_regions
from novikoff.perceptron.scheme import Scheme
from novikoff.scoring import side_view as side_view_module
from novikoff.scoring.side_view import side_view


def test_clipping_keeps_the_side_and_the_area() -> None:
    box, rng = rectangle((0, 2), (0, 1)), np.random.default_rng(1)
    for _ in range(100):
        plane = rng.standard_normal(3)
        part, rest = clipped(box, plane), clipped(box, -plane)
        assert area(part) + area(rest) == pytest.approx(2)
        if len(part):
            assert (part @ plane[:2] + plane[2] >= -1e-12).all()
    assert len(clipped(np.empty((0, 2)), np.ones(3))) == 0


def _inside(polygon: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Whether points are inside a convex polygon, counterclockwise."""
    edges = np.roll(polygon, -1, axis=0) - polygon
    cross = [e[0] * (points[:, 1] - p[1]) - e[1] * (points[:, 0] - p[0]) for p, e in zip(polygon, edges, strict=True)]
    return np.asarray((np.array(cross) > 0).all(axis=0))


@pytest.mark.parametrize("classes", [3, 4, 6])
def test_regions_cover_the_rectangle_and_have_the_winning_class(classes: int) -> None:
    rng = np.random.default_rng(classes)
    box, points = rectangle((-1, 1), (-1, 1)), rng.uniform(-1, 1, (400, 2))
    planes = rng.standard_normal((classes, 3))
    found = highest_regions(planes, box)
    assert sum(area(polygon) for polygon in found.values()) == pytest.approx(4)
    best = (points @ planes[:, :2].T + planes[:, 2]).argmax(axis=1)
    for k, polygon in found.items():
        assert (best[_inside(polygon, points)] == k).all()
    scheme = Scheme("ovo", classes)
    pairs = rng.standard_normal((len(scheme.pairs), 3)) * [1, 1, 0.3]
    each = scheme.class_planes(pairs)
    scores, sums = points @ pairs[:, :2].T + pairs[:, 2], points @ each[:, :2].T + each[:, 2]
    wins = scheme.wins(np.sign(scores).astype(int))
    winner = np.where(wins == wins.max(axis=1, keepdims=True), sums, -np.inf).argmax(axis=1)
    regions = vote_regions(scheme.pairs, pairs, each, box)
    assert sum(area(polygon) for _, polygon in regions) == pytest.approx(4)
    checked = 0
    for k, polygon in regions:
        inside = _inside(polygon, points)
        checked += int(inside.sum())
        assert (winner[inside] == k).all()
    assert checked >= 398


@pytest.mark.parametrize("storage", [np.asarray, sp.csr_matrix, np.asfortranarray])
@pytest.mark.parametrize("shape", [(20, 3), (5, 12), (40, 40), (2, 3)])
def test_the_side_view_has_true_distances_and_a_direction_in_the_plane(shape: tuple[int, int], storage: Any) -> None:
    rng = np.random.default_rng(2)
    X, w, b = rng.standard_normal(shape) + 3, rng.standard_normal(shape[1]), 0.4
    view = side_view(storage(X), w, b)
    assert view.distance == pytest.approx((X @ w + b) / np.linalg.norm(w))
    assert view.direction @ w == pytest.approx(0, abs=1e-9)
    assert np.linalg.norm(view.direction) == pytest.approx(1)
    inside = X - np.outer(X @ w, w) / (w @ w)
    widest = np.linalg.svd(inside - inside.mean(axis=0))[1][0] ** 2
    assert view.along.mean() == pytest.approx(0, abs=1e-9)
    assert view.along @ view.along == pytest.approx(widest)
    apart = np.linalg.norm(X[0] - X[1])
    drawn = np.hypot(view.distance[0] - view.distance[1], view.along[0] - view.along[1])
    assert drawn <= apart + 1e-12  # a projection


def test_many_numbers_are_viewed_by_power_iteration(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(3)
    X, w = rng.standard_normal((60, 8)) * [5, 1, 1, 1, 1, 1, 1, 1], rng.standard_normal(8)
    exactly = side_view(X, w, 0.5)
    monkeypatch.setattr(side_view_module, "MOST_NUMBERS", 10)
    for rows in (X, sp.csr_matrix(X)):
        view = side_view(rows, w, 0.5)
        assert view.direction == pytest.approx(exactly.direction, abs=1e-6)
        assert view.distance.tolist() == exactly.distance.tolist()
    alone = side_view(np.outer(np.arange(4.0), w), w, 0.5)  # nothing is left within the plane
    assert alone.along == pytest.approx(0, abs=1e-9)


def test_a_point_is_on_the_side_of_its_exact_score() -> None:
    """2⁵³·1 + 1·1 − 2⁵³·1 = 1, which floating-point sums lose."""
    X = np.array([[2.0**53, 1.0, -(2.0**53)], [2.0**53, -1.0, -(2.0**53)], [2.0**53, 0.0, -(2.0**53)]])
    assert np.sign(side_view(X, np.ones(3), 0.0).distance).tolist() == [1, -1, 0]
