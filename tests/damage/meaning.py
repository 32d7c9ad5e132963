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
from itertools import combinations, pairwise
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


# ---- models: the scores of two or more classes, by fractions, or vote by vote ----------------------------------------


def scores_of(
    record: dict[str, Any], tensors: dict[str, np.ndarray], classes: int, table: np.ndarray
) -> list[list[Fraction]]:
    """Of each row: one score for two classes, else one for each class."""
    X = [[*map(Fraction, row)] for row in table.tolist()]
    scheme = record.get("multi_class", "ova")
    if scheme == "ovo" and record.get("fitted_with", {}).get("ovo") == "vote":
        scheme = "ovo by votes"
    if "fitted_with" in record and record["fitted_with"]["keep"] == "vote":
        return _votes(tensors, X, Fraction(1 if record["bias"] else 0))
    w, b = tensors["coef"], tensors["intercept"]
    pairs = classes * (classes - 1) // 2
    planes = pairs if scheme.startswith("ovo") or classes == 2 else classes
    if w.shape != (planes, len(X[0])) or b.shape != (planes,) or w.dtype != np.float64:
        raise RefusedError(f"planes of shape {w.shape}")
    each = [[sum((Fraction(v) * x for v, x in zip(plane, row, strict=True)), Fraction(c))
             for plane, c in zip(w.tolist(), b.tolist(), strict=True)] for row in X]  # fmt: skip
    return [_by_class(one, classes, scheme) for one in each]


def _by_class(each: list[Fraction], classes: int, scheme: str) -> list[Fraction]:
    """One score for each class: by pairs the sums of their scores, or votes and then the sums, between −1/3 and 1/3."""
    if classes == 2 or not scheme.startswith("ovo"):
        return each
    total, votes = [Fraction(0)] * classes, [0] * classes
    for (a, b), one in zip(combinations(range(classes), 2), each, strict=True):
        total[b] += one
        total[a] -= one
        votes[b] += one > 0
        votes[a] += one < 0
    if scheme == "ovo":
        return total
    return [vote + one / (3 * (abs(one) + 1)) for vote, one in zip(votes, total, strict=True)]


def _votes(tensors: dict[str, np.ndarray], X: Any, pad: Fraction) -> list[list[Fraction]]:
    """The vectors between updates, made again in binary64; each weighs the looks it was there for."""
    log, start, looks = (tensors[f"votes.{name}"] for name in ("log", "start", "looks"))
    rows = _voting_rows(tensors, len(start) - 1)
    if len(log) > 10_000:
        raise RefusedError("log")
    w, created = [float(v) for v in start], int(looks[0]) + 1
    history = []
    for row, look, bits in log.tolist():
        if not 0 <= row < len(rows) or look < created:
            raise RefusedError("log")
        history.append((look - created, list(w)))
        step, created = float(np.int64(bits).view(np.float64)), look
        w = [v + step * x for v, x in zip(w, [*rows[row], float(pad)], strict=True)]
    if int(looks[1]) + 1 < created:
        raise RefusedError("looks")
    history.append((int(looks[1]) + 1 - created, list(w)))
    return [[_voted(history, [*row, pad])] for row in X]


def _voted(history: list[tuple[int, list[float]]], x: list[Fraction]) -> Fraction:
    total = Fraction(0)
    for weight, w in history:
        score = sum((Fraction(a) * b for a, b in zip(w, x, strict=True)), Fraction(0))
        total += ((score > 0) - (score < 0)) * weight
    return total


def _voting_rows(tensors: dict[str, np.ndarray], d: int) -> list[list[float]]:
    if "votes.rows" in tensors:
        return [[float(v) for v in row] for row in tensors["votes.rows"].tolist()]
    data, indices, indptr = (tensors[f"votes.{name}"].tolist() for name in ("data", "indices", "indptr"))
    if any(b < a for a, b in pairwise(indptr)) or indptr[0] or indptr[-1] != len(data) != len(indices):
        raise RefusedError("indptr")
    rows = []
    for a, b in pairwise(indptr):
        row = [0.0] * d
        for j, value in zip(indices[a:b], data[a:b], strict=True):
            if not 0 <= j < d:
                raise RefusedError("indices")
            row[j] = value
        rows.append(row)
    return rows


# ---- svmlight --------------------------------------------------------------------------------------------------------

BOM = "\ufeff"


def svmlight_points(data: bytes, first: int | None = None) -> Points | RefusedError:
    """By the description of the format; first: the number of the first column, else 0 if a column 0 is there."""
    rows: list[dict[int, float]] = []
    labels: list[str] = []
    try:
        if data.startswith(BOM.encode()):
            data = data[3:]
        for line in data.split(b"\n"):
            words = [word for word in re.split(rb"[ \t\r]+", line.partition(b"#")[0]) if word]
            if not words:
                continue
            row, pairs = _svmlight_row(words)
            labels.append(row)
            rows.append(pairs)
    except RefusedError as why:
        return why
    if not rows:
        return RefusedError("no rows")
    lowest = min((j for row in rows for j in row), default=1)
    first = (0 if lowest == 0 else 1) if first is None else first
    if lowest < first:
        return RefusedError("column 0, but in the first rows columns are numbered from 1")
    widest = max((j for row in rows for j in row), default=first)
    shifted: list[Row] = [{j - first: v for j, v in row.items() if v} for row in rows]
    return Points(shifted, widest - first + 1, labels_of(labels), sparse=True)


def _decoded(word: bytes) -> str:
    """UTF-8, or Latin-1 where it is not."""
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        return word.decode("latin-1")


def _svmlight_row(words: list[bytes]) -> tuple[str, dict[int, float]]:
    label, *pairs = map(_decoded, words)
    if ":" in label or any(ord(c) < 32 for word in [label, *pairs] for c in word):
        raise RefusedError(f"no label: {label!r:.40}")
    row: dict[int, float] = {}
    for pair in pairs:
        column, colon, number = pair.partition(":")
        if not colon or not re.fullmatch("[0-9]+", column) or not NUMBER.fullmatch(number):
            raise RefusedError(f"no pair: {pair!r:.40}")
        if int(column) in row:
            raise RefusedError(f"column {column} twice")
        if row and int(column) < max(row):
            raise RefusedError(f"column {column} after a later one")
        row[int(column)] = float_of(number)
    return label, row
