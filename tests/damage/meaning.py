"""What a file of points means to a reader that shares no code with the package: rows, columns and labels.

Numbers are Python floats; a row is a dictionary from column to number, without zeros. `RefusedError` says that the file
has no meaning, so that no verb may answer.
"""

from __future__ import annotations

import decimal
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
TRUTH = {"true": "1", "false": "0"}
Row = dict[Any, float]


class RefusedError(Exception):
    """The file cannot be read; no verb may answer with exit code 0, 1 or 4."""


@dataclass(frozen=True)
class Points:
    """Rows of a file.

    labels: None where the rows are readable and the labels are not: only `predict` may answer, and `convert` may pass
    on what is no label.
    """

    rows: list[Row]
    d: int
    labels: list[str] | None
    sparse: bool = False  # whether a model with another number of columns may take the rows
    names: list[str] | None = None  # of the columns

    @property
    def n(self) -> int:
        return len(self.rows)

    def exactly(self, width: int) -> list[list[Fraction]]:
        """The rows as dense lists of fractions."""
        return [[Fraction(row.get(j, 0)) for j in range(width)] for row in self.rows]


def label_of(value: Any) -> str:
    """A label so that 1, 1.0, "+1" and true are one; RefusedError for what is no label."""
    if isinstance(value, bytes):
        try:
            value = value.decode("utf-8")
        except UnicodeDecodeError:
            raise RefusedError("a label is no text") from None
    if isinstance(value, bool | np.bool_):
        return str(int(value))
    if isinstance(value, int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        if not math.isfinite(value):
            raise RefusedError("a label is not finite")
        return str(int(value)) if value == int(value) else repr(float(value))
    if isinstance(value, decimal.Decimal):
        value = str(value)
    if not isinstance(value, str):
        raise RefusedError(f"a label of type {type(value).__name__}")
    text = value.strip()
    if text.lower() in ("", "nan"):
        raise RefusedError("no label")
    if NUMBER.fullmatch(text) and len(text) < 400:
        if text.lstrip("+-").isdigit():
            return str(int(text))
        if math.isfinite(float(text)):
            return label_of(float(text))
    return TRUTH[text.lower()] if text in ("true", "True", "TRUE", "false", "False", "FALSE") else value


def labels_of(values: Sequence[Any]) -> list[str] | None:
    """The labels, or None where one of them is none."""
    try:
        return [label_of(value) for value in values]
    except RefusedError:
        return None


def labels_in(y: np.ndarray | None, n: int) -> list[str] | None:
    """The labels of an array: one for each row, of numbers or texts."""
    if y is None or y.ndim != 1 or len(y) != n or y.dtype.kind not in "fiubUS":
        return None
    try:
        return labels_of(y.tolist())
    except (UnicodeError, ValueError):
        return None


def float_of(value: Any) -> float:
    """A number that binary64 holds; RefusedError for any other."""
    try:
        near = float(value)
    except (TypeError, ValueError, OverflowError):
        raise RefusedError(f"no number: {value!r:.40}") from None
    if not math.isfinite(near) or (not isinstance(value, str) and near != value):
        raise RefusedError(f"not finite, or not held by binary64: {value!r:.40}")
    return near


def dense(X: Any, labels: list[str] | None, sparse: bool = False) -> Points:
    """The points of a two-dimensional array of real numbers."""
    if X.ndim != 2 or X.dtype.kind not in "fiub" or not all(X.shape):
        raise RefusedError(f"no table of numbers: {X.dtype} {X.shape}")
    rows = [{j: v for j, value in enumerate(row) if (v := float_of(value))} for row in X.tolist()]
    return Points(rows, int(X.shape[1]), labels, sparse)


# ---- sparse matrices as scipy.sparse.save_npz writes them ----------------------------------------------------------


def _whole(parts: dict[str, np.ndarray], name: str) -> list[int]:
    """A one-dimensional array of whole numbers."""
    array = parts.get(name)
    if array is None or array.ndim != 1 or array.dtype.kind not in "iu":
        raise RefusedError(f"{name} is no list of whole numbers")
    return [int(v) for v in array.tolist()]


def _starts(parts: dict[str, np.ndarray], size: int, entries: int) -> list[int]:
    starts = _whole(parts, "indptr")
    if len(starts) != size + 1 or starts[0] != 0 or starts[-1] > entries:
        raise RefusedError("indptr does not lead from 0 to the number of entries")
    if any(b < a for a, b in pairwise(starts)):
        raise RefusedError("indptr falls")
    return starts


def sparse_rows(parts: dict[str, np.ndarray]) -> tuple[list[Row], int]:
    """Rows and number of columns of the parts of compressed sparse rows as SciPy writes them."""
    kind: Any = parts["format"].item() if "format" in parts and parts["format"].ndim == 0 else "csr"
    if "format" in parts and parts["format"].ndim:
        raise RefusedError("format is no word")
    try:
        kind = kind.decode("ascii") if isinstance(kind, bytes) else kind
    except UnicodeDecodeError:
        raise RefusedError("format is no word") from None
    if kind != "csr":
        raise RefusedError(f"no such format: {kind!r:.40}")
    shape, data = _whole(parts, "shape"), parts.get("data")
    if len(shape) != 2 or min(shape) < 1 or data is None or data.dtype.kind not in "fiub":
        raise RefusedError("shape or data")
    rows: dict[int, dict[int, Fraction]] = {}
    for i, j, value in _csr(parts, data, *shape):
        if not (0 <= i < shape[0] and 0 <= j < shape[1]):
            raise RefusedError(f"an entry at ({i}, {j}) of {shape}")
        row = rows.setdefault(i, {})
        row[j] = row.get(j, Fraction(0)) + Fraction(float_of(value))
    if shape[0] > 100_000:
        raise RefusedError("more rows than any file here has")
    return [{j: float(v) for j, v in rows.get(i, {}).items() if v} for i in range(shape[0])], shape[1]


def _flat(data: np.ndarray) -> list[Any]:
    if data.ndim != 1:
        raise RefusedError("data is no list")
    return data.tolist()


def _csr(parts: dict[str, np.ndarray], data: np.ndarray, n: int, d: int) -> list[tuple[int, int, Any]]:
    values, columns = _flat(data), _whole(parts, "indices")
    if len(values) != len(columns):
        raise RefusedError("as many indices as data")
    starts = _starts(parts, n, len(values))
    return [(i, columns[k], values[k]) for i in range(n) for k in range(starts[i], starts[i + 1])]
