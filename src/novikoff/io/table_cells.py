"""Read the cells of CSV and TSV files as texts, to find what their columns contain before they are read as numbers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from novikoff.io.memory_limit import CELLS, bounded, files_of
from novikoff.io.reading import Reading
from novikoff.io.table_block import csv_dialect, csv_reader, separator_of, with_point
from novikoff.io.text_blocks import MARK, check_utf8, decoded, opened


class FirstCells(NamedTuple):
    """The first rows of a table as cells without spaces around them, and the character between the cells."""

    rows: list[list[str]]
    separator: str


def first_cells(path: str | Path, reading: Reading, lines: int) -> FirstCells:
    """Return the rows in the first lines of a table, or of the first of several files; none for an empty file."""
    names = files_of(path)
    if not names:
        return FirstCells([], ",")
    with opened(names[0]) as file:
        check_utf8(file, names[0])
        head = list(itertools.islice(_texts(bounded(file, reading.limit, names[0], CELLS)), lines))
    separator = separator_of(head[0], reading, names[0]) if head else ","
    with csv_dialect(f"{names[0]}, in the first {lines:,} lines"):
        return FirstCells(list(_rows(iter(head), separator, reading)), separator)


def cells_of(path: str | Path, reading: Reading, header: bool) -> Iterator[list[str]]:
    """Yield the rows of a table, or of all files of a pattern, without the header that each of them has."""
    for name in files_of(path):
        with opened(name) as file, csv_dialect(name):
            lines = _texts(bounded(file, None, name, CELLS))
            if (first := next(lines, None)) is None:
                continue
            separator = separator_of(first, reading, name)
            rows = _rows(itertools.chain([first], lines), separator, reading)
            yield from itertools.islice(rows, int(header), None)


def _texts(lines: Iterator[bytes]) -> Iterator[str]:
    """Yield the lines as texts, without a byte order mark."""
    for number, line in enumerate(lines):
        yield decoded(line.removeprefix(MARK) if number == 0 else line)


def _rows(lines: Iterator[str], separator: str, reading: Reading) -> Iterator[list[str]]:
    for row in csv_reader(lines, separator, reading.format == "tsv"):
        if row:
            yield [with_point(cell.strip(), reading.decimal_comma) for cell in row]
