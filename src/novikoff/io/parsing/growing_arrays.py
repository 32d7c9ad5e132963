"""Rows of chunks, below each other: arrays that grow at their end.

Room is asked for by what the file's first chunks say of its length; where more is needed, the system finds it at the
same place or elsewhere (realloc): pages move, numbers are not copied. So the rows of a file come to lie in memory once,
however many chunks they came in; a chunk that is the only one is left where it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

MORE, SPARE = 1.25, 1.02  # times the room: where it is not known how much there will be, and where it is

Sparse = tuple[Any, Any, Any]  # values, columns, starts


class Growing:
    """An array of the parts that were added, along the first axis."""

    def __init__(self) -> None:
        self.array: np.ndarray | None = None
        self.size = 0
        self.own = False  # whether the array is ours, or that of the only part

    def add(self, part: np.ndarray, share: float = 0.0) -> None:
        """The next part; share: what was added before is about so much of all, where that is known."""
        if self.array is None:
            self.array, self.size = part, len(part)
            return
        end, kind = self.size + len(part), np.result_type(self.array, part)
        room = max(end, int(self.size / share if 0 < share < 1 else end) + 1)
        if not self.own or kind != self.array.dtype:
            array = np.empty((int(SPARE * room), *part.shape[1:]), kind)
            array[: self.size] = self.array[: self.size]
            self.array, self.own = array, True
        if end > len(self.array):
            self.array.resize((max(int(MORE * end), int(SPARE * room)), *part.shape[1:]), refcheck=False)
        self.array[self.size : end] = part
        self.size = end

    def whole(self) -> np.ndarray:
        """The array; nothing is added after."""
        if self.array is None:
            return np.empty(0)
        if self.own:
            self.array.resize((self.size, *self.array.shape[1:]), refcheck=False)
        return self.array


class GrowingRows:
    """Compressed sparse rows of chunks."""

    def __init__(self, parts: Sequence[Sparse] = ()) -> None:
        self.values, self.columns, self.starts = Growing(), Growing(), Growing()
        for part in parts:
            self.add(part)

    def add(self, rows: Sparse, share: float = 0.0) -> None:
        values, columns, starts = rows
        self.starts.add(starts[1:] + np.int64(self.values.size) if self.starts.size else starts, share)
        self.values.add(values, share)
        self.columns.add(columns, share)

    def rows(self, first: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(values, columns, starts), columns from 0 where the first one goes by the number `first`."""
        columns = self.columns.whole()
        if first and self.columns.own:
            columns -= columns.dtype.type(first)
        elif first:
            columns = columns - columns.dtype.type(first)
        starts = self.starts.whole()
        return self.values.whole(), columns, starts.astype(np.int32) if self.values.size < 2**31 else starts
