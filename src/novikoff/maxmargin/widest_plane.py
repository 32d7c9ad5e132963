"""Find the widest plane of all rows with a working set of a few of them.

    padded      max over (w, b) of  min_i y_i(w·x_i + b)/|(w, b)|     the hull of the z_i, and the origin
    geometric   max over (w, b) of  min_i y_i(w·x_i + b)/|w|          the hulls of the two classes, half their distance

The working set W has some rows of each sign: the nearest points of W's hulls are found in floats, and rows that are
nearer to the plane join W. If few rows determine the plane, it is made exact (`exactly`). The result is a claim:
`prove` recomputes in rationals, from all rows, what it proves (`margin_check`). Points are only scaled by one common
power of two, and both hulls shifted together, so norms do not change.

From the notes: T4 R5 S10 C7 Z9 (γ), Z11 (the widest plane is one and the same in every order).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from novikoff.errors import UndecidedError
from novikoff.exact.deadline import TimeIsUpError
from novikoff.exact.integer_rows import whole, whole_rows
from novikoff.exact.margin_evidence import evidence
from novikoff.exact.signed_rows import Signed
from novikoff.kernels.compile import kernel_of
from novikoff.kernels.norms import ordered_products
from novikoff.maxmargin import two_hull_kernel
from novikoff.maxmargin.exact_widest import Exactly, Optimum, Vertex
from novikoff.maxmargin.nearest_rows import lowest_of_hulls
from novikoff.separate.active_set import LIMIT
from novikoff.separate.separator_search import JOINED, MOST, SCANNED, SEED, most_at_once
from novikoff.separate.solver import ActiveSet
from novikoff.separate.working_set import Final, draw_rows, most_joining, run_working_set

FEW = 64  # vertices up to which the plane is made exact
SMALL = 1 << 14  # numbers of a class up to which all its rows are in the first working set
LOST = 2.0**-400  # weights below this share of the largest are set to 0
CAREFUL = 1e-13  # relative violation that floats can still resolve
ROUNDS = 64  # of the search in floats between two checks of the deadline
STEPS = 20_000  # spent on exact rounds at most; a round on k vertices costs k²


class Candidate(NamedTuple):
    """A plane (w, b) and vertices with weights, found in floating point."""

    plane: np.ndarray  # empty if none was found
    vertices: list[Vertex]
    weights: np.ndarray
    two: bool


class ProvedMargin(NamedTuple):
    """A margin between two bounds, with their proof: made only by `prove`, from an exact check of all rows.

    y(w·x + b) ≥ t for every row, t > 0; the weighted mean of the rows (of each class) gives `high2`.
    """

    low2: Fraction
    high2: Fraction
    whole: Sequence[int]  # (w, b) in integers; `moved` is added to the last
    moved: Fraction
    t: Fraction
    touching: np.ndarray
    weights: dict[int, int]  # of the rows, in ascending order
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
        """(upper − lower)/upper of γ, approximately."""
        return float(1 - self.low2 / self.high2) / 2 if self.low2 < self.high2 else 0.0


class WidestSearch:
    """The working set: some rows of each sign, as floats; the other rows are only scanned."""

    def __init__(self, points: Signed, two: bool, tolerance: float) -> None:
        self.points, self.two, self.tolerance = points, two, tolerance
        self.signs = (1, -1) if two else (0,)
        self.W = {s: _some(points, s) for s in self.signs}
        self.D = points.D - 1 if two else points.D
        self.joining: dict[int, np.ndarray] = {}  # the rows of each sign that join W next
        A = {s: self._floats(W) for s, W in self.W.items()}
        self.centre = _middle(A[1], A[-1]) if two else np.zeros(self.D)
        A = {s: rows - self.centre for s, rows in A.items()} if two else A
        self.power = -int(np.frexp(max(float(np.abs(rows).max()) for rows in A.values()))[1])
        self.A = {s: np.ldexp(rows, self.power) for s, rows in A.items()}
        self.active = ActiveSet(self.D)

    def run(self) -> Candidate:
        """Return a plane that no row is nearer to than those of W, or none."""
        found: Candidate = run_working_set(self._solutions, self._violators, self._join)
        return found

    def _solutions(self) -> Iterator[Candidate | Final]:
        ended = self._nearest()
        plane = np.zeros(0)
        w = self.active.w
        if ended != two_hull_kernel.MEETING and np.isfinite(w).all() and w.any():
            plane = self._plane()
        if not plane.size or not np.isfinite(plane).all():  # the points are too near to each other for doubles
            yield Final(self._candidate(np.zeros(0)))
        else:
            yield self._candidate(plane)

    def _nearest(self) -> int:
        P, N = self.A[self.signs[0]], self.A[-1] if self.two else np.zeros((1, self.D))
        a = self.active
        a.make_room(min(len(P) + len(N), self.D) + 1)
        go = kernel_of(two_hull_kernel.run, two_hull_kernel, (len(P) + len(N)) * self.D**2)
        ended = LIMIT
        with np.errstate(all="ignore"):
            for _ in range(0, 40 * (self.D + 10), ROUNDS):
                self.points.between()
                self.points.between.spend(ROUNDS * self.D * ((len(P) + len(N)) // 16 + self.D + 8))
                ended, a.k = go(P, N, a.S, a.u, a.k, a.L, a.Q, a.w, self.tolerance / 4, ROUNDS)
                if ended != LIMIT:
                    break
        return int(ended)

    def _plane(self) -> np.ndarray:
        """Return (w, b); weights that are negligible beside the largest are 0, so that the plane fits into doubles."""
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = self.active.w
            w = np.ldexp(np.where(np.abs(scaled) < np.abs(scaled).max() * LOST, 0.0, scaled), self.power)
            if not self.two:
                return np.asarray(w)
            low, high = ordered_products(self.A[1], scaled).min(), ordered_products(self.A[-1], scaled).max()
            return np.append(w, -(low + high) / 2 - ordered_products(self.centre[None], w)[0])

    def _violators(self, found: Candidate) -> np.ndarray | None:
        """Return the rows outside W that are nearer to the plane than those of W of the same hull; None if none are."""
        inside = {s: np.sort(W) for s, W in self.W.items()}
        self.points.between.spend(self.points.n * (self.points.D + SCANNED))
        most = {s: most_at_once(self.points.n, self.D) + W.size for s, W in self.W.items()}
        low, least = lowest_of_hulls(self.points, _whole(found.plane), most, inside)
        width = max(sum(least.values()), 0.0)
        for s, (rows, scores) in low.items():
            nearer = rows[scores < least[s] - self.tolerance * width]
            self.joining[s] = np.setdiff1d(nearer, inside[s], assume_unique=True)
        new = np.concatenate(list(self.joining.values()))
        return new if new.size else None

    def _join(self, new: np.ndarray) -> None:
        for s, mine in self.joining.items():
            if mine.size:
                self.W[s] = np.concatenate([self.W[s], mine])
                self.A[s] = np.vstack([self.A[s], np.ldexp(self._floats(mine) - self.centre, self.power)])

    def _floats(self, rows: np.ndarray) -> np.ndarray:
        """Return rows of one hull that join W: points of a class, or signed rows."""
        self.points.between.spend(JOINED * len(rows) * self.points.D)
        Z = self.points.floats(rows)
        return np.ascontiguousarray(Z[:, :-1] * Z[:, -1:]) if self.two else Z

    def _candidate(self, plane: np.ndarray) -> Candidate:
        pairs = [divmod(s, two_hull_kernel.PAIR) for s in self.active.support]
        u = np.maximum(self.active.u[: self.active.k], 0.0)
        P = self.W[self.signs[0]]
        vertices = [(int(P[i]), int(self.W[-1][j]) if self.two else -1) for i, j in pairs]
        used = u > 0
        kept = [v for v, there in zip(vertices, used, strict=True) if there]
        return Candidate(plane, kept, u[used], self.two)


def prove(
    points: Signed, two: bool, plane: Sequence[int], weights: dict[int, int], touching: np.ndarray | None = None
) -> ProvedMargin:
    """Return the bounds that a plane and weights prove, all rows checked exactly; low2 = 0 if it does not separate.

    touching: the rows that touch the plane; by default those that have weights.
    """
    found = evidence(points, plane, weights, two)
    t, moved = found.lowest, Fraction(0)
    if two:
        p, q = (Fraction(0) if least is None else least for least in found.least)
        t, moved = (p + q) / 2, (q - p) / 2
    w2 = sum(v * v for v in (plane[:-1] if two else plane))
    low2 = t * t / w2 if t > 0 else Fraction(0)
    high2 = found.distance2 / 4 if two else found.distance2
    rows = np.array(list(weights)) if touching is None else touching
    return ProvedMargin(low2, high2, plane, moved, t, rows, weights, sum(weights.values()) // (2 if two else 1))


def prove_optimum(points: Signed, two: bool, best: Optimum) -> ProvedMargin:
    """Do the same with the exact optimum: the two bounds are equal."""
    return prove(points, two, list(whole(best.plane)), _by_row(best.vertices, best.weights), best.touching)


def _whole(row: np.ndarray) -> list[int]:
    """Return doubles times the power of two that makes them integers."""
    return whole_rows(row[None, :])[0][0]


def _by_row(vertices: list[Vertex], weights: Sequence[int]) -> dict[int, int]:
    """Return the weight of each row in the vertices, in ascending order of rows."""
    of: dict[int, int] = {}
    for vertex, m in zip(vertices, weights, strict=True):
        for i in vertex:
            if i >= 0:
                of[i] = of.get(i, 0) + m
    return dict(sorted(of.items()))


def exactly(points: Signed, found: Candidate, rounds: int | None) -> Optimum | None:
    """Return the exact plane from a candidate found in floats, if so many rounds are enough."""
    vertices, weights = found.vertices, found.weights.tolist()
    if not vertices:
        first = np.zeros(1, np.int64)
        positive, negative = (points.rows_of_sign(s, first) if s > 0 or found.two else [-1] for s in (1, -1))
        vertices, weights = [(int(positive[0]), int(negative[0]))], [1.0]
    return Exactly(points, vertices, weights).solve(rounds)


def widest(points: Signed, two: bool, gap: float | None) -> ProvedMargin | None:
    """Return the widest plane of checked points between proved bounds; None if floats find none that separates.

    gap: relative width that the interval of γ may have; None: exact if few rows determine the plane, else as narrow as
    floats allow.
    """
    found = WidestSearch(points, two, CAREFUL if gap is None else max(gap / 4, CAREFUL)).run()
    if not found.plane.size:
        return None
    info = prove(points, two, _whole(found.plane), _by_row(found.vertices, _whole(found.weights)))
    if info.low2 == 0:
        return None if gap is None else widest(points, two, None)
    try:
        better = _solved(points, two, found) if gap is None else None if info.gap <= gap else widest(points, two, None)
    except TimeIsUpError:
        better = None  # the candidate of floats is proved, too, between wider bounds
    return info if better is None else better


def _solved(points: Signed, two: bool, found: Candidate) -> ProvedMargin | None:
    """Return the exact plane, if few vertices determine it and few rounds are enough."""
    k = len(found.vertices)
    best = exactly(points, found, max(STEPS // k**2, 6)) if k <= FEW else None
    solved = None if best is None else prove_optimum(points, two, best)
    return solved if solved is not None and solved.exact else None


def nearly_widest(points: Signed, two: bool) -> np.ndarray | None:
    """Return the widest plane as floats find it, with y(w·x + b) ≥ 1 but for rounding; None if they find none.

    Nothing is proved of it. The search counts its work, so that a limit of work ends it at the same step everywhere.
    """
    found = WidestSearch(points, two, CAREFUL).run()
    return found.plane * (2.0 if two else 1.0) if found.plane.size else None


def widest_exactly(points: Signed, two: bool) -> ProvedMargin:
    """Do the same in exact arithmetic, for separable points that are too near to each other for floats."""
    best = exactly(points, WidestSearch(points, two, CAREFUL).run(), None)
    if best is None:
        raise ArithmeticError("the hulls of separable points cannot meet")  # cannot happen
    solved = prove_optimum(points, two, best)
    if not solved.exact:
        raise UndecidedError(
            "margin: the plane that was found did not pass the exact check of all rows"
        )  # cannot happen
    return solved


def _some(points: Signed, sign: int) -> np.ndarray:
    """Return all rows of a sign (0: of any) if they are few, else some, drawn with a fixed seed."""
    D = points.D
    few = min(most_joining(D), max(MOST // (2 * D), 64))
    drawn = draw_rows(points.count_of_sign(sign) if sign else points.n, few, SEED, SMALL // D)
    return points.rows_of_sign(sign, drawn) if sign else drawn


def _middle(P: np.ndarray, N: np.ndarray) -> np.ndarray:
    """Return the middle between the lowest and the highest number of each column."""
    return np.asarray((np.minimum(P.min(axis=0), N.min(axis=0)) + np.maximum(P.max(axis=0), N.max(axis=0))) / 2)
