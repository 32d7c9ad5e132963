"""Store labels as class indices: one, two or four bytes per row, whatever the labels are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

AT_ONCE = 1 << 16  # rows counted at a time: NumPy widens their codes


class Coded:
    """classes: the distinct labels, sorted, possibly more than occur; codes: the class index of each row."""

    ndim = 1

    def __init__(self, classes: np.ndarray, codes: np.ndarray) -> None:
        self.classes = classes
        self.codes: np.ndarray = codes.astype(code_type(len(classes)), copy=False)

    def __len__(self) -> int:
        return int(self.codes.size)

    @property
    def size(self) -> int:
        return len(self)

    @property
    def shape(self) -> tuple[int]:
        return (len(self),)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        labels: np.ndarray = self.classes[self.codes]
        return labels if dtype is None else labels.astype(dtype)

    def __getitem__(self, which: Any) -> Any:
        """Return the labels of some rows."""
        return self.classes[self.codes[which]]

    def tolist(self) -> list[Any]:
        """Return all labels as a list."""
        labels: list[Any] = self.classes[self.codes].tolist()
        return labels

    def some(self, which: Any) -> Coded:
        """Return the coded labels of some rows."""
        return Coded(self.classes, self.codes[which])

    def counts(self) -> np.ndarray:
        """Return the number of rows of each class."""
        total = np.zeros(len(self.classes), np.int64)
        for k in range(0, len(self), AT_ONCE):
            total += np.bincount(self.codes[k : k + AT_ONCE], minlength=total.size)
        return total

    def tidy(self) -> Coded:
        """Return the same labels without classes that do not occur."""
        there = self.counts() > 0
        if there.all():
            return self
        return Coded(self.classes[there], (np.cumsum(there) - 1)[self.codes])

    def renamed(self, rename: Callable[[np.ndarray], np.ndarray]) -> Coded:
        """Rename every class; classes with the same new name are merged."""
        return coded(rename(self.classes), self.codes)


def coded(labels: np.ndarray, codes: np.ndarray) -> Coded:
    """Return coded labels[codes]; labels may be in any order and contain duplicates."""
    classes, place = np.unique(labels, return_inverse=True)
    return Coded(classes, place.astype(code_type(len(classes)))[codes])


def class_counts(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the classes that occur, sorted, and the number of rows of each."""
    if isinstance(y, Coded):
        tidy = y.tidy()
        return tidy.classes, tidy.counts()
    return np.unique(y, return_counts=True)


def code_type(classes: int) -> type:
    """Return the smallest integer type for the indices of so many classes."""
    return np.int8 if classes <= 1 << 7 else np.int16 if classes <= 1 << 15 else np.int32
