"""Check every row against a certificate's plane and the span of its held rows, with the exact scores of `decide`.

FLINT computes the rank of the held rows and the vectors that they are orthogonal to; a row is in their span if its
score is 0 under each of these vectors.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certify.check.certificate_parts import whole_row
from novikoff.certify.check.verify import Certificate, CertificateError, Span, Whole
from novikoff.certify.numbers.signed_rows import RowMargins, Signed
from novikoff.data.digest import in_order
from novikoff.data.problem import Problem
from novikoff.data.text.plain_files import Row


def kind_of_rows(c: Certificate, points: Signed, held: list[dict[int, int]]) -> str:
    """Return the kind that a plane and held rows prove, if every row is separated or in the span of the held rows."""
    span = RowSpan(held, c.d, c.bias, points.problem.sparse)
    if c.plane is None and span.all:
        return "overlap"
    plane = [0] * points.D if c.plane is None else [c.plane[j] for j in range(points.D)]
    separated, others = np.sum([found for _, found in points.scan(CheckedRows(points, plane, span))], axis=0)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


class CheckedRows(RowMargins):
    """Operation on a partition: count the rows that the plane separates, and those in the span of the held rows.

    Raises CertificateError for a row that is neither.
    """

    ranked = -np.inf  # only signs count

    def __init__(self, points: Signed, plane: Sequence[int], span: RowSpan) -> None:
        super().__init__(points, plane)
        self.span = span

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        tidied, m = super().__call__(part)
        wrong = int(np.argmax(m < 0)) if (m < 0).any() else m.size
        on = np.flatnonzero(m[:wrong] == 0)
        outside = None
        if on.size and not self.span.all:
            outside = self.span.first_outside(part if on.size == part.n else part.part(on))
        if outside is not None:
            raise CertificateError(f"row {part.number(int(on[outside]))} is neither separated by w, b nor held")
        if wrong < m.size:
            raise CertificateError(f"w, b: row {part.number(wrong)} is on the wrong side of the plane")
        return tidied, (m.size - on.size, on.size)


class RowSpan:
    """The span of the held rows: rows orthogonal to all vectors that the held rows are orthogonal to.

    Dense rows use FLINT's null space, sparse ones the trusted elimination.
    """

    def __init__(self, held: list[dict[int, int]], d: int, bias: bool, sparse: bool) -> None:
        self.held, self.width = held, d + bias
        if sparse:
            self.span = Span(held, self.width)
            self.all = self.span.all
        else:
            self.all = len(held) >= self.width and self._table().rank() == self.width

    def _table(self) -> Any:
        from flint import fmpz_mat

        rows = self.held or [{}]
        return fmpz_mat(len(rows), self.width, [z.get(j, 0) for z in rows for j in range(self.width)])

    @cached_property
    def vectors(self) -> list[list[int]]:
        """A basis of the orthogonal complement of the held rows."""
        basis, nullity = self._table().nullspace()
        return [[int(basis[j, k]) for j in range(self.width)] for k in range(nullity)]

    def first_outside(self, points: Problem) -> int | None:
        """Return the first row that is not in the span; None if there is none."""
        if points.sparse:
            rows = (_exact_row(points, x, 1).z for _, x in plain_rows(points, [None] * points.n))
            return next((i for i, z in enumerate(rows) if self.span.rest(z)), None)
        some, outside = Signed(points), np.zeros(points.n, bool)
        for vector in self.vectors:
            outside |= some.margins(vector) != 0
        return int(np.argmax(outside)) if outside.any() else None


# ---- rows as Python numbers ----------------------------------------------------------------------------------------


def plain_rows(points: Problem, labels: list[Any]) -> Iterator[Row]:
    """Yield (label, {column: number}) of each point as Python numbers, by rising column."""
    points = _tidy(points)
    for rows, at, lo, hi in points.pieces():
        for i in range(lo, hi):
            yield labels[at + i], _fields(rows, i, points.sparse)


def exact_rows(points: Problem, numbers: Sequence[int]) -> list[Whole]:
    """Return some signed rows in integers."""
    part = _tidy(points.part(np.array(numbers)))
    return [_exact_row(points, _fields(part.rows, i, points.sparse), int(sign)) for i, sign in enumerate(part.y)]


def _exact_row(points: Problem, x: dict[int, float], sign: int) -> Whole:
    return whole_row({j: v for j, v in x.items() if v}, sign, points.d, bool(points.pad))


def _tidy(points: Problem) -> Problem:
    """Return the points with the columns of sparse rows in order."""
    return points.tidied() if points.sparse and not in_order(points) else points


def _fields(rows: Any, i: int, sparse: bool) -> dict[int, float]:
    if not sparse:
        return dict(enumerate(rows[i].tolist()))
    values, columns, starts = rows
    here = slice(starts[i], starts[i + 1])
    return dict(zip(columns[here].tolist(), values[here].tolist(), strict=True))
