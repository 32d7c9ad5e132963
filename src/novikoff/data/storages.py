"""Convert X to rows, without a copy if possible, and raise a clear error for values that are not numbers.

Only values that binary64 holds exactly are accepted: every storage of the same numbers is the same problem.
"""

from __future__ import annotations

from numbers import Number
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Blocks, Rows, dense_rows, sparse_rows
from novikoff.data.dask_rows import DaskRows, is_dask
from novikoff.data.frames import frame_rows, is_frame
from novikoff.errors import InputError, InputTypeError
from novikoff.kernels.structure_checks import check_sparse, index_array, narrow, native

WHOLE = 2**53  # integers up to here are exact in binary64


def rows_of(X: Any, name: str = "X") -> Rows:
    """Return X as rows that share its memory, or as blocks of rows if kernels cannot read its layout."""
    if isinstance(X, Blocks):
        return X
    if is_dask(X):
        rows = DaskRows(X, name, rows_of)
        _check_points(rows.shape, name)
        return rows
    if hasattr(X, "indptr") or hasattr(X, "tocsr"):
        return _sparse_rows(X, name)
    if is_frame(X):
        _check_points(X.shape, name)
        return frame_rows(X, name, lambda column, label: check_whole(column, f"{name}, column {label!r}"))
    if hasattr(X, "collect_schema"):
        raise InputError(f"a lazy frame has no rows yet; pass {name}.collect()", name)
    if hasattr(X, "_mask") and np.ma.isMaskedArray(X) and np.ma.is_masked(X):
        raise InputError(f"a masked array with masked numbers; fill them in, e.g. {name}.filled(0)", name)
    try:
        array = np.asarray(X)
    except ValueError:
        raise InputError("rows of different lengths; every row must have the same number of features", name) from None
    if array.ndim != 2:
        found = f"{array.ndim}D array" if array.ndim else "a scalar"
        raise InputError(
            f"Expected 2D array, got {found} instead. Reshape your data: "
            f"{name}.reshape(-1, 1) for one feature, {name}.reshape(1, -1) for one point",
            name,
        )
    _check_points(array.shape, name)
    if isinstance(X, list | tuple) and array.dtype.kind == "f":
        array = _numbers_in_objects(np.asarray(X, dtype=object), name)
    return dense_rows(_real(array, name))


def _check_points(shape: tuple[int, ...], name: str) -> None:
    n, d = shape
    if n == 0 or d == 0:
        what = "feature" if n else "sample"
        raise InputError(f"Found array with 0 {what}(s) (shape=({n}, {d})) while a minimum of 1 is required.", name)


def _sparse_rows(X: Any, name: str) -> Rows:
    if X.ndim != 2:
        raise InputError(
            f"Expected 2D array, got a {X.ndim}D sparse array instead. Reshape your data to (points, features)", name
        )
    _check_points(X.shape, name)
    check_sparse(X, name)
    X = _native(X)
    if X.dtype == np.float16:
        X = X.astype(np.float32)
    if X.format not in ("csr", "csc") and X.dtype.kind in "iub":
        X = X if X.format in ("coo", "bsr", "dia") else X.tocoo()
        check_whole(X.data.reshape(-1), name)
        X = X.astype(np.float64)  # so that duplicate entries are summed as numbers
    matrix = X if X.format == "csr" else X.tocsr()
    values = _real(matrix.data, name)
    columns, starts = index_array(matrix.indices, "indices", name), index_array(matrix.indptr, "indptr", name)
    return sparse_rows((values, narrow(columns, np.iinfo(columns.dtype).max), narrow(starts, values.size)))


def _native(X: Any) -> Any:
    """Return a checked sparse matrix in native byte order; compressed sparse rows are converted array by array."""
    if X.format not in ("csc", "bsr", "coo", "dia") or all(
        part.dtype.isnative for part in vars(X).values() if isinstance(part, np.ndarray)
    ):
        return X
    if X.format == "coo":
        return type(X)((native(X.data), (native(X.row), native(X.col))), shape=X.shape)
    parts = (X.offsets,) if X.format == "dia" else (X.indices, X.indptr)
    return type(X)((native(X.data), *map(native, parts)), shape=X.shape)


def _real(array: np.ndarray, name: str) -> np.ndarray:
    """Return the numbers if binary64 holds them exactly; convert objects."""
    kind = array.dtype.kind
    if kind == "c":
        raise InputError(f"Complex data not supported (found {array.dtype}); give real numbers, e.g. {name}.real", name)
    if kind in "USMm":
        raise InputError(
            f"found {_example_of(array)} where numbers were expected; encode text and dates as numbers first", name
        )
    if kind == "O":
        return _numbers_in_objects(array, name)
    if kind == "f" and array.dtype.itemsize > 8:
        raise InputError(f"{array.dtype} is wider than binary64; convert with {name}.astype(float)", name)
    check_whole(array, name)
    return array


def check_whole(array: np.ndarray, name: str) -> None:
    """Raise InputError for a 64-bit integer that binary64 does not hold."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return
    if max(int(array.max()), -int(array.min())) <= WHOLE:
        return
    for part in array if array.ndim == 2 else [array]:
        rounded = part.astype(np.float64)
        held = rounded < float(np.iinfo(array.dtype).max)  # the largest rounds up to a power of two
        lost = ~held | (np.where(held, rounded, 0).astype(array.dtype) != part)
        if lost.any():
            raise InputError(
                f"{int(part[int(np.argmax(lost))])} ({array.dtype}) cannot be stored exactly in binary64, "
                "unlike integers up to 2^53; scale the data down, or round it yourself, e.g. with astype(float) "
                "(in files: as doubles)",
                name,
            )


def _numbers_in_objects(array: np.ndarray, name: str) -> np.ndarray:
    """Convert an object array of numbers to float64."""
    if any(isinstance(value, str | bytes) for value in array.ravel()):
        raise InputError(f"found {_example_of(array)} where numbers were expected; encode text as numbers first", name)
    for value in array.ravel():
        if (
            isinstance(value, Number)
            and not isinstance(value, float | complex | np.float32 | np.float16)
            and not _held(value)
        ):
            raise InputError(
                f"{value!r} cannot be stored exactly in binary64; round it yourself, e.g. float({value!r})", name
            )
    try:
        return array.astype(np.float64)
    except (TypeError, ValueError) as problem:
        if "complex" in str(problem):
            raise InputError("Complex data not supported; give real numbers", name) from None
        kind = InputTypeError if isinstance(problem, TypeError) else InputError
        raise kind(
            f"found {_example_of(array)} where numbers were expected ({problem}); encode it as numbers first", name
        ) from None


def _held(value: Any) -> bool:
    """Return whether binary64 holds the number exactly: Python compares numbers of any type exactly."""
    own = value.item() if isinstance(value, np.integer) else value
    try:
        return bool(float(own) == own or own != own)
    except OverflowError:
        return False


def _example_of(array: np.ndarray) -> str:
    for value in array.ravel()[:1000]:
        if isinstance(value, str | bytes | dict | list) or not isinstance(value, int | float):
            shown = value.item() if isinstance(value, np.generic) else value
            return f"{type(shown).__name__} {shown!r}"
    return f"dtype {array.dtype}"
