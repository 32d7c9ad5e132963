"""Rows of a file in memory or, beyond the memory limit, in temporary files, which are then mapped into memory.

The files have no names: the system frees their space as soon as no array uses them, however the process ends. Only what
a pass reads is in memory, and the system takes that back when it needs memory for something else.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.io.chunk_source import Chunk, Source
from novikoff.io.growing_arrays import Growing
from novikoff.io.label_scan import LabelScan, check_label_types
from novikoff.io.memory_limit import LEAST, counted, too_large
from novikoff.io.multi_file import Several
from novikoff.prepare.raw_columns import Names

BLOCK = 1 << 18  # bytes of a chunk of text: several are in memory at a time
STEP = 1 << 20  # rows that are converted at a time
OFTEN = 1 << 26  # bytes between two looks at the free space
SURE = 0.01  # share of a file after which its rows tell how much space all of them take
RESERVE, PART = 1 << 30, 50  # bytes that stay free on the disk, but at most this part of it
LARGE_FILES = "/var/tmp"  # where systems expect large temporary files; /tmp may be in memory


class Spill:
    """Where rows beyond the memory limit are written.

    folder: by default TMPDIR, /var/tmp, or what else the system has for temporary files. progress: is told the share
    of the file that was read.
    """

    def __init__(
        self, folder: str | os.PathLike[str] | None = None, progress: Callable[[float], None] | None = None
    ) -> None:
        by_default = LARGE_FILES if os.path.isdir(LARGE_FILES) and os.access(LARGE_FILES, os.W_OK) else None
        self.folder = Path(folder or os.environ.get("TMPDIR") or by_default or tempfile.gettempdir())
        self.progress, self.written = progress, 0

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

    def chunks(self, source: Source) -> Iterator[Chunk]:
        """Yield the chunks of a source, in constant memory; check first that the disk has room."""
        for file in source.files:
            file.block = BLOCK
        begun, checked = self.written, False
        for chunk in source.chunks():
            share = source.share_before(chunk)
            if self.progress is not None:
                self.progress(share)
            if share >= SURE and not checked:
                checked = True
                self.check_space((self.written - begun) * (1 / share - 1))
            yield chunk


def chunks_of(source: Source, spill: Spill | None, stream: bool = False) -> Iterator[Chunk]:
    """Yield the chunks of a source that have rows, to be copied before the next one is read; spill: where they are
    written. stream: whether it is a stream whose rows are needed more than once.
    """
    for file in source.files:
        file.reused = True
    for chunk in counted(source, stream) if spill is None else spill.chunks(source):
        if len(chunk.labels):
            yield chunk


class GrowingFile:
    """An array in a temporary file, to which parts are added at its end."""

    def __init__(self, spill: Spill) -> None:
        self.spill, self.size, self.shape = spill, 0, tuple[int, ...]()
        self.dtype: np.dtype | None = None
        try:
            self.file = tempfile.TemporaryFile(dir=spill.folder)  # noqa: SIM115
        except OSError as error:
            raise spill.error(error.strerror) from error
        weakref.finalize(self, self.file.close)

    def add(self, part: np.ndarray, share: float = 0.0) -> None:
        """Add rows; if their type does not fit, the array gets one that holds both. share: as in `growing_arrays`."""
        kind = part.dtype if self.dtype is None else np.result_type(self.dtype, part)
        if self.dtype not in (None, kind):
            self.wider = self.converted(kind)  # its file is closed when nothing refers to it
            self.file = self.wider.file
        self.dtype, self.shape, self.size = kind, part.shape[1:], self.size + len(part)
        if part.size:
            self.spill.write(self.file, np.ascontiguousarray(part, kind))

    def converted(self, kind: np.dtype | type) -> GrowingFile:
        """Return the same array in another type."""
        made, whole = GrowingFile(self.spill), self.whole()
        for lo in range(0, self.size, STEP):
            made.add(whole[lo : lo + STEP].astype(kind))
        return made

    def whole(self) -> np.ndarray:
        """Return the array, mapped."""
        shape = (self.size, *self.shape)
        if not self.size or 0 in shape:
            return np.empty(shape, self.dtype)
        mapped: np.ndarray = np.memmap(self.file, self.dtype or float, "r+", shape=shape)
        return mapped.view(np.ndarray)

    def whole_as(self, kind: type) -> np.ndarray:
        """Return the array in this type, mapped."""
        return self.whole() if self.dtype == kind else self.converted(kind).whole()


def growing(spill: Spill | None) -> Growing | GrowingFile:
    """Return an empty array: in a temporary file, or in memory for None."""
    return Growing() if spill is None else GrowingFile(spill)


class GrowingMatrix:
    """Rows of numbers, in temporary files or in memory: arrays, or compressed sparse rows, joined."""

    def __init__(self, spill: Spill | None) -> None:
        self.spill, self.parts, self.n, self.width = spill, list[Growing | GrowingFile](), 0, 0

    @property
    def is_sparse(self) -> bool:
        """Whether the rows are compressed sparse rows."""
        return len(self.parts) > 1

    def add(self, X: Any, share: float = 0.0) -> None:
        """Add an array, or a matrix of compressed sparse rows. share: of all rows, that was added before."""
        sparse = hasattr(X, "indptr")
        if not self.parts:
            self.parts = [growing(self.spill) for _ in range(3 if sparse else 1)]
            if sparse:
                self.parts[2].add(np.zeros(1, np.int64))
        arrays = (X.data, X.indices, X.indptr[1:] + np.int64(self.parts[0].size)) if sparse else (X,)
        for part, array in zip(self.parts, arrays, strict=True):
            part.add(array, share)
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
    """Texts in temporary files, in UTF-8."""

    def __init__(self, spill: Spill) -> None:
        self.letters, self.ends = GrowingFile(spill), GrowingFile(spill)
        self.ends.add(np.zeros(1, np.int64))

    def extend(self, texts: Sequence[str]) -> None:
        """Add texts."""
        raw = [text.encode("utf-8", "surrogatepass") for text in texts]
        self.ends.add(self.letters.size + np.cumsum([len(text) for text in raw], dtype=np.int64))
        self.letters.add(np.frombuffer(b"".join(raw), np.uint8))

    def whole(self) -> Names:
        """Return the texts, each read on access."""
        letters, ends = self.letters.whole(), self.ends.whole()

        def text(i: int) -> str:
            return letters[ends[i] : ends[i + 1]].tobytes().decode("utf-8", "surrogatepass")

        return Names(self.ends.size - 1, text)


class GrowingLabels:
    """Labels of the rows of a source, as codes in a temporary file or in memory."""

    def __init__(self, source: Source, spill: Spill | None) -> None:
        self.source, self.spill, self.codes, self.scan = source, spill, growing(spill), LabelScan()
        self.of_files = [LabelScan() for _ in source.files]

    def add(self, chunk: Chunk) -> None:
        """Add the labels of a chunk; raise InputError if there are too many different ones for the memory limit."""
        self.codes.add(self.scan.add(chunk.labels))
        if self.spill is not None and self.source.limit is not None and self.scan.size > max(self.source.limit, LEAST):
            raise too_large(self.source.name, self.source.limit)
        if isinstance(self.source, Several):
            self.of_files[chunk.place[0]].add(chunk.labels)

    def whole(self) -> np.ndarray:
        """Return the labels: integers, other numbers, or texts."""
        check_label_types(self.source.files, self.of_files)
        try:
            different = self.scan.labels
        except InputError as error:
            raise InputError(f"{self.source.name}: {str(error).removeprefix('y: ')}") from None
        codes, labels = self.codes.whole(), growing(self.spill)
        for lo in range(0, codes.size, STEP):
            labels.add(different[codes[lo : lo + STEP]])
        return labels.whole()
