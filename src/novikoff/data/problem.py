"""Labelled points as the learner sees them: signed, padded rows, with no copy of the user's numbers.

    z_i = y_i·(x_i, 1)     y_i = ±1     a plane is right about point i when ⟨(w, b), z_i⟩ > 0

From the notes: T5 Z8 S1 R3 (the bias as one more dimension: a constant 1 behind the row, or nothing), R4 (the D⁺ view:
negative points reflected), T7 R1 (any two labels). The class that sorts last is the positive side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Blocks, Rows, Which
from novikoff.data.labelled_points import unpacked
from novikoff.data.labels.classes import classes_of, signs_of
from novikoff.data.row_numbers import RowNames, RowNumbers, origin_of, row_names_of
from novikoff.data.storages import rows_of
from novikoff.errors import InputError


@dataclass(frozen=True)
class Problem:
    """Points with signs: `rows` as they are stored, `y` = ±1, `pad` = 1 with a bias and 0 without."""

    rows: Rows
    y: np.ndarray
    d: int
    pad: float
    name: str = "X"
    origin: Sequence[int] | np.ndarray | RowNumbers | None = None  # the user's number of each row, if not 0, 1, 2, …
    named: RowNames | None = None  # the name of each of the user's rows, where they have names

    @property
    def n(self) -> int:
        return int(self.y.size)

    @property
    def sparse(self) -> bool:
        return self.rows.sparse if isinstance(self.rows, Blocks) else isinstance(self.rows, tuple)

    @property
    def in_blocks(self) -> bool:
        """Whether kernels get the rows block by block."""
        return isinstance(self.rows, Blocks)

    @property
    def dtype(self) -> np.dtype:
        """The type of the numbers that kernels get."""
        own: np.dtype = (self.rows[0] if isinstance(self.rows, tuple) else self.rows).dtype
        return own

    @property
    def stored(self) -> int:
        """How many numbers are stored."""
        if isinstance(self.rows, Blocks):
            return self.rows.stored
        return int(self.rows[0].size if self.sparse else self.rows.size)

    def pieces(self, start: int = 0) -> Iterator[tuple[Rows, int, int, int]]:
        """(rows, the number of their row 0, first, end) from row `start` on, as kernels read them."""
        if not isinstance(self.rows, Blocks):
            yield self.rows, 0, start, self.n
            return
        for lo in range(start, self.n, self.rows.at_once):
            hi = min(lo + self.rows.at_once, self.n)
            yield self.rows.take(slice(lo, hi)), lo, 0, hi - lo

    def ready(self, passes: int | None, order: str) -> Problem:
        """The same points as a run wants them.

        One pass in the rows' own order reads them where they lie; others have them laid out row after row in their own
        type, and the orders that jump between all rows (`first`, `worst`) as floats.
        """
        if not isinstance(self.rows, Blocks) or (passes == 1 and order == "cyclic"):
            return self
        if self.rows.in_a_file:
            _check_order(order, self.rows)
            return self
        laid = replace(self, rows=self.rows.laid_out())
        return laid.part(slice(0, self.n)) if order in ("first", "worst") else laid

    def part(self, which: Which) -> Problem:
        """The problem of some of the rows: views of a slice where it can be, else copied."""
        return replace(self, rows=self._cut(which), y=self.y[which], origin=self.numbers(which))

    def numbers(self, which: Which) -> Sequence[int] | np.ndarray:
        """The user's numbers of some rows."""
        if isinstance(which, slice):
            return (range(self.n) if self.origin is None else self.origin)[which]
        if self.origin is None:
            return self._numbers(which)
        return self.origin[which] if isinstance(self.origin, RowNumbers) else np.asarray(self.origin)[which]

    def _numbers(self, which: Which) -> np.ndarray:
        """The rows by number."""
        if isinstance(which, np.ndarray) and which.dtype.kind in "iu":
            return which
        return np.arange(self.n)[which]

    def _cut(self, which: Which) -> Rows:
        if isinstance(self.rows, Blocks):
            if isinstance(which, slice):
                return self.rows.take(which)
            if self.rows.in_a_file and which.dtype == np.bool_:
                return self.rows.some(which)
            numbers = self._numbers(which)
            if self.rows.in_any_order:
                return self.rows.take(numbers)
            return replace(self, rows=self.rows.laid_out(), origin=None)._cut(numbers)
        if not self.sparse:
            return np.ascontiguousarray(self.rows[which])
        if isinstance(which, slice) and which.step is None:
            values, columns, starts = self.rows
            starts = starts[which.start : which.stop + 1]
            return values[starts[0] : starts[-1]], columns[starts[0] : starts[-1]], starts - starts[0]
        cut = self.matrix()[which]
        return cut.data, cut.indices, cut.indptr

    def number(self, row: int) -> int:
        """The number of a row in the user's file or table, from 0."""
        return int(row if self.origin is None else self.origin[row])

    def place(self, row: int) -> int | str:
        """The number of a row as the user counts, from 1; its name where the user's rows have names."""
        return self.called(self.number(row))

    def called(self, number: int) -> int | str:
        """How a person calls the row with this number (from 0) in the user's file or table."""
        return number + 1 if self.named is None else self.named(number)

    def matrix(self) -> Any:
        """The rows as an array or a SciPy matrix that shares them (not of blocks)."""
        if not self.sparse:
            return self.rows
        from scipy.sparse import csr_matrix

        return csr_matrix(self.rows, shape=(len(self.rows[2]) - 1, self.d), copy=False)

    def tidied(self) -> Problem:
        """The same points with sorted columns, duplicate entries summed in stored order.

        InputError for columns that do not exist.
        """
        if isinstance(self.rows, Blocks):
            whole = replace(self, rows=self.rows.laid_out())
            return replace(whole, rows=whole._cut(slice(0, self.n))).tidied()
        columns = self.rows[1]
        if columns.size and (columns.min() < 0 or columns.max() >= self.d):
            worst = columns.min() if columns.min() < 0 else columns.max()
            raise InputError(
                f"{self.name}: column index {worst} in a sparse matrix with {self.d} columns "
                f"(expected 0 to {self.d - 1}); rebuild the matrix with the right shape"
            )
        tidy = self.matrix().copy()
        tidy.has_canonical_format = False
        tidy.sum_duplicates()
        return replace(self, rows=(tidy.data, tidy.indices, tidy.indptr))


