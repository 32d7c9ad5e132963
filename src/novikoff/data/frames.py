"""Read the named columns of pandas, polars and pyarrow data frames without importing these packages.

A pandas frame of one numeric type is used as its own array; any other frame is copied once into an array that holds all
its columns. A missing number is NaN (rejected when rows are read). Text, categorical, date and object columns are
rejected by name, with advice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Rows, dense_rows
from novikoff.data.dask_rows import is_dask_frame
from novikoff.errors import InputError


def is_frame(X: Any) -> bool:
    """Return whether X is a data frame of a package that is already imported."""
    kinds = [("pandas", "DataFrame"), ("polars", "DataFrame"), ("pyarrow", "Table"), ("pyarrow", "RecordBatch")]
    return any(isinstance(X, getattr(sys.modules[m], name, ())) for m, name in kinds if m in sys.modules)


def frame_rows(X: Any, name: str, check: Callable[[np.ndarray, str], None]) -> Rows:
    """Return the rows of a data frame. check(numbers, column's name) raises for numbers that cannot be used."""
    named = frame_columns(X)
    check_distinct([label for label, _ in named], name)
    columns = []
    for label, column in named:
        columns.append(_numbers(column, label, name))
        check(columns[-1], label)
    kinds = {column.dtype for column in columns}
    if _package(X) == "pandas" and len(kinds) == 1 and {*map(type, X.dtypes)} <= {type(kind) for kind in kinds}:
        return dense_rows(X.to_numpy())  # shares the memory of a frame that is one block
    rows = np.empty((X.shape[0], len(columns)), np.result_type(*kinds))
    for j, column in enumerate(columns):
        rows[:, j] = column
    return dense_rows(rows)


def check_distinct(labels: list[str], name: str) -> None:
    """Raise InputError if two columns have the same name."""
    if len(set(labels)) < len(labels):
        twice = next(label for i, label in enumerate(labels) if label in labels[:i])
        raise InputError(
            f"found two columns called {twice!r}; column names must be unique: rename one, or give the numbers without "
            "names (to_numpy())",
            name,
        )


def names_of(X: Any) -> list[str] | None:
    """Return the column names of a frame; None for anything else."""
    if is_dask_frame(X):
        return [str(label) for label in X.columns]
    return [label for label, _ in frame_columns(X)] if is_frame(X) else None


def frame_columns(X: Any) -> list[tuple[str, Any]]:
    """Return (name, column) of each column."""
    package = _package(X)
    if package == "pandas":
        return [(str(label), X.iloc[:, j]) for j, label in enumerate(X.columns)]
    if package == "polars":
        return [(series.name, series) for series in X.get_columns()]
    return [(label, X.column(j)) for j, label in enumerate(X.schema.names)]


def _package(X: Any) -> str:
    return str(type(X).__module__.partition(".")[0])


def _numbers(column: Any, label: str, name: str) -> np.ndarray:
    """Return the column's values as numbers, NaN where one is missing; raise InputError if it has no numbers."""
    package = _package(column)
    if package == "pandas":
        own = getattr(column.dtype, "numpy_dtype", column.dtype)
        if not isinstance(own, np.dtype) or own.kind not in "fiub":
            raise _refused(name, label, str(column.dtype))
        if isinstance(column.dtype, np.dtype) or not column.hasnans:
            return np.asarray(column.to_numpy(dtype=own))
        return np.asarray(column.to_numpy(dtype=own if own.kind == "f" else np.float64, na_value=np.nan))
    if package == "polars":
        numeric, missing = column.dtype.is_numeric() or str(column.dtype) == "Boolean", column.null_count()
        if not numeric or str(column.dtype).startswith("Decimal"):
            raise _refused(name, label, str(column.dtype))
        import polars

        return np.asarray((column.cast(polars.Float64) if missing else column).to_numpy())
    import pyarrow

    kinds, kind = pyarrow.types, column.type
    if not (kinds.is_floating(kind) or kinds.is_integer(kind) or kinds.is_boolean(kind)):
        raise _refused(name, label, str(kind))
    whole = column.cast(pyarrow.float64()) if column.null_count and not kinds.is_floating(kind) else column
    return np.asarray(whole.to_numpy() if hasattr(whole, "chunks") else whole.to_numpy(zero_copy_only=False))


def numbers_of_column(column: Any) -> np.ndarray | None:
    """Return a column of a frame, or an array, as numbers, a missing one as NaN; None if its type is not numeric."""
    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "fiub" else None
    try:
        return _numbers(column, "", "X") if hasattr(column, "dtype") or hasattr(column, "type") else None
    except InputError:
        return None


def _refused(name: str, label: str, dtype: str) -> InputError:
    return InputError(
        f"column {label!r} holds {dtype}, numbers were expected; drop it, or encode it as numbers first "
        "(e.g. with scikit-learn's OneHotEncoder or OrdinalEncoder); novikoff.auto(df, label=…) prepares every column",
        name,
    )
