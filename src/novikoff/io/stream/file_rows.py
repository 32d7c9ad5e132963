"""Rows that stay in their file: read again in every pass, with only a window of them in memory.

`FileRows` are `Blocks`, like every storage that kernels do not read directly. So a run over a file is the same as one
over an array, bit for bit. One scan before it counts rows, columns and the rows of each label, and notes where chunks
begin. Labels stay in the file: `labelled` reads them with their rows.

Rows come in the order of the file, or in that of `shuffle`, which has one block of 65,536 rows in memory at a time. A
compressed file cannot be read from its middle, so `shuffle` refuses one of more than one block.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Blocks, Rows, SparseBlocks, Which
from novikoff.data.labels.label_codes import Coded
from novikoff.data.labels.stored_labels import LabelCoding, StoredLabels
from novikoff.data.row_numbers import RowFiles
from novikoff.data.storages import rows_of
from novikoff.errors import InputError
from novikoff.io.stream.chunk_source import Chunk, Source, joined
from novikoff.io.stream.label_scan import changed, coded_labels
from novikoff.io.stream.masked_source import MaskedSource
from novikoff.io.stream.memory_limit import is_packed
from novikoff.io.stream.multi_file import row_files
from novikoff.io.stream.range_scan import Cut, row_count, stamps_of
from novikoff.io.stream.read_all import read_all

NO_CODES = np.zeros(0, np.int8)
FAR = 1 << 16  # rows: a block of the order shuffle; rows farther apart are read separately


class FileRows(Blocks):
    """The rows of a source, numbered from 0, and their labels (or the given ones, if they were renamed).

    cut: how the source is divided into chunks, if it was read before.
    """

    in_a_file = True

    def __init__(self, source: Source, labels: Coded | None = None, cut: Cut | None = None) -> None:
        self.source, self.name = source, source.name
        if cut is None or labels is None:
            found = read_all(source, False, labelled=labels is None, convert=_numbers)
            cut, labels = found.cut, found.labels if labels is None else labels
        self.starts, self.places, self.sparse, self.labels = cut.starts, cut.places, cut.sparse, labels
        self.stamps = cut.stamps
        self.first_column = source.first_column if self.sparse else 0
        width = (source.width or max(cut.width - self.first_column, 1)) if self.sparse else cut.width
        super().__init__((self.starts[-1], width), cut.stored, np.dtype(np.float64))
        self.numbering = source.row_numbers()  # in the file, if rows were left out
        self.coding: LabelCoding | None = labels.coding if isinstance(labels, StoredLabels) else None
        self.window: Any = None  # rows that are in memory,
        self.codes = NO_CODES  # the codes of their labels, if these stay in the file,
        self.first = self.end = 0  # from this one on, to before that one
        self.ahead: Iterator[Chunk] = iter(())
        self.next = -1  # the number of the chunk that comes next

    def __getstate__(self) -> dict[str, Any]:
        """Give a copy its own source, and no rows in memory."""
        afresh = {"window": None, "codes": NO_CODES, "first": 0, "end": 0, "ahead": iter(()), "next": -1}
        return self.__dict__ | afresh | {"source": copy(self.source)}

    @property
    def at_once(self) -> int:
        """Number of rows in a block: half that of other storages, as prefetched chunks take memory, too."""
        return max(1, super().at_once // 2)

    @property
    def starts_anywhere(self) -> bool:
        """Whether reading can begin at any chunk, without reading what comes before."""
        return all(_starts_anywhere(one) for one in self.source.files)

    def excerpt(self, first: int, end: int) -> FileRows:
        """Return a copy for another process, which only knows the places of the rows first ≤ i < end."""
        a = int(np.searchsorted(self.starts, first, "right")) - 1
        b = int(np.searchsorted(self.starts, end, "left"))
        part = copy(self)
        part.labels = Coded(self.labels.classes, NO_CODES)
        part.stamps = [stamp._replace(changed=None) for stamp in self.stamps]  # another machine may have a copy
        part.starts, part.places = self.starts[a : b + 1], self.places[a:b]
        return part

    @property
    def file_bytes(self) -> int:
        """How many bytes of files a pass reads."""
        paths = [Path(str(getattr(one, "path", ""))) for one in self.source.files]
        return sum(path.stat().st_size for path in paths if path.is_file())

    @property
    def can_shuffle(self) -> bool:
        """Whether blocks of rows can be read in any order."""
        return self.shape[0] <= FAR or self.starts_anywhere

    def some(self, which: np.ndarray) -> FileRows:
        """Return the rows of a mask; they stay in the file."""
        made = copy(self)
        made.source = MaskedSource(made.source, which)
        numbers = np.concatenate([[0], np.cumsum(which)])[self.starts]
        used = np.flatnonzero(np.diff(numbers))
        made.places = [(self.places[k], self.starts[k]) for k in used.tolist()]
        made.starts = numbers[[*used.tolist(), len(numbers) - 1]].tolist()
        made.labels = self.labels.some(which)
        made.coding = None
        n = int(numbers[-1])
        made.shape, made.stored = (n, self.shape[1]), self.stored * n // self.shape[0]
        return made

    def take(self, which: Which) -> Rows:
        return self.labelled(which)[0]

    def labelled(self, which: Which) -> tuple[Rows, np.ndarray]:
        """Return some of the rows, and the codes of their labels: none, if the labels do not stay in the file."""
        if not isinstance(which, slice) and (not which.size or int(which.max()) - int(which.min()) > FAR):
            return self._picked(which)
        lo, hi = (which.start, which.stop) if isinstance(which, slice) else (int(which.min()), int(which.max()) + 1)
        if not self.first <= lo < hi <= self.end:
            self._move(lo, hi)
        here = slice(lo - self.first, hi - self.first) if isinstance(which, slice) else which - self.first
        codes = self.codes[here].copy() if self.coding is not None else NO_CODES
        if self.sparse:
            return SparseBlocks(self.window, self.shape[1]).take(here), codes
        return np.ascontiguousarray(self.window[here]), codes

    def _picked(self, which: np.ndarray) -> tuple[Rows, np.ndarray]:
        """Return rows from all over the file, reading it once."""
        order = np.argsort(which, kind="stable")
        rising, parts, codes, lo = which[order], [], [NO_CODES], 0
        while lo < rising.size:
            hi = int(np.searchsorted(rising, rising[lo] + FAR))
            rows, some = self.labelled(rising[lo:hi])
            parts.append(rows)
            codes.append(some)
            lo = hi
        if not parts:
            nothing = (np.zeros(0), np.zeros(0, np.int32), np.zeros(1, np.int64))
            return nothing if self.sparse else np.zeros((0, self.shape[1])), NO_CODES
        back = np.empty_like(order)
        back[order] = np.arange(order.size)
        rows, found = _joined(parts), np.concatenate(codes)
        taken = SparseBlocks(rows, self.shape[1]).take(back) if self.sparse else rows[back]
        return taken, found[back] if self.coding is not None else NO_CODES

    @property
    def row_files(self) -> RowFiles | None:
        """The file of each row, for errors."""
        return row_files(self.source)

    def laid_out(self) -> Rows:
        return self

    def fingerprint(self) -> bytes | None:
        """Return the SHA-256 of the file's bytes, its division into chunks, and its first numbers; None unless it is
        one file. The first numbers distinguish ways of reading.
        """
        path = getattr(self.source, "path", None)
        if path is None or not Path(path).is_file() or getattr(self.source, "sources", None):
            return None
        try:
            with open(path, "rb") as file:
                total = hashlib.file_digest(file, "sha256")
        except OSError as error:
            raise InputError(f"{self.source.name}: cannot be read ({error.strerror})") from error
        total.update(repr((self.starts, self.first_column)).encode())
        first = self.take(slice(0, min(self.shape[0], self.at_once)))
        for part in first if isinstance(first, tuple) else (first,):
            total.update(np.ascontiguousarray(part).data)
        return total.digest()

    def _move(self, lo: int, hi: int) -> None:
        """Move the window to the rows lo ≤ i < hi."""
        parts, codes = [], [NO_CODES]
        if self.first <= lo < self.end:
            parts.append(_cut(self.window, lo - self.first))
            codes.append(self.codes[lo - self.first :])
            self.first = lo
        else:
            number = int(np.searchsorted(self.starts, lo, "right")) - 1
            self.first = self.end = self.starts[number]
            if number != self.next:
                self.check_unchanged()
                self.ahead, self.next = self.source.chunks(self.places[number]), number
        self.window = None
        while self.end < hi:
            rows, some = self._read()
            parts.append(rows)
            codes.append(some)
        self.window, self.codes = _joined(parts), np.concatenate(codes)

    def check_unchanged(self) -> None:
        """Raise InputError if a file has another size than at the scan, or was written since."""
        names = [file.name for file in self.source.files]
        if len(names) != len(self.stamps):  # some are no regular files
            names = [self.name] * len(self.stamps)
        for name, stamp, now in zip(names, self.stamps, stamps_of(self.source), strict=False):
            if stamp.size != now.size or stamp.changed not in (None, now.changed):
                raise changed(self.source, name)

    def _read(self) -> tuple[Any, np.ndarray]:
        """Read the next chunk that has rows, and the codes of its labels."""
        rows: Any = ()
        labels: Any = ()
        size, file = 0, None
        while not size and (chunk := next(self.ahead, None)) is not None:
            file = self.source.file_of(chunk)
            rows, labels = _numbers(chunk.rows, file), chunk.labels
            size = row_count(rows)
        self.next += 1
        if self.next >= len(self.starts) or size != self.starts[self.next] - self.starts[self.next - 1]:
            raise changed(self.source, file)
        self.end += size
        if self.first_column:
            rows = rows[0], rows[1] - rows[1].dtype.type(self.first_column), rows[2]
        return rows, NO_CODES if self.coding is None else coded_labels(self.coding, labels, self.source)


def _numbers(rows: Any, name: str) -> Any:
    """Return a chunk's rows as float64: an array, or compressed sparse rows."""
    if isinstance(rows, tuple):
        return rows[0].astype(np.float64, copy=False), *rows[1:]
    if isinstance(rows, np.ndarray) and not rows.size:
        return rows.astype(np.float64, copy=False)
    laid = rows_of(rows, name)
    whole = laid.take(slice(0, laid.shape[0])) if isinstance(laid, Blocks) else laid
    return whole.astype(np.float64, copy=False)


def _starts_anywhere(source: Any) -> bool:
    path = getattr(source, "path", None)
    return path is not None and str(path) != "-" and not is_packed(path)


def _cut(rows: Any, start: int) -> Any:
    """Return the rows from one on."""
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
