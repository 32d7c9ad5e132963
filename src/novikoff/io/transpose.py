"""A table with a column for each point, turned so that each point is a row.

    ,      x1, x2, x3        the points' names, where the table has a heading: they are passed over
    and,    1,  1,  0        words at the left: the names of the columns
    y,      +,  -,  +

What is wrong with a cell is said with the table's own file, line and column (Z2a).
"""

from __future__ import annotations

import atexit
import csv
import os
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from novikoff.data.text.plain_files import NUMBER
from novikoff.errors import InputError
from novikoff.io.formats.csv_tsv import csv_dialect
from novikoff.io.stream.bad_rows import BadRows
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import decoded, opened, plain_size
from novikoff.io.stream.masked_source import DerivedSource
from novikoff.io.stream.memory_limit import CELLS, bounded


@dataclass(frozen=True)
class TransposedTable:
    """The turned table in a file of its own. lines: of each of its columns, the line in the table as it was."""

    path: str
    written: str
    lines: tuple[int, ...]

    @contextmanager
    def info(self) -> Iterator[None]:
        """Errors with the file, line and column of the table as it was."""
        try:
            yield
        except InputError as error:
            raise InputError(self.located(str(error))) from error

    def located(self, message: str) -> str:
        """A message about the turned table with the file, line and column of the table as it was."""
        place = re.compile(rf"{re.escape(self.written)}(?:, line (\d+)(?:, column (\d+))?)?")
        return place.sub(self._place, message)

    def _place(self, found: re.Match[str]) -> str:
        line, column = found.groups()
        if line is None:
            return self.path
        if column is None:
            return f"{self.path}, column {line}"
        return f"{self.path}, line {self.lines[int(column) - 1]}, column {line}"


class Transposed(DerivedSource):
    """The rows of a turned table."""

    def __init__(self, source: Source, table: TransposedTable) -> None:
        super().__init__(source)
        self.table, self.name = table, table.path

    @property
    def bad(self) -> BadRows:
        """The rows that were left out; the first of them as the table had it."""
        bad: BadRows = self.source.bad  # type: ignore[attr-defined]  # those of CSV files have it
        return replace(bad, first=self.table.located(bad.first))

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        with self.table.info():
            yield from self.source.chunks(start)


def turned(path: str | Path, tabs: bool, limit: int | None = None) -> TransposedTable:
    """A CSV file, for as long as this program runs, with rows and columns changed; all of it is read into memory.

    limit: the memory that it may take, in bytes; a plain file may be as large as it is.
    """
    with opened(path) as file:
        lines = [decoded(line) for line in bounded(file, None if plain_size(path) else limit, path, CELLS)]
    first = lines[0] if lines else ""
    separator = "\t" if tabs else ";" if first.count(";") > first.count(",") else ","
    with csv_dialect(str(path)):
        reader = csv.reader(lines, delimiter=separator)
        rows = [(reader.line_num, row) for row in reader if row]
    if rows and _is_heading(rows):
        rows = rows[1:]
    for number, row in rows:
        if len(row) != len(rows[0][1]):
            raise InputError(
                f"{path}, line {number}: found {len(row)} cells; {len(rows[0][1])} as in the first were expected"
            )
    handle, name = tempfile.mkstemp(prefix=f"{Path(path).name}.transposed.", suffix=".csv")
    atexit.register(os.unlink, name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(zip(*(row for _, row in rows), strict=True))
    return TransposedTable(str(path), name, tuple(number for number, _ in rows))


def _is_heading(rows: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether the first line names the points: its corner is empty or missing, or its names are all different."""
    if len(rows) < 3:
        return False
    first, second = ([cell.strip() for cell in row] for _, row in rows[:2])
    if len(first) == len(second) - 1:
        return True
    names = first[1:]
    if len(first) != len(second) or any(NUMBER.fullmatch(name) for name in names):
        return False
    return not first[0] or (len(names) > 2 and len(set(names)) == len(names))
