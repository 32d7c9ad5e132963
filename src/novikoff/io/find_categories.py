"""Find the columns of categories in a table: those with a cell in the first rows that is neither number nor missing."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from novikoff.data.plain_files import MISSING, is_header
from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.table_block import is_like_a_number
from novikoff.io.table_cells import first_cells
from novikoff.io.table_layout import Layout, placed

ROWS = 1000


def with_categories(path: str | Path, reading: Reading) -> Reading:
    """Add the columns of categories that the first rows have; a word in another column of later rows is an error."""
    if str(path) == "-":
        raise InputError("one_hot=True: standard input is read once; name the columns, as in category=['city']")
    rows, separator = first_cells(path, reading, ROWS)
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
