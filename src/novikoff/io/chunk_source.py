"""Sources of points: read the rows of a file of any format in chunks, as often as they are needed.

A chunk has labels and rows: an array (n, d), (values, columns, starts) of compressed sparse rows, or an Arrow table.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.labelled_points import Labelled
from novikoff.data.row_numbers import RowNumbers
from novikoff.io.skipped_rows import LeftOut

NO_WORDS: Mapping[str, list[str]] = {}  # a proxy of it could not be sent to another process


class Chunk(NamedTuple):
    """Some rows, in the order of the file. Labels are numbers (an array) or texts (a list)."""

    labels: Any
    rows: Any
    place: Any = None  # where it begins
    words: Mapping[str, list[str]] = NO_WORDS  # columns of texts and categories, by name


class Source(ABC):
    """The rows of a file. What depends on all rows is known after the last chunk."""

    name: str
    names: tuple[str, ...] | None = None  # of the columns
    first_column: int = 0  # the number of the first column of sparse rows
    counts_from: int | None = None  # the same, if it was given
    dropped: int = 0  # how many rows were left out for a missing value
    left_out: LeftOut | None = None  # which rows were left out, in formats where that is possible
    digest: str | None = None  # of the points and their labels, if the file has it
    width: int | None = None  # how many columns sparse rows have, if the file says so
    block: int | None = None  # bytes of a chunk, about; None: the format's default
    size: int | None = None  # of the file in bytes, if places are offsets
    reused: bool = False  # whether the arrays of a chunk, but the first, may be used again for the next
    limit: int | None = None  # the memory that its rows may take, in bytes; None: any

    @property
    def files(self) -> Sequence[Source]:
        """The sources of the single files that this one reads."""
        return [self]

    def file_of(self, chunk: Chunk) -> str:
        """Return the name of the file that a chunk was read from."""
        return self.name

    def share_before(self, chunk: Chunk) -> float:
        """Return the share of the file before a chunk, from 0 to 1; 0 if unknown."""
        return chunk.place.byte / self.size if self.size else 0.0

    def place_of(self, row: int) -> tuple[str, int]:
        """Return the file of a row, by its number (from 0) in all files, and its number in this file."""
        return self.name, row

    def row_numbers(self) -> RowNumbers | None:
        """Return the numbers in the file, from 0, of the rows that were read; None if none was left out."""
        return None if self.left_out is None else self.left_out.numbers()

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows; an InputError names the place of an error."""


@dataclass(frozen=True, repr=False)
class Points(Labelled):
    """Points in memory: X an array or a sparse array, y numbers or texts; names of columns.

    row_numbers: the number in the file (from 0) of each row: 0, 1, 2, … unless rows were left out.
    """

    X: Any
    y: Any
    names: tuple[str, ...] | None
    dropped: int = 0
    numbering: Any = None  # the same, or None if no row was left out

    @property
    def row_numbers(self) -> np.ndarray:
        return np.asarray(range(self.n) if self.numbering is None else self.numbering)

    @property
    def rows(self) -> Any:
        """X."""
        return self.X

    @property
    def labels(self) -> Any:
        """y."""
        return self.y

    @property
    def n(self) -> int:
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        return int(self.X.shape[1])
