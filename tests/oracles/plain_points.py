"""Points of plain files as arrays, read with the checker's own parser."""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from novikoff.data.labels import typed
from novikoff.errors import InputError
from oracles.frozen_checker import Row, UnreadableError, file_format, file_head, file_rows, label_text


@dataclass(frozen=True)
class PlainPoints:
    """Points of a file: X an array or a sparse matrix, y numbers or texts, how: how they were read."""

    X: Any
    y: Any
    how: Mapping[str, Any]
    names: tuple[str, ...] | None = None  # of the columns of X, where the file has a header


def read_plain(path: str | Path, label: str | int | None = None) -> PlainPoints:
    """Return the points of a CSV or svmlight file; an InputError names the file, the line and the column.

    label: the label's column of a CSV file, by name or by number from 0.
    """
    how: dict[str, Any] = {"format": file_format(path)} | ({} if label is None else {"label": label})
    try:
        X, labels = arrays_of(file_rows(path, how))
    except UnreadableError as error:
        raise InputError(str(error)) from error
    if not labels:
        raise InputError(f"{path}: found no rows; expected points, one a line")
    with open(path, "rb") as file:
        how["sha256"] = hashlib.file_digest(file, "sha256").hexdigest()
    names, _ = file_head(path, how)
    return PlainPoints(X, typed(labels), how, None if names is None else tuple(names))


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
    return csr_array((table, np.array(columns), np.array(starts)), shape=(len(labels), used)), labels
