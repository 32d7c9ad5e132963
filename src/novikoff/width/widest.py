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

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.certify.machine import kernel_of
from novikoff.certify.signed import Signed, chunks_of
from novikoff.certify.whole import whole_rows
from novikoff.certify.working import MOST, SEED
from novikoff.sides.exact import norm2, reach
from novikoff.width import hulls
from novikoff.width.bound import combined2, least, radius2, square
from novikoff.width.exactly import Exactly, Optimum, Vertex

FEW = 64  # vertices up to which the plane is made exact
CAREFUL = 1e-13  # relative violation that floats still follow
STEPS = 20_000  # k² of them make a round of exact arithmetic on k vertices: what floats nearly have is worth so many


class Candidate(NamedTuple):
    """A plane (w, b) and vertices with weights, as floats see them; `meeting`: they see no plane."""

    plane: np.ndarray
    vertices: list[Vertex]
    weights: np.ndarray
    scores: np.ndarray  # y(w·x + b) of every row
    two: bool
    meeting: bool


class Proved(NamedTuple):
    """A margin between two bounds, and what proves them.

    y(w·x + b) ≥ t for every row, t > 0; Σ weights·z / Σ weights is `high2` long, squared.
    """

    low2: Fraction
    high2: Fraction
    plane: tuple[Fraction, ...]  # (w, b)
    t: Fraction
    touching: np.ndarray
    weights: dict[int, Fraction]
    exact: bool

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
        Z = points.floats(np.concatenate([*self.W.values()]))
        self.centre = _middle(Z) if two else np.zeros(self.D)
        self.power = -int(np.frexp(np.abs(Z[:, : self.D] - Z[:, -1:] * self.centre if two else Z).max())[1])
        self.A = {s: self._floats(W) for s, W in self.W.items()}
        self.S, self.u = np.zeros(self.D + 2, np.int64), np.zeros(self.D + 2)
        self.k, self.L, self.Q, self.w = 0, np.zeros((0, 0)), np.zeros((0, self.D)), np.zeros(self.D)

    def run(self) -> Candidate:
        """A plane that no row is nearer to than W's, or none."""
        while True:
            ended = self._nearest()
            if ended == hulls.MEETING or not np.isfinite(self.w).all() or not self.w.any():
                return self._candidate(np.zeros(0), meeting=True)
            plane = self._plane()
            scores = self._scores(plane)
            if not self._grow(scores):
                return self._candidate(scores)

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
        w = np.ldexp(self.w, self.power)
        if not self.two:
            return w
        low, high = float((self.A[1] @ self.w).min()), float((self.A[-1] @ self.w).max())
        return np.append(w, -(low + high) / 2 - float(self.centre @ w))

    def _scores(self, plane: np.ndarray) -> np.ndarray:
        return self.points.margins(whole_rows(plane[None, :])[0][0])

    def _grow(self, scores: np.ndarray) -> bool:
        """Let the rows join that are nearer than W's; whether there were any."""
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
            new = np.setdiff1d(rows[nearer], self.W[s], assume_unique=True)
            if new.size:
                grown = True
                self.W[s] = np.concatenate([self.W[s], new])
                self.A[s] = np.vstack([self.A[s], self._floats(new)])
        return grown

    def _floats(self, rows: np.ndarray) -> np.ndarray:
        """Rows of one hull: in the middle of both, and about 1 long."""
        Z = self.points.floats(rows)
        if self.two:
            Z = Z[:, :-1] * Z[:, -1:] - self.centre
        return np.ascontiguousarray(np.ldexp(Z, self.power))

    def _candidate(self, scores: np.ndarray, meeting: bool = False) -> Candidate:
        pairs = [divmod(int(s), hulls.PAIR) for s in self.S[: self.k]]
        u = np.maximum(self.u[: self.k], 0.0)
        P = self.W[self.signs[0]]
        vertices = [(int(P[i]), int(self.W[-1][j]) if self.two else -1) for i, j in pairs]
        used = u > 0
        kept = [v for v, there in zip(vertices, used, strict=True) if there]
        plane = np.zeros(0) if meeting else self._plane()
        return Candidate(plane, kept, u[used], scores, self.two, meeting)


def prove(points: Signed, two: bool, found: Candidate, R2: Fraction) -> Proved:
    """The bounds that a plane and weights are proof of; low2 = 0 where the plane does not separate."""
    v, _, _ = chunks_of(whole_rows(found.plane[None, :])[0][0])
    v = v[0][: points.D]
    doubt = reach(points.D + 2, float(norm2(v, 0.0)), float(R2) * 1.01)
    y = points.problem.y
    shares = _whole_weights(found.weights)
    names = sorted({i for vertex in found.vertices for i in vertex if i >= 0})
    of = dict.fromkeys(names, 0)
    for vertex, m in zip(found.vertices, shares, strict=True):
        for i in vertex:
            if i >= 0:
                of[i] += m
    total = sum(shares)
    high2 = combined2(points.floats(np.array(names)), [of[i] for i in names], total)
    plane = [Fraction(float(c)) for c in v]
    if two:
        p, q = (least(points, np.flatnonzero(y == s), v, found.scores, doubt) for s in (1, -1))
        t = (p + q) / 2
        plane[-1] += (q - p) / 2
        norm, high2 = square(v[:-1]), high2 / 4
    else:
        t = least(points, np.arange(points.n), v, found.scores, doubt)
        norm = square(v)
    low2 = t * t / norm if t > 0 else Fraction(0)
    weights = {i: Fraction(m, total) for i, m in of.items()}
    return Proved(low2, high2, tuple(plane), t, np.array(names), weights, False)


def proved_of(best: Optimum, two: bool) -> Proved:
    """An optimum as bounds that are equal."""
    g2 = best.distance2 / 4 if two else best.distance2
    return Proved(g2, g2, best.plane, best.t, best.touching, best.weights, True)


def exactly(points: Signed, found: Candidate, rounds: int | None) -> Optimum | None:
    """The exact plane from what floats found, if it comes in so many rounds."""
    vertices, weights = found.vertices, found.weights.tolist()
    if not vertices:
        y = points.problem.y
        vertices, weights = [(int(np.argmax(y == 1)), int(np.argmax(y == -1)) if found.two else -1)], [1.0]
    return Exactly(points, vertices, weights).solve(rounds)


def widest(points: Signed, two: bool, gap: float | None) -> Proved | None:
    """The widest plane between proved bounds; None where floats see none that separates.

    gap: how wide, for its size, the interval of γ may be; None: exact where few rows carry the plane, else as narrow
    as floats can make it.
    """
    found = Search(points, two, CAREFUL if gap is None else max(gap / 4, CAREFUL)).run()
    if found.meeting:
        return None
    told = prove(points, two, found, radius2(points.problem)[1])
    if told.low2 == 0 or (gap is not None and told.gap <= gap):
        return told if told.low2 else None
    if gap is not None and gap > 8 * CAREFUL:
        return widest(points, two, None)
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
    if rows.size <= 2 * few:
        return rows
    return np.asarray(rows[np.sort(np.random.default_rng(SEED).choice(rows.size, few, replace=False))])


def _middle(Z: np.ndarray) -> np.ndarray:
    X = Z[:, :-1] * Z[:, -1:]
    return np.asarray((X.min(axis=0) + X.max(axis=0)) / 2)
