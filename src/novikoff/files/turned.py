"""A table with a column for each point, turned so that each point is a row."""

from __future__ import annotations

import atexit
import csv
import os
import tempfile
from pathlib import Path

from novikoff.errors import InputError
from novikoff.files.limit import CELLS, bounded
from novikoff.files.packed import decoded, opened, plain_size
from novikoff.files.tables import told_by_csv


def turned(path: str | Path, tabs: bool, limit: int | None = None) -> str:
    """A CSV file, for as long as this program runs, with rows and columns changed; all of it is read into memory.

    limit: the memory that it may take, in bytes; a plain file may be as large as it is.
    """
    with opened(path) as file:
        lines = [decoded(line) for line in bounded(file, None if plain_size(path) else limit, path, CELLS)]
    first = lines[0] if lines else ""
    separator = "\t" if tabs else ";" if first.count(";") > first.count(",") else ","
    with told_by_csv(str(path)):
        rows = [row for row in csv.reader(lines, delimiter=separator) if row]
    for number, row in enumerate(rows, start=1):
        if len(row) != len(rows[0]):
            raise InputError(
                f"{path}, row {number}: found {len(row)} cells; {len(rows[0])} as in the first were expected"
            )
    handle, name = tempfile.mkstemp(prefix=f"{Path(path).name}.transposed.", suffix=".csv")
    atexit.register(os.unlink, name)
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as out:
        csv.writer(out, lineterminator="\n").writerows(zip(*rows, strict=True))
    return name
