"""Read the cells of CSV and TSV files as texts, to find what their columns contain before they are read as numbers.

A column of categories has a cell in the first rows that is neither number nor missing.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from novikoff.data.plain_files import MISSING, is_header
from novikoff.errors import InputError
from novikoff.io.memory_limit import CELLS, longest_line
from novikoff.io.reading import Reading
from novikoff.io.table_block import csv_dialect, csv_reader, is_like_a_number, separator_of, with_point
from novikoff.io.table_layout import Layout, placed
from novikoff.io.text_blocks import lines_of

HEAD = 1000  # rows that are read to find the columns of categories


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


def with_categories(path: str | Path, reading: Reading) -> Reading:
    """Add the columns of categories that the first rows have; a word in another column of later rows is an error."""
    if str(path) == "-":
        raise InputError("one_hot=True: standard input is read once; name the columns, as in category=['city']")
    rows, separator = first_cells(path, reading, HEAD)
    if not rows:
        return reading
    layout = placed(rows[0], separator, reading.called(path), reading)
    header = has_header(rows, layout, reading)
    body = rows if header is False else rows[1:]
    found = tuple(c for c in layout.numbers if any(_is_word(row, c, reading.decimal_comma) for row in body))
    return replace(reading, categories=(*reading.categories, *found), header=header or reading.header)


def _is_word(row: list[str], c: int, comma: bool) -> bool:
    return len(row) > c and row[c].lower() not in MISSING and not is_like_a_number(row[c], comma)


def has_header(rows: list[list[str]], layout: Layout, reading: Reading) -> bool | None:
    """Whether the first line is a header: columns are given by name, or it has names above columns of numbers.

    None: not decided; the reader of the table reports it.
    """
    if reading.header is not None or any(isinstance(c, str) for c in reading.given):
        return reading.header is not False
    above = [rows[0][c] for c in layout.numbers if not any(_is_word(row, c, reading.decimal_comma) for row in rows[1:])]
    return is_header(above, "" if layout.label is None else rows[0][layout.label])
