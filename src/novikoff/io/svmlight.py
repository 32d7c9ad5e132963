"""Read svmlight (libsvm) files: `label column:number column:number … # comment`, one row per line.

Chunks have the column numbers of the file; whether they count from 0 or from 1 is known after all rows. The
columns of a row ascend, as LIBSVM requires.
"""

from __future__ import annotations

import contextlib
import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.plain_files import NO_LABEL, number_of
from novikoff.errors import InputError
from novikoff.io import svmlight_kernel
from novikoff.io.memory_limit import longest_line
from novikoff.io.prefetch import ahead, readers_of
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.source import Chunk, Source, noted, raise_first
from novikoff.io.text_blocks import (
    NUMBERS_A_BYTE,
    ROOM,
    LineBlock,
    blocks_of,
    decoded,
    sizes_of,
)
from novikoff.kernels.compile import MUCH, kernel_of

SHOWN = 40  # characters of what was found
COLUMN_PAIR = "a pair column:number, as in 3:0.5, was expected"
NUMBER = "a finite number was expected after the colon"
WRONG = {
    svmlight_kernel.NOT_A_PAIR: COLUMN_PAIR,
    svmlight_kernel.COLUMN_TOO_LARGE: "a column of at most 18 digits was expected",
    svmlight_kernel.NOT_A_NUMBER: NUMBER,
    svmlight_kernel.NOT_ASCENDING: "a column after those before it was expected: sort the pairs, each column once",
}
WIDEST_OF_32, WIDEST = 2**31 - 2, 10**18 - 1  # columns
WORD = re.compile(rb"[^\x00- #]+")
MARKS = 1 << 13  # separators found at once: they stay in the first cache


class Svmlight(Source):
    """The rows of an svmlight file, block by block."""

    def __init__(self, path: str | Path, reading: Reading = DEFAULT) -> None:
        self.path, self.name, self.reading = path, str(path), reading
        self.size, self.packed = sizes_of(path)
        self.readers = readers_of(path, reading.readers, self.size)

    def chunks(self) -> Iterator[Chunk]:
        self.first_column = 1
        if self.readers:
            _compile_reader()  # here, not in the threads
        rooms: list[_Room] = []  # that are free
        blocks = blocks_of(self.path, None, self.readers + 1, longest_line(self.reading.limit))

        def read(block: LineBlock) -> _Text:
            return _Text(block, self.name, rooms.pop() if rooms else _Room(), self.reading.uses_labels)

        with contextlib.closing(ahead(blocks, read, self.readers)) as chunks:
            for number, text in enumerate(chunks):
                self.first_column = min(self.first_column, text.least)
                rows = text.rows if self.reused and number else tuple(part.copy() for part in text.rows)
                yield Chunk(text.labels, rows, text.block.place.byte)
                rooms.append(text.room)


class _Room:
    """Arrays for the rows of a block, used again for the next one; as large as the block's bytes require."""

    def __init__(self) -> None:
        self.size, self.columns, self.marks = -1, np.empty(0, np.int32), np.empty(MARKS, np.uint32)

    def make(self, size: int, wide: bool) -> None:
        """Make the arrays large enough: a pair takes at least four bytes (`1:2 `), a row two."""
        rows, pairs = size // 2 + 2, size // 4 + 2
        if size > self.size:
            self.size, self.labels, self.spans = size, np.empty(rows), np.empty((rows, 2), np.int64)
            self.starts, self.values = np.empty(rows, np.int64), np.empty(pairs)
        kind = np.dtype(np.int64 if wide else np.int32)
        if self.columns.size < pairs or self.columns.dtype != kind:
            self.columns = np.empty(pairs, kind)

    def arrays(self) -> tuple[np.ndarray, ...]:
        """Return the arrays as the kernel takes them."""
        return self.marks, self.labels, self.spans, self.starts, self.columns, self.values


@functools.cache
def _compile_reader() -> None:
    """Compile the kernel, or load it: this must be done before threads use it."""
    room = _Room()
    room.make(0, wide=False)
    kernel_of(svmlight_kernel.read, svmlight_kernel, MUCH)(np.zeros(ROOM, np.uint8), 0, 0, 0, *room.arrays())


