"""Write points to a file: CSV, TSV, svmlight, .npz, Parquet, or the binary cache; atomically.

Numbers are written as the shortest text that reads back to the same binary64 number.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.labelled_points import Labelled, in_chunks
from novikoff.errors import InputError
from novikoff.io.formats.binary_cache import write_cache
from novikoff.io.reader import format_of
from novikoff.io.stream.chunk_source import Points
from novikoff.records.atomic_write import replacing_bytes

ROW_GROUP = 1 << 22  # numbers of a row group
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
    if kind not in KNOWN:
        raise InputError(f"{path}: cannot be written as {kind}; expected {known}")
    if hasattr(rows, "indptr") and kind not in ("svmlight", "npz"):
        _check_cells(*rows.shape)
    together = ROW_GROUP if kind == "parquet" else None
    pieces = (Points(X, y, points.names or None) for X, y in in_chunks(rows, points.labels, together))
    with replacing_bytes(target) as file:
        if kind == "npz":
            _write_npz(file, points)
            return
        if kind == "parquet":
            _write_parquet(file, pieces)
            return
        for number, piece in enumerate(pieces):
            data = WRITERS[kind](piece)
            if number and kind != "svmlight":
                data = data[data.index(b"\n") + 1 :]  # without the header
            file.write(_packed(data, target))  # compressed parts, one after the other, are a compressed file


def _write_npz(file: Any, points: Labelled) -> None:
    X = points.rows
    if hasattr(X, "indptr"):
        parts = {"data": X.data, "indices": X.indices, "indptr": X.indptr, "shape": np.array(X.shape)}
        np.savez(file, allow_pickle=False, y=points.labels, format=np.array(b"csr"), **parts)
    else:
        np.savez(file, allow_pickle=False, X=np.asarray(X), y=points.labels)


def _write_parquet(file: Any, pieces: Iterator[Points]) -> None:
    writer = None
    for piece in pieces:
        table = _arrow(piece)
        import pyarrow.parquet

        writer = writer or pyarrow.parquet.ParquetWriter(file, table.schema)
        writer.write_table(table)
    if writer is not None:
        writer.close()


def _packed(data: bytes, path: Path) -> bytes:
    """Compress data as the file's name says."""
    if path.suffix == ".gz":
        import gzip

        return gzip.compress(data, 6, mtime=0)
    if path.suffix == ".bz2":
        import bz2

        return bz2.compress(data)
    if path.suffix == ".xz":
        import lzma

        return lzma.compress(data)
    if path.suffix == ".zst":
        try:
            import zstandard
        except ImportError as error:
            raise InputError(f"{path}: needs the package zstandard; pip install 'novikoff[files]'") from error
        return zstandard.ZstdCompressor().compress(data)
    return data


def _svmlight(points: Points) -> bytes:
    """Return svmlight text: columns from 1, without zeros; a label must be one word."""
    labels = [str(label) for label in points.y.tolist()]
    for label in dict.fromkeys(labels):
        if label.split() != [label] or "#" in label or ":" in label:
            found = f"the label {label[:40]!r}" if label else "an empty label"
            raise InputError(
                f"svmlight: found {found}; expected labels of one word without # and :; write csv, tsv or parquet"
            )
    rows = _sparse(points.X)
    out = io.StringIO()
    for i, label in enumerate(labels):
        lo, hi = rows.indptr[i], rows.indptr[i + 1]
        pairs = zip(rows.indices[lo:hi].tolist(), rows.data[lo:hi].tolist(), strict=True)
        out.write(" ".join([label, *(f"{j + 1}:{_text(v)}" for j, v in pairs)]) + "\n")
    return out.getvalue().encode()


def _csv(points: Points, separator: str = ",") -> bytes:
    """Return a table with a header; the label is the last column."""
    out = io.StringIO()
    X, names = _dense(points), _names(points)
    words = [*names, "label"]
    if separator == "\t":
        labels = [str(label) for label in points.y.tolist()]
        if any(mark in word for word in (*words, *labels) for mark in "\t\n\r"):
            raise InputError("tsv: found a tab or a new line in a name or label; write csv")
        for row in (words, *([*map(_text, x.tolist()), label] for x, label in zip(X, labels, strict=True))):
            out.write("\t".join(row) + "\n")
        return out.getvalue().encode()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(words)
    writer.writerows([*map(_text, x.tolist()), label] for x, label in zip(X, points.y.tolist(), strict=True))
    return out.getvalue().encode()


def _arrow(points: Points) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise InputError("parquet needs the package pyarrow; pip install 'novikoff[files]'") from error
    X, names = _dense(points), _names(points)
    columns = {name: X[:, j] for j, name in enumerate(names)} | {"label": points.y.tolist()}
    return pyarrow.table(columns)


WRITERS: dict[str, Callable[[Points], Any]] = {
    "csv": _csv,
    "tsv": lambda points: _csv(points, "\t"),
    "svmlight": _svmlight,
    "parquet": _arrow,
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
