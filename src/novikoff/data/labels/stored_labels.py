"""Labels that stay in their file with the rows: in memory are the distinct labels, and how many rows have each.

    label in the file → code (order of first occurrence) → class (sorted, perhaps renamed) → sign or index

A pass over the file reads the labels of its rows with them and converts them by `LabelCoding`. A number for each class,
such as its sign, is a `ClassValues`: what `Problem.y` is for rows whose labels stay in the file.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from novikoff.data.labels.label_codes import Coded, code_type

FEW = 8  # numeric labels compared one by one: faster than sorting


class UnknownLabelError(ValueError):
    """A label that the first reading of the file did not find."""


class LabelCoding:
    """numbers: the code of each distinct label, as the reader of the file returns it. counts: the rows of each code.

    kept: the codes of all rows, once they are in memory; other processes do not get them.
    """

    def __init__(self, numbers: dict[Any, int], counts: np.ndarray, kept: np.ndarray | None = None) -> None:
        self.numbers, self.counts, self.kept = numbers, counts, kept

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"kept": None}

    @property
    def n(self) -> int:
        """The number of rows."""
        return int(self.counts.sum())

    def codes(self, labels: Any) -> np.ndarray:
        """Return the codes of the labels of a chunk; raise UnknownLabelError for a label that has none."""
        kind = code_type(len(self.numbers))
        try:
            if isinstance(labels, list):
                return np.fromiter((self.numbers[label] for label in labels), kind, len(labels))
            if len(self.numbers) <= FEW:
                return self._compared(labels, kind)
            different, place = np.unique(labels, return_inverse=True)
            return np.array([self.numbers[label] for label in different.tolist()], kind)[place]
        except KeyError as error:
            raise UnknownLabelError(str(error.args[0])) from None

    def _compared(self, labels: np.ndarray, kind: type) -> np.ndarray:
        codes: np.ndarray = np.full(len(labels), -1, kind)
        for label, code in self.numbers.items():
            if not isinstance(label, str):
                codes[labels == label] = code
        if codes.min(initial=0) < 0:
            raise KeyError(labels[int(np.argmin(codes))].item())
        return codes


class ClassValues:
    """One number for each code of rows whose labels stay in their file; `of` gives those of some rows."""

    def __init__(self, values: np.ndarray, coding: LabelCoding) -> None:
        self.values, self.coding = values, coding

    @property
    def size(self) -> int:
        """The number of rows."""
        return self.coding.n

    def of(self, codes: np.ndarray) -> np.ndarray:
        """Return the numbers of rows with these codes."""
        return np.asarray(self.values[codes])

    def occurring(self) -> list[int]:
        """Return the distinct numbers of all rows, sorted."""
        return sorted({int(v) for v in self.values[self.coding.counts > 0]})

    def count(self, value: int) -> int:
        """Return how many rows have this number."""
        return int(self.coding.counts[self.values == value].sum())

    def mapped(self, numbers: np.ndarray) -> ClassValues:
        """Return other numbers: numbers[v] in place of v."""
        return ClassValues(numbers[self.values], self.coding)

    def __neg__(self) -> ClassValues:
        return ClassValues(-self.values, self.coding)


class StoredLabels(Coded):
    """Labels of rows in a file, as `Coded`; `codes` keeps a byte or a few for each row, which it reads if needed.

    place: the class of each code. read: reads the codes of all rows.
    """

    def __init__(
        self,
        classes: np.ndarray,
        place: np.ndarray,
        coding: LabelCoding,
        read: Callable[[LabelCoding], np.ndarray],
    ) -> None:
        self.classes, self.place, self.coding, self.read = classes, place, coding, read
        self._codes: np.ndarray | None = None

    def __len__(self) -> int:
        return self.coding.n

    @property
    def codes(self) -> np.ndarray:  # type: ignore[override]
        """The class index of each row."""
        if self._codes is None:
            same = np.array_equal(self.place, np.arange(len(self.classes)))
            kept = self.file_codes()
            self._codes = kept if same else self.place.astype(code_type(len(self.classes)))[kept]
        return self._codes

    def file_codes(self) -> np.ndarray:
        """Return the code of each row's label in the file."""
        if self.coding.kept is None:
            self.coding.kept = self.read(self.coding)
        return self.coding.kept

    def counts(self) -> np.ndarray:
        total = np.zeros(len(self.classes), np.int64)
        np.add.at(total, self.place, self.coding.counts)
        return total

    def tidy(self) -> StoredLabels:
        there = self.counts() > 0
        if there.all():
            return self
        return self._with(self.classes[there], np.cumsum(there) - 1)

    def renamed(self, rename: Callable[[np.ndarray], np.ndarray]) -> StoredLabels:
        classes, place = np.unique(rename(self.classes), return_inverse=True)
        return self._with(classes, place)

    def among(self, classes: np.ndarray, numbers: np.ndarray) -> StoredLabels:
        """Return the same labels by other classes. numbers: the new index of each class."""
        return self._with(classes, numbers)

    def values(self, of_classes: np.ndarray) -> ClassValues:
        """Return the number of each row, given one for each class."""
        return ClassValues(np.ascontiguousarray(of_classes[self.place]), self.coding)

    def _with(self, classes: np.ndarray, moved: np.ndarray) -> StoredLabels:
        return StoredLabels(classes, moved[self.place], self.coding, self.read)
