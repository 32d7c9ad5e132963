"""Transpose a table that has a column for each point, so that each point is a row.

    ,      x1, x2, x3        the points' names, where the table has a heading: they are ignored
    and,    1,  1,  0        words at the left: the names of the columns
    y,      +,  -,  +

An error names the file, line and column of the original table (Z2a).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from novikoff.data.plain_files import NUMBER
from novikoff.errors import InputError
from novikoff.io.csv_tsv import Table
from novikoff.io.memory_limit import CELLS, LEAST, longest_line, too_large
from novikoff.io.reading import Reading
from novikoff.io.source import Chunk
from novikoff.io.table_block import csv_dialect, separator_of, with_point
from novikoff.io.text_blocks import ROOM, LineBlock, Place, lines_of


class Transposed(Table):
    """The rows of a transposed table, which is read into memory and read again as CSV."""

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.cells = _rows(path, reading)
        self.lines = [number for number, _ in self.cells]
        super().__init__(path, replace(reading, format="csv"))

    def _text(self) -> Generator[LineBlock]:
        text = io.StringIO()
        writer = csv.writer(text, delimiter=";" if self.reading.decimal_comma else ",", lineterminator="\n")
        writer.writerows(zip(*(row for _, row in self.cells), strict=True))
        raw = text.getvalue().encode()
        yield LineBlock(np.frombuffer(bytearray(raw + b"\n" * ROOM), np.uint8), len(raw), Place())

    def chunks(self) -> Iterator[Chunk]:
        try:
            yield from super().chunks()
        except InputError as error:
            if error.line is None:
                raise
            line = self.lines[error.column - 1] if isinstance(error.column, int) else None
            name, found, expected = error.name, error.found, error.expected
            raise InputError(
                file=self.name, line=line, column=error.line, name=name, found=found, expected=expected
            ) from None


def _rows(path: str | Path, reading: Reading) -> list[tuple[int, list[str]]]:
    """Return the rows of a table, each with its line, without a heading."""
    lines, taken, most = [], 0, None if reading.limit is None else max(reading.limit, LEAST) // CELLS
    for line in lines_of(path, longest_line(reading.limit, CELLS)):
        lines.append(line)
        taken += len(line)
        if most is not None and taken > most:
            raise too_large(path, reading.limit or 0)
    with csv_dialect(str(path)):
        reader = csv.reader(lines, delimiter=separator_of(lines[0] if lines else "", reading, str(path)))
        rows = [(reader.line_num, row) for row in reader if row]
    if rows and _is_heading(rows, reading.decimal_comma):
        rows = rows[1:]
    for number, row in rows:
        if len(row) != len(rows[0][1]):
            expected = f"{len(rows[0][1])} as in the first were expected"
            raise InputError(file=str(path), line=number, found=f"{len(row)} cells", expected=expected)
    return rows


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
