"""Convex polygons: hulls, and regions of classes as a rectangle cut by the lines of the planes, never a mesh.

The lines cut the rectangle into convex cells; in each cell every plane has one sign, so one point of it decides. Cells
in which several classes have the same number of votes are cut again by the lines where their summed scores are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from novikoff.pages.window import Limits, Point

Plane = np.ndarray  # w₁, w₂, b


def rectangle(x_limits: Limits, y_limits: Limits) -> np.ndarray:
    """Return the corners, counterclockwise."""
    (left, right), (bottom, top) = x_limits, y_limits
    return np.array([[left, bottom], [right, bottom], [right, top], [left, top]], np.float64)


def clipped(polygon: np.ndarray, plane: Plane) -> np.ndarray:
    """Return the part of a convex polygon where w·x + b ≥ 0 (Sutherland and Hodgman); no rows if there is none.

    Examples
    --------
    >>> clipped(rectangle((0, 1), (0, 1)), np.array([1.0, 0.0, -0.5])).tolist()
    [[0.5, 0.0], [1.0, 0.0], [1.0, 1.0], [0.5, 1.0]]
    """
    if not len(polygon):
        return polygon
    scores = polygon @ plane[:2] + plane[2]
    corners = []
    for k, score in enumerate(scores):
        before = scores[k - 1]
        if (before < 0) != (score < 0):
            part = before / (before - score)
            corners.append(polygon[k - 1] + part * (polygon[k] - polygon[k - 1]))
        if score >= 0:
            corners.append(polygon[k])
    return np.array(corners) if len(corners) >= 3 else np.empty((0, 2))


def highest_regions(planes: np.ndarray, box: np.ndarray, among: Sequence[int] | None = None) -> dict[int, np.ndarray]:
    """Return for each class the polygon in which its score is the highest; classes without one are left out."""
    found = {}
    chosen = range(len(planes)) if among is None else among
    for k in chosen:
        polygon = box
        for j in chosen:
            if j != k:
                polygon = clipped(polygon, planes[k] - planes[j])
        if area(polygon) > 0:
            found[k] = polygon
    return found


def vote_regions(
    pairs: Sequence[tuple[int, int]], planes: np.ndarray, class_planes: np.ndarray, box: np.ndarray
) -> list[tuple[int, np.ndarray]]:
    """Return (class, polygon) of cells in which a class has the most votes of the pairs; ties by the class planes.

    pairs: (positive class, negative class) of each plane.
    """
    cells = [box]
    for plane in planes:
        cells = [part for cell in cells for part in (clipped(cell, plane), clipped(cell, -plane)) if area(part) > 0]
    found: list[tuple[int, np.ndarray]] = []
    for cell in cells:
        scores = planes[:, :2] @ cell.mean(axis=0) + planes[:, 2]
        votes = np.zeros(len(class_planes), int)
        for (positive, negative), score in zip(pairs, scores, strict=True):
            votes[positive if score > 0 else negative] += 1
        first = np.flatnonzero(votes == votes.max()).tolist()
        found += highest_regions(class_planes, cell, first).items() if len(first) > 1 else [(first[0], cell)]
    return found


def area(polygon: np.ndarray) -> float:
    """Return the area of a polygon (the shoelace formula)."""
    if len(polygon) < 3:
        return 0.0
    moved = polygon - polygon[0]
    x, y = moved[:, 0], moved[:, 1]
    return float(abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2)


def convex_hull(points: Iterable[Point]) -> list[Point]:
    """Return the corners of the convex hull, counter-clockwise (Andrew's monotone chain).

    Examples
    --------
    >>> convex_hull([(0, 0), (2, 0), (1, 1), (1, 0.5), (2, 2), (0, 2)])
    [(0, 0), (2, 0), (2, 2), (0, 2)]
    """
    ordered = sorted(set(points))
    if len(ordered) < 3:
        return ordered
    return _half(ordered)[:-1] + _half(ordered[::-1])[:-1]


def _half(ordered: Sequence[Point]) -> list[Point]:
    """Return the corners of the lower half of the hull."""
    corners: list[Point] = []
    for p in ordered:
        while len(corners) > 1 and _turn(corners[-2], corners[-1], p) <= 0:
            corners.pop()
        corners.append(p)
    return corners


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
