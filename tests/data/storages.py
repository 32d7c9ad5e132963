"""The same numbers in every storage that holds them exactly."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import scipy.sparse as sp

Store = Callable[[Any], Any]
TYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
         "bool"]  # fmt: skip


def c_order(dtype: str) -> Store:
    return lambda X: np.ascontiguousarray(X, dtype)


def f_order(dtype: str) -> Store:
    return lambda X: np.asfortranarray(X, dtype)


def every_other_row(X: Any) -> Any:
    wide = np.zeros((2 * len(X), X.shape[1]))
    wide[::2] = X
    return wide[::2]


def every_other_column(X: Any) -> Any:
    wide = np.zeros((len(X), 2 * X.shape[1]), np.float32 if held(X, "float32") else np.float64)
    wide[:, 1::2] = X
    return wide[:, 1::2]


def backwards(X: Any) -> Any:
    return X[::-1, ::-1].copy()[::-1, ::-1]


def big_endian(X: Any) -> Any:
    return X.astype(">f8")


def objects(X: Any) -> Any:
    return X.astype(object)


def lists(X: Any) -> Any:
    return X.tolist()


def memory_mapped(X: Any) -> Any:
    with tempfile.TemporaryFile(suffix=".npy") as file:  # the mapping outlives the file's name
        np.save(file, np.ascontiguousarray(X))
        file.flush()
        return np.memmap(file, X.dtype, "r", file.tell() - X.nbytes, X.shape)


def sparse(kind: Any, dtype: str, index: str = "int32") -> Store:
    def store(X: Any) -> Any:
        S = kind(X.astype(dtype))
        S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
        return S

    return store


def unsorted(X: Any) -> Any:
    """Columns of each row in falling order."""
    S = sp.csr_matrix(X)
    order = np.concatenate([np.arange(b - 1, a - 1, -1) for a, b in zip(S.indptr[:-1], S.indptr[1:], strict=True)])
    order = order.astype(int)
    return sp.csr_matrix((S.data[order], S.indices[order], S.indptr), shape=S.shape)


def twice(X: Any) -> Any:
    """Every entry stored as two that sum to it."""
    S = sp.csr_matrix(X)
    values = np.column_stack([S.data / 2, S.data / 2]).ravel()
    return sp.csr_matrix((values, np.repeat(S.indices, 2), S.indptr * 2), shape=S.shape)


def named(X: Any) -> dict[str, Any]:
    return {f"x{j}": X[:, j] for j in range(X.shape[1])}


def mixed(X: Any) -> dict[str, Any]:
    """Each column in the smallest type that holds it."""
    return {name: column.astype(next(t for t in SMALLEST if held(column, t))) for name, column in named(X).items()}


SMALLEST = ["bool", "int8", "float16", "int16", "float32", "int32", "float64"]


def held(X: Any, dtype: str) -> bool:
    """Whether the type holds every number."""
    with np.errstate(all="ignore"):
        return bool(np.array_equal(X.astype(dtype).astype(np.float64), X))


def chunked(X: Any) -> Any:
    half = len(X) // 2
    return pa.concat_tables([pa.table(named(X[:half])), pa.table(named(X[half:]))])


STORAGES: dict[str, tuple[str, Store]] = {
    **{f"C {t}": (t, c_order(t)) for t in TYPES},
    **{f"F {t}": (t, f_order(t)) for t in ("float64", "float32", "int8", "int64")},
    "every other row": ("float64", every_other_row),
    "every other column": ("float64", every_other_column),
    "backwards": ("float64", backwards),
    "big endian": ("float64", big_endian),
    "objects": ("float64", objects),
    "lists": ("float64", lists),
    "memory-mapped": ("float64", memory_mapped),
    **{f"csr {t}": (t, sparse(sp.csr_matrix, t)) for t in ("float64", "float32", "int64", "uint8", "bool")},
    "csr array 64-bit": ("float64", sparse(sp.csr_array, "float64", "int64")),
    "csr unsorted": ("float64", unsorted),
    "csr duplicates": ("halves", twice),
    "csc": ("float64", sparse(sp.csc_matrix, "float64")),
    "csc array int32 64-bit": ("int32", sparse(sp.csc_array, "int32", "int64")),
    "coo": ("float64", sp.coo_matrix),
    "pandas": ("float64", pd.DataFrame),
    "pandas mixed": ("float64", lambda X: pd.DataFrame(mixed(X))),
    "pandas nullable": ("float64", lambda X: pd.DataFrame(mixed(X)).convert_dtypes()),
    "polars": ("float64", lambda X: pl.DataFrame(named(X))),
    "polars mixed": ("float64", lambda X: pl.DataFrame({k: pl.Series(v) for k, v in mixed(X).items()})),
    "pyarrow": ("float64", lambda X: pa.table(named(X))),
    "pyarrow mixed": ("float64", lambda X: pa.table(mixed(X))),
    "pyarrow chunks": ("float64", chunked),
}


def stored_as(name: str, X: np.ndarray) -> Any:
    """The same numbers in this storage; None if it does not hold them all."""
    dtype, store = STORAGES[name]
    if dtype != "halves":
        return store(X) if held(X, dtype) else None
    with np.errstate(all="ignore"):
        return store(X) if np.array_equal(X / 2 + X / 2, X) else None


def storages_of(X: np.ndarray) -> Iterator[tuple[str, Any]]:
    """(name, the same numbers) for every storage that holds them."""
    for name in STORAGES:
        rows = stored_as(name, X)
        if rows is not None:
            yield name, rows
