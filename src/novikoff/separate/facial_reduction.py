"""Classify as complete, quasi-complete or overlap by facial reduction: which rows can be separated, which cannot.

    C = {w : ⟨w, z_i⟩ ≥ 0 for all i}     O: rows with ⟨w, z_i⟩ = 0 for all w in C, not separable     S: the others

Some w in C has ⟨w, z_i⟩ > 0 for all of S together. complete: O is empty; overlap: S is empty; quasi-complete: neither.

The rows of a positive circuit are in O, so C lies in the space N orthogonal to them; rows that vanish on N are in O,
too. On N the rest is the same question with a smaller D. After at most D circuits there is a strict separator of what
is left, or nothing is left. The proof: w, and positive weights λ on rows T with Σ λ_i z_i = 0, such that every row that
w does not separate lies in the span of T.

With hundreds of dummy columns there are hundreds of circuits of two or three rows: all circuits of some rows, found in
floats, are used together, before the space is restricted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz_mat

from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import Row, of_rows, primitive
from novikoff.exact.signed_rows import Signed
from novikoff.exact.subspace import Quotient
from novikoff.separate.row_space import independent, kernel
from novikoff.separate.solver import circuits_or_separator
from novikoff.separate.wolfe import Circuit, Separator
from novikoff.separate.working_set import Final, draw_rows, few_rows, most_joining, run_working_set, worst_rows

COMPLETE, QUASI, OVERLAP = "complete", "quasi-complete", "overlap"

SignedRow = tuple[int, int]  # a row of the table, and its sign


class Faces(NamedTuple):
    """A plane of the table that separates every row that can be separated, and these rows; None and none of them."""

    w: list[int] | None  # ⟨w, z⟩ > 0 on the separated rows and 0 on the others
    separated: np.ndarray  # row numbers

    def kind(self, rows: int) -> str:
        """Return the kind of so many rows."""
        return OVERLAP if self.w is None else COMPLETE if self.separated.size == rows else QUASI


class RowRelation:
    """Signed rows of a table, positive weights with which they add up to zero, and an independent part of them."""

    def __init__(self, columns: int) -> None:
        self.columns = columns
        self.relation: dict[SignedRow, int] = {}  # weights
        self.basis: dict[SignedRow, tuple[Row, int]] = {}  # each row is integers·2^e: the integers, and e

    def space(self) -> Any:
        """Return a basis of the space on which all these rows vanish."""
        return kernel([z for z, _ in self.basis.values()], self.columns)

    def join(self, points: Quotient, which: Sequence[int], weights: Sequence[int]) -> None:
        """Add rows whose sum, with positive weights, lies in the span of the rows added before."""
        names = list(zip(points.of[which].tolist(), points.signs[which].tolist(), strict=True))
        rows = dict(zip(names, zip(*replace(points, N=None).whole(which), strict=True), strict=True))
        rows = {name: row for name, row in rows.items() if any(row[0])}  # a zero row is in every span
        if not rows:
            return
        new = {name: m for name, m in zip(names, weights, strict=True) if name in rows}
        every = self.basis | rows
        least = min(e for _, e in every.values())
        whole = [[v << e - least for v in z] for z, e in every.values()]
        before = len(self.basis)
        total = (fmpz_mat([list(new.values())]) * fmpz_mat(whole[before:])).entries()
        if any(total):  # t·total + Σ share·basis = 0, and enough of the old relation makes all weights positive
            null, size = fmpz_mat([total, *whole[:before]]).transpose().nullspace()
            if size != 1:
                raise ArithmeticError("a sum of rows in circuits is not in the span of those before")  # cannot happen
            t, *shares = (int(null[i, 0]) * (1 if null[0, 0] > 0 else -1) for i in range(before + 1))
            new = {name: m * t for name, m in new.items()}
            for name, share in zip(self.basis, shares, strict=True):
                new[name] = new.get(name, 0) + share
        times = max((-m // self.relation[name] + 1 for name, m in new.items() if m <= 0), default=1)
        names = sorted({*new, *self.relation})
        sums = primitive([new.get(name, 0) + times * self.relation.get(name, 0) for name in names])
        self.relation = dict(zip(names, sums, strict=True))
        kept = list(every)
        self.basis = {kept[i]: every[kept[i]] for i in independent(whole)}


class _Reduction:
    """The loop; rest: the points on the remaining space."""

    def __init__(self, related: RowRelation, points: Quotient, seed: int = 0) -> None:
        self.related, self.points = related, points
        self.rest = points.within(related.space()) if related.basis else points
        self.rng = np.random.default_rng(seed)
        self.some = self.worst = np.zeros(0, np.int64)
        self.margins = np.zeros(0)  # of the last plane

    def run(self) -> Faces:
        while self.rest.D and self.rest.n:
            found = run_working_set(self._solutions, self._violators, self._extend, self.rest.between)
            if isinstance(found, Separator):
                separated = np.flatnonzero(self.margins > 0)
                return Faces(self.rest.plane(found.w) if separated.size else None, separated)
            self.related.join(self.rest, found.rows, found.weights)
            self.rest = self.points.within(self.related.space())
        return Faces(None, np.zeros(0, np.int64))

    def _solutions(self) -> Iterator[Separator | Final]:
        """Yield the sum of circuits of some rows, or a plane that separates them."""
        some = np.union1d(self._draw(), self.worst)
        Z, powers = self.rest.whole(some)
        there = [i for i, z in enumerate(Z) if any(z)]
        self.some = some[there]
        if not there:
            yield Separator([1] + [0] * (self.rest.D - 1))
            return
        found = circuits_or_separator([Z[i] for i in there], self.rest.between)
        yield found if isinstance(found, Separator) else Final(self._sum(found, [powers[i] for i in there]))

    def _sum(self, circuits: Sequence[Circuit], powers: Sequence[int]) -> Circuit:
        """Return the sum of relations, which is one, with the numbers and weights of the points."""
        total: dict[int, int] = {}
        for c in circuits:
            for i, m in zip(c.rows, of_rows(c.weights, [powers[i] for i in c.rows]), strict=True):
                row = int(self.some[i])
                total[row] = total.get(row, 0) + m
        return Circuit(list(total), list(total.values()))

    def _draw(self) -> np.ndarray:
        """Return rows that do not vanish: all if they are few, else some."""
        points, few = self.rest, few_rows(self.rest.D)
        if points.n <= 2 * few:
            return np.arange(points.n)
        there = np.flatnonzero(points.margins(self.rng.integers(1, 1 << 20, points.D).tolist()))
        return np.asarray(there[draw_rows(there.size, few, self.rng)])

    def _violators(self, found: Separator) -> np.ndarray | None:
        """Return the worst rows on the wrong side, else rows on the plane that do not vanish; None if none are."""
        self.margins, D = self.rest.margins(found.w), self.rest.D
        wrong = np.setdiff1d(worst_rows(np.flatnonzero(self.margins < 0), self.margins, D), self.some)
        on = np.flatnonzero(self.margins == 0)
        if wrong.size:
            return wrong
        for j in range(D if on.size else 0):
            moved = on[self.rest.margins([int(i == j) for i in range(D)])[on] != 0]
            if moved.size:
                return np.asarray(moved[: most_joining(D)])
        return None

    def _extend(self, new: np.ndarray) -> None:
        self.worst = np.union1d(self.worst, new)


def reduced(related: RowRelation, points: Quotient) -> Faces:
    """Find all relations, which `related` takes, and the plane that separates the other rows."""
    return _Reduction(related, points).run()


class Kind(NamedTuple):
    """The three-way answer and its proof."""

    kind: str
    w: list[int] | None
    separated: np.ndarray
    held: list[int]  # T
    weights: list[int] | None  # λ on T; None: those of the circuit that T is


def kind_of_points(points: Signed, known: Circuit, clock: Clock) -> Kind:
    """Return the kind of points that no plane separates, with its proof; known: a circuit of them."""
    table = Signed(replace(points.problem, y=np.ones(points.n, np.int8)), points.engine)
    table.judge.survey()
    signs, related = points.problem.y.astype(np.int64), RowRelation(table.D)
    with table.watched(clock):
        every = Quotient(table, np.arange(table.n), signs, range(table.D), None, clock)
        related.join(every, known.rows, known.weights)
        faces = reduced(related, every)
    relation = sorted((row, weight) for (row, _), weight in related.relation.items())
    return Kind(faces.kind(table.n), *faces, [row for row, _ in relation], [weight for _, weight in relation])
