"""Sources of points: read the rows of files of any format in chunks, as often as they are needed.

A chunk has labels and rows: an array (n, d), or (values, columns, starts) of compressed sparse rows. It has every row
of its part of the file: a missing number is NaN, and `kept` says which rows miss nothing that is needed.
"""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from novikoff.data.labelled_points import Numbered
from novikoff.data.row_numbers import RowFiles
from novikoff.errors import InputError
from novikoff.io.reading import DEFAULT, Reading

if TYPE_CHECKING:
    from novikoff.io.table_layout import Layout

NO_WORDS: Mapping[str, list[str]] = {}  # a proxy of it could not be sent to another process


class Chunk(NamedTuple):
    """Some rows, in the order of the file. Labels are numbers (an array) or texts (a list).

    byte: where it begins in the (uncompressed) file, if known. words: columns of texts and categories, by name. kept: a
    mask of the rows that are not left out; None: all.
    """

    labels: Any
    rows: Any
    byte: int = 0
    words: Mapping[str, list[str]] = NO_WORDS
    kept: np.ndarray | None = None

    def complete(self) -> Chunk:
        """Return the rows that are not left out."""
        if self.kept is None or self.kept.all():
            return self
        here = np.flatnonzero(self.kept)
        own = here.tolist()
        labels = self.labels[here] if isinstance(self.labels, np.ndarray) else [self.labels[r] for r in own]
        words = {name: [column[r] for r in own] for name, column in self.words.items()}
        return Chunk(labels, self.rows[here], self.byte, words)


class Source(ABC):
    """The rows of a file. What depends on all rows is known after the last chunk."""

    name: str
    kind: str = ""  # the format
    reading: Reading = DEFAULT
    names: tuple[str, ...] | None = None  # of the columns
    layout: Layout | None = None  # of a table
    has_label: bool = True
    first_column: int = 0  # the number of the first column of sparse rows
    width: int | None = None  # how many columns sparse rows have, if the file says so
    size: int | None = None  # of the file in bytes, if it is text that is not compressed
    packed: int | None = None  # of the file in bytes, if it is compressed text
    reused: bool = False  # whether the arrays of a chunk, but the first, may be used again for the next
    in_memory: bool = False  # whether the rows are in memory before they are read

    @abstractmethod
    def chunks(self) -> Iterator[Chunk]:
        """Yield the rows; an InputError names the place of an error."""


class Files:
    """The rows of files of one format with the same columns, one file after the other. now: the file that is read."""

    def __init__(self, name: str, sources: Sequence[Source]) -> None:
        self.name, self.sources, self.now, self.reading = name, list(sources), sources[0], sources[0].reading
        self.starts, self.rows = list[int](), 0  # how many rows come before each file, and how many were read
        self.names, self.first_column = sources[0].names, sources[0].first_column

    @property
    def layout(self) -> Layout | None:
        """The columns of a table; known after the first chunk."""
        return self.now.layout

    @property
    def width(self) -> int | None:
        """How many columns sparse rows have, if the files say so."""
        return max((source.width for source in self.sources if source.width), default=None)

    @property
    def has_label(self) -> bool:
        """Whether the rows have labels; known after the first chunk."""
        return self.now.has_label if self.layout is None else self.layout.label is not None

    @property
    def row_files(self) -> RowFiles:
        """The files of the rows."""
        return RowFiles(tuple(source.name for source in self.sources), tuple(self.starts))

    def chunks(self) -> Iterator[Chunk]:
        columns, self.rows, self.starts = None, 0, []
        for source in self.sources:
            self.now = source
            self.starts.append(self.rows)
            for chunk in source.chunks():
                columns = self._check_same(columns, source, chunk)
                first = source.first_column if len(self.starts) == 1 else min(self.first_column, source.first_column)
                self.names, self.first_column = source.names, first
                self.rows += len(chunk.labels)
                yield chunk

    def share_before(self, chunk: Chunk) -> float:
        """Return the share of the files before a chunk, from 0 to 1; 0 if unknown."""
        share = chunk.byte / self.now.size if self.now.size else 0.0
        return (len(self.starts) - 1 + share) / len(self.sources)

    def _check_same(self, columns: Any, source: Source, chunk: Chunk) -> Any:
        """Return the columns of a file; raise InputError if they are not those of the first one, unless sparse."""
        now = (source.names, None if source.layout is None else (source.layout.width, source.layout.label))
        if columns not in (None, now) and not isinstance(chunk.rows, tuple):
            raise InputError(f"found other columns than in {self.sources[0].name}; expected the same", file=source.name)
        return now


@contextlib.contextmanager
def noted(errors: list[InputError]) -> Iterator[None]:
    """Add the error of a check to a list; `raise_first` raises the one that comes first in the file."""
    try:
        yield
    except InputError as error:
        errors.append(error)


def raise_first(errors: list[InputError]) -> None:
    """Raise the error that comes first in the file, if there is one."""
    if errors:
        raise min(errors, key=lambda error: (error.line or 0, error.byte or 0))


@dataclass(frozen=True, repr=False)
class Points(Numbered):
    """Points in memory: X an array or a sparse array, y numbers or texts; names of columns.

    numbering: the number in the file (from 0) of each row, or None for 0, 1, 2, …: no row was left out.
    """

    dropped: int = 0

    @property
    def X(self) -> Any:
        """The points."""
        return self.rows

    @property
    def y(self) -> Any:
        """The labels."""
        return self.labels

    @property
    def row_numbers(self) -> np.ndarray:
        """The number in the file (from 0) of each row."""
        return np.arange(self.n) if self.numbering is None else self.numbering
