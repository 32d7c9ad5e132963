"""Labels by the numbers of their classes: one, two or four bytes a row, whatever the labels are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

AT_ONCE = 1 << 16  # rows counted together: NumPy makes wide numbers of them


class Coded:
    """classes: the different labels, in order, perhaps more than occur; codes: the number of each row's."""

    ndim = 1

    def __init__(self, classes: np.ndarray, codes: np.ndarray) -> None:
        self.classes = classes
        self.codes: np.ndarray = codes.astype(_kind(len(classes)), copy=False)

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
        """The labels of some rows, spelled out."""
        return self.classes[self.codes[which]]

    def tolist(self) -> list[Any]:
        """All labels, spelled out."""
        labels: list[Any] = self.classes[self.codes].tolist()
        return labels

    def some(self, which: Any) -> Coded:
        """Those of some rows."""
        return Coded(self.classes, self.codes[which])

    def counts(self) -> np.ndarray:
        """How many rows each class has."""
        total = np.zeros(len(self.classes), np.int64)
        for k in range(0, len(self), AT_ONCE):
            total += np.bincount(self.codes[k : k + AT_ONCE], minlength=total.size)
        return total

    def tidy(self) -> Coded:
        """The same labels with the classes that occur, and no others."""
        there = self.counts() > 0
        if there.all():
            return self
        return Coded(self.classes[there], (np.cumsum(there) - 1)[self.codes])

    def renamed(self, rename: Callable[[np.ndarray], np.ndarray]) -> Coded:
        """Every class by another name; two of one name are one class."""
        return coded(rename(self.classes), self.codes)


def coded(labels: np.ndarray, codes: np.ndarray) -> Coded:
    """Rows whose labels are labels[codes], where labels may be in any order and some of them the same."""
    classes, place = np.unique(labels, return_inverse=True)
    return Coded(classes, place.astype(_kind(len(classes)))[codes])


def class_counts(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The classes that occur, in order, and how many rows each has."""
    if isinstance(y, Coded):
        tidy = y.tidy()
        return tidy.classes, tidy.counts()
    return np.unique(y, return_counts=True)


def _kind(classes: int) -> type:
    return np.int8 if classes <= 1 << 7 else np.int16 if classes <= 1 << 15 else np.int32
