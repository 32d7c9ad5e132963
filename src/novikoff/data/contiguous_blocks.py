"""Convert rows that kernels cannot read directly, block by block, into contiguous arrays that fit in the cache.

Kernels read C-contiguous dense float32, float64 and 8-bit arrays, and compressed sparse rows of float32 and float64.
Other types, Fortran order and strided arrays are `Blocks`: `take` converts some rows to a type that holds the same
values. Dense points are never copied as a whole just to change their type; a whole contiguous copy of column-major
storage (`laid_out`) pays off only over many passes. Sparse values of other types, and other sparse formats, are
converted at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Rows = Any  # a C-ordered array (n, d), or (values, columns, starts) of compressed sparse rows; or a Blocks
Which = Any  # a slice of rows, or an array of their numbers

NUMBERS = 1 << 17  # of a block: 1 MB of float64 stays in the cache
WIDE = 50  # from this many columns on 8-bit numbers have their own kernels


class Blocks:  # not an ABC: its instance checks are slow, and every look makes some
    """n rows of d numbers, `stored` of them stored; `take` returns some of them as `dtype`."""

    in_any_order = True  # whether `take` also accepts an array of row indices

    def __init__(self, shape: tuple[int, int], stored: int, dtype: np.dtype) -> None:
        self.shape, self.stored, self.own = shape, stored, dtype

    @property
    def dtype(self) -> np.dtype:
        """The type that kernels get: float32 if it holds every value of the stored type, else float64."""
        return floats_for(self.own)

    @property
    def at_once(self) -> int:
        """Number of rows in a block."""
        n = self.shape[0]
        return max(1, NUMBERS * n // max(self.stored, 1))

    def take(self, which: Which) -> Rows:
        """Return some of the rows in a layout that kernels read."""
        raise NotImplementedError

    def laid_out(self) -> Rows:
        """Return all rows as one contiguous array of their own type; makes at most one copy."""
        raise NotImplementedError


class DenseBlocks(Blocks):
    """Dense array of any real type and any strides."""

    def __init__(self, array: np.ndarray) -> None:
        super().__init__(array.shape, array.size, array.dtype)
        self.array = array
        self.in_any_order = array.shape[1] == 1 or array.strides[1] == array.itemsize

    def take(self, which: Which) -> Rows:
        return self.array[which].astype(self.dtype, order="C")

    def laid_out(self) -> Rows:
        return self if self.in_any_order else dense_rows(np.ascontiguousarray(self.array))


def floats_for(dtype: np.dtype) -> np.dtype:
    """Return float32 if it holds every value of the type, else float64."""
    small = dtype.itemsize <= 2 or dtype == np.float32
    return np.dtype(np.float32 if small else np.float64)


def dense_rows(array: np.ndarray) -> Rows:
    """Return a dense array as rows: unchanged if kernels can read it, converted if it is small, else in blocks."""
    if array.dtype == np.bool_:
        array = array.view(np.uint8)
        if array.size and array.max() > 1:  # of a file, where any byte may stand for true
            array = (array != 0).view(np.uint8)
    if array.flags.c_contiguous and array.dtype in (np.float32, np.float64):
        return _open(array)
    if array.size <= NUMBERS:
        return array.astype(floats_for(array.dtype), order="C")
    if array.flags.c_contiguous and array.dtype in (np.int8, np.uint8) and array.shape[1] >= WIDE:
        return _open(array)
    return DenseBlocks(array)


def sparse_rows(rows: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Rows:
    """Return compressed sparse rows: their values as floats, all else unchanged."""
    values, columns, starts = (_open(np.ascontiguousarray(part)) for part in rows)
    return values.astype(floats_for(values.dtype), copy=False), columns, starts


class _Opened:
    """Expose an array's memory to NumPy without the read-only flag."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array  # keeps the memory
        self.__array_interface__ = array.__array_interface__ | {"data": (array.ctypes.data, False)}


def _open(array: np.ndarray) -> np.ndarray:
    """Return a read-only array without its flag: kernels only read, but would be compiled again for the flag."""
    return array if array.flags.writeable else np.asarray(_Opened(array))
