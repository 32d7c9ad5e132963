"""Rows of dask arrays and dask data frames: blocks of rows that are computed when they are needed.

dask is not imported unless its collections are used. A collection whose rows are split (an array in blocks of columns)
is refused; blocks of rows of any size are accepted, and no result depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Blocks, Rows, Which
from novikoff.errors import InputError

Convert = Callable[[Any, str], Rows]  # a block, and the name of the argument


def is_dask(X: Any) -> bool:
    """Return whether X is a dask array, data frame or series."""
    return type(X).__module__.partition(".")[0] == "dask" and hasattr(X, "__dask_graph__")


def is_dask_frame(X: Any) -> bool:
    """Return whether X is a dask data frame."""
    return is_dask(X) and hasattr(X, "columns")


def empty_frame(X: Any) -> Any:
    """Return a pandas frame with the columns of a dask frame, and no rows."""
    return X._meta


def computed(y: Any) -> Any:
    """Return labels in memory: those of a dask array or series are computed."""
    return y.compute() if is_dask(y) else y


def needed_in_memory(name: str, what: str = "this") -> InputError:
    """Return the error for a dask collection where all rows must be in memory."""
    return InputError(
        f"found a dask collection, and {what} needs all rows in memory; pass {name}.compute(), and y.compute()", name
    )


def blocks_of_rows(X: Any, name: str) -> list[Any]:
    """Return the blocks of rows of a dask collection, as `Delayed`; raise InputError if rows are split."""
    if is_dask_frame(X):
        return list(X.to_delayed())
    if X.ndim != 2:
        raise InputError(
            f"Expected 2D array, got {X.ndim}D array instead. Reshape your data: {name}.reshape(-1, 1) for one feature",
            name,
        )
    if X.numblocks[1] != 1:
        raise InputError(
            f"found a dask array split by columns (blocks of {', '.join(map(str, X.chunks[1]))} columns); "
            f"blocks of whole rows were expected: {name}.rechunk({{1: -1}})",
            name,
        )
    if hasattr(X._meta, "tocsr"):
        raise InputError(
            f"found a dask array of sparse blocks; dense blocks were expected: "
            f"{name}.map_blocks(lambda block: block.toarray())",
            name,
        )
    return list(X.to_delayed().ravel())


class DaskRows(Blocks):
    """The rows of a dask array or data frame; the block that was used last stays in memory.

    convert: makes rows of a block in memory, as of any other storage.
    """

    def __init__(self, X: Any, name: str, convert: Convert) -> None:
        import dask

        self.name, self.convert = name, convert
        self.blocks = blocks_of_rows(X, name)
        kinds = _types_of(X, name)
        lengths = [] if is_dask_frame(X) else list(X.chunks[0])
        if not lengths or np.isnan(lengths).any():
            lengths = list(dask.compute(*[dask.delayed(len)(block) for block in self.blocks]))
        self.starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        n, d = int(self.starts[-1]), len(X.columns) if is_dask_frame(X) else int(X.shape[1])
        super().__init__((n, d), n * d, np.result_type(*kinds))
        self._last: tuple[int, Any] = (-1, None)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_last": (-1, None)}

    def take(self, which: Which) -> Rows:
        if isinstance(which, slice):
            return _joined([self._block(k)[a:b] for k, a, b in self._pieces(which.start, which.stop)], self)
        numbers = np.asarray(which)
        out = np.empty((numbers.size, self.shape[1]), self.dtype)
        owner = np.searchsorted(self.starts, numbers, "right") - 1
        for k in np.unique(owner).tolist():
            out[owner == k] = self._block(k)[numbers[owner == k] - self.starts[k]]
        return out

    def laid_out(self) -> Rows:
        raise needed_in_memory(self.name)

    def lazy_rows(self, first: int, end: int) -> Any:
        """Return the rows first ≤ i < end as a `Delayed`, to be computed by a cluster."""
        import dask

        pieces = self._pieces(first, end)
        blocks = [self.blocks[k] for k, _, _ in pieces]
        cut = RowsOfBlocks([(a, b) for _, a, b in pieces], self.name, self.convert, self.dtype, self.shape[1])
        return dask.delayed(cut)(blocks)

    def _pieces(self, first: int, end: int) -> list[tuple[int, int, int]]:
        """Return (block, its first row, its end) for the rows first ≤ i < end."""
        found = []
        for k in range(len(self.blocks)):
            a, b = max(first, int(self.starts[k])), min(end, int(self.starts[k + 1]))
            if a < b:
                found.append((k, a - int(self.starts[k]), b - int(self.starts[k])))
        return found

    def _block(self, k: int) -> np.ndarray:
        if self._last[0] != k:
            self._last = (-1, None)  # one block at a time
            self._last = (k, _dense(self.convert(self.blocks[k].compute(), self.name), self.dtype))
        rows: np.ndarray = self._last[1]
        return rows


class RowsOfBlocks:
    """Operation of a cluster: cut pieces of blocks, and join them as rows."""

    def __init__(self, pieces: list[tuple[int, int]], name: str, convert: Convert, dtype: Any, d: int) -> None:
        self.pieces, self.name, self.convert, self.dtype, self.shape = pieces, name, convert, dtype, (0, d)

    def __call__(self, blocks: list[Any]) -> np.ndarray:
        rows = [_dense(self.convert(block, self.name), self.dtype) for block in blocks]
        return _joined([part[a:b] for part, (a, b) in zip(rows, self.pieces, strict=True)], self)


def _joined(parts: list[np.ndarray], like: Any) -> np.ndarray:
    if not parts:
        return np.zeros((0, like.shape[1]), like.dtype)
    return np.ascontiguousarray(parts[0] if len(parts) == 1 else np.concatenate(parts))


def _dense(rows: Rows, dtype: Any) -> np.ndarray:
    whole = rows.take(slice(0, rows.shape[0])) if isinstance(rows, Blocks) else rows
    return np.asarray(whole.astype(dtype, copy=False))


def _types_of(X: Any, name: str) -> list[np.dtype]:
    """Return the types of the columns; raise InputError for one that holds no numbers."""
    if not is_dask_frame(X):
        if X.dtype.kind not in "fiub":
            raise InputError(f"found a dask array of {X.dtype}; numbers were expected", name)
        return [X.dtype]
    kinds = []
    for label, dtype in X.dtypes.items():
        own = getattr(dtype, "numpy_dtype", dtype)
        if not isinstance(own, np.dtype) or own.kind not in "fiub":
            raise InputError(
                f"column {str(label)!r} holds {dtype}, numbers were expected; drop it, or encode it as numbers", name
            )
        kinds.append(np.dtype(np.float64) if own is not dtype else own)  # a type of pandas may have missing values
    if not kinds:
        raise InputError("found no columns; at least one was expected", name)
    return kinds
