"""Read plain files of labelled points, CSV and svmlight, as arrays, with the checker's own parser."""

from __future__ import annotations

import codecs
import csv
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import Row, label_text
from novikoff.io.stream.compression import decoded


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


def arrays_of(rows: Iterable[Row]) -> tuple[Any, list[str]]:
    """Return X and the label texts of a file's rows: lists become an array, dicts a sparse matrix."""
    labels: list[str] = []
    dense, values, columns, starts = False, array("d"), array("q"), array("q", [0])
    for label, x in rows:
        labels.append(label_text(label))
        dense = not isinstance(x, dict)
        values.extend(x if dense else x.values())
        columns.extend(() if dense else x.keys())
        starts.append(len(values))
    used = max(columns, default=0) + 1
    table = np.array(values)
    if dense:
        return table.reshape(len(labels), -1), labels
    from scipy.sparse import csr_array

    return csr_array((table, np.array(columns), np.array(starts)), shape=(len(labels), used)), labels