def problem_of(
    X: Any, y: Any = None, *, fit_intercept: bool = True, name: str = "X", many: bool = False
) -> tuple[Problem, np.ndarray]:
    """The problem of the user's X and y, and its classes: two with signs, or many with the numbers of the classes."""
    whose = origin_of(X), row_names_of(X)
    X, y = unpacked(X, y)
    rows, n, d = _shaped(X, name)
    classes, signs = classes_of(y) if many else signs_of(y)
    if n != signs.size:
        raise InputError(
            f"{name} and y: Found input variables with inconsistent numbers of samples, {n} rows and "
            f"{signs.size} labels; give one label for each row"
        )
    return Problem(rows, signs, d, 1.0 if fit_intercept else 0.0, name, *whose), classes


def unlabelled(X: Any, *, fit_intercept: bool = True, name: str = "X") -> Problem:
    """The points of the user's X, each with the sign +1."""
    rows, n, d = _shaped(X, name)
    return Problem(rows, np.ones(n, np.int8), d, 1.0 if fit_intercept else 0.0, name, origin_of(X), row_names_of(X))


def _shaped(X: Any, name: str) -> tuple[Rows, int, int]:
    """The user's numbers as rows, how many, and of how many columns."""
    X, _ = unpacked(X)
    rows = rows_of(X, name)
    n, d = X.shape if isinstance(rows, tuple) else rows.shape
    return rows, int(n), int(d)


def _check_order(order: str, rows: Any) -> None:
    """Rows in a file come in their own order, or in blocks of it."""
    if order == "cyclic" or (order == "shuffle" and rows.can_shuffle):
        return
    why = "jumps between all rows, and these stay in their file"
    if order == "shuffle":
        why = "goes from block to block, and a packed file is read from its beginning only"
    raise InputError(
        f"order: {order!r} {why} ({rows.name}); use 'cyclic'{'' if order == 'shuffle' else ' or shuffle'}, allow more "
        "memory (memory=, --memory SIZE), or have it in the cache, which is mapped (novikoff convert FILE FILE.nvc)"
    )
