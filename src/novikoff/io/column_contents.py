"""Summarize the columns of a table: numbers, words, missing values, distinct values, whether one numbers the rows."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novikoff.data.plain_files import MISSING, NUMBER
from novikoff.errors import InputError
from novikoff.io.file_formats import files_of
from novikoff.io.reading import Reading
from novikoff.io.table_block import DECIMAL_COMMA, GROUPED, is_like_a_number
from novikoff.io.table_cells import HEAD, cells_of, first_cells, has_header
from novikoff.io.table_layout import placed

ROWS = 100_000  # that are read
INFINITE = ("inf", "infinity")  # numbers that the reader rejects, not words
FEW_ROWS = 10  # with fewer, no column is taken as the numbers of the rows
CHANCE = 5  # numbers drawn at random from a range so small are all different with probability exp(−5), or less
SIGNED = re.compile(r"[+-]?[$€£¥] ?[0-9][0-9.,]*|[+-]?[0-9][0-9.,]*( ?[%$€£¥]| [A-Za-z]{1,4})")  # $1,200, 12 %, 180 cm


@dataclass
class ColumnContents:
    """What the cells of a column contain: how many are numbers, words and missing; their distinct values."""

    numbers: int = 0
    words: int = 0
    missing: int = 0
    letters: int = 0  # of all words
    first_word: tuple[int, str] = (0, "")  # its row, from 1, and the word
    signed: int = 0  # words that are numbers but for a sign or a unit
    decimal_commas: int = 0  # numbers such as 1,5
    different: set[str] = field(default_factory=set)
    comma: bool = False  # whether commas are decimal marks
    whole: bool = True  # whether every cell is a whole number
    range: tuple[float, float] = (math.inf, -math.inf)  # of the numbers, as long as all are whole
    steps: tuple[float, float] = (math.inf, -math.inf)  # from one to the next: the least and the largest
    last: float = 0.0

    def add(self, cell: str) -> None:
        """Add the next cell, without spaces around it."""
        if cell.lower() in MISSING:
            self.missing += 1
            self.whole = False
            return
        self.different.add(cell)
        value = float(cell) if NUMBER.fullmatch(cell) else math.nan
        self.whole = self.whole and value.is_integer()
        if math.isnan(value) and cell.lower().lstrip("+-") not in INFINITE and not is_like_a_number(cell, self.comma):
            if not self.words:
                self.first_word = (self.known + self.missing + 1, cell)
            self.words += 1
            self.signed += SIGNED.fullmatch(cell) is not None
            self.letters += len(cell)
            return
        self.numbers += 1
        if self.whole:
            if self.numbers > 1:
                self.steps = min(self.steps[0], value - self.last), max(self.steps[1], value - self.last)
            self.range, self.last = (min(self.range[0], value), max(self.range[1], value)), value
        elif math.isnan(value) and DECIMAL_COMMA.fullmatch(cell) and not GROUPED[False].fullmatch(cell):
            self.decimal_commas += 1

    @property
    def numbering(self) -> str:
        """How this column may number the rows, at their place or in another order; empty if it does not."""
        if not self.whole or self.words or self.numbers < FEW_ROWS:
            return ""
        (low, high), (least, largest) = self.range, self.steps
        if least == largest == 1:
            return "numbers the rows"
        if least > 0 or largest < 0:
            return f"{'rises' if least > 0 else 'falls'} from row to row, as numbers of rows do"
        drawn = len(self.different) == self.numbers and self.numbers**2 > 2 * CHANCE * (high - low + 1)
        return f"has {self.numbers:,} different whole numbers, as numbers of rows are" if drawn else ""

    @property
    def known(self) -> int:
        """How many cells are not missing."""
        return self.numbers + self.words


def contents_of(path: str | Path, reading: Reading) -> tuple[list[str | int], list[ColumnContents]]:
    """Return the columns of a table (their names, or numbers from 0), and what the first rows contain."""
    if str(path) == "-":
        raise InputError("found standard input, which is read once; give a file, or name the columns", "auto")
    if not files_of(path):
        raise InputError("cannot be read (No such file or directory)", file=path)
    names, rows = cells_of_table(path, reading)
    columns = [ColumnContents(comma=reading.decimal_comma) for _ in names]
    for row in itertools.islice(rows, ROWS):
        for column, cell in zip(columns, row, strict=False):
            column.add(cell)
    return names, columns


def cells_of_table(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns of a table of any format (their names, or numbers from 0), and its rows as texts."""
    return _OPENED[str(reading.format)](path, reading)


def _of_table(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns and the rows of a CSV or TSV file."""
    files = files_of(path)
    head, separator = first_cells(files[0], reading, HEAD)
    if not head:
        raise InputError("found no rows; expected points, one a line", file=reading.called(path))
    header = has_header(head, placed(head[0], separator, reading.called(path), reading), reading) is not False
    names: list[str | int] = [name if header and name else c for c, name in enumerate(head[0])]
    return names, itertools.chain.from_iterable(cells_of(file, reading, header) for file in files)


def _of_arrow(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns and the rows of a Parquet or Arrow file."""
    from novikoff.io.parquet_arrow import Columnar

    sources = [Columnar(name, Reading(format=reading.format, labelled=False)) for name in files_of(path)]
    tables = (table for source in sources for table in source._tables())
    lists = ([column.to_pylist() for column in table.columns] for table in tables)
    rows = (tuple(map(_text, row)) for columns in lists for row in zip(*columns, strict=True))
    return list(sources[0].all), rows


def _text(value: Any) -> str:
    return "" if value is None else str(int(value)) if isinstance(value, bool) else str(value).strip()


_OPENED = {"csv": _of_table, "tsv": _of_table, "parquet": _of_arrow, "arrow": _of_arrow}
