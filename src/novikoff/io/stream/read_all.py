"""Read every chunk of a source once: hold the rows in memory, or only note where each chunk begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.parsing.growing_arrays import Growing, GrowingRows
from novikoff.io.stream.chunk_source import Chunk, Source, labels_of
from novikoff.io.stream.label_scan import LabelScan
from novikoff.io.stream.memory_limit import check_held, counted


@dataclass
class Cut:
    """How a source is divided into chunks, and how many numbers they hold."""

    starts: list[int] = field(default_factory=lambda: [0])  # the first row of each chunk,
    places: list[Any] = field(default_factory=list)  # and where it begins
    stored: int = 0
    width: int = 0
    sparse: bool = False

    def add(self, rows: Any, place: Any) -> None:
        """Add the next chunk that has rows."""
        self.sparse = isinstance(rows, tuple)
        self.stored += rows[0].size if self.sparse else rows.shape[0] * rows.shape[1]
        self.width = max(self.width, _width(rows))
        self.starts.append(self.starts[-1] + row_count(rows))
        self.places.append(place if self.places else None)  # None: where a header may be


class HeldRows:
    """The rows of chunks in memory: dense or sparse rows, or an Arrow table, with their columns of words."""

    def __init__(self) -> None:
        self.dense, self.sparse = Growing(), GrowingRows()
        self.is_sparse = False
        self.tables: list[Any] = []
        self.words: dict[str, list[str]] = {}

    def add(self, chunk: Chunk, share: float) -> None:
        """Add the rows of a chunk. share: the part of the file before it."""
        self.is_sparse = isinstance(chunk.rows, tuple)
        if self.is_sparse:
            self.sparse.add(chunk.rows, share)
        elif isinstance(chunk.rows, np.ndarray):
            self.dense.add(chunk.rows, share)
        else:
            self.tables.append(chunk.rows)
        for name, values in chunk.words.items():
            self.words.setdefault(name, []).extend(values)

    def chunk(self) -> Chunk:
        """Return all rows as one chunk without labels; sparse rows as `GrowingRows`."""
        return Chunk((), self.sparse if self.is_sparse else self.whole(), None, self.words)

    def whole(self) -> Any:
        """Return the array or the Arrow table of all rows that are not sparse."""
        if not self.tables:
            return self.dense.whole()
        import pyarrow

        return pyarrow.concat_tables(self.tables)


@dataclass
class SourceContents:
    """What one reading of a source finds.

    first: its first chunk. held: all rows, where they stay in memory; cut: where chunks begin, where they do not.
    """

    source: Source
    cut: Cut
    first: Chunk
    held: HeldRows
    parts: list[Any] | LabelScan

    @property
    def labels(self) -> Any:
        """The labels: an array where the rows are in memory, else `StoredLabels`."""
        try:
            return self.parts.stored(self.source) if isinstance(self.parts, LabelScan) else labels_of(self.parts)
        except InputError as error:
            raise InputError(f"{self.source.name}: {str(error).removeprefix('y: ')}") from None


def read_all(
    source: Source, hold: bool, stream: bool = False, labelled: bool = True, numbers: Callable[[Any], Any] | None = None
) -> SourceContents:
    """Read all chunks of a source; InputError where there are no rows, or what is held exceeds the memory limit.

    hold: whether the rows stay in memory. stream: whether the source is a stream that is held because its rows are
    needed more than once. labelled: whether labels are collected. numbers: converts and checks the rows of a chunk.
    """
    cut, held, first = Cut(), HeldRows(), None
    parts: Any = [] if hold else LabelScan()
    for chunk in counted(source, stream) if hold else source.chunks():
        rows = chunk.rows if numbers is None else numbers(chunk.rows)
        if not row_count(rows):
            continue
        first = chunk if first is None else first
        if hold:
            parts.append(chunk.labels)
            held.add(chunk, source.share_before(chunk))
            continue
        cut.add(rows, chunk.place)
        if labelled:
            parts.add(chunk.labels)
            check_held(source, parts.size, cut.starts[-1])
    if first is None:
        some = getattr(source, "dropped", 0)
        found = f"in each of {some:,} rows a missing value, or no label" if some else "no rows"
        raise InputError(f"{source.name}: found {found}; expected points, one a line")
    return SourceContents(source, cut, first, held, parts)


def row_count(rows: Any) -> int:
    """Return the number of rows of a chunk."""
    return len(rows[2]) - 1 if isinstance(rows, tuple) else len(rows)


def _width(rows: Any) -> int:
    if not isinstance(rows, tuple):
        return int(rows.shape[1])
    return int(rows[1].max()) + 1 if rows[1].size else 0
