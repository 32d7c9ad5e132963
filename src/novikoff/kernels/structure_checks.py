"""Check the structure of arrays before compiled code reads them.

Compiled code does not check its indices: a wrong one reads or writes other memory. So everything from outside (arrays,
sparse matrices, files, models, caches, checkpoints) passes these checks first. What the kernels assume, and which code
guarantees it:

    dense rows                 (n, d), C-contiguous, native byte order        storages, contiguous_blocks
    sparse rows: starts        n + 1 of them, from 0, none below the one      `check_starts`, for every source
                               before it, the last at most the entries
    sparse rows: columns       0 to d − 1, rising in each row                 the kernel `tidy`, which sees every row
                                                                              before another kernel does
    sparse columns: rows       0 to n − 1                                     `check_indices`, for every source
    logs of updates: rows      0 to n − 1, ends of planes rising              `check_indices`, `rises`
    counters of a checkpoint   each within the array that it leads into       checkpoint
    text                       ends in a newline, with room to read behind    compression; tokenizers count their
                                                                              rows and pairs against the arrays

Index arrays are compared as stored, before they are narrowed, and element by element: differences could wrap around.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError

MOST_COLUMNS = 2**31 - 1  # of sparse rows: weights for more columns do not fit in memory
NARROW = 2**31 - 1  # numbers up to here are stored in 32 bits
REBUILD = "rebuild the matrix"
COMPRESSED = {"csr": 0, "csc": 1, "bsr": 0}  # the axis along which the starts run


def native(array: np.ndarray) -> np.ndarray:
    """Return the same numbers in native byte order; no copy if they have it already."""
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def rises(numbers: np.ndarray) -> bool:
    """Return whether the numbers are non-decreasing."""
    return not bool((numbers[1:] < numbers[:-1]).any())


def highest(columns: np.ndarray) -> int:
    """Return the highest of some indices in one pass; if one is negative, a value above what their type holds."""
    return int(native(columns).view(np.dtype(f"u{columns.itemsize}")).max())


def index_array(numbers: Any, what: str, name: str, way_out: str = REBUILD) -> np.ndarray:
    """Return an index array in native byte order; raise InputError for anything but a 1-D array of integers."""
    array = np.asarray(numbers)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise InputError(
            f"{what}: found {array.dtype} of shape {array.shape}; whole numbers, one after the other, were "
            f"expected: {way_out}",
            name,
        )
    return native(array)


def check_starts(starts: np.ndarray, size: int, entries: int, name: str, way_out: str = REBUILD) -> None:
    """Raise InputError unless the starts (indptr) of `size` rows or columns increase from 0 to at most `entries`."""
    good = starts.size == size + 1 and int(starts[0]) == 0 and int(starts[-1]) <= entries and rises(starts)
    if not good:
        raise InputError(
            f"the starts (indptr) of the sparse matrix do not grow from 0 to the number of entries: {way_out}", name
        )


def check_indices(numbers: np.ndarray, end: int, what: str, name: str, way_out: str = REBUILD) -> None:
    """Raise InputError for a number outside 0 to end − 1."""
    if not numbers.size or highest(numbers) < min(end, np.iinfo(numbers.dtype).max + 1):
        return
    low, high = int(numbers.min()), int(numbers.max())
    if low < 0 or high >= end:
        worst = low if low < 0 else high
        raise InputError(f"{what}: found index {worst}; expected 0 to {end - 1}: {way_out}", name)


def narrow(numbers: np.ndarray, most: int) -> np.ndarray:
    """Return checked indices, none above `most`, in the type kernels are compiled for: int32 if it holds them.

    Arrays of int32 and int64 stay as they are.
    """
    if numbers.dtype in (np.int32, np.int64):
        return numbers
    return numbers.astype(np.int32 if most <= NARROW else np.int64)


def check_shape(shape: tuple[int, ...], name: str) -> None:
    """Raise InputError for a sparse matrix with more columns than weights in memory allow."""
    if len(shape) == 2 and shape[1] > MOST_COLUMNS:
        raise InputError(
            f"found {shape[1]:,} columns; expected at most {MOST_COLUMNS:,}: number the columns without gaps, "
            "or hash them into fewer",
            name,
        )


def check_sparse(X: Any, name: str) -> None:
    """Raise InputError for a sparse matrix (format, shape and the arrays of SciPy) with indices out of range.

    The columns of compressed sparse rows are left to `tidy`, which checks them row by row.
    """
    n, d = X.shape
    check_shape(X.shape, name)
    if X.format in COMPRESSED:
        block = X.data.shape[1:] if X.format == "bsr" else (1, 1)
        starts, indices = index_array(X.indptr, "indptr", name), index_array(X.indices, "indices", name)
        major = X.shape[COMPRESSED[X.format]] // max(block[0], 1)
        if len(X.data) > np.iinfo(starts.dtype).max:
            raise InputError(
                f"{len(X.data):,} entries, but the row starts (indptr) are {starts.dtype} and end at "
                f"{np.iinfo(starts.dtype).max:,}; rebuild the matrix with 64-bit indices",
                name,
            )
        check_starts(starts, major, min(len(X.data), indices.size), name)
        if X.format == "csc":
            check_indices(indices, n, "indices", name)
        elif X.format == "bsr":
            check_indices(indices, d // max(block[1], 1), "indices", name)
    elif X.format == "coo":
        for what, numbers, end in (("row", X.row, n), ("col", X.col, d)):
            check_indices(index_array(numbers, what, name), end, what, name)
    elif X.format == "dia":
        offsets = index_array(X.offsets, "offsets", name)
        if offsets.size and not -(n + d) <= int(offsets.min()) <= int(offsets.max()) <= n + d:
            raise InputError(
                f"offsets: found {offsets.min()} to {offsets.max()}; expected {-n - d} to {n + d}: {REBUILD}", name
            )


def compressed_rows(
    parts: tuple[Any, Any, Any], shape: tuple[int, int], name: str, way_out: str = REBUILD
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (values, columns, starts) of a file, fully checked, in native byte order and in the kernels' index
    types.
    """
    values = np.asarray(parts[0])
    columns, starts = (index_array(part, what, name, way_out) for part, what in zip(parts[1:], NAMES, strict=True))
    check_shape(shape, name)
    if values.ndim != 1 or values.size != columns.size:
        raise InputError(
            f"found {values.dtype} values of shape {values.shape} and {columns.size} columns; one column for "
            f"each value was expected: {way_out}",
            name,
        )
    check_starts(starts, shape[0], values.size, name, way_out)
    check_indices(columns, shape[1], NAMES[0], name, way_out)
    return native(values), narrow(columns, shape[1]), narrow(starts, values.size)


NAMES = ("indices", "indptr")
