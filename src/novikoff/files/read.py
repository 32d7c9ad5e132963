"""Points of a file in memory: svmlight, CSV or TSV, packed or not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.certify.verify import label_text
from novikoff.errors import InputError
from novikoff.files import svmlight, tables
from novikoff.files.packed import blocks_of

ENDINGS = {".csv": "csv", ".tsv": "tsv", ".svm": "svmlight", ".svmlight": "svmlight", ".libsvm": "svmlight"}
PACKED = (".gz", ".bz2", ".xz", ".zst")
WHOLE = re.compile(r"[+-]?[0-9]{1,15}")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?")


@dataclass(frozen=True)
class Points:
    """X an array or a sparse matrix, y numbers or texts; the columns' names, where the file has them."""

    X: Any
    y: Any
    names: tuple[str, ...] | None
    dropped: int = 0  # rows left out for a missing number

    @property
    def n(self) -> int:
        return int(self.X.shape[0])

    @property
    def d(self) -> int:
        return int(self.X.shape[1])


def read(
    path: str | Path,
    *,
    format: str | None = None,
    label: str | int | None = None,
    decimal_comma: bool = False,
    missing: str = "fail",
) -> Points:
    """The points of a file, or of standard input for "-"; InputError names file, line, column, and what was found.

    format: csv, tsv or svmlight, by default what the name ends in. label: the label's column of a table, by name or by
    number from 0. missing: "drop" leaves out the rows of a table in which a number is missing.
    """
    kind = format or format_of(path)
    if kind == "svmlight":
        points = _sparse(path)
    else:
        table = tables.Reader(str(path), kind == "tsv", label, decimal_comma, missing == "drop")
        points = _dense(path, table)
    if points.n == 0:
        raise nothing(path)
    return points


def format_of(path: str | Path) -> str:
    """What the name ends in, `.gz` and its like aside."""
    endings = Path(path).suffixes
    if endings and endings[-1] in PACKED:
        endings.pop()
    found = ENDINGS.get(endings[-1] if endings else "")
    if found is None:
        raise InputError(f"{path}: the name does not tell the format; use --format csv, tsv or svmlight")
    return found


def _dense(path: str | Path, table: tables.Reader) -> Points:
    parts = [table.rows(block) for block in blocks_of(path)]
    if not parts or table.layout is None:
        raise nothing(path)
    X = parts[0].values if len(parts) == 1 else np.concatenate([part.values for part in parts])
    return Points(X, typed([text for part in parts for text in part.labels]), table.layout.names, table.dropped)


def _sparse(path: str | Path) -> Points:
    from scipy.sparse import csr_array

    reader = svmlight.Reader(str(path))
    labels: list[Any] = []
    values, columns, counts = [], [], []
    least, most = 1, 0
    for block in blocks_of(path):
        rows = reader.rows(block)
        labels.append(rows.labels if isinstance(rows.labels, list) else rows.labels.copy())
        if rows.columns.size:
            least, most = min(least, int(rows.columns.min())), max(most, int(rows.columns.max()))
        narrow = np.int32 if most < 2**31 - 1 else np.int64
        values.append(rows.values.copy())
        columns.append(rows.columns.astype(narrow))
        counts.append(np.diff(rows.starts))
    if not labels:
        raise nothing(path)
    places = _joined(columns)
    places -= least  # columns count from 1, or from 0 if a column 0 is there
    shape = (sum(map(len, counts)), max(most + 1 - least, 1))
    return Points(csr_array((_joined(values), places, _starts(counts)), shape=shape), _labels(labels), None)


def nothing(path: str | Path) -> InputError:
    """The error of a file without points."""
    return InputError(f"{path}: found no rows; expected points, one a line")


def typed(labels: Sequence[str]) -> Any:
    """Labels as whole numbers where all are, as numbers where all are, else as texts: +1, 1 and 1.0 are one label."""
    texts = {label: label_text(label) for label in set(labels)}
    for kind, form in ((np.int64, WHOLE), (np.float64, NUMBER)):
        if all(form.fullmatch(text) for text in texts.values()):
            values = {label: kind(text) for label, text in texts.items()}
            if np.isfinite(list(values.values())).all():
                return np.array([values[label] for label in labels], kind)
    return np.array([texts[label] for label in labels])


def _labels(parts: Sequence[Any]) -> Any:
    """The labels of all blocks: numbers, whole where they are, or texts where one block has a text."""
    if any(isinstance(part, list) for part in parts):
        return typed([text for part in parts for text in (part if isinstance(part, list) else map(str, part))])
    numbers = _joined(parts)
    if (np.abs(numbers) < 2.0**53).all() and (numbers == np.floor(numbers)).all():
        return numbers.astype(np.int64)
    return numbers


def _joined(parts: Sequence[np.ndarray]) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _starts(counts: Sequence[np.ndarray]) -> np.ndarray:
    joined = _joined(counts)
    starts = np.zeros(joined.size + 1, np.int64)
    np.cumsum(joined, out=starts[1:])
    return starts
