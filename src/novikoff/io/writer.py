"""Write points to a file: CSV, svmlight or .npz; atomically.

Numbers are written as the shortest text that reads back to the same binary64 number.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.labelled_points import Labelled, in_chunks
from novikoff.errors import InputError
from novikoff.io.file_formats import COMPRESSED, format_of
from novikoff.records.atomic_write import replacing_bytes

MOST = 1 << 28  # cells of a dense table made of sparse rows


def write(points: Labelled, path: str | Path) -> None:
    """Write points in the format of the file's name, some at a time."""
    target, X, known = Path(path), points.rows, ", ".join(KNOWN)
    try:
        kind = format_of(path)
    except InputError:
        raise InputError(f"the name does not determine the format; expected an ending for {known}", file=path) from None
    if kind not in KNOWN or target.suffix in COMPRESSED:
        as_what = "a compressed file" if kind in KNOWN else kind
        raise InputError(f"cannot be written as {as_what}; expected {known}", file=path)
    if hasattr(X, "indptr") and kind == "csv" and X.shape[0] * X.shape[1] > MOST:
        raise InputError(f"a table of {X.shape[0]:,} × {X.shape[1]:,} cells is too large; write svmlight or npz")
    with replacing_bytes(target) as file:
        if kind == "npz":
            parts = {"X": X}
            if hasattr(X, "indptr"):
                parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": X.shape, "format": b"csr"}
            np.savez(file, allow_pickle=False, y=points.labels, **{k: np.asarray(part) for k, part in parts.items()})
            return
        for number, (rows, labels) in enumerate(in_chunks(X, points.labels)):
            texts = [str(label) for label in np.asarray(labels).tolist()]
            file.write((_svmlight if kind == "svmlight" else _csv)(rows, texts, points.names, not number).encode())


def _svmlight(X: Any, labels: list[str], names: Any, first: bool) -> str:
    """Return svmlight text: columns from 1, without zeros; a label must be one word."""
    from scipy.sparse import csr_array

    for label in dict.fromkeys(labels):
        if label.split() != [label] or "#" in label or ":" in label:
            found = f"the label {label[:40]!r}" if label else "an empty label"
            raise InputError(f"svmlight: found {found}; expected labels of one word without # and :; write csv")
    rows, out = csr_array(X), io.StringIO()
    rows.eliminate_zeros()
    for label, lo, hi in zip(labels, rows.indptr[:-1], rows.indptr[1:], strict=True):
        pairs = zip(rows.indices[lo:hi].tolist(), rows.data[lo:hi].tolist(), strict=True)
        out.write(" ".join([label, *(f"{j + 1}:{_text(v)}" for j, v in pairs)]) + "\n")
    return out.getvalue()


def _csv(X: Any, labels: list[str], names: Sequence[str] | None, first: bool) -> str:
    """Return rows of a table, the first ones after a header; the label is the last column."""
    out, rows = io.StringIO(), X.toarray() if hasattr(X, "indptr") else np.asarray(X)
    writer = csv.writer(out, lineterminator="\n")
    if first:
        named = [f"x{j + 1}" for j in range(X.shape[1])] if names is None else names
        writer.writerow([*(f"{name}_" if name.lower() == "label" else name for name in named), "label"])
    writer.writerows([*map(_text, x.tolist()), label] for x, label in zip(rows, labels, strict=True))
    return out.getvalue()


KNOWN = ("csv", "svmlight", "npz")


def _text(value: float) -> str:
    whole = float(value).is_integer() and abs(value) < 2**53 and not (value == 0 and math.copysign(1, value) < 0)
    return repr(int(value)) if whole else repr(float(value))
