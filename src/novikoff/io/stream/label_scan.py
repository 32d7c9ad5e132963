"""Collect the labels of a file chunk by chunk: each distinct label once, and how many rows have it.

The labels themselves stay in the file. The codes of few rows (`KEPT` bytes) are kept, so that a run over a file of
moderate size does not read it once more for them.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from novikoff.data.labels.label_codes import code_type
from novikoff.data.labels.label_types import typed
from novikoff.data.labels.stored_labels import LabelCoding, StoredLabels, UnknownLabelError
from novikoff.errors import InputError
from novikoff.io.stream.chunk_source import Source, joined, labels_of

EACH = 150  # bytes of a distinct label, at least
KEPT = 1 << 20  # bytes of codes that stay in memory


class LabelScan:
    """The distinct labels of chunks, in the order in which they occur, and the number of rows of each."""

    def __init__(self, kept: int | None = None) -> None:
        """kept: how many bytes of codes stay in memory, KEPT by default."""
        self.most = KEPT if kept is None else kept
        self.numbers: dict[Any, int] = {}
        self.counts: list[int] = []
        self.kinds: set[np.dtype] = set()  # types of numeric labels
        self.spelled = False  # whether a chunk has texts
        self.size = 0  # bytes that a run keeps of them
        self.kept: list[np.ndarray] | None = []  # codes of all rows, if they are few

    def add(self, labels: Any) -> None:
        """Add the labels of the next chunk."""
        number, known = self.numbers, len(self.numbers)
        if isinstance(labels, list):
            self.spelled |= bool(labels)
            codes = np.fromiter((number.setdefault(label, len(number)) for label in labels), np.int32, len(labels))
        else:
            self.kinds.add(labels.dtype)
            different, place = np.unique(labels, return_inverse=True)
            codes = np.array([number.setdefault(label, len(number)) for label in different.tolist()], np.int32)[place]
        self._count(np.bincount(codes, minlength=len(number)).tolist())
        codes = codes.astype(code_type(len(number)))
        longest = max(map(len, labels), default=0) if isinstance(labels, list) else 0
        self.size += codes.nbytes + (len(number) - known) * (EACH + longest)
        if self.size > self.most:
            self.kept = None
        elif self.kept is not None:
            self.kept.append(codes)

    def join(self, more: LabelScan) -> None:
        """Add the labels of the next range of the file."""
        place = np.array([self.numbers.setdefault(label, len(self.numbers)) for label in more.numbers], np.intp)
        counts = np.zeros(len(self.numbers), np.int64)
        counts[place] = more.counts
        self._count(counts.tolist())
        self.kinds |= more.kinds
        self.spelled |= more.spelled
        self.size += more.size
        if self.size > self.most or more.kept is None:
            self.kept = None
        elif self.kept is not None:
            kind = code_type(len(self.numbers))
            self.kept += [place.astype(kind)[codes] for codes in more.kept]

    def _count(self, counts: list[int]) -> None:
        self.counts += [0] * (len(counts) - len(self.counts))
        for code, many in enumerate(counts):
            self.counts[code] += many

    def stored(self, source: Source) -> StoredLabels:
        """Return the labels of all chunks, equal to those of `labels_of`. source: reads them again."""
        different: Any = list(self.numbers)
        if not self.spelled and different:
            different = np.array(different, np.result_type(*self.kinds))
        classes, place = np.unique(labels_of([different]), return_inverse=True)
        kept = None if self.kept is None else joined(self.kept) if self.kept else np.zeros(0, np.int8)
        coding = LabelCoding(self.numbers, np.array(self.counts, np.int64), kept)
        return StoredLabels(classes, place, coding, LabelReader(source))

    def example(self) -> tuple[bool, Any]:
        """Return whether the labels are numbers, and one that is not, or any."""
        for label in self.numbers:
            if isinstance(label, str) and typed([label]).dtype.kind not in "if":
                return False, label
        return True, next(iter(self.numbers))


def check_label_types(files: Sequence[Source], of_files: Sequence[LabelScan]) -> None:
    """Raise InputError if the labels of one file are numbers and those of another are not."""
    kinds = {True: "numbers", False: "texts"}
    first: tuple[str, tuple[bool, Any]] | None = None
    for file, labels in zip(files, of_files, strict=True):
        if not labels.numbers:
            continue
        found = labels.example()
        first = first or (file.name, found)
        if found[0] != first[1][0]:
            name, (numeric, label) = first
            raise InputError(
                f"{file.name}: found labels that are {kinds[found[0]]}, such as {found[1]!r}; {kinds[numeric]} were "
                f"expected, such as {label!r} in {name}: write the labels of all files alike"
            )


class LabelReader:
    """Reads the codes of the labels of all rows of a source."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __call__(self, coding: LabelCoding) -> np.ndarray:
        """Return the code of each row; raise InputError if the file was changed since its first reading."""
        codes: np.ndarray = np.empty(coding.n, code_type(len(coding.numbers)))
        at = 0
        for chunk in copy(self.source).chunks():
            some = coded_labels(coding, chunk.labels, self.source)
            if at + some.size > codes.size:
                raise changed(self.source)
            codes[at : at + some.size] = some
            at += some.size
        if at != codes.size:
            raise changed(self.source)
        return codes


def coded_labels(coding: LabelCoding, labels: Any, source: Source) -> np.ndarray:
    """Return the codes of the labels of a chunk; raise InputError for a label that the first reading did not find."""
    try:
        return coding.codes(labels)
    except UnknownLabelError:
        raise changed(source) from None


def changed(source: Source, file: str | None = None) -> InputError:
    """Return the error for a file that is not as its first reading found it. file: its name, if it is known."""
    return InputError(f"{file or source.name}: the file was changed while it was read")
