"""Arrays that grow at their end, to join the rows of chunks.

The first chunks tell how long the file is, about, and so how much memory to reserve. If more is needed, realloc moves
pages and does not copy numbers. So the rows of a file are in memory once, however many chunks there are; the array of a
single chunk is used directly.
"""

from __future__ import annotations

import numpy as np

MORE, SPARE = 1.25, 1.02  # growth factors, if the final size is unknown, and if it is known


class Growing:
    """Parts joined along the first axis."""

    def __init__(self) -> None:
        self.array: np.ndarray | None = None
        self.size = 0
        self.own = False  # whether the array is ours, or that of the only part

    def add(self, part: np.ndarray, share: float = 0.0) -> None:
        """Add a part. share: the share of the total that was added before, about; 0 if unknown."""
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
        """Return the array; nothing can be added afterwards."""
        if self.array is None:
            return np.empty(0)
        if self.own:
            self.array.resize((self.size, *self.array.shape[1:]), refcheck=False)
        return self.array

    def whole_as(self, kind: type) -> np.ndarray:
        """Return the array in this type."""
        return self.whole().astype(kind, copy=False)
