"""What the checker sees of a plain file: the cells of its first line, and whether it is UTF-8."""

from __future__ import annotations

import codecs
import csv
from pathlib import Path

from novikoff.io.text_blocks import decoded


def first_line(path: str | Path) -> list[str]:
    """Return the cells of a table's first line, split as the checker does: at commas, or at tabs in a .tsv."""
    with open(path, encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
        cells = next(filter(None, csv.reader(file, delimiter="\t" if str(path).endswith(".tsv") else ",")), [])
    return [decoded(cell.encode("utf-8", "surrogateescape")).strip() for cell in cells]


def is_utf8(path: str | Path) -> bool:
    """Return whether a file is UTF-8, as the checker requires."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True
