"""Rows that stay in their file: read again in every pass, only a window of them in memory.

A `FileRows` is a `Blocks` like every storage that kernels do not read as it lies, so a run over a file is the same run
as over an array, bit for bit. One scan before it counts rows and columns, notes where the chunks begin, and keeps the
labels: a few bytes a row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.files.packed import PACKED
from novikoff.files.source import Chunk, Source, joined, labels_of
from novikoff.points.blocks import Blocks, Rows, SparseBlocks, Which
from novikoff.points.rows import rows_of


class FileRows(Blocks):
    """The rows of a source, numbered from 0, and their labels."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.starts, self.places = [0], []  # the first row of each chunk, and where it begins
        labels, stored, width = [], 0, 0
        for chunk in source.chunks():
            rows = _numbers(chunk.rows)
            self.sparse = isinstance(rows, tuple)
            labels.append(chunk.labels)
            stored += rows[0].size if self.sparse else rows.size
            width = max(width, _width(rows))
            self.starts.append(self.starts[-1] + len(chunk.labels))
            self.places.append(chunk.place)
        self.labels = labels_of(labels)
        if not len(self.labels):
            raise InputError(f"{source.name}: found no rows; expected points, one a line")
        shape = len(self.labels), max(width - source.first_column, 1) if self.sparse else width
        super().__init__(shape, stored, np.dtype(np.float64))
        self.window: Any = None  # rows that are in memory,
        self.first = self.end = 0  # from this one on, to before that one
        self.ahead: Iterator[Chunk] = iter(())
        self.next = -1  # the number of the chunk that comes next

    def __getstate__(self) -> dict[str, Any]:
        """A copy reads for itself: it has its own source, and no rows in memory."""
        afresh = {"window": None, "first": 0, "end": 0, "ahead": iter(()), "next": -1}
        return self.__dict__ | afresh | {"source": copy(self.source)}

    @property
    def starts_anywhere(self) -> bool:
        """Whether reading may begin at any chunk: what is packed is unpacked from its beginning, arrays are here."""
        return all(_starts_anywhere(one) for one in getattr(self.source, "sources", [self.source]))

    def excerpt(self, first: int, end: int) -> FileRows:
        """A copy to be read elsewhere, which only knows where the rows first ≤ i < end are."""
        a = int(np.searchsorted(self.starts, first, "right")) - 1
        b = int(np.searchsorted(self.starts, end, "left"))
        part = copy(self)
        part.labels, part.starts, part.places = (), self.starts[a : b + 1], self.places[a:b]
        return part

    def take(self, which: Which) -> Rows:
        lo, hi = (which.start, which.stop) if isinstance(which, slice) else (int(which.min()), int(which.max()) + 1)
        if not self.first <= lo < hi <= self.end:
            self._move(lo, hi)
        here = slice(lo - self.first, hi - self.first) if isinstance(which, slice) else which - self.first
        if self.sparse:
            return SparseBlocks(self.window, self.shape[1]).take(here)
        return np.ascontiguousarray(self.window[here])

    def laid_out(self) -> Rows:
        return self

    def fingerprint(self) -> bytes | None:
        """SHA-256 of the file as it lies, of how it is cut, and of its first numbers; None where there is no one file.

        The first numbers tell ways of reading apart.
        """
        path = getattr(self.source, "path", None)
        if path is None or not Path(path).is_file():
            return None
        try:
            with open(path, "rb") as file:
                total = hashlib.file_digest(file, "sha256")
        except OSError as error:
            raise InputError(f"{self.source.name}: cannot be read ({error.strerror})") from error
        total.update(repr((self.starts, self.source.first_column)).encode())
        first = self.take(slice(0, min(self.shape[0], self.at_once)))
        for part in first if isinstance(first, tuple) else (first,):
            total.update(np.ascontiguousarray(part).data)
        return total.digest()

    def _move(self, lo: int, hi: int) -> None:
        """Have rows lo ≤ i < hi in the window."""
        parts = []
        if self.first <= lo < self.end:
            parts.append(_cut(self.window, lo - self.first))
            self.first = lo
        else:
            number = int(np.searchsorted(self.starts, lo, "right")) - 1
            self.first = self.end = self.starts[number]
            if number != self.next:
                self.ahead, self.next = self.source.chunks(self.places[number]), number
        self.window = None
        while self.end < hi:
            parts.append(self._read())
        self.window = _joined(parts)

    def _read(self) -> Any:
        """The next chunk."""
        rows = _numbers(next(self.ahead, Chunk((), np.zeros((0, 1)))).rows)
        self.next += 1
        size = (len(rows[2]) - 1) if self.sparse else len(rows)
        if size != self.starts[self.next] - self.starts[self.next - 1]:
            raise InputError(f"{self.source.name}: the file was changed while it was read")
        self.end += size
        if self.sparse and self.source.first_column:
            return rows[0], rows[1] - rows[1].dtype.type(self.source.first_column), rows[2]
        return rows


def _numbers(rows: Any) -> Any:
    """A chunk's rows as float64: an array, or compressed sparse rows."""
    if isinstance(rows, tuple):
        return rows[0].astype(np.float64, copy=False), *rows[1:]
    laid = rows_of(rows)
    whole = laid.take(slice(0, laid.shape[0])) if isinstance(laid, Blocks) else laid
    return whole.astype(np.float64, copy=False)


def _starts_anywhere(source: Any) -> bool:
    path = getattr(source, "path", None)
    if path is None or str(path) == "-":
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(6)
    except OSError:  # a folder; or what the reader will tell
        return True
    return not any(head.startswith(magic) for magic in PACKED)


def _width(rows: Any) -> int:
    if not isinstance(rows, tuple):
        return int(rows.shape[1])
    return int(rows[1].max()) + 1 if rows[1].size else 0


def _cut(rows: Any, start: int) -> Any:
    """Rows from one on."""
    if not isinstance(rows, tuple):
        return rows[start:]
    values, columns, starts = rows
    return values[starts[start] :], columns[starts[start] :], starts[start:] - starts[start]


def _joined(parts: list[Any]) -> Any:
    if len(parts) == 1 or not isinstance(parts[0], tuple):
        return joined(parts)
    values, columns, starts = zip(*parts, strict=True)
    ends = np.zeros(1 + sum(len(s) - 1 for s in starts), np.int64)
    np.cumsum(joined([np.diff(s) for s in starts]), out=ends[1:])
    return joined(values), joined(columns), ends
