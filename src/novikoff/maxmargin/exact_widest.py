"""Compute the widest plane in rational numbers: Wolfe's method, continued to the nearest point.

A corral of vertices v (rows z_i; for two hulls sums z_i + z_j of a positive and a negative row, which are p_i − q_j)
has its nearest point x to the origin. If no row is nearer than the corral is, x is the nearest point of all:

    ⟨x, z_i⟩ ≥ t  for every row       t = |x|², or half of it on each side of the plane between two hulls

A pass over the rows, with one plane for each sign, checks this by exact signs: y(⟨w, x⟩ + b) ≥ t is the sign of a plane
shifted by t. The rows at exactly 0 there touch. Else the worst row joins. |x| decreases from corral to corral: it ends.

Between two hulls the corral's pairs (i, j) have ⟨x, z_i + z_j⟩ = |x|², but its rows can make other pairs. The plane
lies midway between the lowest row of each sign; 2t is the least sum of any two of them, at most |x|². If it is less,
the pair of these two rows joins.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq

from novikoff.exact.integer_rows import common_rows
from novikoff.exact.margin_evidence import Below, below_margin
from novikoff.exact.signed_rows import Signed
from novikoff.separate.wolfe import Corral

Vertex = tuple[int, int]  # a positive row and a negative one; or a row and −1


class Optimum(NamedTuple):
    """The nearest point of a hull, or of two."""

    plane: list[Fraction]  # (w, b), b only with a bias, up to a positive factor
    touching: np.ndarray  # rows
    vertices: list[Vertex]
    weights: list[int]  # of the vertices


class Found(NamedTuple):
    """The nearest point x of a corral, as integers times 2^power / total."""

    x: list[int]
    total: int
    power: int
    rows: dict[int, list[int]]


class Exactly:
    """Search of the nearest point, from some vertices with weights."""

    def __init__(self, points: Signed, vertices: Sequence[Vertex], weights: Sequence[float]) -> None:
        self.points = points
        self.two = vertices[0][1] >= 0
        self.vertices = list(vertices)
        shares = [fmpq(*float(m).as_integer_ratio()) for m in weights]
        total = sum(shares, fmpq(0))
        self.corral = Corral([], list(range(len(vertices))), [m / total for m in shares])

    def solve(self, rounds: int | None = None) -> Optimum | None:
        """Return the nearest point of all rows; None if it is not found in so many rounds, or is the origin."""
        done = 0
        while rounds is None or done < rounds:
            done += 1
            found = self._settled()
            if not any(found.x):
                return None
            plane, t = self._plane(found)
            out = below_margin(self.points, plane, {1: t, -1: t})
            if min(out.lowest.values())[0] >= 0 and self._optimal(found, t):
                weights = [int(m) for m in self.corral.whole_weights()]
                return Optimum(plane, out.touching, self._active, weights)
            self._join(out, found)
        return None

    def _settled(self) -> Found:
        names = sorted({i for v in self.vertices for i in v if i >= 0})
        whole, power = common_rows(self.points.floats(np.array(names)))
        rows = dict(zip(names, whole, strict=True))
        self.corral.Z = [_sum(rows, v) for v in self.vertices]
        self.corral.settle(self.points.between)
        return Found([int(v) for v in self.corral.point().entries()],
                     int(sum(self.corral.whole_weights())), power, rows)  # fmt: skip

    @property
    def _active(self) -> list[Vertex]:
        return [self.vertices[k] for k in self.corral.names]

    def _plane(self, found: Found) -> tuple[list[Fraction], Fraction]:
        """Return (plane, t) in the units of the points, up to one positive factor."""
        unit = Fraction(2) ** found.power
        x = found.x
        if not self.two:
            t = unit * sum(v * v for v in x) / found.total
            return [Fraction(v) for v in x], t
        side = [min(_dot(found.rows[v[k]], x) for v in self._active) for k in (0, 1)]
        return [*map(Fraction, x[:-1]), unit * (side[1] - side[0]) / 2], unit * (side[0] + side[1]) / 2

    def _optimal(self, found: Found, t: Fraction) -> bool:
        """Return whether t is |x|², or half of it for two hulls: only then do rows ≥ t make x the nearest point."""
        distance2 = Fraction(2) ** found.power * sum(v * v for v in found.x) / found.total
        return t == (distance2 / 2 if self.two else distance2)

    def _join(self, out: Below, found: Found) -> None:
        if not self.two:
            self._add((min(out.lowest.values())[1], -1))
            return
        pair = []
        for k, sign in enumerate((1, -1)):
            score, row = out.lowest[sign]
            if score >= 0:
                row = min((v[k] for v in self._active), key=lambda i: _dot(found.rows[i], found.x))
            pair.append(row)
        self._add((pair[0], pair[1]))

    def _add(self, vertex: Vertex) -> None:
        self.vertices.append(vertex)
        self.corral.join(len(self.vertices) - 1)


def _sum(rows: dict[int, list[int]], vertex: Vertex) -> list[int]:
    i, j = vertex
    return rows[i] if j < 0 else [a + b for a, b in zip(rows[i], rows[j], strict=True)]


def _dot(a: Sequence[Any], b: Sequence[Any]) -> int:
    return sum(p * q for p, q in zip(a, b, strict=True))
