"""Sources of points: the rows of a file of any format, some at a time, as often as they are needed.

a chunk    labels, and rows: an array (n, d), (values, columns, starts) of compressed sparse rows, an Arrow table
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.labelled_points import Labelled
from novikoff.data.labels.label_codes import Coded, coded
from novikoff.data.labels.label_types import typed
from novikoff.data.row_numbers import RowNumbers
from novikoff.io.stream.skipped_rows import LeftOut

NO_WORDS: Mapping[str, list[str]] = MappingProxyType({})


EACH = 150  # bytes of a label that is kept once, at least
SMALL = 1 << 18  # bytes of a chunk, where rows stay in their file: several are under way at a time


class Chunk(NamedTuple):
    """Some rows, in the order of the file. Labels are numbers (an array) or texts (a list)."""

    labels: Any
    rows: Any
    place: Any = None  # where `chunks` may begin again
    words: Mapping[str, list[str]] = NO_WORDS  # columns of texts and categories, by name


class Source(ABC):
    """Rows of a file; what is only known when all rows have been seen is right after the last chunk."""

    name: str
    names: tuple[str, ...] | None = None  # of the columns
    first_column: int = 0  # the number by which the first column of sparse rows goes
    counts_from: int | None = None  # the same, where it is said beforehand
    dropped: int = 0  # rows left out, for a missing number
    left_out: LeftOut | None = None  # where rows were left out, in formats where they can be
    digest: str | None = None  # of the points and their labels, where it is kept with them
    width: int | None = None  # columns of sparse rows, where the file says how many
    block: int | None = None  # about so many bytes make a chunk; None: as many as the format likes
    size: int | None = None  # of the file in bytes, where places are bytes
    limit: int | None = None  # the memory that what is held of it may take, in bytes; None: any

    def share_before(self, chunk: Chunk) -> float:
        """How much of the file comes before a chunk, from 0 to 1; 0 where it is not known."""
        return chunk.place.byte / self.size if self.size else 0.0

    def row_numbers(self) -> RowNumbers | None:
        """The numbers in the file, from 0, of the rows that have been read; None where none was left out."""
        return None if self.left_out is None else self.left_out.numbers()

    @abstractmethod
    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        """The rows from the first on, or from the place of a chunk; InputError for what is wrong, with its place."""


@dataclass(frozen=True, repr=False)
class Points(Labelled):
    """Points in memory: X an array, a sparse matrix or an Arrow table, y numbers or texts; names of columns.

    row_numbers: the number in the file (from 0) of each row; where rows were left out these are not 0, 1, 2, …
    """

    X: Any
    y: Any
    names: tuple[str, ...] | None
    dropped: int = 0
    numbering: Any = None  # the same, or None where no row was left out

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


def in_small_chunks(source: Source) -> Source:
    """The same source, to be read with little memory."""
    for one in getattr(source, "sources", [source]):
        one.block = SMALL
    return source


def joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    """One array of several."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def labels_of(parts: Sequence[Any]) -> Any:
    """The labels of all chunks: numbers, whole where they are, or texts where one chunk has a text."""
    if not parts or any(isinstance(part, list) for part in parts):
        return typed([str(text) for part in parts for text in part])
    numbers = joined(parts)
    if numbers.dtype.kind in "iub":
        return numbers
    if (np.abs(numbers) < 2.0**53).all() and (numbers == np.floor(numbers)).all():
        return numbers.astype(np.int64)
    return numbers


class Labels:
    """The labels of chunks as they come: a byte or a few for each row, and each different label once."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self.codes: list[np.ndarray] = []
        self.kinds: set[np.dtype] = set()  # of chunks of numbers
        self.spelled = False  # whether a chunk has texts
        self.size = 0  # bytes that they take

    def add(self, labels: Any) -> None:
        """Those of the next chunk."""
        number, known = self.numbers, len(self.numbers)
        if isinstance(labels, list):
            self.spelled |= bool(labels)
            codes = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(labels))
        else:
            self.kinds.add(labels.dtype)
            different, place = np.unique(labels, return_inverse=True)
            codes = np.array([number.setdefault(label, len(number)) for label in different.tolist()], np.int32)[place]
        small = np.int8 if len(number) <= 1 << 7 else np.int16 if len(number) <= 1 << 15 else np.int32
        self.codes.append(codes.astype(small))
        longest = max(map(len, labels), default=0) if isinstance(labels, list) else 0
        self.size += self.codes[-1].nbytes + (len(number) - known) * (EACH + longest)

    def all(self) -> Coded:
        """The labels of all chunks, the same as `labels_of` has them."""
        different: Any = list(self.numbers)
        if not self.spelled and different:
            different = np.array(different, np.result_type(*self.kinds))
        codes = joined(self.codes) if self.codes else np.zeros(0, np.int8)
        return coded(labels_of([different]), codes)
