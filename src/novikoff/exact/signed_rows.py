"""Signed rows of a problem: some as floats or integers, or the scores of all under a plane.

    z_i = y_i·(x_i, 1)        the 1 only with a bias; D numbers

One pass over all rows scores one plane: `margins` of all rows, or the worst `violators`. An engine processes the
partitions independently; the result does not depend on how the rows are partitioned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.format_numbers import count
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels import check_labels, labels_of
from novikoff.data.plain_files import label_text
from novikoff.data.positive_class import positive_place
from novikoff.data.problem import Problem, problem_of, unlabelled
from novikoff.data.row_numbers import origin_of
from novikoff.engines.engine import SERIAL, Engine
from novikoff.engines.partitions import Partition, partitions_of
from novikoff.errors import InputError
from novikoff.exact import rescale_kernels
from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import Row, chunks_of, whole_rows
from novikoff.exact.plane_kernel import margins
from novikoff.kernels import row_signs
from novikoff.kernels.compile import kernel_of
from novikoff.scoring.scorer import Scorer, raise_fault

Classes = tuple[Any, Any]  # labels of the negative and the positive side; None if it does not occur

BLOCK = 1 << 20  # numbers
NONE, NOWHERE = np.zeros(0, np.int64), np.zeros(0)


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
        self.between = between
        try:
            yield
        finally:
            self.between = Clock(None)

    def margins(self, plane: Sequence[int]) -> np.ndarray:
        """Return ⟨plane, z_i⟩ of every row, up to one positive factor: the sign is exact, and 0 only at a tie."""
        return np.concatenate([m for _, m in self.scan(RowMargins(self, plane))])

    def signs(self, plane: Sequence[int]) -> np.ndarray:
        """Return numbers with the exact sign of ⟨plane, z_i⟩ of every row."""
        return np.concatenate([m for _, m in self.scan(RowSigns(self, plane))])

    def survey(self) -> None:
        """Check every row; raise InputError for values that are not finite or too large."""
        self.judge.R2 = max(R2 for _, R2 in self.scan(Survey(self)))

    def rows_of_sign(self, sign: int, some: np.ndarray | None = None) -> np.ndarray:
        """Return the rows of a sign; `some`: only those at these positions among them, in ascending order."""
        mine = np.flatnonzero(self.problem.y == sign)
        return mine if some is None else mine[some]

    def count_of_sign(self, sign: int) -> int:
        """Return how many rows have a sign."""
        return int(np.count_nonzero(self.problem.y == sign))

    def violators(self, plane: Sequence[int], most: int) -> tuple[int, np.ndarray]:
        """Return how many rows are on the wrong side of the plane or on it, and the worst, in ascending order."""
        many, rows, row_signs = 0, [NONE], [NOWHERE]
        for first, (found, here, m) in self.scan(Violators(self, plane, most)):
            many += found
            rows.append(here + first)
            row_signs.append(m)
        return many, worst(np.concatenate(rows), np.concatenate(row_signs), most)[0]

    @property
    def table(self) -> list[Partition]:
        """The partitions of the rows."""
        if self._table is None or self._table[0] is not self.problem:
            self._table = self.problem, partitions_of(self.problem)
        return self._table[1]

    def scan(self, op: Callable[[Problem], tuple[bool, Any]], counted: bool = False) -> Iterator[tuple[int, Any]]:
        """Yield the first row of every partition, and the result of the operation on it.

        counted: whether the operation gets the rows' positions among the points, rather than their numbers in the file.
        """
        problem, table = replace(self.problem, origin=None) if counted else self.problem, self.table
        for partition, (tidied, found) in zip(table, self.engine.map(op, problem, table), strict=True):
            if partition.end < self.n:
                self.between()
            if tidied and not self.judge.tidied:
                self.judge.mend(row_signs.NOT_TIDY, partition.first)
            yield partition.first, found
        self.rows_read = self.n


class RowMargins:
    """Operation on a partition: ⟨plane, z_i⟩ of its rows, up to one positive factor, with exact signs.

    The result is (whether rows had to be sorted, the numbers).
    """

    ranked = np.inf  # numbers up to here are compared with each other

    def __init__(self, points: Signed, plane: Sequence[int]) -> None:
        self.C, self.rest, self.share = chunks_of(plane if points.pad else [*plane, 0])
        self.plane = None if self.share < 1.0 else [int(w) for w in plane]
        self.filtered = points.judge.single

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        out = np.empty(part.n)
        tidy = self._pass(part, out, 0)
        left = np.flatnonzero(np.isnan(out)) if self.plane is not None else NONE
        for i, row in zip(left, Signed(tidy).whole(left)[0] if left.size else [], strict=True):
            score = sum(a * w for a, w in zip(row, self.plane or (), strict=True))
            out[i] = (score > 0) - (score < 0)
        return tidy is not part, out

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


class RowSigns(RowMargins):
    """The same, of which only the signs count."""

    ranked = -np.inf


class Survey:
    """Operation on a partition: whether its rows had to be sorted, and an upper bound of |x|² + pad²."""

    def __init__(self, points: Signed) -> None:
        self.filtered = points.judge.single

    def __call__(self, part: Problem) -> tuple[bool, float]:
        judge = Scorer(part, filtered=self.filtered)
        judge.survey()
        return judge.tidied, judge.R2


class Violators(RowMargins):
    """Operation on a partition: how many rows are on the plane or its wrong side, the worst, and their scores."""

    ranked = 0.0

    def __init__(self, points: Signed, plane: Sequence[int], most: int) -> None:
        super().__init__(points, plane)
        self.most = most

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        tidied, m = super().__call__(part)
        wrong = np.flatnonzero(m <= 0)
        return tidied, (wrong.size, *worst(wrong, m[wrong], self.most))


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


def points_of(X: Any, y: Any, fit_intercept: bool, engine: Engine = SERIAL, positive: Any = None) -> Signed:
    """Return the signed rows; labels of one class are all positive, unless `positive` is another label."""
    origin = origin_of(X)
    X, y = unpacked(X, y)
    labels = labels_of(y)
    if _same(labels):
        problem = unlabelled(X, fit_intercept=fit_intercept)
        if labels.size != problem.n:
            raise InputError(
                f"X and y: {count(problem.n, 'row')} and {count(labels.size, 'label')}; give one label for each row"
            )
        if positive is not None and label_text(str(positive)) != label_text(str(labels[0])):
            problem = unlabelled(X, fit_intercept=fit_intercept, sign=-1)
        return Signed(replace(problem, origin=origin), engine)
    problem, classes = problem_of(X, labels, fit_intercept=fit_intercept)
    if positive_place(classes.tolist(), positive) == 0:
        problem = replace(problem, y=-problem.y)
    return Signed(replace(problem, origin=origin), engine)


def _same(labels: np.ndarray) -> bool:
    """Return whether only one label occurs; raise InputError for a missing label."""
    first = labels[0]
    if first is None:
        raise InputError("found None, a missing label; drop the rows without a label, or give them one", "y")
    if labels.dtype.kind not in "biufUS" and not isinstance(first, str | int | float):
        return False
    if labels[-1] != first or np.count_nonzero(labels == first) < labels.size:
        return False
    check_labels(labels)
    return True


def classes_of(labels: np.ndarray, signs: np.ndarray) -> Classes:
    """Return (negative, positive) as plain values."""
    other = int(np.argmax(signs != signs[0]))
    one, two = (labels[at : at + 1].tolist()[0] for at in (0, other))
    if signs[other] == signs[0]:
        return (None, one) if signs[0] > 0 else (one, None)
    return (two, one) if signs[0] > 0 else (one, two)
