"""Read plain files of labelled points, CSV and svmlight, as arrays, with the checker's own parser."""

from __future__ import annotations

import codecs
import csv
import hashlib
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.labels.label_types import typed
from novikoff.data.text.plain_files import Row, UnreadableError, file_format, file_head, file_rows, label_text
from novikoff.errors import InputError
from novikoff.io.stream.compression import decoded


@dataclass(frozen=True)
class PlainPoints:
    """Points of a file: X an array or a sparse matrix, y numbers or texts, and how they were read (for a certificate).

    If numbers are read as decimals, X is an array of fractions.
    """

    X: Any
    y: Any
    how: Mapping[str, Any]
    names: tuple[str, ...] | None = None  # of the columns of X, where the file has a header


def read_plain(path: str | Path, label: str | int | None = None, numbers: str = "binary64") -> PlainPoints:
    """Return the points of a CSV or svmlight file; an InputError names the file, the line and the column.

    label: the label's column of a CSV file, by name or by number from 0.
    """
    how: dict[str, Any] = {"format": file_format(path)} | ({} if label is None else {"label": label})
    try:
        X, labels = arrays_of(file_rows(path, numbers, how), numbers)
    except UnreadableError as error:
        raise InputError(str(error)) from error
    if not labels:
        raise InputError(f"{path}: found no rows; expected points, one a line")
    with open(path, "rb") as file:
        how["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    names, _ = file_head(path, how)
    return PlainPoints(X, typed(labels), how, None if names is None else tuple(names))


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


def arrays_of(rows: Iterable[Row], numbers: str = "binary64") -> tuple[Any, list[str]]:
    """Return X and the label texts of a file's rows: lists become an array, dicts a sparse matrix."""
    labels: list[str] = []
    dense, values, columns, starts = False, _numbers(numbers), array("q"), array("q", [0])
    for label, x in rows:
        labels.append(label_text(label))
        dense = not isinstance(x, dict)
        values.extend(x if dense else x.values())
        columns.extend(() if dense else x.keys())
        starts.append(len(values))
    used = max(columns, default=0) + 1
    kind = np.float64 if numbers == "binary64" else object
    table = np.array(values, kind)
    if dense:
        return table.reshape(len(labels), -1), labels
    from scipy.sparse import csr_array

    if kind is object:
        whole = np.zeros((len(labels), used), object)
        whole[np.repeat(np.arange(len(labels)), np.diff(np.array(starts))), np.array(columns, np.int64)] = table
        return whole, labels
    return csr_array((table, np.array(columns), np.array(starts)), shape=(len(labels), used)), labels


def _numbers(numbers: str) -> Any:
    return array("d") if numbers == "binary64" else []
