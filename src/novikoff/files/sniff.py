"""Which columns of a table are categories: those with a cell, in the first rows, that is neither number nor missing."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace
from pathlib import Path

from novikoff.errors import InputError
from novikoff.files.layout import Asked, Layout, placed
from novikoff.files.limit import CELLS, bounded
from novikoff.files.packed import decoded, opened
from novikoff.files.tables import told_by_csv
from novikoff.points.written import MISSING, NUMBER, is_header

ROWS = 1000


def with_categories(path: str | Path, tabs: bool, asked: Asked, limit: int | None = None) -> Asked:
    """The same with all columns of categories; later rows with a word in another column are an error that names it.

    limit: the memory, in bytes, that the first rows may take.
    """
    if str(path) == "-":
        raise InputError("--one-hot: standard input is read once; name the columns, as in --category 3 --category city")
    with opened(path) as file:
        lines = [decoded(line) for line in itertools.islice(bounded(file, limit, path, CELLS), ROWS)]
    if not lines:
        return asked
    separator = "\t" if tabs else ";" if lines[0].count(";") > lines[0].count(",") else ","
    with told_by_csv(f"{path}, in the first {ROWS:,} lines"):
        reader = csv.reader(lines, delimiter=separator, quoting=csv.QUOTE_NONE if tabs else csv.QUOTE_MINIMAL)
        rows = [[cell.strip() for cell in row] for row in reader if row]
    if not rows:
        return asked
    layout = placed(rows[0], separator, str(path), asked)
    header = _has_header(rows, layout, asked)
    body = rows if header is False else rows[1:]
    found = tuple(c for c in layout.numbers if any(_is_word(row, c) for row in body))
    return replace(asked, categories=(*asked.categories, *found), header=header or asked.header)


def _is_word(row: list[str], c: int) -> bool:
    return len(row) > c and row[c].lower() not in MISSING and not NUMBER.fullmatch(row[c])


def _has_header(rows: list[list[str]], layout: Layout, asked: Asked) -> bool | None:
    """A name that was asked for, or what is one above the columns of numbers; words above words are no header.

    None: it may be either, as the table's reader will say.
    """
    if asked.header is not None or any(isinstance(c, str) for c in (asked.label, *asked.text, *asked.categories)):
        return asked.header is not False
    above = [rows[0][c] for c in layout.numbers if not any(_is_word(row, c) for row in rows[1:])]
    return is_header(above, "" if layout.label is None else rows[0][layout.label])
