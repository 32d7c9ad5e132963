"""Read the cells of CSV and TSV files as texts, to find what their columns contain before they are read as numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

from novikoff.io.memory_limit import CELLS, longest_line
from novikoff.io.reading import Reading
from novikoff.io.table_block import csv_dialect, csv_reader, separator_of, with_point
from novikoff.io.text_blocks import lines_of


def first_cells(path: str | Path, reading: Reading, lines: int) -> tuple[list[list[str]], str]:
    """Return the rows in the first lines of a table, without spaces around cells, and the character between cells."""
    head = list(itertools.islice(lines_of(path, longest_line(reading.limit, CELLS)), lines))
    separator = separator_of(head[0], reading, reading.called(path)) if head else ","
    with csv_dialect(f"{reading.called(path)}, in the first {lines:,} lines"):
        return list(_rows(iter(head), separator, reading)), separator


def cells_of(path: str | Path, reading: Reading, header: bool) -> Iterator[list[str]]:
    """Yield the rows of a table, without its header."""
    with csv_dialect(reading.called(path)):
        lines = lines_of(path, longest_line(reading.limit, CELLS))
        if (first := next(lines, None)) is not None:
            rows = _rows(itertools.chain([first], lines), separator_of(first, reading, reading.called(path)), reading)
            yield from itertools.islice(rows, int(header), None)


def _rows(lines: Iterator[str], separator: str, reading: Reading) -> Iterator[list[str]]:
    for row in csv_reader(lines, separator, reading.format == "tsv"):
        if row:
            yield [with_point(cell.strip(), reading.decimal_comma) for cell in row]
