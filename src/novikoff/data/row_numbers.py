"""The user's numbers of rows in their file, from which rows may be left out, or their names in an index."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from novikoff.errors import NumberedRowError

if TYPE_CHECKING:
    import numpy as np


def origin_of(X: Any) -> np.ndarray | None:
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


@dataclass(frozen=True)
class RowFiles:
    """The files of rows that are numbered from 0 in all files: their names, and the number of each one's first row."""

    names: tuple[str, ...]
    starts: tuple[int, ...]

    def place(self, row: int) -> tuple[str, int]:
        """Return the file of a row, and the row's number (from 0) there."""
        k = max(bisect_right(self.starts, row) - 1, 0)
        return self.names[k], row - self.starts[k]

    def placed(self, error: NumberedRowError) -> NumberedRowError:
        """Return an error about a row, by its number in all files, with its file and its number there."""
        return error.at(*self.place(error.row))


def row_files_of(X: Any) -> RowFiles | None:
    """Return the files of the rows; None for rows without files."""
    found = getattr(X, "row_files", None)
    return found if isinstance(found, RowFiles) else None


def row_names_of(X: Any) -> RowNames | None:
    """Return the row names of a pandas frame that has its own index; None for anything else.

    A default index 0, 1, 2, … does not count: such rows are numbered from 1.
    """
    index = getattr(X, "index", None) if type(X).__module__.partition(".")[0] == "pandas" else None
    return None if index is None or _counts(index) else RowNames(index)


def place_of(origin: Any, named: RowNames | None) -> Callable[[int], int | str]:
    """Return how a message refers to a row, given its position."""

    def place(row: int) -> int | str:
        number = row if origin is None else int(origin[row])
        return number + 1 if named is None else named(number)

    return place


def _counts(index: Any) -> bool:
    if type(index).__name__ == "RangeIndex":
        return bool(index.start == 0 and index.step == 1)
    return str(getattr(index, "dtype", "")) == "int64" and bool((index.to_numpy() == [*range(len(index))]).all())
