"""Read the named columns of pandas, polars and pyarrow data frames without importing these packages.

Numeric and boolean columns are read without a copy; a missing number is NaN (rejected when rows are read). Text,
categorical, date and object columns are rejected by name, with advice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import SHARE, Blocks, Rows, Which, dense_rows
from novikoff.data.dask_rows import is_dask_frame
from novikoff.errors import InputError

Reader = Callable[[slice], np.ndarray]


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame of a package that is already imported."""
    kinds = [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")]
    return any(isinstance(X, getattr(sys.modules[m], name, ())) for m, name in kinds if m in sys.modules)


def frame_rows(X: Any, name: str, check: Callable[[np.ndarray, str], None]) -> Rows:
    """Return the rows of a data frame; columns that are adjacent in memory are used as one array.

    check(numbers, column's name) raises for numbers that cannot be used.
    """
    n, columns, named = X.shape[0], [], frame_columns(X)
    _check_names([label for label, _ in named], name)
    for label, column in named:
        columns.append(_numbers(column, label, name))
        for lo in range(0, n, -(-n // SHARE)) if columns[-1].dtype.itemsize == 8 else ():
            check(columns[-1][slice(lo, lo + -(-n // SHARE))], label)
    together = _one_array(columns)
    blocks = FrameBlocks(X.shape, columns)
    if together is not None:
        return dense_rows(together)
    return blocks.laid_out() if blocks.is_small else blocks


def _check_names(labels: list[str], name: str) -> None:
    """Raise InputError if two columns have the same name."""
    seen: set[str] = set()
    for label in labels:
        if label in seen:
            raise InputError(
                f"{name}: found two columns called {label!r}; column names must be unique: rename one, or "
                "give the numbers without names (to_numpy())"
            )
        seen.add(label)


def names_of(X: Any) -> list[str] | None:
    """Return the column names of a frame; None for anything else."""
    if is_dask_frame(X):
        return [str(label) for label in X.columns]
    return [label for label, _ in frame_columns(X)] if is_frame(X) else None


class FrameBlocks(Blocks):
    """Columns of different types, each an array or a reader of some of its rows."""

    in_any_order = False

    def __init__(self, shape: tuple[int, int], columns: list[Any]) -> None:
        kinds = {column.dtype for column in columns}
        super().__init__(shape, shape[0] * shape[1], np.result_type(*kinds))
        self.columns = columns

    @property
    def is_small(self) -> bool:
        return self.at_once >= self.shape[0]

    @property
    def at_once(self) -> int:
        return max(super().at_once, self.shape[0] // SHARE)

    def take(self, which: Which) -> Rows:
        return self._fill(which, self.dtype)

    def laid_out(self) -> Rows:
        return dense_rows(self._fill(slice(0, self.shape[0]), self.own))

    def _fill(self, which: slice, dtype: np.dtype) -> np.ndarray:
        out = np.empty((which.stop - which.start, self.shape[1]), dtype)
        for j, column in enumerate(self.columns):
            out[:, j] = column[which]
        return out


class Slices:
    """Column that is converted one slice at a time."""

    def __init__(self, dtype: Any, read: Reader) -> None:
        self.dtype, self._read = np.dtype(dtype), read

    def __getitem__(self, which: slice) -> np.ndarray:
        return self._read(which)


def frame_columns(X: Any) -> list[tuple[str, Any]]:
    """Return (name, column) of each column."""
    package = type(X).__module__.partition(".")[0]
    if package == "pandas":
        return [(str(label), X.iloc[:, j]) for j, label in enumerate(X.columns)]
    if package == "polars":
        return [(series.name, series) for series in X.get_columns()]
    return [(label, X.column(j)) for j, label in enumerate(X.schema.names)]


def _numbers(column: Any, label: str, name: str) -> np.ndarray | Slices:
    """Return the column's values: a view, or a reader if the package stores them in its own format."""
    package = type(column).__module__.partition(".")[0]
    return {"pandas": _pandas, "polars": _polars}.get(package, _pyarrow)(column, label, name)


def numbers_of_column(column: Any) -> np.ndarray | None:
    """Return a column of a frame, or an array, as numbers, a missing one as NaN; None if its type is not numeric."""
    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "fiub" else None
    if not hasattr(column, "dtype") and not hasattr(column, "type"):
        return None
    try:
        return _numbers(column, "", "X")[slice(0, len(column))]
    except InputError:
        return None


def _pandas(column: Any, label: str, name: str) -> np.ndarray | Slices:
    own = getattr(column.dtype, "numpy_dtype", column.dtype)
    if not isinstance(own, np.dtype) or own.kind not in "fiub":
        raise _refused(name, label, str(column.dtype))
    if isinstance(column.dtype, np.dtype):
        return np.asarray(column.to_numpy())
    missing = bool(column.hasnans)
    dtype = _with_missing(own) if missing else own
    gap = {"na_value": np.nan} if missing else {}
    return Slices(dtype, lambda which: column.iloc[which].to_numpy(dtype=dtype, **gap))


def _polars(column: Any, label: str, name: str) -> np.ndarray | Slices:
    import polars

    if not (column.dtype.is_float() or column.dtype.is_integer() or column.dtype == polars.Boolean):
        raise _refused(name, label, str(column.dtype))
    own = column[:0].to_numpy().dtype if column.dtype != polars.Boolean else np.dtype(bool)
    if not column.null_count() and column.dtype != polars.Boolean and column.n_chunks() == 1:
        return np.asarray(column.to_numpy(allow_copy=False))
    dtype = _with_missing(own) if column.null_count() else own

    def read(which: slice) -> np.ndarray:
        part = column[which]
        return np.asarray((part.cast(polars.Float64) if column.null_count() else part).to_numpy())

    return Slices(dtype, read)


def _pyarrow(column: Any, label: str, name: str) -> np.ndarray | Slices:
    import pyarrow

    kinds = pyarrow.types
    if not (kinds.is_floating(column.type) or kinds.is_integer(column.type) or kinds.is_boolean(column.type)):
        raise _refused(name, label, str(column.type))
    own = np.dtype(column.type.to_pandas_dtype())
    chunks = column.chunks if hasattr(column, "chunks") else [column]
    if not column.null_count and len(chunks) == 1 and own != np.bool_:
        return np.asarray(chunks[0].to_numpy())
    dtype = _with_missing(own) if column.null_count else own

    def read(which: slice) -> np.ndarray:
        part = column.slice(which.start, which.stop - which.start)
        part = part.cast(pyarrow.float64()) if column.null_count else part
        return np.asarray(part.to_numpy() if hasattr(part, "chunks") else part.to_numpy(zero_copy_only=False))

    return Slices(dtype, read)


def _with_missing(own: np.dtype) -> np.dtype:
    """Return a float type that holds the values and NaN."""
    return own if own.kind == "f" else np.dtype(np.float64)


def _refused(name: str, label: str, dtype: str) -> InputError:
    return InputError(
        f"{name}: column {label!r} holds {dtype}, numbers were expected; drop it, or encode it as numbers first "
        "(e.g. with scikit-learn's OneHotEncoder or OrdinalEncoder); novikoff.auto(df, label=…) prepares every column"
    )


def _one_array(columns: list[Any]) -> np.ndarray | None:
    """Return columns of one type that are adjacent in memory as one view; else None."""
    if not all(isinstance(c, np.ndarray) for c in columns) or len({(c.dtype, c.strides, c.size) for c in columns}) > 1:
        return None
    places = np.array([c.ctypes.data for c in columns])
    steps = np.unique(np.diff(places))
    if steps.size > 1 or columns[0].size == 0:
        return None
    step = int(steps[0]) if steps.size else columns[0].itemsize
    if len({id(_owner(c)) for c in columns}) > 1:
        return None
    return np.lib.stride_tricks.as_strided(
        columns[0], (columns[0].size, len(columns)), (columns[0].strides[0], step), writeable=False
    )


def _owner(array: np.ndarray) -> Any:
    """Return the object that owns the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array if array.base is None else array.base
