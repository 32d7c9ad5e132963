"""Check every row against a certificate's plane and the span of its held rows: in floats where sure, else in integers.

    |fl(Σ v_j·x_j) − Σ v_j·x_j|  ≤  (d + 2)·2⁻⁵³·Σ |v_j|·|x_j|  + underflow        (any order of summation; v rounded)

A sign outside twice that bound is sure, and so is a sum of whole numbers below 2⁵³. The few remaining rows are computed
in integers; FLINT computes the rank of the held rows.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from novikoff.certify.check.row_blocks import exact_row, plain_row, row_blocks, tidy
from novikoff.certify.check.verify import Certificate, CertificateError, Span
from novikoff.data.problem import Problem
from novikoff.engines.engine import Engine

BITS = 900  # longer integers are scaled down before they are rounded


def kind_of_rows(c: Certificate, points: Problem, held: list[dict[int, int]], engine: Engine) -> str:
    """Return the kind that a plane and held rows prove, if every row is separated or in the span of the held rows."""
    proved = CheckedRows(c, held, points.sparse)
    if proved.plane is None and proved.span_of.all:
        return "overlap"
    separated, others = np.sum(list(engine.map(proved, points)), axis=0)
    return "overlap" if not separated else "quasi-complete" if others else "complete"


class CheckedRows:
    """Operation on a partition: count the rows that the plane separates, and those in the span of the held rows.

    Raises CertificateError for a row that is neither.
    """

    def __init__(self, c: Certificate, held: list[dict[int, int]], sparse: bool) -> None:
        self.plane, self.span_of = c.plane, RowSpan(held, c.d, c.bias, sparse)
        self.rounded = None if c.plane is None else Rounded([[c.plane[j] for j in range(c.d + c.bias)]], c.d)

    def __call__(self, part: Problem) -> tuple[int, int]:
        part = tidy(part)
        found = np.array([self._of(part, start, rows) for start, rows in row_blocks(part)])
        return int(found[:, 0].sum()), int(found[:, 1].sum())

    def _of(self, part: Problem, start: int, rows: Any) -> tuple[int, int]:
        """Return the two counts of some of the rows."""
        signs, sides = part.y[start : start + rows.shape[0]], np.zeros(rows.shape[0])
        if self.plane is not None and self.rounded is not None:
            if self.rounded.surely(rows, signs):
                return signs.size, 0
            sides = _sides(self.plane, self.rounded, rows, signs, part)
        if (sides < 0).any():
            row = part.number(start + int(np.argmax(sides < 0)))
            raise CertificateError(f"w, b: row {row} is on the wrong side of the plane")
        on = np.flatnonzero(sides == 0)
        outside = self.span_of.first_outside(rows[on], part) if on.size and not self.span_of.all else None
        if outside is not None:
            row = part.number(start + int(on[outside]))
            raise CertificateError(f"row {row} is neither separated by w, b nor held")
        return sides.size - on.size, on.size


def _sides(plane: dict[int, int], rounded: Rounded, rows: Any, signs: np.ndarray, points: Problem) -> np.ndarray:
    """Return the exact sign of z·(w, b) for each row."""
    sums, sure = rounded.products(rows)
    sides: np.ndarray = np.sign(sums[:, 0]) * signs
    for i in np.flatnonzero(~sure[:, 0]).tolist():
        z = exact_row(points, plain_row(rows, i), int(signs[i])).z
        exact = sum(plane[j] * value for j, value in z.items())
        sides[i] = (exact > 0) - (exact < 0)
    return sides


class Rounded:
    """Integer vectors, the bias last if there is one, rounded to doubles for their products with rows."""

    def __init__(self, vectors: list[list[int]], d: int) -> None:
        longest = max((abs(v).bit_length() for vector in vectors for v in vector), default=0)
        scale = 1 << max(0, longest - BITS)
        table = np.array([[v / scale for v in vector] for vector in vectors]).reshape(len(vectors), -1).T
        self.weights, self.bias = table[:d], table[d] if len(table) > d else np.zeros(len(vectors))
        self.first = np.ascontiguousarray(self.weights[:, 0])
        self.scaled, self.whole = scale > 1, longest <= 53
        self.slack = (2 * d + 16) * 2.0**-53

    def surely(self, rows: Any, signs: np.ndarray) -> bool:
        """Return whether all products with the first vector surely have these signs, by one bound for all rows."""
        w, b, numbers = self.first, self.bias[0], rows.ravel() if isinstance(rows, np.ndarray) else rows.data
        with np.errstate(all="ignore"):
            length = np.sqrt(numbers @ numbers) + 2.0**-500  # squares below 2^-1074 are outside
            tiny = 2.0**-900 * (1 + w.size * length) if self.scaled else 2.0**-1000
            far = (np.sqrt(w @ w) * length + abs(b)) * self.slack + tiny * (1 + w.size)
            sums = rows @ w
            sums += b
            sums *= signs
            return bool(sums.min(initial=np.inf) > far)

    def products(self, rows: Any) -> tuple[np.ndarray, np.ndarray]:
        """Return (products, where their sign is sure), one row per row, one column per vector."""
        with np.errstate(all="ignore"):
            sums = rows @ self.weights + self.bias
            sizes = abs(rows) @ abs(self.weights) + abs(self.bias)
            tiny = 2.0**-900 * (1 + abs(rows).sum(axis=1)) if self.scaled else 2.0**-1000
            sure = abs(sums) > sizes * self.slack + np.asarray(tiny).reshape(-1, 1) * (1 + self.weights.shape[0])
            if not sure.all() and self.whole:
                sure |= (sizes < 2.0**53) & _are_whole(rows)[:, None]
                sure |= sizes == 0
        return sums, sure


def _are_whole(rows: Any) -> np.ndarray:
    """Return which rows have only whole numbers."""
    if isinstance(rows, np.ndarray):
        return np.asarray((rows == np.rint(rows)).all(axis=1))
    at = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.asarray(np.bincount(at[rows.data != np.rint(rows.data)], minlength=rows.shape[0]) == 0)


class RowSpan:
    """The span of the held rows: rows orthogonal to all vectors that the held rows are orthogonal to.

    Dense rows use FLINT's null space, sparse ones the trusted elimination.
    """

    def __init__(self, held: list[dict[int, int]], d: int, bias: bool, sparse: bool) -> None:
        self.held, self.d, self.width = held, d, d + bias
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

    @cached_property
    def rounded(self) -> Rounded:
        return Rounded(self.vectors, self.d)

    def first_outside(self, rows: Any, points: Problem) -> int | None:
        """Return the first row that is not in the span; None if there is none."""
        if points.sparse:
            whole = (exact_row(points, plain_row(rows, i), 1).z for i in range(rows.shape[0]))
            return next((i for i, z in enumerate(whole) if self.span.rest(z)), None)
        sums, sure = self.rounded.products(rows)
        for i in np.flatnonzero(~sure.all(axis=1) | (sure & (sums != 0)).any(axis=1)).tolist():
            z = exact_row(points, plain_row(rows, i), 1).z
            if any(sum(vector[j] * value for j, value in z.items()) for vector in self.vectors):
                return int(i)
        return None
