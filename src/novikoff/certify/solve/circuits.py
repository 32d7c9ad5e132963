"""Find rows that no direction separates: many positive relations at once.

    Σ λ_i z_i = 0, λ > 0      so ⟨w, z_i⟩ = 0 for every w with ⟨w, z⟩ ≥ 0 on all rows, and on all rows in their span

`facial_reduction.staged` uses one circuit at a time. With hundreds of dummy columns there are hundreds of circuits of
two or three rows; here all circuits of some rows are used together, before the space is restricted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.certify.deadline import Clock
from novikoff.certify.numbers.integer_rows import Row, of_rows, primitive
from novikoff.certify.numbers.rescale import Frame, rounded
from novikoff.certify.numbers.signed_rows import Signed
from novikoff.certify.numbers.subspace import Quotient
from novikoff.certify.solve import active_set
from novikoff.certify.solve.facial_reduction import QUASI, Faces, overlap, reduce_faces, staged
from novikoff.certify.solve.row_space import independent, independent_columns, kernel
from novikoff.certify.solve.solver import ActiveSetSolver, floats_of, strict_by_floats, supported
from novikoff.certify.solve.wolfe import Circuit
from novikoff.certify.solve.working_set import Final, draw_rows, few_rows, run_working_set, worst_rows

DIGITS = 24  # binary digits of a plane that is only used to find violators
MOST = 50_000_000  # numbers converted to integers
NEAR = 1e-9  # a row this near to a span, relative to its length, is skipped for the rest of the round


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
        names = [(int(points.of[i]), int(points.signs[i])) for i in which]
        Z, powers = replace(points, N=None).whole(which)
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


class _ManyCircuits:
    """Facial reduction by all circuits of some rows at a time; rest: the points on the remaining space."""

    def __init__(self, related: RowRelation, points: Quotient, between: Callable[[], None], seed: int = 0) -> None:
        self.related, self.points, self.between = related, points, between
        self.rest = points.within(related.space()) if related.basis else points
        self.rng = np.random.default_rng(seed)
        self.some = self.worst = np.zeros(0, np.int64)

    def find(self) -> Any:
        """Return the sum of all circuits of some rows; else a plane with no row on its wrong side, or None."""
        return run_working_set(self._solutions, self._violators, self._extend)

    def join(self, found: Circuit) -> None:
        self.related.join(self.rest, found.rows, found.weights)
        self.rest = self.points.within(self.related.space())

    def _solutions(self) -> Iterator[Any]:
        self.some = np.union1d(self._draw(), self.worst)
        Z, powers = self.rest.whole(self.some)
        search = CircuitSearch(Z)
        total: dict[int, int] = {}  # the sum of all relations found is one
        for c in search.circuits(self.between):
            for i, m in zip(c.rows, of_rows(c.weights, [powers[i] for i in c.rows]), strict=True):
                row = int(self.some[i])
                total[row] = total.get(row, 0) + m
        yield Final(Circuit(list(total), list(total.values()))) if total else search.plane

    def _draw(self) -> np.ndarray:
        """Return rows that do not vanish: all if they are few, else some."""
        points, few = self.rest, few_rows(self.rest.D)
        if points.n <= 2 * few:
            return np.arange(points.n)
        there = np.flatnonzero(points.margins(self.rng.integers(1, 1 << 20, points.D).tolist()))
        return np.asarray(there[draw_rows(there.size, few, self.rng)])

    def _violators(self, plane: list[int] | None) -> np.ndarray | None:
        """Return the worst rows on the wrong side that are not in the working set; None if there are none."""
        if plane is None or not any(plane):
            return None
        m = self.rest.margins(plane)
        new = np.setdiff1d(worst_rows(np.flatnonzero(m < 0), m, self.rest.D), self.some)
        return new if new.size else None

    def _extend(self, new: np.ndarray) -> None:
        self.worst = np.union1d(self.worst, new)


def reduced(related: RowRelation, points: Quotient, between: Callable[[], None]) -> tuple[Quotient, Faces]:
    """Find all relations, many circuits at a time; return the points on the remaining space, and their faces."""
    reduction = _ManyCircuits(related, points, between)
    reduce_faces(lambda: reduction.rest.D if points.n else 0, reduction.find, reduction.join)
    rest = reduction.rest
    if not (rest.D and rest.n):
        return rest, overlap([], [])
    faces = staged(rest, None, partial(strict_by_floats, between=between), between=between)
    if faces.held:
        related.join(rest, faces.held, faces.weights)
    return rest, faces


def faces_of(points: Signed, between: Clock) -> Faces:
    """Return the kind of points that no plane separates, with its proof: `staged` with many circuits at a time."""
    table = Signed(replace(points.problem, y=np.ones(points.n, np.int8)), points.engine)
    table.judge.survey()
    with table.watched(between):
        return _faces_of(table, points.problem.y.astype(np.int64), between)


def _faces_of(table: Signed, signs: np.ndarray, between: Callable[[], None]) -> Faces:
    columns, _ = independent_columns(table, range(table.D), between)
    related = RowRelation(len(columns))
    every = Quotient(table, np.arange(table.n), signs, columns, None, between)
    rest, faces = reduced(related, every, between)
    relation = sorted((row, weight) for (row, _), weight in related.relation.items())
    rows, weights = [row for row, _ in relation], [weight for _, weight in relation]
    if faces.w is None:
        return overlap(rows, weights)
    return Faces(QUASI, rest.plane(faces.w), faces.separated, rows, weights)


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
