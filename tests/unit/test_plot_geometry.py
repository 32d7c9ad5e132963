"""Conics, polygons and side views: what is drawn satisfies its equation, and regions are where the model predicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.plot.geometry.class_polygons import area, clipped, highest_regions, rectangle, vote_regions
from novikoff.plot.geometry.conics import conic_curves
from novikoff.scoring import side_view as side_view_module
from novikoff.scoring.side_view import side_view

BOX = (-3.0, 3.0), (-2.0, 2.0)
CONICS = {  # quadratic, linear, constant: number of branches
    "circle": ([1, 0, 1], [0, 0], -1, 1),
    "ellipse": ([1, 1, 3], [0.3, -0.2], -1, 1),
    "empty": ([1, 0, 1], [0, 0], 1, 0),
    "point": ([1, 0, 1], [0, 0], 0, 0),
    "hyperbola": ([0, 1, 0], [0, 0], -0.2, 2),
    "other hyperbola": ([1, 0, -2], [0.1, 0], 0.5, 2),
    "crossing lines": ([1, 0, -1], [0, 0], 0, 2),
    "parabola": ([1, 0, 0], [0, -1], 0, 1),
    "turned parabola": ([1, 2, 1], [1, -1], 0, 1),
    "sideways parabola": ([0, 0, 1], [-1, 0], 0.5, 1),
    "parallel lines": ([1, 0, 0], [0, 0], -1, 2),
    "parallel, none": ([1, 0, 0], [0, 0], 1, 0),
    "double line": ([0, 0, 1], [0, 0], 0, 1),
    "line": ([0, 0, 0], [1, 1], 0.5, 1),
    "nothing": ([0, 0, 0], [0, 0], 0, 0),
    "far away": ([1, 0, 1], [-200, 0], 9999, 0),
    "large numbers": ([1e9, 0, 1e9], [0, 0], -1e9, 1),
}


@pytest.mark.parametrize("name", CONICS)
def test_every_point_of_a_conic_satisfies_its_equation(name: str) -> None:
    (a, b, c), (d, e), f, branches = CONICS[name]
    curves = conic_curves([a, b, c], [d, e], f, *BOX)
    assert len(curves) == branches
    for x, y in (curve.T for curve in curves):
        terms = np.abs([a * x * x, b * x * y, c * y * y, d * x, e * y, np.full_like(x, f)]).max(axis=0)
        value = a * x * x + b * x * y + c * y * y + d * x + e * y + f
        assert (np.abs(value) <= 1e-9 * terms + 1e-12).all()


@pytest.mark.parametrize("name", [name for name, conic in CONICS.items() if conic[3]])
def test_the_branches_are_all_of_the_conic_in_the_rectangle(name: str) -> None:
    """Between neighbours on a fine grid whose scores have different signs there is a point of a drawn branch."""
    (a, b, c), (d, e), f, _ = CONICS[name]
    if name == "double line":
        return  # the sign does not change
    points = np.vstack([_dense(curve) for curve in conic_curves([a, b, c], [d, e], f, *BOX)])
    x, y = np.meshgrid(np.linspace(*BOX[0], 61), np.linspace(*BOX[1], 41))
    score = a * x * x + b * x * y + c * y * y + d * x + e * y + f
    for i, j in zip(*np.nonzero(score[:, 1:] * score[:, :-1] < 0), strict=True):
        near = (np.abs(points[:, 0] - (x[i, j] + 0.05)) < 0.07) & (np.abs(points[:, 1] - y[i, j]) < 0.05)
        assert near.any(), (x[i, j], y[i, j])


def _dense(curve: np.ndarray) -> np.ndarray:
    """Points along a polyline, close to each other."""
    parts = [np.linspace(p, q, max(2, int(np.hypot(*(q - p)) / 0.02) % 5000)) for p, q in zip(curve, curve[1:])]  # noqa: B905, RUF007
    return np.vstack(parts)


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
