"""Complete, quasi-complete or overlap: which rows can be separated, and which are held, by facial reduction.

    C = {w : ⟨w, z_i⟩ ≥ 0 for all i}       held rows O: ⟨w, z_i⟩ = 0 for all w in C       separated rows S: the others

Some w in C has ⟨w, z_i⟩ > 0 for all of S together. complete: O is empty; overlap: S is empty; quasi-complete: neither.

A positive circuit holds its rows, so C lies in the space N orthogonal to them; rows that vanish on N are held too. On N
the rest is the same question with a smaller D. After at most D circuits there is a strict separator of what is left, or
nothing is left. The proof: w, and positive weights λ on a set T of at most 2·rank rows with Σ λ_i z_i = 0, such that
every row that w does not separate lies in the span of T.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from flint import fmpz, fmpz_mat

from novikoff.certify.numbers.integer_rows import Row, of_rows, primitive
from novikoff.certify.solve.wolfe import Circuit, Separator, strict

COMPLETE, QUASI, OVERLAP = "complete", "quasi-complete", "overlap"
Strict = Callable[[Sequence[Sequence[int]]], Separator | Circuit]


class SignedPoints(Protocol):
    """Signed rows: `signed_rows.Signed`, or the like."""

    n: int
    D: int

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]: ...

    def margins(self, plane: Sequence[int]) -> np.ndarray: ...


class Faces(NamedTuple):
    """The three-way answer and its proof."""

    kind: str
    w: list[int] | None  # ⟨w, z⟩ > 0 on the separated rows and 0 on the held ones
    separated: np.ndarray  # row numbers
    held: list[int]  # T
    weights: list[int]  # λ on T


def staged(
    points: SignedPoints,
    first: Circuit | None = None,
    solve: Strict = strict,
    seed: int = 0,
    between: Callable[[], None] = lambda: None,
) -> Faces:
    """The kind, with its proof; `first`: a circuit of whole rows that is known already."""
    reduction = _Reduction(points, solve, seed, between)
    if first is not None:
        reduction.hold(first.rows)
    while reduction.N.ncols():
        found = reduction.look()
        if found is None:
            break
        if isinstance(found, _Plane):
            kind = COMPLETE if found.margins.min() > 0 else QUASI
            return Faces(kind, found.w, np.flatnonzero(found.margins > 0), *reduction.flat())
        reduction.hold(found.rows)
    return Faces(OVERLAP, None, np.zeros(0, np.int64), *reduction.flat())


def strictly(
    points: SignedPoints, solve: Strict = strict, seed: int = 0, between: Callable[[], None] = lambda: None
) -> Separator | Circuit:
    """A separator of all rows, or a circuit of some: the first stage alone."""
    found = _Reduction(points, solve, seed, between).look()
    if isinstance(found, Circuit):
        order = sorted(range(len(found.rows)), key=found.rows.__getitem__)
        return Circuit([found.rows[i] for i in order], [found.weights[i] for i in order])
    if found is None or not (found.margins > 0).all():
        return Circuit([0 if found is None else int(np.argmin(found.margins))], [1])  # a row that is zero
    return Separator(found.w)


class _Plane(NamedTuple):
    w: list[int]
    margins: np.ndarray


class _Reduction:
    """What is held so far: the circuits in order, and the space N (a basis, by columns) orthogonal to their rows."""

    def __init__(self, points: SignedPoints, solve: Strict, seed: int, between: Callable[[], None]) -> None:
        self.points, self.solve, self.between = points, solve, between
        self.N = fmpz_mat([[int(i == j) for j in range(points.D)] for i in range(points.D)])
        self.circuits: list[list[int]] = []
        few = 4 * points.D + 10
        rows = np.arange(points.n)
        if points.n > 2 * few:
            rows = np.sort(np.random.default_rng(seed).choice(points.n, few, replace=False))
        self.W = rows

    def hold(self, rows: Sequence[int]) -> None:
        """Go on in the part of N that is orthogonal to these rows."""
        self.between()
        Z, _ = self.points.whole(rows)
        if any(any(z) for z in Z):
            self.circuits.append(list(rows))
        basis, size = (fmpz_mat(Z) * self.N).nullspace()
        columns = [[basis[i, j] for i in range(self.N.ncols())] for j in range(size)]
        self.N = self.N * fmpz_mat(columns).transpose() if size else fmpz_mat(self.points.D, 0)
        if size:
            self.N = fmpz_mat([primitive(c) for c in self.N.transpose().tolist()]).lll().transpose()

    def look(self) -> _Plane | Circuit | None:
        """A plane in N that separates all rows that do not vanish on N, or a circuit of them, or None: all vanish."""
        while True:
            self.between()
            Z, _ = self.points.whole(self.W)
            Q = (fmpz_mat(Z) * self.N).tolist()
            alive = [i for i, q in enumerate(Q) if any(q)]
            self.W = self.W[alive]
            w = [int(self.N[i, 0]) for i in range(self.points.D)]
            if alive:
                found = self.solve([[int(v) for v in Q[i]] for i in alive])
                if isinstance(found, Circuit):
                    return Circuit([int(self.W[i]) for i in found.rows], found.weights)
                w = primitive((self.N * fmpz_mat([[c] for c in found.w])).entries())
            m = self.points.margins(w)
            more = self._violators(m)
            if more.size == 0:
                return _Plane(w, m) if m.any() else None
            self.W = np.union1d(self.W, more)

    def _violators(self, m: np.ndarray) -> np.ndarray:
        """The worst rows on the wrong side, else rows on the plane that do not vanish on N."""
        most = 2 * self.points.D + 10
        wrong = np.flatnonzero(m < 0)
        if wrong.size:
            return np.asarray(wrong[np.argsort(m[wrong], kind="stable")[:most]])
        on = np.flatnonzero(m == 0)
        for j in range(self.N.ncols() if on.size else 0):
            column = [int(self.N[i, j]) for i in range(self.points.D)]
            moved = on[self.points.margins(column)[on] != 0]
            if moved.size:
                return np.asarray(moved[:most])
        return np.zeros(0, np.int64)

    def flat(self) -> tuple[list[int], list[int]]:
        """T and λ: the circuits as one positive relation.

        A later circuit's rows sum, with its weights, to something in the span of the earlier rows. That is taken away
        from the earlier rows, whose own relation is added so often that all weights are positive.
        """
        T: list[int] = []
        weights: list[Any] = []
        for rows in self.circuits:
            self.between()
            weights = self._joined(T, weights, rows)
            T += rows
        if not T:
            return [], []
        order = sorted(range(len(T)), key=T.__getitem__)
        _, powers = self.points.whole(T)
        whole = of_rows(weights, powers)
        return [T[i] for i in order], [whole[i] for i in order]

    def _joined(self, T: list[int], weights: list[Any], rows: list[int]) -> list[Any]:
        """Weights of T + rows, positive and summing to zero."""
        before, _ = self.points.whole(T) if T else ([], [])
        new, _ = self.points.whole(rows)
        # a relation of all rows is a null vector; of those modulo T's own ones just one has weight on `rows`
        basis, size = fmpz_mat(before + new).transpose().nullspace()
        columns = [[basis[i, j] for i in range(len(before) + len(new))] for j in range(size)]
        column = next(c for c in columns if any(c[len(before) :]))
        if any(v < 0 for v in column[len(before) :]):
            column = [-v for v in column]
        if not T:
            return column
        times = fmpz(0)
        for v, m in zip(column, weights, strict=False):
            if v <= 0:
                times = max(times, -v // m + 1)
        return [v + (times * weights[i] if i < len(T) else 0) for i, v in enumerate(column)]
