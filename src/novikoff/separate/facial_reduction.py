"""Classify as complete, quasi-complete or overlap by facial reduction: which rows can be separated, which cannot.

    C = {w : ⟨w, z_i⟩ ≥ 0 for all i}     O: rows with ⟨w, z_i⟩ = 0 for all w in C, not separable     S: the others

Some w in C has ⟨w, z_i⟩ > 0 for all of S together. complete: O is empty; overlap: S is empty; quasi-complete: neither.

The rows of a positive circuit are in O, so C lies in the space N orthogonal to them; rows that vanish on N are in O,
too. On N the rest is the same question with a smaller D. After at most D circuits there is a strict separator of what
is left, or nothing is left. The proof: w, and positive weights λ on rows T with Σ λ_i z_i = 0, such that every row that
w does not separate lies in the span of T.

With hundreds of dummy columns there are hundreds of circuits of two or three rows: then all circuits of some rows,
found in floats, are used together, before the space is restricted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz_mat

from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import Row, of_rows, primitive
from novikoff.exact.rescale import Frame, rounded
from novikoff.exact.signed_rows import Signed
from novikoff.exact.subspace import Quotient
from novikoff.separate import active_set
from novikoff.separate.row_space import independent, independent_columns, kernel
from novikoff.separate.solver import ActiveSetSolver, floats_of, strict_by_floats, supported
from novikoff.separate.wolfe import Circuit
from novikoff.separate.working_set import Final, draw_rows, few_rows, most_joining, run_working_set, worst_rows

COMPLETE, QUASI, OVERLAP = "complete", "quasi-complete", "overlap"
FEW = 64  # columns up to which circuits are found one by one
DIGITS = 24  # binary digits of a plane that is only used to find violators
MOST = 50_000_000  # numbers converted to integers
NEAR = 1e-9  # a row this near to a span, relative to its length, is skipped for the rest of the round


class Faces(NamedTuple):
    """A plane of the table that separates every row that can be separated, and these rows; None and none of them."""

    w: list[int] | None  # ⟨w, z⟩ > 0 on the separated rows and 0 on the others
    separated: np.ndarray  # row numbers


class Kind(NamedTuple):
    """The three-way answer and its proof."""

    kind: str
    w: list[int] | None
    separated: np.ndarray
    held: list[int]  # T
    weights: list[int]  # λ on T


class RowRelation:
    """Signed rows of a table, positive weights with which they add up to zero, and an independent part of them."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.relation: dict[tuple[int, int], int] = {}  # (row of the table, sign): weight
        self.basis: list[Row] = []
        self.powers: list[int] = []
        self.names: list[tuple[int, int]] = []

    def space(self) -> Any:
        """Return a basis of the space on which all these rows vanish."""
        return kernel(self.basis, self.columns)

    def join_pairs(self, pairs: Quotient, which: Sequence[int]) -> None:
        """Add independent rows that occur with both signs."""
        for i in which:
            row = int(pairs.of[i])
            self.relation |= {(row, 1): 1, (row, -1): 1}
            self.names.append((row, 1))
        self.basis, self.powers = pairs.whole(which)

    def join(self, points: Quotient, which: Sequence[int], weights: Sequence[int]) -> None:
        """Add rows whose sum, with positive weights, lies in the span of the rows added before."""
        Z, powers = replace(points, N=None).whole(which)
        there = [k for k, z in enumerate(Z) if any(z)]  # a zero row is in every span
        Z, powers, weights = [Z[k] for k in there], [powers[k] for k in there], [weights[k] for k in there]
        names = [(int(points.of[which[k]]), int(points.signs[which[k]])) for k in there]
        if not names:
            return
        new = dict(zip(names, weights, strict=True))
        least = min([*powers, *self.powers], default=0)
        whole = [[v << e - least for v in z] for z, e in zip([*self.basis, *Z], [*self.powers, *powers], strict=True)]
        total = (fmpz_mat([list(weights)]) * fmpz_mat(whole[len(self.basis) :])).entries()
        if any(total):
            times, shares = _made_of(total, whole[: len(self.basis)])
            new = {name: m * times for name, m in new.items()}
            for name, c in zip(self.names, shares, strict=True):
                new[name] = new.get(name, 0) + c
        self.relation = _positive(new, self.relation)
        kept = independent(whole)
        every = [*self.names, *names]
        rows, low = [*self.basis, *Z], [*self.powers, *powers]
        self.names, self.basis, self.powers = [every[i] for i in kept], [rows[i] for i in kept], [low[i] for i in kept]


