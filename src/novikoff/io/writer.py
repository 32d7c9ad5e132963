"""Write points to a file: CSV, svmlight, .npz, or the binary cache; atomically.

Numbers are written as the shortest text that reads back to the same binary64 number.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.labelled_points import Labelled, in_chunks
from novikoff.errors import InputError
from novikoff.io.binary_cache import write_cache
from novikoff.io.file_formats import COMPRESSED, format_of
from novikoff.io.source import Points
from novikoff.records.atomic_write import replacing_bytes

MOST = 1 << 28  # cells of a dense table made of sparse rows


def write(points: Labelled, path: str | Path) -> None:
    """Write points in the format of the file's name, some at a time."""
    target, rows, known = Path(path), points.rows, ", ".join(KNOWN)
    try:
        kind = format_of(path)
    except InputError:
        raise InputError(f"{path}: the name does not determine the format; expected an ending for {known}") from None
    if kind == "nvc":
        write_cache(target, rows, points.labels, points.names)
        return
    if kind not in KNOWN or target.suffix in COMPRESSED:
        as_what = "a compressed file" if kind in KNOWN else kind
        raise InputError(f"{path}: cannot be written as {as_what}; expected {known}")
    if hasattr(rows, "indptr") and kind not in ("svmlight", "npz"):
        _check_cells(*rows.shape)
    pieces = (Points(X, y, points.names or None) for X, y in in_chunks(rows, points.labels))
    with replacing_bytes(target) as file:
        if kind == "npz":
            _write_npz(file, points)
            return
        for number, piece in enumerate(pieces):
            data = WRITERS[kind](piece)
            if number and kind != "svmlight":
                data = data[data.index(b"\n") + 1 :]  # without the header
            file.write(data)


def _write_npz(file: Any, points: Labelled) -> None:
    X = points.rows
    if hasattr(X, "indptr"):
        parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape)}
        np.savez(file, allow_pickle=False, y=points.labels, format=np.array(b"csr"), **parts)
    else:
        np.savez(file, allow_pickle=False, X=np.asarray(X), y=points.labels)


def _svmlight(points: Points) -> bytes:
    """Return svmlight text: columns from 1, without zeros; a label must be one word."""
    labels = [str(label) for label in points.y.tolist()]
    for label in dict.fromkeys(labels):
        if label.split() != [label] or "#" in label or ":" in label:
            found = f"the label {label[:40]!r}" if label else "an empty label"
            raise InputError(f"svmlight: found {found}; expected labels of one word without # and :; write csv")
    rows = _sparse(points.X)
    out = io.StringIO()
    for i, label in enumerate(labels):
        lo, hi = rows.indptr[i], rows.indptr[i + 1]
        pairs = zip(rows.indices[lo:hi].tolist(), rows.data[lo:hi].tolist(), strict=True)
        out.write(" ".join([label, *(f"{j + 1}:{_text(v)}" for j, v in pairs)]) + "\n")
    return out.getvalue().encode()


def _csv(points: Points) -> bytes:
    """Return a table with a header; the label is the last column."""
    out, X = io.StringIO(), _dense(points)
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*_names(points), "label"])
    writer.writerows([*map(_text, x.tolist()), label] for x, label in zip(X, points.y.tolist(), strict=True))
    return out.getvalue().encode()


WRITERS: dict[str, Callable[[Points], Any]] = {
    "csv": _csv,
    "svmlight": _svmlight,
}


KNOWN = (*WRITERS, "npz", "nvc")


def _text(value: float) -> str:
    whole = float(value).is_integer() and abs(value) < 2**53 and not (value == 0 and math.copysign(1, value) < 0)
    return repr(int(value)) if whole else repr(float(value))


def _names(points: Points) -> list[str]:
    names = [f"x{j + 1}" for j in range(points.d)] if points.names is None else list(points.names)
    return [f"{name}_" if name.lower() == "label" else name for name in names]


def _dense(points: Points) -> Any:
    X = points.X
    if not hasattr(X, "indptr"):
        return np.asarray(X)
    _check_cells(points.n, points.d)
    return X.toarray()


def _check_cells(n: int, d: int) -> None:
    if n * d > MOST:
        raise InputError(f"a table of {n:,} × {d:,} cells is too large; write svmlight, npz or nvc")


def _sparse(X: Any) -> Any:
    from scipy.sparse import csr_array

    rows = csr_array(X)
    rows.eliminate_zeros()
    return rows
