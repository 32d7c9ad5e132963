"""The widest plane of all rows, from a few of them.

    padded      max over (w, b) of  min_i y_i(w·x_i + b)/|(w, b)|     the hull of the z_i, and the origin
    geometric   max over (w, b) of  min_i y_i(w·x_i + b)/|w|          the hulls of the two classes, half their distance

W ← some rows of each sign; the nearest points of W's hulls by floats; in one pass over all rows those join that are
nearer than W's; and again. The plane and the weights that come out are judged by exact arithmetic (`bound`), and where
few rows carry them, made exact (`exactly`). Nothing is scaled but by one common power of two, and nothing is moved but
both hulls together: norms stay what they are.

From the notes: T4 R5 S10 C7 Z9 (γ), Z11 (the widest plane is one and the same in every order).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from novikoff.certify.chunks import chunks_of
from novikoff.certify.clock import TimeIsUpError
from novikoff.certify.enclosure import SMALLEST, UNIT
from novikoff.certify.machine import kernel_of
from novikoff.certify.signed import Signed
from novikoff.certify.whole import whole_rows
from novikoff.certify.working import MOST, SEED
from novikoff.sides.exact import reach
from novikoff.width import hulls
from novikoff.width.bound import combined2, least, square
from novikoff.width.exactly import Exactly, Optimum, Vertex

FEW = 64  # vertices up to which the plane is made exact
SMALL = 1 << 14  # numbers of a side that are all looked at rather than asked for in rounds
LOST = 2.0**-400
CAREFUL = 1e-13  # relative violation that floats still follow
STEPS = 20_000  # k² of them make a round of exact arithmetic on k vertices: what floats nearly have is worth so many


class Candidate(NamedTuple):
    """A plane (w, b) and vertices with weights, as floats see them; `meeting`: they see no plane."""

    plane: np.ndarray
    vertices: list[Vertex]
    weights: np.ndarray
    scores: np.ndarray  # y(w·x + b) of every row
    sides: list[np.ndarray]  # the rows of each hull: positive and negative ones, or all
    two: bool
    meeting: bool


class Proved(NamedTuple):
    """A margin between two bounds, and what proves them.

    y(w·x + b) ≥ t for every row, t > 0; Σ weights·z / Σ weights is `high2` long, squared.
    """

    low2: Fraction
    high2: Fraction
    numbers: Sequence[Any]  # (w, b): floats or fractions, `moved` to be added to the last
    moved: Fraction
    t: Fraction
    touching: np.ndarray
    weights: dict[int, Any]  # of the rows
    exact: bool

    @property
    def plane(self) -> tuple[Fraction, ...]:
        """(w, b), b only with a bias."""
        plane = [Fraction(v) for v in self.numbers]
        plane[-1] += self.moved
        return tuple(plane)

    @property
    def gap(self) -> float:
        """(upper − lower)/upper of γ, nearly."""
        return float(1 - self.low2 / self.high2) / 2 if self.low2 < self.high2 else 0.0


class Search:
    """Some rows of each sign, as floats; the rest is asked plane by plane."""

    def __init__(self, points: Signed, two: bool, tolerance: float) -> None:
        self.points, self.two, self.tolerance = points, two, tolerance
        y = points.problem.y
        self.signs = (1, -1) if two else (0,)
        self.all = {s: np.flatnonzero(y == s) if s else np.arange(points.n) for s in self.signs}
        self.W = {s: _some(rows, points.D) for s, rows in self.all.items()}
        self.D = points.D - 1 if two else points.D
        self.inside = np.zeros(points.n, np.bool_)
        A = {s: self._floats(W) for s, W in self.W.items()}
        self.centre = _middle(A[1], A[-1]) if two else np.zeros(self.D)
        A = {s: rows - self.centre for s, rows in A.items()} if two else A
        self.power = -int(np.frexp(max(float(np.abs(rows).max()) for rows in A.values()))[1])
        self.A = {s: np.ldexp(rows, self.power) for s, rows in A.items()}
        self.S, self.u = np.zeros(self.D + 2, np.int64), np.zeros(self.D + 2)
        self.k, self.L, self.Q, self.w = 0, np.zeros((0, 0)), np.zeros((0, self.D)), np.zeros(self.D)

    def run(self) -> Candidate:
        """A plane that no row is nearer to than W's, or none."""
        while True:
            self.points.between()
            ended = self._nearest()
            if ended == hulls.MEETING or not np.isfinite(self.w).all() or not self.w.any():
                return self._candidate(np.zeros(0), np.zeros(0))
            plane = self._plane()
            if not np.isfinite(plane).all():  # the points are too near to each other for doubles
                return self._candidate(np.zeros(0), np.zeros(0))
            scores = self.points.margins(whole_rows(plane[None, :])[0][0])
            if not self._grow(scores):
                return self._candidate(plane, scores)

    def _nearest(self) -> int:
        P, N = self.A[self.signs[0]], self.A[-1] if self.two else np.zeros((1, self.D))
        room = min(len(P) + len(N), self.D) + 1
        if len(self.L) < room:
            L, Q = np.zeros((room, room)), np.zeros((room, self.D))
            L[: self.k, : self.k], Q[: self.k] = self.L[: self.k, : self.k], self.Q[: self.k]
            self.L, self.Q = L, Q
        go = kernel_of(hulls.run, hulls, (len(P) + len(N)) * self.D**2)
        with np.errstate(all="ignore"):
            ended, self.k = go(
                P, N, self.S, self.u, self.k, self.L, self.Q, self.w, self.tolerance / 4, 40 * (self.D + 10)
            )
        return int(ended)

    def _plane(self) -> np.ndarray:
        """(w, b); what is lost beside the largest weight is left out, so that a plane is one row of doubles."""
        with np.errstate(over="ignore", invalid="ignore"):
            w = np.ldexp(np.where(np.abs(self.w) < np.abs(self.w).max() * LOST, 0.0, self.w), self.power)
            if not self.two:
                return np.asarray(w)
            low, high = float((self.A[1] @ self.w).min()), float((self.A[-1] @ self.w).max())
            return np.append(w, -(low + high) / 2 - float(self.centre @ w))

    def _grow(self, scores: np.ndarray) -> bool:
        """Let the rows join that are nearer than W's; whether there were any."""
        if all(self.W[s].size == rows.size for s, rows in self.all.items()):
            return False
        least = {s: float(scores[W].min()) for s, W in self.W.items()}
        width = max(sum(least.values()), 0.0)
        grown = False
        for s, rows in self.all.items():
            if self.W[s].size == rows.size:
                continue
            mine = scores[rows]
            nearer = np.flatnonzero(mine < least[s] - self.tolerance * width)
            most = max(2 * self.D + 10, self.points.n // (32 * self.D)) + self.W[s].size
            if nearer.size > most:
                nearer = nearer[np.argpartition(mine[nearer], most)[:most]]
            new = rows[nearer]
            new = new[~self.inside[new]]
            if new.size:
                grown = True
                self.W[s] = np.concatenate([self.W[s], new])
                self.A[s] = np.vstack([self.A[s], np.ldexp(self._floats(new) - self.centre, self.power)])
        return grown

    def _floats(self, rows: np.ndarray) -> np.ndarray:
        """Rows of one hull, which join W: the points of a class, or all signed rows."""
        self.inside[rows] = True
        Z = self.points.floats(rows)
        return np.ascontiguousarray(Z[:, :-1] * Z[:, -1:]) if self.two else Z

    def _candidate(self, plane: np.ndarray, scores: np.ndarray) -> Candidate:
        pairs = [divmod(int(s), hulls.PAIR) for s in self.S[: self.k]]
        u = np.maximum(self.u[: self.k], 0.0)
        P = self.W[self.signs[0]]
        vertices = [(int(P[i]), int(self.W[-1][j]) if self.two else -1) for i, j in pairs]
        used = u > 0
        kept = [v for v, there in zip(vertices, used, strict=True) if there]
        return Candidate(plane, kept, u[used], scores, list(self.all.values()), self.two, not plane.size)


def prove(points: Signed, two: bool, found: Candidate) -> Proved:
    """The bounds that a plane and weights are proof of, exactly; low2 = 0 where the plane does not separate."""
    v, doubt = _asked(points, found)
    shares = _whole_weights(found.weights)
    of = _by_row(found.vertices, shares, 0)
    total = sum(shares)
    high2 = combined2(points.floats(np.array(list(of))), list(of.values()), total)
    p, *q = (least(points, rows, v, found.scores, doubt) for rows in found.sides)
    low2, moved, t = _from_below(two, v, p, *q)
    weights = {i: Fraction(m, total) for i, m in of.items()}
    return Proved(low2, high2 / 4 if two else high2, v.tolist(), moved, t, np.array(list(of)), weights, False)


def prove_by_floats(points: Signed, two: bool, found: Candidate) -> Proved:
    """The same, a little wider: every rounding is bounded, none is avoided."""
    v, doubt = _asked(points, found)
    p, *rest = (float(found.scores[rows].min()) - doubt for rows in found.sides)
    q = rest[0] if two else p
    moved = (q - p) / 2
    t = (p + q) / 2 - 4 * UNIT * (abs(p) + abs(q) + doubt)
    m, k = found.weights, len(found.vertices)
    slack = 1 + 4 * (points.D + k + 8) * UNIT  # of any norm or sum here
    rows = np.array(found.vertices)
    Z = points.floats(rows.T.ravel() if two else rows[:, 0])
    V, size = (Z[:k] + Z[k:], np.abs(Z[:k]) + np.abs(Z[k:])) if two else (Z, np.abs(Z))
    x = np.abs(m @ V) + 1.01 * (k + 8) * UNIT * (m @ size) + SMALLEST
    total = float(m.sum())
    high = math.sqrt(float(x @ x)) / total * slack * slack * (0.5 if two else 1.0)
    n = v[:-1] if two else v
    low = t / (math.sqrt(float(n @ n)) * slack) * (1 - 8 * UNIT)
    if not (SMALLEST < float(n @ n) < 1 / SMALLEST and total > SMALLEST and 0 < low <= high < 1 / SMALLEST):
        low, high = 0.0, math.inf
    of = _by_row(found.vertices, (m / total).tolist(), 0.0)
    bounds = (Fraction(low) ** 2, Fraction(high) ** 2) if low else (Fraction(0), Fraction(1))
    return Proved(*bounds, v.tolist(), Fraction(moved), Fraction(t), np.array(list(of)), of, False)


def _asked(points: Signed, found: Candidate) -> tuple[np.ndarray, float]:
    """The plane that the scores are of, and how far a score may be off."""
    v = chunks_of(whole_rows(found.plane[None, :])[0][0])[0][0][: points.D]
    return v, float(reach(points.D + 2, float(v @ v) * 1.01, points.judge.R2))  # type: ignore[no-untyped-call]


def _from_below(
    two: bool, v: np.ndarray, p: Fraction, q: Fraction = Fraction(0)
) -> tuple[Fraction, Fraction, Fraction]:
    """(γ² at least, how far b is moved, t) if the scores are at least p on one side, and q on the other."""
    t, moved = ((p + q) / 2, (q - p) / 2) if two else (p, q)
    return t * t / square(v[:-1] if two else v) if t > 0 else Fraction(0), moved, t


def _by_row(vertices: list[Vertex], weights: Sequence[Any], none: Any) -> dict[int, Any]:
    """The weight of each row in the vertices, by rising row."""
    of: dict[int, Any] = {}
    for vertex, m in zip(vertices, weights, strict=True):
        for i in vertex:
            if i >= 0:
                of[i] = of.get(i, none) + m
    return dict(sorted(of.items()))


def proved_of(best: Optimum, two: bool) -> Proved:
    """An optimum as bounds that are equal."""
    g2 = best.distance2 / 4 if two else best.distance2
    return Proved(g2, g2, best.plane, Fraction(0), best.t, best.touching, best.weights, True)


def exactly(points: Signed, found: Candidate, rounds: int | None) -> Optimum | None:
    """The exact plane from what floats found, if it comes in so many rounds."""
    vertices, weights = found.vertices, found.weights.tolist()
    if not vertices:
        y = points.problem.y
        vertices, weights = [(int(np.argmax(y == 1)), int(np.argmax(y == -1)) if found.two else -1)], [1.0]
    try:
        return Exactly(points, vertices, weights).solve(rounds)
    except TimeIsUpError:
        if rounds is None:
            raise
        return None  # what floats found is proved, too, between wider bounds


def widest(points: Signed, two: bool, gap: float | None) -> Proved | None:
    """The widest plane of surveyed points between proved bounds; None where floats see none that separates.

    gap: how wide, for its size, the interval of γ may be; None: exact where few rows carry the plane, else as narrow
    as floats can make it.
    """
    found = Search(points, two, CAREFUL if gap is None else max(gap / 4, CAREFUL)).run()
    if found.meeting:
        return None
    if gap is not None:
        told = prove_by_floats(points, two, found)
        return told if told.low2 and told.gap <= gap else widest(points, two, None)
    told = prove(points, two, found)
    if told.low2 == 0:
        return None
    k = len(found.vertices)
    best = exactly(points, found, max(STEPS // k**2, 6)) if k <= FEW else None
    return told if best is None else proved_of(best, two)


def widest_exactly(points: Signed, two: bool) -> Proved:
    """The same in exact arithmetic, for points that are separable and too near to each other for floats."""
    best = exactly(points, Search(points, two, CAREFUL).run(), None)
    if best is None:
        raise ArithmeticError("the hulls of separable points cannot meet")  # cannot happen
    return proved_of(best, two)


def _whole_weights(weights: np.ndarray) -> list[int]:
    (whole,), _ = whole_rows(weights[None, :])
    return whole


def _some(rows: np.ndarray, D: int) -> np.ndarray:
    """All rows where they are few, else some, drawn by a fixed seed."""
    few = min(2 * D + 10, max(MOST // (2 * D), 64))
    if rows.size <= max(2 * few, SMALL // D):
        return rows
    return np.asarray(rows[np.sort(np.random.default_rng(SEED).choice(rows.size, few, replace=False))])


def _middle(P: np.ndarray, N: np.ndarray) -> np.ndarray:
    """Between the lowest and the highest number of each column."""
    return np.asarray((np.minimum(P.min(axis=0), N.min(axis=0)) + np.maximum(P.max(axis=0), N.max(axis=0))) / 2)
