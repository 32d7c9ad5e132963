"""Check every row against a certificate's plane and the span of its held rows, with the exact scores of `decide`.

FLINT computes the vectors that the held rows are orthogonal to; a row is in their span if its score is 0 under each of
them. What is not proved here is left to the trusted checker, which reads row by row and says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.certify.check.certificate_parts import whole_row
from novikoff.certify.check.verify import Certificate, CertificateError, Whole
from novikoff.certify.numbers.signed_rows import RowMargins, Signed
from novikoff.data.digest import in_order
from novikoff.data.plain_files import Row
from novikoff.data.problem import Problem


def kind_of_rows(c: Certificate, points: Signed, held: list[dict[int, int]]) -> str:
    """Return the kind that a plane and held rows prove, if every row is separated or in the span of the held rows."""
    spans = len(held) >= points.D and _matrix(held, points.D).rank() == points.D
    if c.plane is None and spans:
        return "overlap"
    plane = [0] * points.D if c.plane is None else [c.plane[j] for j in range(points.D)]
    op = CheckedRows(points, plane, None if spans else held)
    separated, others = np.sum([found for _, found in points.scan(op)], axis=0)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


class CheckedRows(RowMargins):
    """Operation on a partition: count the rows that the plane separates, and those in the span of the held rows.

    Raises CertificateError for a row that is neither. held: the held rows; None: they span all rows.
    """

    ranked = -np.inf  # only signs count

    def __init__(self, points: Signed, plane: Sequence[int], held: list[dict[int, int]] | None) -> None:
        super().__init__(points, plane)
        self.held, self.width = held, points.D

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        tidied, m = super().__call__(part)
        on = np.flatnonzero(m == 0)
        if (m < 0).any() or (on.size and self.held is not None and not self._spanned(Signed(part.part(on)))):
            raise CertificateError("a row is neither separated nor held")
        return tidied, (m.size - on.size, on.size)

    def _spanned(self, points: Signed) -> bool:
        """Return whether all rows are known to be in the span; of sparse ones the trusted elimination finds out."""
        return not points.problem.sparse and not any(points.margins(vector).any() for vector in self.vectors)

    @cached_property
    def vectors(self) -> list[list[int]]:
        """A basis of the orthogonal complement of the held rows."""
        basis, nullity = _matrix(self.held or [], self.width).nullspace()
        return [[int(basis[j, k]) for j in range(self.width)] for k in range(nullity)]


def _matrix(held: list[dict[int, int]], width: int) -> Any:
    return fmpz_mat(len(held), width, [z.get(j, 0) for z in held for j in range(width)])


# ---- rows as Python numbers ----------------------------------------------------------------------------------------


def plain_rows(points: Problem, labels: list[Any]) -> Iterator[Row]:
    """Yield (label, {column: number}) of each point as Python numbers, by rising column, without zeros."""
    points = points.tidied() if points.sparse and not in_order(points) else points
    for rows, at, lo, hi in points.pieces():
        for i in range(lo, hi):
            yield labels[at + i], {j: v for j, v in _fields(rows, i, points.sparse) if v}


def exact_rows(points: Problem, numbers: Sequence[int]) -> list[Whole]:
    """Return some signed rows in integers."""
    part = points.part(np.array(numbers))
    return [whole_row(x, int(sign), points.d, bool(points.pad)) for sign, x in plain_rows(part, list(part.y))]


def _fields(rows: Any, i: int, sparse: bool) -> Iterator[tuple[int, float]]:
    if not sparse:
        return enumerate(rows[i].tolist())
    values, columns, starts = rows
    here = slice(starts[i], starts[i + 1])
    return zip(columns[here].tolist(), values[here].tolist(), strict=True)
