"""Find the columns of categories in a table: those with a cell in the first rows that is neither number nor missing."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace
from pathlib import Path

from novikoff.data.text.plain_files import MISSING, NUMBER, is_header
from novikoff.errors import InputError
from novikoff.io.formats.table_block import csv_dialect, separator_of
from novikoff.io.reading import Reading
from novikoff.io.stream.compression import decoded, opened
from novikoff.io.stream.memory_limit import CELLS, bounded
from novikoff.io.table_layout import Layout, placed

ROWS = 1000


def with_categories(path: str | Path, reading: Reading) -> Reading:
    """Add the columns of categories that the first rows have; a word in another column of later rows is an error."""
    tabs, comma = reading.format == "tsv", reading.decimal_comma
    if str(path) == "-":
        raise InputError("one_hot=True: standard input is read once; name the columns, as in category=['city']")
    with opened(path) as file:
        lines = [decoded(line) for line in itertools.islice(bounded(file, reading.limit, path, CELLS), ROWS)]
    if not lines:
        return reading
    separator = separator_of(lines[0], tabs, comma)
    with csv_dialect(f"{path}, in the first {ROWS:,} lines"):
        reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL)
        rows = [[cell.strip().replace(",", ".") if comma else cell.strip() for cell in row] for row in reader if row]
    if not rows:
        return reading
    layout = placed(rows[0], separator, str(path), reading)
    header = _has_header(rows, layout, reading)
    body = rows if header is False else rows[1:]
    found = tuple(c for c in layout.numbers if any(_is_word(row, c) for row in body))
    return replace(reading, categories=(*reading.categories, *found), header=header or reading.header)


def _is_word(row: list[str], c: int) -> bool:
    return len(row) > c and row[c].lower() not in MISSING and not NUMBER.fullmatch(row[c])


def _has_header(rows: list[list[str]], layout: Layout, reading: Reading) -> bool | None:
    """Whether the first line is a header: columns are given by name, or it has names above columns of numbers.

    None: not decided; the reader of the table reports it.
    """
    if reading.header is not None or any(
        isinstance(c, str) for c in (reading.label, *reading.text, *reading.categories)
    ):
        return reading.header is not False
    above = [rows[0][c] for c in layout.numbers if not any(_is_word(row, c) for row in rows[1:])]
    return is_header(above, "" if layout.label is None else rows[0][layout.label])
