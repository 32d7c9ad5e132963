"""Summarize the columns of a table: numbers, words, missing values, distinct values, whether one numbers the rows."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from novikoff.data.text.plain_files import MISSING, NUMBER
from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.stream.compression import opened
from novikoff.io.stream.memory_limit import CELLS, bounded, files_of
from novikoff.io.table_layout import placed
from novikoff.io.tables.find_categories import has_header
from novikoff.io.tables.table_cells import cells_of, first_cells

ROWS = 100_000  # that are read
COMMA = re.compile(r"[+-]?\d+,\d+")
INFINITE = ("inf", "infinity")  # numbers that the reader rejects, not words
HEAD = 1000  # rows that decide whether the first line is a header


@dataclass
class ColumnContents:
    """What the cells of a column contain: how many are numbers, words and missing; their distinct values."""

    numbers: int = 0
    words: int = 0
    missing: int = 0
    letters: int = 0  # of all words
    first_word: tuple[int, str] = (0, "")  # its row, from 1, and the word
    decimal_commas: int = 0  # words such as 1,5
    different: set[str] = field(default_factory=set)
    counts_rows: bool = True  # whether the k-th number is the first plus k
    first: float = 0.0

    def add(self, cell: str) -> None:
        """Add the next cell, without spaces around it."""
        if cell.lower() in MISSING:
            self.missing += 1
            self.counts_rows = False
            return
        self.different.add(cell)
        if NUMBER.fullmatch(cell) is None and cell.lower().lstrip("+-") not in INFINITE:
            if not self.words:
                self.first_word = (self.known + self.missing + 1, cell)
            self.words += 1
            self.letters += len(cell)
            self.decimal_commas += COMMA.fullmatch(cell) is not None
            self.counts_rows = False
            return
        if self.counts_rows:
            value = float(cell)
            self.first = value if not self.numbers else self.first
            self.counts_rows = value == self.first + self.numbers
        self.numbers += 1

    @property
    def known(self) -> int:
        """How many cells are not missing."""
        return self.numbers + self.words

    @property
    def mean_length(self) -> float:
        """The mean number of characters of the words."""
        return self.letters / self.words if self.words else 0.0


def contents_of(path: str | Path, reading: Reading) -> tuple[list[str | int], list[ColumnContents]]:
    """Return the columns of a table (their names, or numbers from 0), and what the first rows contain."""
    if str(path) == "-":
        raise InputError("found standard input, which is read once; give a file, or name the columns", "auto")
    if not files_of(path):
        raise InputError(f"{path}: cannot be read (No such file or directory)")
    names, rows = _OPENED[str(reading.format)](path, reading)
    columns = [ColumnContents() for _ in names]
    for row in itertools.islice(rows, ROWS):
        for column, cell in zip(columns, row, strict=False):
            column.add(cell)
    return names, columns


def _of_table(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns and the rows of a CSV or TSV file."""
    head, separator = first_cells(path, reading, HEAD)
    if not head:
        raise InputError(f"{path}: found no rows; expected points, one a line")
    header = has_header(head, placed(head[0], separator, str(path), reading), reading) is not False
    names: list[str | int] = [name if header and name else c for c, name in enumerate(head[0])]
    return names, cells_of(path, reading, header)


def _of_objects(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns and the rows of JSON lines; the reader of the file reports lines that are no objects."""

    def objects() -> Iterator[dict[str, Any]]:
        for name in files_of(path):
            with opened(name) as file:
                for number, line in enumerate(bounded(file, None, name, CELLS), start=1):
                    try:
                        found = json.loads(line) if line.strip() else None
                    except ValueError:
                        raise InputError(f"{name}, line {number}: found no JSON object; expected one a line") from None
                    if isinstance(found, dict):
                        yield found

    names = list(next(objects(), {}))
    return list(names), ([_text(row.get(name)) for name in names] for row in objects())


def _of_arrow(path: str | Path, reading: Reading) -> tuple[list[str | int], Iterator[Sequence[str]]]:
    """Return the columns and the rows of a Parquet or Arrow file."""
    from novikoff.io.formats.parquet_arrow import Columnar

    sources = [Columnar(name, Reading(format=reading.format, labelled=False)) for name in files_of(path)]
    tables = (table for source in sources for _, table in source._tables(None))
    lists = ([column.to_pylist() for column in table.columns] for table in tables)
    rows = (tuple(map(_text, row)) for columns in lists for row in zip(*columns, strict=True))
    return list(sources[0].all), rows


def _text(value: Any) -> str:
    return "" if value is None else str(int(value)) if isinstance(value, bool) else str(value).strip()


_OPENED = {"csv": _of_table, "tsv": _of_table, "jsonl": _of_objects, "parquet": _of_arrow, "arrow": _of_arrow}
