"""Rows of a file in memory or, beyond the memory limit, in temporary files, which are then mapped into memory.

Rows are counted as they arrive: nothing is estimated before. The files have no names: the system frees their space as
soon as no array uses them, however the process ends. Only what a pass reads is in memory, and the system takes that
back when it needs memory for something else.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.labels import typed
from novikoff.data.plain_files import NUMBER
from novikoff.errors import InputError
from novikoff.io.memory_limit import LEAST, TEXT, too_large
from novikoff.io.row_labels import coded
from novikoff.io.source import Chunk, Files
from novikoff.prepare.raw_columns import Names

STEP = 1 << 20  # rows that are converted at a time
OFTEN = 1 << 26  # bytes between two looks at the free space
SURE = 0.01  # share of a file after which its rows tell how much space all of them take
RESERVE, PART = 1 << 30, 50  # bytes that stay free on the disk, but at most this part of it
LARGE_FILES = "/var/tmp"  # where systems expect large temporary files; /tmp may be in memory
MORE = 1.25  # growth of an array in memory: realloc moves pages, and takes none before they are used
UNPACKED = 64  # bytes of text beyond the limit, for each byte of a compressed file: texts pack by 3 to 30
EACH = 150  # bytes of a distinct label, at least


class Spill:
    """Where rows are kept: in memory, and in temporary files as soon as they are more than a limit in bytes.

    folder: by default TMPDIR, /var/tmp, or what else the system has for temporary files. limit: None for any number.
    began: called whenever a file is made. progress: is told the share of the file that was read, from then on.

    Attributes
    ----------
    active : whether rows go to files;  held : bytes in memory, or that were;  written : bytes in files
    share : the share of the source that was read before the present chunk; 1 if unknown
    """

    def __init__(
        self,
        folder: str | os.PathLike[str] | None = None,
        limit: int | None = None,
        began: Callable[[Spill], None] | None = None,
        progress: Callable[[float], None] | None = None,
    ) -> None:
        by_default = LARGE_FILES if os.path.isdir(LARGE_FILES) and os.access(LARGE_FILES, os.W_OK) else None
        self.folder = Path(folder or os.environ.get("TMPDIR") or by_default or tempfile.gettempdir())
        self.limit, self.began, self.progress = limit, began, progress
        self.active, self.held, self.written, self.share = False, 0, 0, 1.0
        self.growing = weakref.WeakSet[GrowingArray | GrowingTexts]()

    def more(self) -> Spill:
        """Return where further rows are kept, besides those that are held already."""
        made = copy(self)
        made.growing = weakref.WeakSet()
        return made

    def hold(self, size: int) -> None:
        """Count rows in memory; beyond the limit all that are still growing go to files."""
        self.held += size
        if not self.active and self.limit is not None and self.held > self.limit:
            self.active = True
            for part in list(self.growing):
                part.move()

    def open(self) -> Any:
        """Return a new temporary file."""
        if self.began is not None:
            self.began(self)
        try:
            return tempfile.TemporaryFile(dir=self.folder)
        except OSError as error:
            raise self.error(error.strerror) from error

    def write(self, file: Any, data: np.ndarray) -> None:
        """Write an array at the end of a file; raise InputError if the disk is full, or would soon be."""
        if self.written // OFTEN != (self.written + data.nbytes) // OFTEN:
            self.check_space(data.nbytes)
        try:
            file.write(data.data)
            file.flush()
        except OSError as error:
            raise self.error(error.strerror) from error
        self.written += data.nbytes

    def check_space(self, needed: float) -> None:
        """Raise InputError unless the disk has so many bytes besides the reserve."""
        disk = shutil.disk_usage(self.folder)
        if needed > disk.free - min(RESERVE, disk.total // PART):
            raise self.error(f"about {self.written + needed:,.0f} bytes are needed, and {disk.free:,} are free")

    def error(self, why: str | None) -> InputError:
        """Return the error for rows that cannot be written."""
        return InputError(
            f"{self.folder}: rows larger than the memory limit cannot be written there ({why}); free some space, raise "
            "the limit (memory=), or name a folder on another disk (spill=)"
        )

    def chunks(self, source: Files) -> Iterator[Chunk]:
        """Yield the chunks of a source, to be copied before the next one; check that the disk has room for all."""
        begun, checked = self.written, False
        for file in source.sources:
            file.reused = True
        for chunk in source.chunks():
            share = source.share_before(chunk)
            self.share = share or 1.0
            if self.active:
                if source.now.packed and chunk.byte > UNPACKED * source.now.packed:
                    raise too_large(source.now.name, self.limit or 0)
                if self.progress is not None:
                    self.progress(share)
                if share >= SURE and not checked:
                    checked = True
                    self.check_space((self.written - begun) * (1 / share - 1))
            yield chunk


class GrowingArray:
    """Parts joined along the first axis: an array in memory, or in a temporary file. A single part is used directly."""

    def __init__(self, spill: Spill) -> None:
        self.spill, self.array, self.size, self.own = spill, np.empty(0), 0, False
        self.file: Any = None
        self.shape: tuple[int, ...] = ()
        spill.growing.add(self)
        if spill.active:
            self.move()

    def add(self, part: np.ndarray) -> None:
        """Add rows; if their type does not fit, the array gets one that holds both."""
        begin, end = self.size, self.size + len(part)
        kind = np.result_type(self.array, part) if begin else part.dtype
        if self.file is not None:
            if kind != self.array.dtype and begin:
                self._convert(kind)
            self.array, self.shape, self.size = self.array[:0].astype(kind), part.shape[1:], end
            if part.size:
                self.spill.write(self.file, np.ascontiguousarray(part, kind))
            return
        if not begin:
            self.array = part
        else:
            if not self.own or kind != self.array.dtype:
                array = np.empty((int(MORE * max(end, self.expected(part))), *part.shape[1:]), kind)
                array[:begin] = self.array[:begin]
                self.array, self.own = array, True
            if end > len(self.array):
                self.array.resize((int(MORE * end), *part.shape[1:]), refcheck=False)
            self.array[begin:end] = part
        self.shape, self.size = part.shape[1:], end
        self.spill.hold(part.nbytes)

    def expected(self, part: np.ndarray) -> float:
        """Return how many rows there may be in memory; pages of an array that are never used take none."""
        room = (self.spill.limit or 0) - self.spill.held
        return min(self.size / self.spill.share, self.size + room // max(part.nbytes // max(len(part), 1), 1))

    def move(self) -> None:
        """Move what there is to a temporary file."""
        self.file, array = self.spill.open(), self.array[: self.size]
        weakref.finalize(self, self.file.close)
        self.array = array[:0].copy()
        if array.size:
            self.spill.write(self.file, np.ascontiguousarray(array))

    def _convert(self, kind: np.dtype | type) -> None:
        """Write the array in a file again, in another type."""
        whole, made = self.whole(), GrowingArray(self.spill)
        for lo in range(0, self.size, STEP):
            made.add(whole[lo : lo + STEP].astype(kind))
        self.wider, self.file = made, made.file  # `made` closes its file when nothing refers to it
        self.array = self.array.astype(kind)

    def whole(self) -> np.ndarray:
        """Return the array, mapped if it is in a file; nothing can be added afterwards."""
        self.spill.growing.discard(self)
        shape = (self.size, *self.shape)
        if self.file is None:
            if self.own:
                self.array.resize(shape, refcheck=False)
            return self.array
        if not self.size or 0 in shape:
            return np.empty(shape, self.array.dtype)
        mapped: np.ndarray = np.memmap(self.file, self.array.dtype, "r+", shape=shape)
        return mapped.view(np.ndarray)

    def whole_as(self, kind: type) -> np.ndarray:
        """Return the array in this type."""
        if self.file is None:
            return self.whole().astype(kind, copy=False)
        if self.array.dtype != kind:
            self._convert(kind)
        return self.whole()


class GrowingMatrix:
    """Rows of numbers: arrays, or compressed sparse rows, joined."""

    def __init__(self, spill: Spill) -> None:
        self.spill, self.parts, self.n, self.width = spill, list[GrowingArray](), 0, 0

    @property
    def is_sparse(self) -> bool:
        """Whether the rows are compressed sparse rows."""
        return len(self.parts) > 1

    def add(self, X: Any) -> None:
        """Add an array, or a matrix of compressed sparse rows."""
        sparse = hasattr(X, "indptr")
        if not self.parts:
            self.parts = [GrowingArray(self.spill) for _ in range(3 if sparse else 1)]
            if sparse:
                self.parts[2].add(np.zeros(1, np.int64))
        arrays = (X.data, X.indices, X.indptr[1:] + np.int64(self.parts[0].size)) if sparse else (X,)
        for part, array in zip(self.parts, arrays, strict=True):
            part.add(array)
        self.n, self.width = self.n + X.shape[0], max(self.width, X.shape[1])

    def whole(self, first: int = 0, width: int = 0) -> Any:
        """Return all rows. first: the number of the first column so far. width: columns, at least."""
        if not self.is_sparse:
            return self.parts[0].whole()
        from scipy.sparse import csr_matrix

        width = max(width, self.width - first)
        kind = np.int32 if max(self.parts[0].size, width) < 2**31 else np.int64
        columns, starts = (part.whole_as(kind) for part in self.parts[1:])
        if first:
            columns -= columns.dtype.type(first)
        return csr_matrix((self.parts[0].whole(), columns, starts), shape=(self.n, width))


class GrowingTexts:
    """Texts: a list or, in temporary files, UTF-8."""

    def __init__(self, spill: Spill) -> None:
        self.spill, self.texts = spill, list[str]()
        self.letters: GrowingArray | None = None
        spill.growing.add(self)
        if spill.active:
            self.move()

    def extend(self, texts: Sequence[str]) -> None:
        """Add texts."""
        if self.letters is None:
            self.texts += texts
            self.spill.hold(TEXT * len(texts) + sum(map(len, texts)))
            return
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.ends.add(self.letters.size + np.cumsum([len(text) for text in raw], dtype=np.int64))
        self.letters.add(np.frombuffer(b"".join(raw), np.uint8))

    def move(self) -> None:
        """Move what there is to temporary files."""
        self.letters, self.ends, texts = GrowingArray(self.spill), GrowingArray(self.spill), self.texts
        self.ends.add(np.zeros(1, np.int64))
        self.texts = []
        for lo in range(0, len(texts), STEP):
            self.extend(texts[lo : lo + STEP])

    def whole(self) -> Sequence[str]:
        """Return the texts; those in a file are read on access."""
        self.spill.growing.discard(self)
        if self.letters is None:
            return self.texts
        letters, ends = self.letters.whole(), self.ends.whole()

        def text(i: int) -> str:
            return letters[ends[i] : ends[i + 1]].tobytes().decode("utf-8", "surrogatepass")

        return Names(self.ends.size - 1, text)


class GrowingLabels:
    """Labels of rows: the distinct ones, in the order in which they occur, and the code of each row's label."""

    def __init__(self, name: str, spill: Spill) -> None:
        self.name, self.spill, self.codes, self.has_texts, self.distinct = (
            name,
            spill,
            GrowingArray(spill),
            False,
            0,
        )  # distinct: bytes of the distinct labels
        self.known: dict[Any, int] = {}
        self.kinds: set[np.dtype] = set()  # types of numeric labels
        self.files: dict[str, tuple[bool, Any]] = {}  # whether all its labels are numbers, and one that is or is not

    def add(self, labels: Any, file: str) -> None:
        """Add the labels of the next rows; raise InputError if too many differ. file: where they are."""
        known, before = self.known, len(self.known)
        if isinstance(labels, list):
            self.has_texts |= bool(labels)
        else:
            self.kinds.add(labels.dtype)
        different, place = coded(labels)
        codes = np.array([known.setdefault(label, len(known)) for label in different], np.int32)[place]
        new = list(islice(known, before, None))
        self.distinct += sum(EACH + len(str(label)) for label in new)
        if self.spill.limit is not None and self.distinct > max(self.spill.limit, LEAST):
            raise too_large(self.name, self.spill.limit)
        if self.files.get(file, (True,))[0]:
            words = [label for label in {*labels[:1], *new} if not NUMBER.fullmatch(str(label).strip())]
            self.files[file] = not words, words[0] if words else labels[0]
        self.codes.add(codes)

    def whole(self) -> np.ndarray:
        """Return the labels: integers, other numbers, or texts; raise InputError if files have different kinds."""
        (first, (numeric, label)), *others = self.files.items()
        for file, (is_numeric, found) in others:
            if is_numeric != numeric:
                kinds = ("numbers", "texts") if numeric else ("texts", "numbers")
                raise InputError(
                    f"found labels that are {kinds[1]}, such as {found!r}; {kinds[0]} were expected, such as "
                    f"{label!r} in {first}: write the labels of all files alike",
                    file=file,
                )
        different, codes = distinct_labels(self.known, self.kinds, self.has_texts, self.name), self.codes.whole()
        labels = GrowingArray(self.spill.more())
        if self.spill.limit is not None and different.itemsize * codes.size + self.spill.held > self.spill.limit:
            self.spill.check_space(different.itemsize * codes.size)
        for lo in range(0, codes.size, STEP):
            labels.add(different[codes[lo : lo + STEP]])
        return labels.whole()


def labels_of(labels: Any) -> np.ndarray:
    """Return the labels of one chunk: integers, other numbers, or texts."""
    return distinct_labels(labels, set() if isinstance(labels, list) else {labels.dtype}, isinstance(labels, list), "y")


def distinct_labels(labels: Any, kinds: set[np.dtype], texts: bool, name: str) -> np.ndarray:
    """Return labels as integers, other numbers, or texts if some are texts. kinds: the types of the numeric ones."""
    if texts or not len(labels):
        try:
            return np.asarray(typed([str(label) for label in labels]))
        except InputError as error:
            raise InputError(error.message, file=name) from None
    numbers = np.array(list(labels), np.result_type(*kinds))
    whole = numbers.dtype.kind == "f" and (np.abs(numbers) < 2.0**53).all() and (numbers == np.floor(numbers)).all()
    return numbers.astype(np.int64) if whole else numbers
