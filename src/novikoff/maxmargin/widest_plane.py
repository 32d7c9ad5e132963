"""The widest plane of all rows, from a few of them.

    padded      max over (w, b) of  min_i y_i(w·x_i + b)/|(w, b)|     the hull of the z_i, and the origin
    geometric   max over (w, b) of  min_i y_i(w·x_i + b)/|w|          the hulls of the two classes, half their distance

The working set W has some rows of each sign: the nearest points of W's hulls are found in floats, and rows that are
nearer to the plane join W. Where few rows carry the plane, it is made exact (`exactly`). The result is a claim: `prove`
recomputes in rationals, from all rows, what it proves (`margin_check`). Points are only scaled by one common power of
two, and only shifted both hulls together, so norms do not change.

From the notes: T4 R5 S10 C7 Z9 (γ), Z11 (the widest plane is one and the same in every order).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

import numpy as np

from novikoff.certify.check.margin_check import evidence
from novikoff.certify.check.proof import whole
from novikoff.certify.deadline import TimeIsUpError
from novikoff.certify.numbers.integer_rows import whole_rows
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.solve.separator_search import MORE, MOST, SEED
from novikoff.certify.solve.working_set import Final, draw_rows, most_joining, run_working_set
from novikoff.errors import UndecidedError
from novikoff.kernels.compile import kernel_of
from novikoff.kernels.reproducible_sums import ordered_products
from novikoff.maxmargin import two_hull_kernel
from novikoff.maxmargin.exact_widest import Exactly, Optimum, Vertex

FEW = 64  # vertices up to which the plane is made exact
SMALL = 1 << 14  # numbers of a side that are all looked at rather than asked for in rounds
LOST = 2.0**-400
CAREFUL = 1e-13  # relative violation that floats still follow
ROUNDS = 64  # of the search in floats between two looks at the clock
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


class ProvedMargin(NamedTuple):
    """A margin between two bounds, and what proves them: made by `prove` alone, from an exact check of all rows.

    y(w·x + b) ≥ t for every row, t > 0; the weights of the rows make a point (or two) that `high2` belongs to.
    """

    low2: Fraction
    high2: Fraction
    whole: Sequence[int]  # (w, b) in whole numbers, `moved` to be added to the last
    moved: Fraction
    t: Fraction
    touching: np.ndarray
    weights: dict[int, int]  # of the rows, by rising number
    total: int  # of the weights; for two hulls of each sign

    @property
    def exact(self) -> bool:
        return self.low2 == self.high2

    @property
    def plane(self) -> tuple[Fraction, ...]:
        """(w, b), b only with a bias."""
        plane = [Fraction(v) for v in self.whole]
        plane[-1] += self.moved
        return tuple(plane)

    @property
    def gap(self) -> float:
        """(upper − lower)/upper of γ, nearly."""
        return float(1 - self.low2 / self.high2) / 2 if self.low2 < self.high2 else 0.0


class WidestSearch:
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
        found: Candidate = run_working_set(self._solutions, self._violators, self._join)
        return found

    def _solutions(self) -> Iterator[Candidate | Final]:
        ended = self._nearest()
        plane = np.zeros(0)
        if ended != two_hull_kernel.MEETING and np.isfinite(self.w).all() and self.w.any():
            plane = self._plane()
        if not plane.size or not np.isfinite(plane).all():  # the points are too near to each other for doubles
            yield Final(self._candidate(np.zeros(0), np.zeros(0)))
        else:
            yield self._candidate(plane, self.points.margins(_whole(plane)))

    def _nearest(self) -> int:
        P, N = self.A[self.signs[0]], self.A[-1] if self.two else np.zeros((1, self.D))
        room = min(len(P) + len(N), self.D) + 1
        if len(self.L) < room:
            L, Q = np.zeros((room, room)), np.zeros((room, self.D))
            L[: self.k, : self.k], Q[: self.k] = self.L[: self.k, : self.k], self.Q[: self.k]
            self.L, self.Q = L, Q
        go = kernel_of(two_hull_kernel.run, two_hull_kernel, (len(P) + len(N)) * self.D**2)
        ended = two_hull_kernel.LIMIT
        with np.errstate(all="ignore"):
            for _ in range(0, 40 * (self.D + 10), ROUNDS):
                self.points.between()
                ended, self.k = go(P, N, self.S, self.u, self.k, self.L, self.Q, self.w, self.tolerance / 4, ROUNDS)
                if ended != two_hull_kernel.LIMIT:
                    break
        return int(ended)

    def _plane(self) -> np.ndarray:
        """(w, b); what is lost beside the largest weight is left out, so that a plane is one row of doubles."""
        with np.errstate(over="ignore", invalid="ignore"):
            w = np.ldexp(np.where(np.abs(self.w) < np.abs(self.w).max() * LOST, 0.0, self.w), self.power)
            if not self.two:
                return np.asarray(w)
            low, high = ordered_products(self.A[1], self.w).min(), ordered_products(self.A[-1], self.w).max()
            return np.append(w, -(low + high) / 2 - ordered_products(self.centre[None], w)[0])

    def _violators(self, found: Candidate) -> np.ndarray | None:
        """The rows outside W that are nearer to the plane than W's of the same hull; None: there are none."""
        least = {s: float(found.scores[W].min()) for s, W in self.W.items()}
        width, nearest = max(sum(least.values()), 0.0), []
        for s, rows in self.all.items():
            mine = found.scores[rows]
            nearer = np.flatnonzero(mine < least[s] - self.tolerance * width)
            most = max(most_joining(self.D), self.points.n // (MORE * self.D)) + self.W[s].size
            if nearer.size > most:
                nearer = nearer[np.argpartition(mine[nearer], most)[:most]]
            nearest.append(rows[nearer])
        new = np.concatenate(nearest)
        new = new[~self.inside[new]]
        return new if new.size else None

    def _join(self, new: np.ndarray) -> None:
        y = self.points.problem.y[new]
        for s in self.signs:
            mine = new[y == s] if s else new
            if mine.size:
                self.W[s] = np.concatenate([self.W[s], mine])
                self.A[s] = np.vstack([self.A[s], np.ldexp(self._floats(mine) - self.centre, self.power)])

    def _floats(self, rows: np.ndarray) -> np.ndarray:
        """Rows of one hull, which join W: the points of a class, or all signed rows."""
        self.inside[rows] = True
        Z = self.points.floats(rows)
        return np.ascontiguousarray(Z[:, :-1] * Z[:, -1:]) if self.two else Z

    def _candidate(self, plane: np.ndarray, scores: np.ndarray) -> Candidate:
        pairs = [divmod(int(s), two_hull_kernel.PAIR) for s in self.S[: self.k]]
        u = np.maximum(self.u[: self.k], 0.0)
        P = self.W[self.signs[0]]
        vertices = [(int(P[i]), int(self.W[-1][j]) if self.two else -1) for i, j in pairs]
        used = u > 0
        kept = [v for v, there in zip(vertices, used, strict=True) if there]
        return Candidate(plane, kept, u[used], scores, list(self.all.values()), self.two, not plane.size)


def prove(
    points: Signed, two: bool, plane: Sequence[int], weights: dict[int, int], touching: np.ndarray | None = None
) -> ProvedMargin:
    """The bounds that a plane and weights are proof of, all rows checked exactly; low2 = 0 where it does not separate.

    touching: the rows that are claimed to touch; else those that have weights.
    """
    found = evidence(points.problem, plane, weights, two, points.engine, points.between)
    t, moved = found.lowest, Fraction(0)
    if two:
        p, q = (Fraction(0) if least is None else least for least in found.least)
        t, moved = (p + q) / 2, (q - p) / 2
    w2 = sum(v * v for v in (plane[:-1] if two else plane))
    low2 = t * t / w2 if t > 0 else Fraction(0)
    high2 = found.distance2 / 4 if two else found.distance2
    rows = np.array(list(weights)) if touching is None else touching
    return ProvedMargin(low2, high2, plane, moved, t, rows, weights, sum(weights.values()) // (2 if two else 1))


def prove_floats(points: Signed, two: bool, found: Candidate) -> ProvedMargin:
    """The same of what floats found."""
    return prove(points, two, _whole(found.plane), _by_row(found.vertices, _whole(found.weights)))


def prove_optimum(points: Signed, two: bool, best: Optimum) -> ProvedMargin:
    """The same of what was solved in rational numbers: the two bounds are equal."""
    plane = list(whole(best.plane))
    common = lcm(*(m.denominator for m in best.weights.values()))
    weights = {i: m.numerator * (common // m.denominator) for i, m in sorted(best.weights.items())}
    return prove(points, two, plane, weights, best.touching)


def _whole(row: np.ndarray) -> list[int]:
    """Doubles times the power of two that makes them whole."""
    return whole_rows(row[None, :])[0][0]


def _by_row(vertices: list[Vertex], weights: Sequence[int]) -> dict[int, int]:
    """The weight of each row in the vertices, by rising row."""
    of: dict[int, int] = {}
    for vertex, m in zip(vertices, weights, strict=True):
        for i in vertex:
            if i >= 0:
                of[i] = of.get(i, 0) + m
    return dict(sorted(of.items()))


def exactly(points: Signed, found: Candidate, rounds: int | None) -> Optimum | None:
    """The exact plane from what floats found, if it comes in so many rounds."""
    vertices, weights = found.vertices, found.weights.tolist()
    if not vertices:
        y = points.problem.y
        vertices, weights = [(int(np.argmax(y == 1)), int(np.argmax(y == -1)) if found.two else -1)], [1.0]
    return Exactly(points, vertices, weights).solve(rounds)


def widest(points: Signed, two: bool, gap: float | None) -> ProvedMargin | None:
    """The widest plane of surveyed points between proved bounds; None where floats see none that separates.

    gap: how wide, for its size, the interval of γ may be; None: exact where few rows carry the plane, else as narrow
    as floats can make it.
    """
    found = WidestSearch(points, two, CAREFUL if gap is None else max(gap / 4, CAREFUL)).run()
    if found.meeting:
        return None
    info = prove_floats(points, two, found)
    if info.low2 == 0:
        return None if gap is None else widest(points, two, None)
    try:
        better = _solved(points, two, found) if gap is None else None if info.gap <= gap else widest(points, two, None)
    except TimeIsUpError:
        better = None  # what floats found is proved, too, between wider bounds
    return info if better is None else better


def _solved(points: Signed, two: bool, found: Candidate) -> ProvedMargin | None:
    """The exact plane, where few vertices carry it and it comes in a few rounds."""
    k = len(found.vertices)
    best = exactly(points, found, max(STEPS // k**2, 6)) if k <= FEW else None
    solved = None if best is None else prove_optimum(points, two, best)
    return solved if solved is not None and solved.exact else None


def widest_exactly(points: Signed, two: bool) -> ProvedMargin:
    """The same in exact arithmetic, for points that are separable and too near to each other for floats."""
    best = exactly(points, WidestSearch(points, two, CAREFUL).run(), None)
    if best is None:
        raise ArithmeticError("the hulls of separable points cannot meet")  # cannot happen
    solved = prove_optimum(points, two, best)
    if not solved.exact:
        raise UndecidedError(
            "margin: the plane that was found did not pass the exact check of all rows"
        )  # cannot happen
    return solved


def _some(rows: np.ndarray, D: int) -> np.ndarray:
    """All rows if they are few, else some, drawn with a fixed seed."""
    few = min(most_joining(D), max(MOST // (2 * D), 64))
    return np.asarray(rows[draw_rows(rows.size, few, SEED, SMALL // D)])


def _middle(P: np.ndarray, N: np.ndarray) -> np.ndarray:
    """Between the lowest and the highest number of each column."""
    return np.asarray((np.minimum(P.min(axis=0), N.min(axis=0)) + np.maximum(P.max(axis=0), N.max(axis=0))) / 2)
