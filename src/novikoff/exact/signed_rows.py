"""Signed rows of a problem: some as floats or integers, or the scores of all under a plane.

    z_i = y_i·(x_i, 1)        the 1 only with a bias; D numbers

One pass over all rows scores one plane: `margins` of all rows, or the worst `violators`. An engine processes the
partitions independently; the result does not depend on how the rows are partitioned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Generic, TypeVar

import numpy as np

from novikoff.data.problem import Problem
from novikoff.engines.engine import SERIAL, Engine, Partition, partitions_of
from novikoff.exact import rescale_kernels
from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import Row, chunks_of, whole_rows
from novikoff.exact.plane_kernel import margins
from novikoff.kernels import row_signs
from novikoff.kernels.compile import kernel_of
from novikoff.scoring.scorer import Scorer, raise_fault

T = TypeVar("T")
Reduce = Callable[[Problem, np.ndarray], T]  # of a partition and the scores of its rows

BLOCK = 1 << 20  # numbers
NONE = np.zeros(0, np.int64)


class Signed:
    """Binary64 points: n rows of D numbers."""

    def __init__(self, problem: Problem, engine: Engine = SERIAL) -> None:
        self.judge, self.engine = Scorer(problem), engine
        self.pad = int(problem.pad)
        self.n, self.D = problem.n, problem.d + self.pad
        self.rows_read = 0
        self.between = Clock(None)  # called between partitions; counts the work of a search
        self._table: tuple[Problem, list[Partition]] | None = None  # the partitions of the problem

    @property
    def problem(self) -> Problem:
        return self.judge.problem

    def floats(self, which: Sequence[int] | np.ndarray) -> np.ndarray:
        """Return some of the rows, dense; raise InputError for values that are not finite or too large."""
        which = np.asarray(which, np.int64)
        p, numbers = self.problem, which
        if p.sparse or p.in_blocks:
            p, numbers = p.part(which), np.arange(len(which))
        if p.sparse:
            judge = Scorer(p)
            judge.survey()
            p = replace(p, rows=judge.problem.matrix().toarray())
        Z = np.empty((len(which), self.D))
        if not kernel_of(rescale_kernels.signed_rows, rescale_kernels, Z.size)(p.rows, p.y, numbers, self.pad, Z):
            Scorer(self.problem.part(which)).survey()
        self.rows_read = max(self.rows_read, len(which))
        return Z

    def blocks(self) -> Iterator[np.ndarray]:
        """Yield all rows, dense, a block of them at a time."""
        step = max(1, BLOCK // self.D)
        for lo in range(0, self.n, step):
            yield self.floats(np.arange(lo, min(lo + step, self.n)))

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]:
        """Return some of the rows as integers, and the exponents e with row = integers·2^e."""
        return whole_rows(self.floats(which))

    @contextmanager
    def watched(self, between: Clock) -> Iterator[None]:
        """Call `between` between partitions inside the block: a pass over a large file is not one step."""
        before, self.between = self.between, between
        try:
            yield
        finally:
            self.between = before

    def margins(self, plane: Sequence[int]) -> np.ndarray:
        """Return ⟨plane, z_i⟩ of every row, up to one positive factor: the sign is exact, and 0 only at a tie."""
        return np.concatenate([m for _, m in self.scan(plane, _every, np.inf)])

    def signs(self, plane: Sequence[int]) -> np.ndarray:
        """Return numbers with the exact sign of ⟨plane, z_i⟩ of every row."""
        return np.concatenate([m for _, m in self.scan(plane, _every, -np.inf)])

    def survey(self) -> None:
        """Check every row; raise InputError for values that are not finite or too large."""
        self.judge.R2 = max(R2 for _, R2 in self._map(partial(_survey, self.judge.single)))

    def rows_of_sign(self, sign: int, some: np.ndarray | None = None) -> np.ndarray:
        """Return the rows of a sign; `some`: only those at these positions among them, in ascending order."""
        mine = np.flatnonzero(self.problem.y == sign)
        return mine if some is None else mine[some]

    def count_of_sign(self, sign: int) -> int:
        """Return how many rows have a sign."""
        return int(np.count_nonzero(self.problem.y == sign))

    def violators(self, plane: Sequence[int], most: int) -> tuple[int, np.ndarray]:
        """Return how many rows are on the wrong side of the plane or on it, and the worst, in ascending order."""
        parts = [(many, first + rows, m) for first, (many, rows, m) in self.scan(plane, partial(_wrong, most), 0.0)]
        many, rows, scores = zip(*parts, strict=True)
        return sum(many), worst(np.concatenate(rows), np.concatenate(scores), most)[0]

    @property
    def table(self) -> list[Partition]:
        """The partitions of the rows."""
        if self._table is None or self._table[0] is not self.problem:
            self._table = self.problem, partitions_of(self.problem)
        return self._table[1]

    def scan(
        self, plane: Sequence[int], reduce: Reduce[T], ranked: float = np.inf, counted: bool = False
    ) -> Iterator[tuple[int, T]]:
        """Yield the first row of every partition, and `reduce(part, scores)` of it.

        Scores are ⟨plane, z⟩ up to one positive factor, with exact signs; those up to `ranked` are the same everywhere.
        counted: whether a part has the rows' positions among the points, rather than their numbers in the file.
        """
        return self._map(RowScores(self, plane, reduce, ranked), counted)

    def _map(self, op: Callable[[Problem], tuple[bool, T]], counted: bool = False) -> Iterator[tuple[int, T]]:
        problem, table = replace(self.problem, origin=None) if counted else self.problem, self.table
        for partition, (tidied, found) in zip(table, self.engine.map(op, problem, table), strict=True):
            if partition.end < self.n:
                self.between()
            if tidied and not self.judge.tidied:
                self.judge.mend(row_signs.NOT_TIDY, partition.first)
            yield partition.first, found
        self.rows_read = self.n


class RowScores(Generic[T]):
    """Operation on a partition: (whether rows had to be sorted, `reduce` of the scores of its rows)."""

    def __init__(self, points: Signed, plane: Sequence[int], reduce: Reduce[T], ranked: float) -> None:
        self.C, self.rest, self.share = chunks_of(plane if points.pad else [*plane, 0])
        self.plane = None if self.share < 1.0 else [int(w) for w in plane]
        self.filtered, self.reduce, self.ranked = points.judge.single, reduce, ranked

    def __call__(self, part: Problem) -> tuple[bool, T]:
        out = np.empty(part.n)
        tidy = self._pass(part, out, 0)
        left = np.flatnonzero(np.isnan(out)) if self.plane is not None else NONE
        for i, row in zip(left, Signed(tidy).whole(left)[0] if left.size else [], strict=True):
            score = sum(a * w for a, w in zip(row, self.plane or (), strict=True))
            out[i] = (score > 0) - (score < 0)
        return tidy is not part, self.reduce(part, out)

    def _pass(self, part: Problem, out: np.ndarray, start: int) -> Problem:
        """Score the rows from `start` on; return the rows, sorted if they were not."""
        scorer = Scorer(part, filtered=self.filtered)
        look, v = kernel_of(margins, scorer.verbs, part.stored, same_bits=True), scorer.fast(self.C[0, :-1])
        for rows, at, lo, hi in part.pieces(start):
            plane = self.C, v, self.rest, self.share, part.pad
            status, row = look(rows, part.y[at:], lo, hi, *plane, self.ranked, out[at:])
            if status == row_signs.NOT_TIDY:
                return self._pass(part.tidied(), out, at + row)
            if status != row_signs.FINE:
                raise_fault(part, status, at + row)
        return part


def _survey(filtered: bool, part: Problem) -> tuple[bool, float]:
    """Return whether the rows of a partition had to be sorted, and an upper bound of |x|² + pad²."""
    scorer = Scorer(part, filtered=filtered)
    scorer.survey()
    return scorer.tidied, scorer.R2


def _every(_: Problem, m: np.ndarray) -> np.ndarray:
    return m


def _wrong(most: int, _: Problem, m: np.ndarray) -> tuple[int, np.ndarray, np.ndarray]:
    """Return how many rows of a partition are on the plane or its wrong side, the worst, and their scores."""
    wrong = np.flatnonzero(m <= 0)
    return wrong.size, *worst(wrong, m[wrong], most)


def worst(rows: np.ndarray, m: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows with the least scores, of equal ones the first, in ascending order, for any partitions."""
    if rows.size <= most:
        return rows, m
    if not most:
        return rows[:0], m[:0]
    last = np.partition(m, most - 1)[most - 1]
    taken = m < last
    taken[np.flatnonzero(m == last)[: most - np.count_nonzero(taken)]] = True
    return rows[taken], m[taken]