def _made_of(total: list[Any], basis: list[list[int]]) -> tuple[int, list[int]]:
    """Return t > 0 and c with t·total + Σ c_k b_k = 0, for independent b."""
    null, size = fmpz_mat([total, *basis]).transpose().nullspace()
    if size != 1:
        raise ArithmeticError("a sum of rows in circuits is not in the span of those before")  # cannot happen
    t, *c = (int(null[i, 0]) for i in range(len(basis) + 1))
    return (t, c) if t > 0 else (-t, [-v for v in c])


def _positive(new: dict[tuple[int, int], int], old: dict[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Return the sum of two relations, with a multiple of the old one that makes all weights positive."""
    times = max((-m // old[name] + 1 for name, m in new.items() if m <= 0), default=1)
    names = sorted({*new, *old})
    weights = primitive([new.get(name, 0) + times * old.get(name, 0) for name in names])
    return dict(zip(names, weights, strict=True))


class _Plane(NamedTuple):
    """A plane of the space, and the scores of all rows; rough: it only shows rows on its wrong side."""

    w: list[int]
    margins: np.ndarray
    rough: bool


class _Reduction:
    """The loop; rest: the points on the remaining space. at_once: use all circuits of some rows together."""

    def __init__(self, related: RowRelation, points: Quotient, at_once: bool, seed: int = 0) -> None:
        self.related, self.points, self.at_once = related, points, at_once
        self.rest = points.within(related.space()) if related.basis else points
        self.rng = np.random.default_rng(seed)
        self.some = self.worst = np.zeros(0, np.int64)

    def run(self) -> Faces:
        while self.rest.D and self.rest.n:
            found = run_working_set(self._solutions, self._violators, self._extend, self.rest.between)
            if not isinstance(found, Circuit):
                separated = np.flatnonzero(found.margins > 0)
                return Faces(self.rest.plane(found.w) if separated.size else None, separated)
            self.related.join(self.rest, found.rows, found.weights)
            self.rest = self.points.within(self.related.space())
        return Faces(None, np.zeros(0, np.int64))

    def _solutions(self) -> Iterator[_Plane | Final]:
        """Yield the sum of circuits of some rows, or planes that separate them: in floats, then exactly."""
        some = np.union1d(self._draw(), self.worst)
        Z, powers = self.rest.whole(some)
        there = [i for i, z in enumerate(Z) if any(z)]
        Z, powers, self.some = [Z[i] for i in there], [powers[i] for i in there], some[there]
        if not there:
            yield self._plane([1] + [0] * (self.rest.D - 1))
            return
        if self.at_once:
            search = CircuitSearch(Z)
            circuits = list(search.circuits(self.rest.between))
            if circuits:
                yield Final(self._sum(circuits, powers))
                return
            if search.plane is not None and any(search.plane):
                yield self._plane(search.plane, rough=True)
        found = strict_by_floats(Z, self.rest.between)
        yield Final(self._sum([found], powers)) if isinstance(found, Circuit) else self._plane(found.w)

    def _sum(self, circuits: Sequence[Circuit], powers: Sequence[int]) -> Circuit:
        """Return the sum of relations, which is one, with the numbers and weights of the points."""
        total: dict[int, int] = {}
        for c in circuits:
            for i, m in zip(c.rows, of_rows(c.weights, [powers[i] for i in c.rows]), strict=True):
                row = int(self.some[i])
                total[row] = total.get(row, 0) + m
        return Circuit(list(total), list(total.values()))

    def _plane(self, w: list[int], rough: bool = False) -> _Plane:
        return _Plane(w, self.rest.margins(w), rough)

    def _draw(self) -> np.ndarray:
        """Return rows that do not vanish: all if they are few, else some."""
        points, few = self.rest, few_rows(self.rest.D)
        if points.n <= 2 * few:
            return np.arange(points.n)
        there = np.flatnonzero(points.margins(self.rng.integers(1, 1 << 20, points.D).tolist()))
        return np.asarray(there[draw_rows(there.size, few, self.rng)])

    def _violators(self, found: _Plane) -> np.ndarray | None:
        """Return the worst rows on the wrong side, else rows on the plane that do not vanish; None if none are."""
        D = self.rest.D
        wrong = np.setdiff1d(worst_rows(np.flatnonzero(found.margins < 0), found.margins, D), self.some)
        if wrong.size or found.rough:
            return wrong
        on = np.flatnonzero(found.margins == 0)
        for j in range(D if on.size else 0):
            moved = on[self.rest.margins([int(i == j) for i in range(D)])[on] != 0]
            if moved.size:
                return np.asarray(moved[: most_joining(D)])
        return None

    def _extend(self, new: np.ndarray) -> None:
        self.worst = np.union1d(self.worst, new)


def reduced(related: RowRelation, points: Quotient, at_once: bool = True) -> Faces:
    """Find all relations, which `related` takes, and the plane that separates the other rows."""
    return _Reduction(related, points, at_once).run()


def kind_of_points(points: Signed, first: Circuit | None, between: Clock) -> Kind:
    """Return the kind of points, with its proof; first: a circuit of them that is known."""
    table = Signed(replace(points.problem, y=np.ones(points.n, np.int8)), points.engine)
    table.judge.survey()
    with table.watched(between):
        at_once = points.D > FEW and min(points.n, 8 * points.D) * points.D <= MOST
        columns = independent_columns(table, range(table.D), between)[0] if at_once else list(range(table.D))
        every = Quotient(table, np.arange(table.n), points.problem.y.astype(np.int64), columns, None, between)
        related = RowRelation(len(columns))
        if first is not None and not at_once:
            related.join(every, first.rows, first.weights)
        faces = reduced(related, every, at_once)
    relation = sorted((row, weight) for (row, _), weight in related.relation.items())
    kind = OVERLAP if faces.w is None else COMPLETE if faces.separated.size == points.n else QUASI
    return Kind(kind, *faces, [row for row, _ in relation], [weight for _, weight in relation])


class CircuitSearch:
    """Circuits of integer rows, found in floats; and a plane when there are no more."""

    def __init__(self, Z: Sequence[Sequence[int]]) -> None:
        F = floats_of(Z)
        self.Z, self.frame = Z, Frame(F, 0)
        self.A = self.frame.apply(F)
        self.plane: list[int] | None = None  # has the rows on its side, up to rounding

    def circuits(self, between: Callable[[], None]) -> Iterator[Circuit]:
        """Yield circuits, each proved; rows near the span of earlier ones are skipped."""
        A, left, rank = self.A, self.A.copy(), 0
        size = np.sqrt(np.einsum("ij,ij->i", A, A))
        there = size > 0
        while there.any() and rank < A.shape[1]:
            rows = np.flatnonzero(there)
            found = self._next(rows, between)
            if found is None:
                return
            yield found
            _, s, V = np.linalg.svd(left[found.rows], full_matrices=False)
            V = V[s > NEAR * max(float(s[0]), NEAR)]
            left -= (left @ V.T) @ V
            rank += len(V)
            there &= np.sqrt(np.einsum("ij,ij->i", left, left)) > NEAR * size
            there[found.rows] = False

    def _next(self, rows: np.ndarray, between: Callable[[], None]) -> Circuit | None:
        engine = ActiveSetSolver(self.A.shape[1], between)
        ended = engine.run(self.A[rows])
        if ended == active_set.SEPARATED and np.isfinite(engine.w).all():
            self.plane = self.frame.back(rounded(engine.w, DIGITS))
        if ended != active_set.CIRCUIT:
            return None
        support = [int(rows[i]) for i in engine.support]
        return supported([self.Z[i] for i in support], support)
