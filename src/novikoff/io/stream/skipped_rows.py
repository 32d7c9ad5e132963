"""Rows of a file that are left out (a missing value, a line that cannot be read); the others keep their numbers."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from novikoff.data.row_numbers import RowNumbers

NONE = np.zeros(0, np.int64)


class LeftOut:
    """Noted chunk by chunk. before: for each row left out so far, how many rows were kept before it."""

    def __init__(self) -> None:
        self.kept = 0
        self.before: list[np.ndarray] = []

    def add(self, kept: int, places: np.ndarray = NONE) -> None:
        """A chunk of so many rows, and the places of those that were left out among all of the chunk, from 0."""
        if len(places):
            self.before.append(self.kept + places - np.arange(len(places)))
        self.kept += kept

    def then(self, others: Iterable[LeftOut]) -> LeftOut:
        """These rows, and those of other files after them."""
        both = LeftOut()
        for one in (self, *others):
            both.before += [before + both.kept for before in one.before]
            both.kept += one.kept
        return both

    def numbers(self) -> RowNumbers | None:
        """The numbers in the file of the rows that were kept; None where none was left out."""
        return RowNumbers(self.kept, np.concatenate(self.before)) if self.before else None

    def number(self, row: int) -> int:
        """The number in the file, from 0, of a kept row."""
        numbers = self.numbers()
        return row if numbers is None else int(numbers[row])


def together(bad: np.ndarray, missing: Iterable[int]) -> np.ndarray:
    """The places of rows that cannot be read, and of rows with a gap that were counted among the others."""
    gaps = np.array(sorted(missing), np.int64)
    if not bad.size:
        return gaps
    return np.sort(np.concatenate([bad, RowNumbers(0, bad - np.arange(bad.size))[gaps]]))
