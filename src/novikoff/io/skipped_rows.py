"""Rows of a file that are left out for a missing value; the others keep their numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from novikoff.data.row_numbers import RowNumbers

NONE = np.zeros(0, np.int64)


class LeftOut:
    """The rows left out, collected chunk by chunk. before: for each, how many rows were kept before it."""

    def __init__(self) -> None:
        self.kept = 0
        self.before: list[np.ndarray] = []

    def add(self, kept: int, places: np.ndarray = NONE) -> None:
        """Add a chunk: how many rows were kept, and the indices of those left out among all of the chunk."""
        if len(places):
            self.before.append(self.kept + places - np.arange(len(places)))
        self.kept += kept

    def then(self, others: Iterable[LeftOut]) -> LeftOut:
        """Return these rows followed by those of other files."""
        both = LeftOut()
        for one in (self, *others):
            both.before += [before + both.kept for before in one.before]
            both.kept += one.kept
        return both

    def numbers(self) -> RowNumbers | None:
        """Return the numbers in the file of the rows that were kept; None if none was left out."""
        return RowNumbers(self.kept, np.concatenate(self.before)) if self.before else None

    def number(self, row: int) -> int:
        """Return the number in the file, from 0, of a kept row."""
        numbers = self.numbers()
        return row if numbers is None else int(numbers[row])
