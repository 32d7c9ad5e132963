"""Read files of arrays, NumPy's .npz.

.npz    X and y, or the parts of a sparse matrix in compressed sparse rows, as scipy.sparse.save_npz writes them, and y
"""

from __future__ import annotations

import tokenize
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.plain_files import NO_LABEL
from novikoff.errors import InputError
from novikoff.io.memory_limit import LEAST, too_large
from novikoff.io.reading import Reading
from novikoff.io.source import Chunk, Source
from novikoff.kernels.structure_checks import compressed_rows, index_array, native

COMPRESSED_ROWS = ("data", "indices", "indptr", "shape")  # of a sparse matrix, as scipy.sparse.save_npz writes it
MOST = 2**62  # rows or columns
DAMAGED = (  # what NumPy raises for a damaged header of an array
    *(OSError, ValueError, EOFError, SyntaxError, TypeError, KeyError, OverflowError, MemoryError),
    *(tokenize.TokenError, RecursionError, zipfile.BadZipFile, zlib.error, NotImplementedError),
    *(RuntimeError, SystemError),  # an encrypted member; a text of code points that do not exist
)
LAST_CODE_POINT, SURROGATES = 0x10FFFF, (0xD800, 0xDFFF)


class Arrays(Source):
    """Rows of arrays in memory. y: None if there are no labels."""

    in_memory = True

    def __init__(self, path: str | Path, X: Any, y: Any, rows: int | None = None) -> None:
        n = len(X) if rows is None else rows
        self.has_label = y is not None
        self.name, self.X, self.y = str(path), X, np.zeros(n) if y is None else _labels(path, y)
        if self.y.ndim != 1 or n != len(self.y):
            raise InputError(
                f"found {n} rows and labels of shape {self.y.shape}; one label for each row was expected", file=path
            )

    def chunks(self) -> Iterator[Chunk]:
        yield Chunk(self.y.tolist() if self.y.dtype.kind == "U" else self.y, self.X)


def _labels(path: str | Path, y: Any) -> np.ndarray:
    """Return the labels of a file: numbers, or texts."""
    y = np.asarray(y)
    if y.dtype.kind not in "fiubUS":
        raise InputError(f"y: found labels of type {y.dtype}; numbers or texts were expected", file=path)
    try:
        return native(y.astype(str) if y.dtype.kind in "US" else y)
    except (UnicodeError, ValueError, SystemError):
        raise InputError("y: found a label that is no text; save the labels as texts (str)", file=path) from None


def npz(path: str | Path, reading: Reading) -> Source:
    """Read X and y of a .npz file; y may be missing if labels are not needed."""
    parts, labelled = _loaded(path, reading.limit), reading.labelled and reading.trained is None
    names = set(parts)
    if (labelled and "y" not in names) or not ("X" in names or names >= {*COMPRESSED_ROWS} or "format" in names):
        found = ", ".join(sorted(names)) or "nothing"
        raise InputError(f"found {found}; X and y were expected, or the parts of a sparse matrix and y", file=path)
    none = [text.encode() for text in NO_LABEL] if labelled and parts["y"].dtype.kind == "S" else list(NO_LABEL)
    if labelled and parts["y"].dtype.kind in "US" and np.isin(np.char.lower(np.char.strip(parts["y"])), none).any():
        raise InputError("y: found a missing label; leave out such rows", file=path)
    if "X" in names:
        return Arrays(path, _table(path, parts["X"]), parts.get("y"))
    rows, (n, d) = _sparse_rows(path, parts)
    source = Arrays(path, rows, parts.get("y"), n)
    source.width = d
    return source


def _sparse_rows(path: str | Path, parts: dict[str, np.ndarray]) -> tuple[Any, tuple[int, int]]:
    """Return compressed sparse rows as `scipy.sparse.save_npz` writes them, and their shape; check every index."""
    name, way_out, kind = str(path), "save the matrix again", parts["format"].tolist() if "format" in parts else b"csr"
    if kind not in (b"csr", "csr"):
        kind = kind.decode("latin-1") if isinstance(kind, bytes) else str(kind)
        raise InputError(
            f"format: found {kind[:40]!r}; 'csr' was expected: save X.tocsr(), by scipy.sparse.save_npz", file=path
        )
    if missing := [part for part in COMPRESSED_ROWS if part not in parts]:
        raise InputError(f"found no {missing[0]}; the parts of a sparse matrix of format csr were expected", file=path)
    shape, data = index_array(parts["shape"], "shape", name, way_out).tolist(), native(parts["data"])
    if data.dtype.kind not in "fiub" or data.dtype.itemsize > 8 or data.ndim != 1:
        found = f"{data.dtype} of shape {data.shape}"
        raise InputError(f"data: found {found}; real numbers that binary64 holds were expected, in a row", file=path)
    if len(shape) != 2 or not all(0 < size <= MOST for size in shape):
        raise InputError(f"shape: found {shape}; rows and columns were expected, at least one of each", file=path)
    data = data.astype(np.float32) if data.dtype == np.float16 else data  # which kernels read
    return compressed_rows((data, parts["indices"], parts["indptr"]), shape, name, way_out), (shape[0], shape[1])


def _loaded(path: str | Path, limit: int | None) -> dict[str, np.ndarray]:
    """Return the arrays of a .npz file by name. limit: bytes that compressed arrays may take.

    No more of a zip member is read than the size in its header.
    """
    try:
        with open(path, "rb") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = np.load(file, allow_pickle=False)
            if isinstance(found, np.ndarray):
                raise ValueError("it is a single array; np.savez writes X and y")
            packed = [member for member in found.zip.infolist() if member.compress_size < member.file_size]
            if limit is not None and sum(member.file_size for member in packed) > max(limit, LEAST):
                raise too_large(path, limit)
            return {name: check_texts(found[name]) for name in found.files}
    except InputError:
        raise
    except DAMAGED as error:
        why = getattr(error, "strerror", None) or " ".join(str(error).split())[:200]
        if "pickle" in why:
            why = "no array of numbers or texts, as np.save and np.savez write them"
        raise InputError(f"cannot be read ({why})", file=path) from error


def check_texts(array: np.ndarray) -> np.ndarray:
    """Return the array; raise ValueError for texts with invalid code points, on which Python would fail later."""
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).reshape(-1).view(array.dtype.byteorder + "u4")
        wrong = codes[(codes > LAST_CODE_POINT) | ((codes >= SURROGATES[0]) & (codes <= SURROGATES[1]))]
        if wrong.size:
            raise ValueError(f"it has a text with the code point {int(wrong[0]):#x}, which is none")
    return array


def _table(path: str | Path, array: Any) -> np.ndarray:
    if not isinstance(array, np.ndarray) or array.ndim != 2 or array.dtype.kind not in "fiub":
        found = f"an array of {array.dtype} of shape {array.shape}" if isinstance(array, np.ndarray) else "no array"
        raise InputError(f"found {found}; a table of numbers was expected, a row for each point", file=path)
    return array
