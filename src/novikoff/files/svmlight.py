"""svmlight (libsvm) files: `label column:number column:number … # comment`, a row a line.

A column is handed on as it is written; whether columns count from 0 or from 1 is settled when all rows have been seen.
A `qid` is passed over. The columns of a row may come in any order, but none twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.certify.verify import number_of
from novikoff.compile import bind, compiler_is_off
from novikoff.errors import InputError
from novikoff.files import tokens
from novikoff.files.bad import BadRowError, BadRows
from novikoff.files.packed import Block, Place, blocks_of
from novikoff.files.source import Chunk, Source

SHOWN = 40  # characters of what was found
COLUMN_PAIR = "a pair column:number, as in 3:0.5, was expected"
WRONG = {tokens.NOT_A_PAIR: COLUMN_PAIR, tokens.COLUMN_TOO_LARGE: "a column of at most 18 digits was expected"}


class Svmlight(Source):
    """The rows of an svmlight file, block by block, through arrays that the next block uses again."""

    def __init__(self, path: str | Path, skip: bool = False) -> None:
        self.bad = BadRows(skip)
        self.path, self.name = path, str(path)
        self.room = -1

    def __getstate__(self) -> dict[str, Any]:
        """A copy has arrays of its own: it may be read at the same time."""
        own = {"first_column": self.first_column, "bad": BadRows(self.bad.skip), "room": -1}
        return {"path": self.path, "name": self.name, **own}

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.first_column, self.bad = 1, BadRows(self.bad.skip)
        for block in blocks_of(self.path, start=start or Place()):
            chunk = self.bad.read(self._rows, block)
            _, columns, _ = chunk.rows
            if start is None and columns.size and self.first_column:
                self.first_column = min(1, int(columns.min()))
            yield chunk

    def _rows(self, block: Block) -> Chunk:
        """The rows of a block; InputError names the line and what was found there."""
        self._make_room(block.size)
        read = bind(tokens.read, tokens, not compiler_is_off())
        with np.errstate(all="ignore"):
            wrong, where, n, m, hard, mixed = read(
                block.buf, 0, block.size, self.labels, self.spans, self.starts, self.columns, self.values
            )
        if wrong != tokens.FINE:
            raise self._error(block, int(where), WRONG[wrong])
        starts, columns, values = self.starts[: n + 1], self.columns[:m], self.values[:m]
        if hard:
            self._slowly(block, starts, values)
        if mixed:
            columns, values = self._in_order(block, starts, columns, values)
        narrow = np.int32 if not m or columns.max() < 2**31 - 1 else np.int64
        rows = values.copy(), columns.astype(narrow), starts.copy()
        return Chunk(self._labels(block, n), rows, block.place)

    def _make_room(self, size: int) -> None:
        """For as many rows and pairs as so many bytes can hold: a pair takes four bytes, a row two."""
        if size <= self.room:
            return
        self.room, rows, pairs = size, size // 2 + 2, size // 4 + 2
        self.labels, self.spans = np.empty(rows), np.empty((rows, 2), np.int64)
        self.starts, self.columns, self.values = np.empty(rows, np.int64), np.empty(pairs, np.int64), np.empty(pairs)

    def _labels(self, block: Block, n: int) -> Any:
        """Numbers where all labels are some, else the texts."""
        labels = self.labels[:n]
        for r in np.flatnonzero(np.isnan(labels)).tolist():
            try:
                labels[r] = number_of(self._text(block, *self.spans[r]), "binary64")
            except ValueError:
                return [self._label(block, lo, hi) for lo, hi in self.spans[:n].tolist()]
        return labels.copy()

    def _label(self, block: Block, lo: int, hi: int) -> str:
        label = self._text(block, lo, hi)
        if ":" in label:
            raise self._error(block, lo, "a label was expected before the first pair")
        return label

    def _slowly(self, block: Block, starts: np.ndarray, values: np.ndarray) -> None:
        """The numbers that the compiled reader left to do."""
        for pair in np.flatnonzero(np.isnan(values)).tolist():
            r = int(np.searchsorted(starts, pair, "right")) - 1
            at, left = int(self.spans[r, 1]), pair - int(starts[r]) + 1
            while left:
                at, end = self._next_word(block, at)
                left -= not self._text(block, at, end).startswith("qid:")
                word, at = (at, end), end
            text = self._text(block, *word)
            try:
                values[pair] = number_of(text.partition(":")[2], "binary64")
            except ValueError:
                raise self._error(block, word[0], "a finite number was expected after the colon") from None

    def _next_word(self, block: Block, at: int) -> tuple[int, int]:
        while block.buf[at] <= 32:
            at += 1
        end = at
        while block.buf[end] > 32 and block.buf[end] != tokens.COMMENT:
            end += 1
        return at, end

    def _in_order(
        self, block: Block, starts: np.ndarray, columns: np.ndarray, values: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Every row's pairs by column."""
        of_row = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
        order = np.lexsort((columns, of_row))
        columns = columns[order]
        twice = np.flatnonzero((np.diff(columns) == 0) & (np.diff(of_row) == 0))
        if twice.size:
            where = int(self.spans[of_row[twice[0]], 0])
            raise self._error(block, where, f"column {columns[twice[0]]} is there twice; once was expected")
        return columns, values[order]

    def _text(self, block: Block, lo: int, hi: int) -> str:
        return block.buf[lo:hi].tobytes().decode("utf-8", "replace")

    def _error(self, block: Block, where: int, expected: str) -> InputError:
        line = block.place.line + block.buf[:where].tobytes().count(b"\n")
        begin = where
        while begin > 0 and block.buf[begin - 1] != tokens.NEWLINE:
            begin -= 1
        found = self._text(block, *self._next_word(block, where) if block.buf[where] > 32 else (where, where + 1))
        shown = repr(found if len(found) <= SHOWN else found[:SHOWN] + "…")
        return BadRowError(f"{self.name}, line {line}, byte {where - begin + 1}: found {shown}; {expected}", where)
