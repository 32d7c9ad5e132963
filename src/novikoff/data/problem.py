"""Labelled points as training sees them: signed, padded rows that share the user's memory.

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
from novikoff.data.labels import classes_of, signs_of
from novikoff.data.row_numbers import RowFiles, RowNames, origin_of, row_files_of, row_names_of
from novikoff.data.storages import rows_of
from novikoff.errors import InputError, NumberedRowError


@dataclass(frozen=True)
class Problem:
    """Points with signs: `rows` as stored, `y` = ±1, `pad` = 1 with a bias and 0 without."""

    rows: Rows
    y: np.ndarray
    d: int
    pad: float
    name: str = "X"
    origin: Sequence[int] | np.ndarray | None = None  # row number in the user's file, if not 0, 1, 2, …
    named: RowNames | None = None  # name of each of the user's rows, if they have names
    files: RowFiles | None = None  # the file of each row, if they were read from files

    @property
    def n(self) -> int:
        return int(self.y.size)

    @property
    def sparse(self) -> bool:
        return isinstance(self.rows, tuple)

    @property
    def in_blocks(self) -> bool:
        """Whether kernels get the rows block by block."""
        return isinstance(self.rows, Blocks)

    @property
    def dtype(self) -> np.dtype:
        """Type of the numbers that kernels get."""
        own: np.dtype = (self.rows[0] if isinstance(self.rows, tuple) else self.rows).dtype
        return own

    @property
    def stored(self) -> int:
        """Number of stored values."""
        if isinstance(self.rows, Blocks):
            return self.rows.stored
        return int(self.rows[0].size if self.sparse else self.rows.size)

    def pieces(self, start: int = 0) -> Iterator[tuple[Rows, int, int, int]]:
        """Yield (rows, the index of their row 0, first, end) from row `start` on, in a layout that kernels read."""
        if not isinstance(self.rows, Blocks):
            yield self.rows, 0, start, self.n
            return
        for lo in range(start, self.n, self.rows.at_once):
            hi = min(lo + self.rows.at_once, self.n)
            yield self.rows.take(slice(lo, hi)), lo, 0, hi - lo

    def ready(self, passes: int | None, order: str) -> Problem:
        """Return the same points in the layout a run needs.

        One pass in stored order reads the rows without a copy. Other runs get a contiguous copy in the stored type; the
        order `first`, whose access is random, gets floats.
        """
        if not isinstance(self.rows, Blocks) or (passes == 1 and order in ("auto", "cyclic", "batch")):
            return self
        laid = replace(self, rows=self.rows.laid_out())
        return laid.part(slice(0, self.n)) if order == "first" else laid

    def part(self, which: Which) -> Problem:
        """Return the problem restricted to some rows: views of a slice if possible, else a copy."""
        return replace(self, rows=self._cut(which), y=self.y[which], origin=self.numbers(which))

    @property
    def only_sign(self) -> int | None:
        """The sign of all rows, if it is the same."""
        first = self.y[0]
        return int(first) if self.y[-1] == first and (self.y == first).all() else None

    def numbers(self, which: Which) -> Sequence[int] | np.ndarray:
        """Return the user's numbers for some rows."""
        if isinstance(which, slice):
            return (range(self.n) if self.origin is None else self.origin)[which]
        return self._numbers(which) if self.origin is None else np.asarray(self.origin)[which]

    def _numbers(self, which: Which) -> np.ndarray:
        """Select rows by index."""
        if isinstance(which, np.ndarray) and which.dtype.kind in "iu":
            return which
        return np.arange(self.n)[which]

    def _cut(self, which: Which) -> Rows:
        if isinstance(self.rows, Blocks):
            if isinstance(which, slice):
                return self.rows.take(which)
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
        """Return the row's number in the user's file or table, from 0."""
        return int(row if self.origin is None else self.origin[row])

    def place(self, row: int) -> int | str:
        """Return the row's number as shown to the user, from 1; its name if the rows have names."""
        return self.called(self.number(row))

    def called(self, number: int) -> int | str:
        """Return how a message refers to the row with this number (from 0) in the user's file or table."""
        return number + 1 if self.named is None else self.named(number)

    def row_error(self, before: str, row: int, after: str, about: str = "") -> InputError:
        """Return the error about a row with the message before, `row N`, after; of rows in files it names the file,
        and otherwise begins with `about`.
        """
        if self.named is not None:
            return InputError(f"{about}{before}row {self.place(row)}{after}")
        error = NumberedRowError(before, self.number(row), after, about=about)
        return error if self.files is None else self.files.placed(error)

    def matrix(self) -> Any:
        """Return the rows as an array or a SciPy matrix that shares their memory (not for blocks)."""
        if not self.sparse:
            return self.rows
        from scipy.sparse import csr_matrix

        return csr_matrix(self.rows, shape=(len(self.rows[2]) - 1, self.d), copy=False)

    def tidied(self) -> Problem:
        """Return the same points with sorted columns and duplicate entries summed in stored order.

        Raises InputError for columns that do not exist.
        """
        columns = self.rows[1]
        if columns.size and (columns.min() < 0 or columns.max() >= self.d):
            worst = columns.min() if columns.min() < 0 else columns.max()
            raise InputError(
                f"column index {worst} in a sparse matrix with {self.d} columns "
                f"(expected 0 to {self.d - 1}); rebuild the matrix with the right shape",
                self.name,
            )
        tidy = self.matrix().copy()
        tidy.has_canonical_format = False
        tidy.sum_duplicates()
        return replace(self, rows=(tidy.data, tidy.indices, tidy.indptr))


def problem_of(
    X: Any, y: Any = None, *, fit_intercept: bool = True, name: str = "X", many: bool = False
) -> tuple[Problem, np.ndarray]:
    """Return the problem for X and y, and its classes: signs for two classes, class indices for more."""
    whose = origin_of(X), row_names_of(X), row_files_of(X)
    X, y = unpacked(X, y)
    rows, n, d = _shaped(X, name)
    classes, signs = classes_of(y) if many else signs_of(y)
    if n != signs.size:
        raise InputError(
            f"{name} and y: Found input variables with inconsistent numbers of samples, {n} rows and "
            f"{signs.size} labels; give one label for each row"
        )
    return Problem(rows, signs, d, 1.0 if fit_intercept else 0.0, name, *whose), classes


def unlabelled(X: Any, *, fit_intercept: bool = True, name: str = "X", sign: int = 1) -> Problem:
    """Return the points X, each with the same sign."""
    rows, n, d = _shaped(X, name)
    y = np.full(n, sign, np.int8)
    return Problem(rows, y, d, 1.0 if fit_intercept else 0.0, name, origin_of(X), row_names_of(X), row_files_of(X))


def _shaped(X: Any, name: str) -> tuple[Rows, int, int]:
    """Return the data as rows, with the number of rows and columns."""
    X, _ = unpacked(X)
    rows = rows_of(X, name)
    n, d = X.shape if isinstance(rows, tuple) else rows.shape
    return rows, int(n), int(d)
