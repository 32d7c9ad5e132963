"""Collect the distinct labels of a file chunk by chunk, and check that files have labels of one kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.data.labels import typed
from novikoff.errors import InputError
from novikoff.io.chunk_source import Source

EACH = 150  # bytes of a distinct label, at least


class LabelScan:
    """The distinct labels of chunks, in the order in which they occur. n: how many labels there are."""

    def __init__(self) -> None:
        self.codes: dict[Any, int] = {}
        self.kinds: set[np.dtype] = set()  # types of numeric labels
        self.has_texts = False
        self.n = self.size = 0  # size: bytes of the distinct labels

    def add(self, labels: Any) -> np.ndarray:
        """Add the labels of the next chunk, and return their codes."""
        number, known = self.codes, len(self.codes)
        self.n += len(labels)
        if isinstance(labels, list):
            self.has_texts |= bool(labels)
            codes = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(labels))
        else:
            self.kinds.add(labels.dtype)
            different, place = np.unique(labels, return_inverse=True)
            codes = np.array([number.setdefault(label, len(number)) for label in different.tolist()], np.int32)[place]
        longest = max(map(len, labels), default=0) if isinstance(labels, list) else 0
        self.size += (len(number) - known) * (EACH + longest)
        return codes

    @property
    def labels(self) -> Any:
        """The distinct labels: integers, other numbers, or texts if a chunk has texts."""
        if self.has_texts or not self.codes:
            return typed([str(label) for label in self.codes])
        numbers = np.array(list(self.codes), np.result_type(*self.kinds))
        whole = numbers.dtype.kind == "f" and (np.abs(numbers) < 2.0**53).all() and (numbers == np.floor(numbers)).all()
        return numbers.astype(np.int64) if whole else numbers

    def example(self) -> tuple[bool, Any]:
        """Return whether the labels are numbers, and one that is not, or any."""
        for label in self.codes:
            if isinstance(label, str) and typed([label]).dtype.kind not in "if":
                return False, label
        return True, next(iter(self.codes))


def labels_of(labels: Any) -> Any:
    """Return the labels of one chunk: integers, other numbers, or texts."""
    scan = LabelScan()
    codes = scan.add(labels)
    return scan.labels[codes]


def check_label_types(files: Sequence[Source], of_files: Sequence[LabelScan]) -> None:
    """Raise InputError if the labels of one file are numbers and those of another are not."""
    kinds = {True: "numbers", False: "texts"}
    first: tuple[str, tuple[bool, Any]] | None = None
    for file, labels in zip(files, of_files, strict=True):
        if not labels.codes:
            continue
        found = labels.example()
        first = first or (file.name, found)
        if found[0] != first[1][0]:
            name, (numeric, label) = first
            raise InputError(
                f"{file.name}: found labels that are {kinds[found[0]]}, such as {found[1]!r}; {kinds[numeric]} were "
                f"expected, such as {label!r} in {name}: write the labels of all files alike"
            )