class _Text:
    """A block of a file, with its rows in the room until it is used again. uses_labels: whether labels are needed."""

    def __init__(self, block: LineBlock, name: str, room: _Room, uses_labels: bool) -> None:
        self.block, self.name, self.room, self.uses_labels = block, name, room, uses_labels
        self.labels, self.rows, self.least = self._read()

    def _read(self) -> tuple[Any, Any, int]:
        """Return labels, rows, and the least column; an InputError names the line and what was found there."""
        wrong, where, n, m, hard, least, _ = self._tokens(wide=False)
        if wrong == svmlight_kernel.COLUMN_TOO_LARGE:
            wrong, where, n, m, hard, least, _ = self._tokens(wide=True)
        if wrong == svmlight_kernel.NO_ROOM:
            raise RuntimeError(f"{self.name}: more pairs than the block has room for")
        room, errors = self.room, list[InputError]()
        if wrong != svmlight_kernel.FINE:
            errors.append(self._error(int(where), WRONG[wrong]))
            n += 1  # the last row ends at what is wrong
            room.starts[n] = m
        starts, columns, values = room.starts[: n + 1], room.columns[:m], room.values[:m]
        if hard:
            with noted(errors):
                self._read_slowly(starts, values)
        labels: Any = ()
        with noted(errors):
            labels = self._labels(n)
        raise_first(errors)
        return labels, (values, columns, starts), int(least)

    def _tokens(self, wide: bool) -> Any:
        block, room = self.block, self.room
        room.make(block.size, wide)
        most = WIDEST if wide else WIDEST_OF_32
        reader = kernel_of(svmlight_kernel.read, svmlight_kernel, NUMBERS_A_BYTE * block.size)
        return reader(block.buf, 0, block.size, most, *room.arrays())

    def _labels(self, n: int) -> Any:
        """Return the labels as numbers, or as texts if one is not a number or too large to be exact."""
        labels = self.room.labels[:n]
        try:
            for r in np.flatnonzero(np.isnan(labels)).tolist():
                labels[r] = number_of(self._text(*self.room.spans[r]))
            exact = bool((np.abs(labels) < 2.0**53).all())
        except ValueError:
            exact = False
        return labels.copy() if exact else [self._label(lo, hi) for lo, hi in self.room.spans[:n].tolist()]

    def _label(self, lo: int, hi: int) -> str:
        label = self._text(lo, hi)
        if ":" in label:
            raise self._error(lo, "a label was expected before the first pair")
        if self.uses_labels and label.lower() in NO_LABEL:
            raise self._error(lo, "a label was expected; leave such rows out")
        return label

    def _read_slowly(self, starts: np.ndarray, values: np.ndarray) -> None:
        """Read the numbers that the compiled reader skipped, in one pass through each row."""
        raw = self.block.buf[: self.block.size + 1].tobytes()
        for r in np.unique(np.searchsorted(starts, np.flatnonzero(np.isnan(values)), "right") - 1).tolist():
            lo = int(self.room.spans[r, 1])
            for pair, word in zip(
                range(starts[r], starts[r + 1]), WORD.finditer(raw, lo, raw.index(b"\n", lo)), strict=False
            ):
                try:
                    if np.isnan(values[pair]):
                        values[pair] = number_of(decoded(word[0]).partition(":")[2])
                except ValueError:
                    raise self._error(word.start(), NUMBER) from None

    def _text(self, lo: int, hi: int) -> str:
        return decoded(self.block.buf[lo:hi].tobytes())

    def _error(self, where: int, expected: str) -> InputError:
        line = self.block.place.line + self.block.buf[:where].tobytes().count(b"\n")
        begin = where
        while begin > 0 and self.block.buf[begin - 1] != svmlight_kernel.NEWLINE:
            begin -= 1
        word = WORD.match(self.block.buf[where : self.block.size + 1].tobytes())
        found = self._text(where, where + (word.end() if word else 1))
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…")
        byte = where - begin + 1
        return InputError(file=self.name, line=line, byte=byte, found=shown, expected=expected)
