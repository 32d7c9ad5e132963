"""A canvas of dots in a terminal: every character cell has 2 × 4 dots, shown as one Braille character."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

BRAILLE = 0x2800
BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # of a dot, by its row and column in a cell
PATTERNS = {"solid": (1,), "dashed": (1, 1, 1, 1, 1, 0, 0, 0), "dashdot": (1, 1, 1, 1, 1, 0, 0, 1, 0, 0),
            "dotted": (1, 0, 0)}  # fmt: skip


class DotCanvas:
    """Dots in a rectangle of `columns` × `rows` cells; (0, 0) is the top left dot. Characters replace whole cells."""

    def __init__(self, columns: int, rows: int, unicode: bool = True) -> None:
        self.columns, self.rows, self.unicode = columns, rows, unicode
        self.dots = np.zeros((4 * rows, 2 * columns), bool)
        self.characters: dict[tuple[int, int], str] = {}

    def dot(self, x: float, y: float) -> None:
        """Set the dot nearest to (x, y); outside the canvas nothing happens."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return
        column, row = math.floor(x + 0.5), math.floor(y + 0.5)
        if 0 <= row < self.dots.shape[0] and 0 <= column < self.dots.shape[1]:
            self.dots[row, column] = True

    def line(self, start: Sequence[float], end: Sequence[float], style: str = "solid", begun: int = 0) -> int:
        """Draw a line, cut at the edges; begun: the dots of the pattern already used. Return the dots used in all."""
        cut = self._clipped(start, end)
        if cut is None:
            return begun
        (x0, y0), (x1, y1) = cut
        steps = max(1, math.ceil(max(abs(x1 - x0), abs(y1 - y0))))
        pattern = PATTERNS[style]
        for k in range(steps + 1):
            if pattern[(begun + k) % len(pattern)]:
                self.dot(x0 + (x1 - x0) * k / steps, y0 + (y1 - y0) * k / steps)
        return begun + steps

    def put(self, x: float, y: float, character: str) -> None:
        """Put a character into the cell of the dot (x, y)."""
        if not (math.isfinite(x) and math.isfinite(y)):
            return
        column, row = math.floor((x + 0.5) / 2), math.floor((y + 0.5) / 4)
        if 0 <= row < self.rows and 0 <= column < self.columns:
            self.characters[row, column] = character

    def write(self, x: float, y: float, text: str, align: str = "left") -> None:
        """Write a text from the cell of the dot (x, y), shifted so that it stays on the canvas."""
        column, row = math.floor((x + 0.5) / 2), math.floor((y + 0.5) / 4)
        column -= {"left": 0, "center": len(text) // 2, "right": len(text)}[align]
        column = max(0, min(column, self.columns - len(text)))
        if 0 <= row < self.rows:
            for k, character in enumerate(text[: self.columns]):
                self.characters[row, column + k] = character

    def lines(self) -> list[str]:
        """Return the rows of characters."""
        return ["".join(self._cell(row, column) for column in range(self.columns)) for row in range(self.rows)]

    def _cell(self, row: int, column: int) -> str:
        if (row, column) in self.characters:
            return self.characters[row, column]
        cell = self.dots[4 * row : 4 * row + 4, 2 * column : 2 * column + 2]
        if not cell.any():
            return " "
        if not self.unicode:
            return "."
        return chr(BRAILLE + sum(BITS[i][j] for i in range(4) for j in range(2) if cell[i, j]))

    def _clipped(self, start: Sequence[float], end: Sequence[float]) -> list[tuple[float, float]] | None:
        """Return the part of a segment on the canvas (Liang and Barsky)."""
        (x0, y0), (x1, y1) = start, end
        if not all(math.isfinite(v) for v in (x0, y0, x1, y1)):
            return None
        first, last = 0.0, 1.0
        for p, q in ((x0 - x1, x0 + 0.5), (x1 - x0, self.dots.shape[1] - 0.5 - x0),
                     (y0 - y1, y0 + 0.5), (y1 - y0, self.dots.shape[0] - 0.5 - y0)):  # fmt: skip
            if p == 0 and q < 0:
                return None
            if p < 0:
                first = max(first, q / p)
            elif p > 0:
                last = min(last, q / p)
        if first > last:
            return None
        return [(x0 + t * (x1 - x0), y0 + t * (y1 - y0)) for t in (first, last)]
