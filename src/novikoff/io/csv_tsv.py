"""Read tables: CSV (commas, semicolons or tabs) and TSV (tabs), a row a line, with or without a header.

In CSV a cell may be in quotes, and then contain anything; TSV has no quotes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Generator, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from novikoff.data.plain_files import is_name, only_once
from novikoff.errors import InputError
from novikoff.io import csv_kernel
from novikoff.io.memory_limit import CELLS, longest_line
from novikoff.io.prefetch import ahead, readers_of
from novikoff.io.reading import DEFAULT, Reading
from novikoff.io.source import Chunk, Source
from novikoff.io.table_block import (
    SHOWN,
    TableBlock,
    compile_cell_reader,
    csv_dialect,
    csv_reader,
    separator_of,
    with_point,
)
from novikoff.io.table_layout import layout_of
from novikoff.io.text_blocks import MARK as BYTE_ORDER_MARK, LineBlock, Place, blocks_of, count_of, decoded, sizes_of

MARK = 'write a quotation mark in a cell twice, and the cell in quotes: "5"" pipe" (TSV files have no quotes)'


class Table(Source):
    """The rows of a table, block by block."""

    def __init__(self, path: str | Path, reading: Reading = DEFAULT) -> None:
        self.path, self.name, self.reading = path, reading.called(path), reading
        self.size, self.packed = sizes_of(path)
        self.readers = readers_of(path, reading.readers, self.size)
        self.tabs = reading.format == "tsv"
        self._doubtful: str | None = None  # the label of a first line of words that was taken as a row
        self._rows_from = 1  # the line after the header

    def chunks(self) -> Iterator[Chunk]:
        self.layout = None
        if self.readers:
            compile_cell_reader()  # here, not in the threads

        def read(item: tuple[LineBlock, int]) -> Chunk:
            assert self.layout is not None  # the first line was read
            return TableBlock(item[0], self.name, self.layout, self.reading, self._rows_from).rows(item[1])

        with contextlib.closing(ahead(self._blocks(), read, self.readers)) as found:
            n = same = 0
            for chunk in found:
                if self._doubtful is not None:
                    n, same = n + len(chunk.labels), same + list(chunk.labels).count(self._doubtful)
                yield chunk
        if self._doubtful is not None and same == 1 and n > 2:
            raise InputError(f"{only_once(self._doubtful)}", file=self.name)

    def _blocks(self) -> Iterator[tuple[LineBlock, int]]:
        """Yield blocks of whole rows, and where in them the rows begin; the first one determines the layout."""
        begun: LineBlock | None = None  # the beginning of a row whose quotes are closed in the next block
        with contextlib.closing(self._text()) as blocks:
            for block in blocks:
                if begun is not None:
                    joined = np.concatenate([begun.buf, block.buf])
                    block = LineBlock(joined, begun.size + block.size, begun.place)
                whole, begun = self._whole_rows(block)
                if whole.size:
                    begins = self.layout is None or whole.place.byte <= len(BYTE_ORDER_MARK)
                    yield whole, self._read_first_line(whole) if begins else 0
        if begun is not None:
            raise InputError(
                f"{self.name}, line {begun.place.line}: a quotation mark is opened here and not closed; {MARK}"
            )

    def _text(self) -> Generator[LineBlock]:
        return blocks_of(self.path, None, self.readers + 1, self.longest)

    def _whole_rows(self, block: LineBlock) -> tuple[LineBlock, LineBlock | None]:
        """Return the rows that end in this block, and the row that does not, as its quotes are open."""
        marks = 0 if self.tabs else count_of(csv_kernel.QUOTE, block.buf, 0, block.size)
        if marks % 2 == 0:
            return block, None
        raw = block.buf[: block.size]
        lines = np.flatnonzero(raw == csv_kernel.NEWLINE)
        closed = lines[np.searchsorted(np.flatnonzero(raw == csv_kernel.QUOTE), lines) % 2 == 0]
        end = int(closed[-1]) + 1 if closed.size else 0  # a line before which every quote is closed
        place = Place(block.place.byte + end, block.place.line + int(np.searchsorted(lines, end)))
        if block.size - end > self.longest:
            wrong = f"a quotation mark is opened here and not closed in {self.longest:,} bytes"
            raise InputError(f"{self.name}, line {place.line}: {wrong}; {MARK}")
        rest = LineBlock(block.buf[end : block.size].copy(), block.size - end, place)
        block.buf[end] = csv_kernel.NEWLINE
        return LineBlock(block.buf, end, block.place), rest

    @property
    def longest(self) -> int:
        """How many bytes a line may have; the first line becomes Python texts."""
        return longest_line(self.reading.limit, CELLS)

    def _read_first_line(self, block: LineBlock) -> int:
        """Determine the layout, and return where the rows begin."""
        start = 0
        while block.buf[start] in (csv_kernel.NEWLINE, csv_kernel.RETURN) and start < block.size:
            start += 1
        raw, end = block.buf[: block.size + 1].tobytes(), start
        while end == start or (not self.tabs and raw.count(b'"', start, end) % 2):
            end = raw.index(b"\n", end) + 1
        line = decoded(block.buf[start : end - 1].tobytes()).rstrip("\r")
        separator = separator_of(line, self.reading, self.name)
        if separator == ",":  # then commas are no decimal marks, whatever they were in training
            self.reading = replace(self.reading, decimal_comma=False)
        with csv_dialect(f"{self.name}, line {block.place.line}"):
            first: list[str] = next(csv_reader(line.splitlines(keepends=True), separator, self.tabs), [])
        texts = [with_point(cell.strip(), self.reading.decimal_comma) for cell in first]
        self.layout = layout = layout_of(texts, separator, self.name, self.reading)
        if layout.width == 1 and layout.label is not None:
            raise self._one_column(texts[0])
        if layout.header is None:
            sure = self.reading.header is not None or self.reading.trained is not None or not os.path.isfile(self.path)
            if not sure and layout.label is not None and all(not cell or is_name(cell) for cell in texts):
                self._doubtful = texts[layout.label]  # the row has words only, and may be a header
            return start
        self.names = tuple(layout.header[c] for c in layout.numbers)
        self._rows_from = block.place.line + raw.count(b"\n", 0, end)
        return end

    def _one_column(self, cell: str) -> InputError:
        """Return the error for a table of labels only: it has another separator, or no numbers."""
        marks, other = "commas, semicolons or tabs", "write the file with one of them"
        if self.tabs:
            how = "name the file .csv" if self.reading.name else "format='csv'"
            marks, other = "tabs", f"{how} for commas, or write the file with tabs"
        return InputError(
            f"found one column, {cell[:SHOWN]!r}; cells between {marks} were expected, numbers and a label: {other}",
            file=self.name,
        )
