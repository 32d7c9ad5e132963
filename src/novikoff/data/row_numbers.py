"""Map rows to their numbers in the user's file (some rows may be skipped) or to their names in an index.

NumPy is imported only if rows were skipped: a trace of plain lists does not need it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from novikoff.errors import InputError, NumberedRowError, PlacedError

if TYPE_CHECKING:
    import numpy as np


class RowNumbers:
    """Numbers (from 0) in the file of the n rows that were kept.

    before: for each skipped row, how many rows were kept before it. Nothing else is stored, so memory grows only with
    the number of skipped rows.
    """

    def __init__(self, n: int, before: np.ndarray) -> None:
        self.n, self.before = n, before

    def __len__(self) -> int:
        return self.n

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        import numpy as np

        numbers: np.ndarray = self[np.arange(self.n)]
        return numbers if dtype is None else numbers.astype(dtype)

    def __getitem__(self, which: Any) -> Any:
        """Return the number of one row, or of the rows of a slice, a list or a mask."""
        import numpy as np

        if isinstance(which, slice):
            which = np.arange(*which.indices(self.n))
        rows = np.asarray(which)
        if rows.dtype == np.bool_:
            rows = np.flatnonzero(rows)
        rows = np.where(rows < 0, rows + self.n, rows).astype(np.int64)
        numbers = rows + np.searchsorted(self.before, rows, "right")
        return int(numbers) if numbers.ndim == 0 else numbers


class MaskedRowNumbers:
    """The numbers (from 0) in the file of the rows of a mask (None: of all n rows), computed when they are needed.

    numbering: the numbers of all rows, where some rows of the file were left out.
    """

    def __init__(self, n: int, mask: np.ndarray | None, numbering: Any = None) -> None:
        self.n, self.mask, self.numbering = n, mask, numbering

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        import numpy as np

        rows: np.ndarray = np.arange(self.n) if self.mask is None else self.mask.nonzero()[0]
        return rows if self.numbering is None else np.asarray(self.numbering[rows])

    def __getitem__(self, which: Any) -> Any:
        return self.__array__()[which]

    def tolist(self) -> list[int]:
        """Return all numbers as a list."""
        return list(self.__array__().tolist())


@contextmanager
def naming_rows_of_file(rows: Any) -> Iterator[None]:
    """Make an error about row k (from 1) name the row of the file. rows: the numbers of the rows there, from 0."""
    try:
        yield
    except InputError as error:
        if "X_valid" in str(error) or isinstance(error, PlacedError):
            raise
        said = re.sub(
            r"\brow ([0-9]+)(?: \([0-9]+ counted from 0\))?",
            lambda found: f"row {int(rows[int(found[1]) - 1]) + 1}",
            str(error),
        )
        raise error.with_message(said) from error


def origin_of(X: Any) -> Sequence[int] | np.ndarray | RowNumbers | None:
    """Return the file's row numbers (from 0) of the points that were read; None if they are 0, 1, 2, …"""
    return getattr(X, "numbering", None)


class RowNames:
    """Row names from the index of a pandas frame, such as [a17]. Other processes know only numbers."""

    def __init__(self, index: Any) -> None:
        self.index = index

    def __call__(self, row: int) -> str | int:
        """Return the name of the row with this number (from 0)."""
        return row + 1 if self.index is None else f"[{self.index[row]}]"

    def __reduce__(self) -> Any:
        return RowNames, (None,)


class RowFiles:
    """The file of each row, and its number there, for errors. Other processes know only numbers in all files.

    find: returns both for a number in all files; numbers count from 0.
    """

    def __init__(self, find: Callable[[int], tuple[str, int]] | None) -> None:
        self.find = find

    def placed(self, error: NumberedRowError) -> InputError:
        """Return an error about a row, by its number in all files, with its file and its number there."""
        return error if self.find is None else error.at(*self.find(error.row))

    def __reduce__(self) -> Any:
        return RowFiles, (None,)


def row_files_of(X: Any) -> RowFiles | None:
    """Return the files of the rows; None for rows without files."""
    found = getattr(X, "row_files", None)
    return found if isinstance(found, RowFiles) else None


def row_names_of(X: Any) -> RowNames | None:
    """Return the row names of a pandas frame that has its own index; None for anything else.

    A default index 0, 1, 2, … does not count: such rows are numbered from 1.
    """
    index = getattr(X, "index", None) if type(X).__module__.partition(".")[0] == "pandas" else None
    if index is None or _counts(index):
        return None
    return RowNames(index)


def place_of(origin: Any, named: RowNames | None) -> Callable[[int], int | str]:
    """Return how a message refers to a row, given its position."""

    def place(row: int) -> int | str:
        number = row if origin is None else int(origin[row])
        return number + 1 if named is None else named(number)

    return place


def _counts(index: Any) -> bool:
    import numpy as np

    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    return getattr(index, "dtype", None) == np.int64 and bool((np.asarray(index) == np.arange(len(index))).all())
