"""Transpose a table that has a column for each point, so that each point is a row.

    ,      x1, x2, x3        the points' names, where the table has a heading: they are ignored
    and,    1,  1,  0        words at the left: the names of the columns
    y,      +,  -,  +

An error names the file, line and column of the original table (Z2a).
"""

from __future__ import annotations

import atexit
import csv
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from novikoff.data.plain_files import NUMBER
from novikoff.errors import InputError
from novikoff.io.chunk_source import Chunk, Source
from novikoff.io.memory_limit import CELLS, bounded
from novikoff.io.reading import Reading
from novikoff.io.table_block import csv_dialect, separator_of, with_point
from novikoff.io.text_blocks import check_utf8, decoded, opened, plain_size


@dataclass(frozen=True)
class TransposedTable:
    """A transposed table in a temporary file. lines: for each of its columns, the line of the original table."""

    path: str
    written: str
    lines: tuple[int, ...]

    @contextmanager
    def info(self) -> Iterator[None]:
        """Make errors name the file, line and column of the original table."""
        try:
            yield
        except InputError as error:
            raise InputError(self.located(str(error))) from error

    def located(self, message: str) -> str:
        """Return a message about the transposed table with the file, line and column of the original."""
        place = re.compile(rf"{re.escape(self.written)}(?:, line (\d+)(?:, column (\d+))?)?")
        return place.sub(self._place, message)

    def _place(self, found: re.Match[str]) -> str:
        line, column = found.groups()
        if line is None:
            return self.path
        if column is None:
            return f"{self.path}, column {line}"
        return f"{self.path}, line {self.lines[int(column) - 1]}, column {line}"


def _of_the_source(name: str) -> Any:
    return property(lambda made: getattr(made.source, name))


class Transposed(Source):
    """The rows of a transposed table; what is not here is as in its source."""

    names = _of_the_source("names")
    dropped = _of_the_source("dropped")
    left_out = _of_the_source("left_out")

    def __init__(self, source: Source, table: TransposedTable) -> None:
        self.source, self.table, self.name = source, table, table.path

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def chunks(self) -> Iterator[Chunk]:
        with self.table.info():
            yield from self.source.chunks()


def transposed(path: str | Path, reading: Reading) -> TransposedTable:
    """Write a transposed copy of a table as CSV, deleted when the program ends; all of it is read into memory.

    A compressed file may take the memory limit; a plain file may have any size.
    """
    comma = reading.decimal_comma
    with opened(path) as file:
        check_utf8(file, path)
        lines = [decoded(line) for line in bounded(file, None if plain_size(path) else reading.limit, path, CELLS)]
    first = lines[0] if lines else ""
    with csv_dialect(str(path)):
        reader = csv.reader(lines, delimiter=separator_of(first, reading, str(path)))
        rows = [(reader.line_num, row) for row in reader if row]
    if rows and _is_heading(rows, comma):
        rows = rows[1:]
    for number, row in rows:
        if len(row) != len(rows[0][1]):
            raise InputError(
                f"{path}, line {number}: found {len(row)} cells; {len(rows[0][1])} as in the first were expected"
            )
    handle, name = tempfile.mkstemp(prefix=f"{Path(path).name}.transposed.", suffix=".csv")
    atexit.register(os.unlink, name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, delimiter=";" if comma else ",", lineterminator="\n")
        writer.writerows(zip(*(row for _, row in rows), strict=True))
    return TransposedTable(str(path), name, tuple(number for number, _ in rows))


def _is_heading(rows: Sequence[tuple[int, list[str]]], comma: bool) -> bool:
    """Whether the first line names the points: its corner is empty or missing, or its names are all different."""
    if len(rows) < 3:
        return False
    first, second = ([cell.strip() for cell in row] for _, row in rows[:2])
    if len(first) == len(second) - 1:
        return True
    names = [with_point(name, comma) for name in first[1:]]
    if len(first) != len(second) or any(NUMBER.fullmatch(name) for name in names):
        return False
    return not first[0] or (len(names) > 2 and len(set(names)) == len(names))
