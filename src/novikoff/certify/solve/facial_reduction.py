"""Classify as complete, quasi-complete or overlap by facial reduction: which rows can be separated, which cannot.

    C = {w : ⟨w, z_i⟩ ≥ 0 for all i}     O: rows with ⟨w, z_i⟩ = 0 for all w in C, not separable     S: the others

Some w in C has ⟨w, z_i⟩ > 0 for all of S together. complete: O is empty; overlap: S is empty; quasi-complete: neither.

The rows of a positive circuit are in O, so C lies in the space N orthogonal to them; rows that vanish on N are in O,
too. On N the rest is the same question with a smaller D. After at most D circuits there is a strict separator of what
is left, or nothing is left. The proof: w, and positive weights λ on a set T of at most 2·rank rows with
Σ λ_i z_i = 0, such that every row that w does not separate lies in the span of T.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from flint import fmpz, fmpz_mat

from novikoff.certify.numbers.integer_rows import Row, identity, of_rows, primitive, short_basis
from novikoff.certify.solve.wolfe import Circuit, Separator, by_row, strict
from novikoff.certify.solve.working_set import Final, draw_rows, few_rows, most_joining, run_working_set, worst_rows

COMPLETE, QUASI, OVERLAP = "complete", "quasi-complete", "overlap"
Strict = Callable[[Sequence[Sequence[int]]], Separator | Circuit]


class SignedPoints(Protocol):
    """Interface of signed rows, as of `signed_rows.Signed`."""

    n: int
    D: int

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]: ...

    def margins(self, plane: Sequence[int]) -> np.ndarray: ...


class Faces(NamedTuple):
    """The three-way answer and its proof."""

    kind: str
    w: list[int] | None  # ⟨w, z⟩ > 0 on the separated rows and 0 on the others
    separated: np.ndarray  # row numbers
    held: list[int]  # T
    weights: list[int]  # λ on T


def overlap(rows: list[int], weights: list[int]) -> Faces:
    """Return the answer that no row is separated, proved by the relation of these rows and weights."""
    return Faces(OVERLAP, None, np.zeros(0, np.int64), rows, weights)


def reduce_faces(dimension: Callable[[], int], find: Callable[[], Any], join: Callable[[Circuit], None]) -> Any:
    """Find a positive relation of the rows in a space, restrict the space to the complement of its rows, and repeat.

    dimension: of the remaining space. find: a relation, as a `Circuit`; anything else ends the loop and is returned.
    join: restricts the space. None is returned if no space remains.
    """
    while dimension():
        found = find()
        if not isinstance(found, Circuit):
            return found
        join(found)
    return None


def staged(
    points: SignedPoints,
    first: Circuit | None = None,
    solve: Strict = strict,
    seed: int = 0,
    between: Callable[[], None] = lambda: None,
) -> Faces:
    """Return the kind, with its proof; `first`: a circuit of integer rows that is known already."""
    reduction = _OneCircuit(points, solve, seed, between)
    if first is not None:
        reduction.join(first)
    found = reduce_faces(lambda: reduction.N.ncols(), reduction.find, reduction.join)
    if found is None:
        return overlap(*reduction.flat())
    kind = COMPLETE if found.margins.min() > 0 else QUASI
    return Faces(kind, found.w, np.flatnonzero(found.margins > 0), *reduction.flat())


class _Plane(NamedTuple):
    w: list[int]
    margins: np.ndarray


class _OneCircuit:
    """Facial reduction by one exact circuit at a time. N: a basis, by columns, of the space; W: the working set."""

    def __init__(self, points: SignedPoints, solve: Strict, seed: int, between: Callable[[], None]) -> None:
        self.points, self.solve, self.between = points, solve, between
        self.N = identity(points.D)
        self.circuits: list[list[int]] = []
        self.W = draw_rows(points.n, few_rows(points.D), seed)

    def join(self, found: Circuit) -> None:
        """Restrict N to the vectors that are orthogonal to the rows of the circuit."""
        self.between()
        Z, _ = self.points.whole(found.rows)
        if any(any(z) for z in Z):
            self.circuits.append(list(found.rows))
        basis, size = (fmpz_mat(Z) * self.N).nullspace()
        part = (self.N * basis).transpose().tolist()[:size]
        self.N = short_basis(part) if size else fmpz_mat(self.points.D, 0)

    def find(self) -> _Plane | Circuit | None:
        """Return a plane in N that separates all rows that do not vanish on N, or a circuit of them; None if all do."""
        found = run_working_set(self._solutions, self._violators, self._extend, self.between)
        return found if isinstance(found, Circuit) or found.margins.any() else None

    def _solutions(self) -> Iterator[_Plane | Final]:
        Z, _ = self.points.whole(self.W)
        Q = (fmpz_mat(Z) * self.N).tolist()
        alive = [i for i, q in enumerate(Q) if any(q)]
        self.W = self.W[alive]
        w = self._column(0)
        if alive:
            found = self.solve([[int(v) for v in Q[i]] for i in alive])
            if isinstance(found, Circuit):
                yield Final(Circuit([int(self.W[i]) for i in found.rows], found.weights))
                return
            w = primitive((self.N * fmpz_mat([[c] for c in found.w])).entries())
        yield _Plane(w, self.points.margins(w))

    def _violators(self, found: _Plane) -> np.ndarray | None:
        """Return the worst rows on the wrong side, else rows on the plane that do not vanish on N; None if none."""
        wrong = np.flatnonzero(found.margins < 0)
        if wrong.size:
            return worst_rows(wrong, found.margins, self.points.D)
        on = np.flatnonzero(found.margins == 0)
        for j in range(self.N.ncols() if on.size else 0):
            moved = on[self.points.margins(self._column(j))[on] != 0]
            if moved.size:
                return np.asarray(moved[: most_joining(self.points.D)])
        return None

    def _extend(self, new: np.ndarray) -> None:
        self.W = np.union1d(self.W, new)

    def _column(self, j: int) -> list[int]:
        return [int(self.N[i, j]) for i in range(self.points.D)]

    def flat(self) -> tuple[list[int], list[int]]:
        """Return T and λ: the circuits combined into one positive relation.

        The weighted sum of a later circuit is in the span of the earlier rows. It is subtracted from the earlier rows,
        whose own relation is added as often as needed to make all weights positive.
        """
        T: list[int] = []
        weights: list[Any] = []
        for rows in self.circuits:
            self.between()
            weights = self._joined(T, weights, rows)
            T += rows
        if not T:
            return [], []
        return by_row(T, of_rows(weights, self.points.whole(T)[1]))

    def _joined(self, T: list[int], weights: list[Any], rows: list[int]) -> list[Any]:
        """Return weights of T + rows, positive and summing to zero."""
        before, _ = self.points.whole(T) if T else ([], [])
        new, _ = self.points.whole(rows)
        # relations of all rows are null vectors; up to relations of T alone, just one has weight on `rows`
        basis, size = fmpz_mat(before + new).transpose().nullspace()
        column = next(c for c in basis.transpose().tolist()[:size] if any(c[len(before) :]))
        if any(v < 0 for v in column[len(before) :]):
            column = [-v for v in column]
        if not T:
            return column
        times = fmpz(0)
        for v, m in zip(column, weights, strict=False):
            if v <= 0:
                times = max(times, -v // m + 1)
        return [v + (times * weights[i] if i < len(T) else 0) for i, v in enumerate(column)]
