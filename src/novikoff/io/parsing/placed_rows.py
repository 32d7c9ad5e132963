"""Sparse rows that threads read in chunks and copy to their place in arrays for all rows: once, and at the same time.

    thread: read chunk k → wait for the turn of k → take the place after chunk k − 1 → copy (others copy theirs)

The place of a chunk is known when the sizes of all chunks before it are, so only that is done in order. The arrays grow
as those of `growing_arrays` do: the bytes that were read tell how many there will be. No thread copies while they grow.
"""

from __future__ import annotations

import threading

import numpy as np

from novikoff.io.parsing.growing_arrays import MORE, SPARE, Sparse


class Placed:
    """What a chunk has instead of rows that are in their place already: how many, and their size in memory."""

    def __init__(self, rows: int, nbytes: int) -> None:
        self.rows, self.nbytes = rows, nbytes

    def __len__(self) -> int:
        return self.rows


class PlacedRows:
    """Compressed sparse rows of chunks, each copied to its place. total: bytes of all chunks' text; None if unknown."""

    def __init__(self, total: int | None) -> None:
        self.total, self.text = total, 0  # bytes of all chunks, and of those that have a place
        self.row = self.pair = self.turn = self.copying = 0
        self.first = 0  # what was subtracted from every column
        self.stopped, self.changed = False, threading.Condition()
        self.arrays: list[np.ndarray] = [np.empty(0), np.empty(0, np.int32), np.zeros(1, np.int64)]

    def place(self, number: int, rows: Sparse, text: int) -> Placed:
        """Copy the rows of a chunk to their place, in the turn of its number. text: its bytes."""
        values, columns, starts = rows
        n, m = len(starts) - 1, len(values)
        with self.changed:
            self.changed.wait_for(lambda: self.turn == number or self.stopped)
            if self.stopped:  # a chunk before it has an error, which is raised
                return Placed(0, 0)
            row, pair, self.text = self.row, self.pair, self.text + text
            self._make_room(row + n, pair + m, columns.dtype)
            self.row, self.pair, self.turn, self.copying = row + n, pair + m, number + 1, self.copying + 1
            arrays = tuple(self.arrays)
            self.changed.notify_all()
        try:
            self._copy(arrays, rows, row, pair)
        finally:
            with self.changed:
                self.copying -= 1
                self.changed.notify_all()
        return Placed(n, values.nbytes + columns.nbytes + starts.nbytes)

    def _copy(self, arrays: tuple[np.ndarray, ...], rows: Sparse, row: int, pair: int) -> None:
        values, columns, starts = rows
        n, m = len(starts) - 1, len(values)
        arrays[0][pair : pair + m] = values
        np.subtract(columns, self.first, out=arrays[1][pair : pair + m], casting="unsafe")
        np.add(starts[1:], pair, out=arrays[2][row + 1 : row + n + 1])

    def stop(self) -> None:
        """Let threads that wait for their turn end: it will not come."""
        with self.changed:
            self.stopped = True
            self.changed.notify_all()

    def _make_room(self, rows: int, pairs: int, kind: np.dtype) -> None:
        """Make the arrays large enough for so many rows and pairs; no other thread may copy meanwhile."""
        wider = np.result_type(self.arrays[1], kind)
        sizes = [pairs, pairs, rows + 1]
        fits = all(array.size >= size for array, size in zip(self.arrays, sizes, strict=True))
        if fits and wider == self.arrays[1].dtype:
            return
        self.changed.wait_for(lambda: self.copying == 0)
        if wider != self.arrays[1].dtype:
            self.arrays[1] = self.arrays[1].astype(wider)
        share = self.text / self.total if self.total else 0.0
        for k, (array, size) in enumerate(zip(self.arrays, sizes, strict=True)):
            if array.size >= size:
                continue
            room = size if share >= 1 else int(SPARE * size / share if share else MORE * size) + 1
            if array.size > 1:
                array.resize(room, refcheck=False)
            else:  # memory that is not touched before it is used
                self.arrays[k] = np.empty(room, array.dtype)
                self.arrays[k][: array.size] = array

    def rows(self, first: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return (values, columns, starts), with columns from 0; nothing can be added afterwards."""
        values, columns, starts = self.arrays
        for array, size in zip(self.arrays, (self.pair, self.pair, self.row + 1), strict=True):
            array.resize(size, refcheck=False)
        if first != self.first:
            columns += columns.dtype.type(self.first - first)
            self.first = first
        return values, columns, starts.astype(np.int32) if self.pair < 2**31 else starts
