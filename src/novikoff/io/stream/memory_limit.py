"""How much memory the points of a file would take, told before they are read; and how much they may take.

    text (csv, svmlight, …)    bytes of the file, unpacked, times a factor of the format
    Parquet                    by its own table of contents: 8 bytes a number, texts twice as they lie
    Arrow                      bytes of the file
    .nvc                       nothing: it is mapped, not read
    npz, npy, idx, tar         their readers have them in memory anyway: bytes of the file, unpacked

All of it twice: while chunks are put together they are there in pieces and as a whole. A packed file is unpacked for
its first four megabytes, and taken to be packed alike to its end. The estimate is of rows as they are read: products of
columns (poly2) take more.

The estimate may be far too small where a file is packed: a few bytes can unpack to any number of them. So what is held
is counted while it is read (`counted`, `read_within`, `bounded`), and what grows beyond the limit is refused. A line is
held whole: it may take a share of the limit (`longest_line`).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator, Sequence
from glob import glob
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.errors import InputError
from novikoff.io.stream.compression import BLOCK, LONGEST_LINE, PACKED, opened

FACTORS = {"svmlight": 2.0, "csv": 3.0, "tsv": 3.0, "jsonl": 2.0, "vw": 4.0}  # bytes in memory for each of the text
BEGINNING = 1 << 22  # bytes, unpacked
TOGETHER = 2.0  # in pieces and as a whole
SHARE = 2  # half of the machine's memory
LEAST = 1 << 25  # bytes: a smaller limit is for rows, which can stay in their file; this much is held in any case
PIECE = 1 << 20  # bytes that are read at once
ROW = 16  # bytes that a run keeps for each row that stays in its file: its class, which part it is of, its mistakes
TEXT = 56  # bytes of a text in memory besides its letters
LINE, CELLS = 8, 64  # a line takes so many times its bytes while it is read by compiled code, and as texts of Python
UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def size_of(memory: int | str | None) -> int:
    """A limit in bytes: a number, a text like 512M or 2G (powers of 1024), or by default half of the machine's memory.

    Examples
    --------
    >>> size_of("512M"), size_of("1.5k"), size_of(10)
    (536870912, 1536, 10)
    """
    if memory is None:
        return machine() // SHARE
    found = SIZE.fullmatch(str(memory).strip())
    if isinstance(memory, bool) or not found or float(found[1]) <= 0:
        raise InputError(f"found {memory!r}; expected bytes, or a size like 512M or 2G", "memory")
    return int(float(found[1]) * 2 ** UNITS[found[2].upper()])


def machine() -> int:
    """The memory of this machine, or of the container it looks like, in bytes."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in CONTAINER:
        try:
            sizes.append(int(Path(path).read_text()))
        except (OSError, ValueError):
            continue
    return min(sizes)


def estimate(path: str | Path, kind: str) -> float:
    """The memory that the points of a file, or of those that a pattern names, would take, in bytes; 0 if not known."""
    return sum(_estimate(Path(name), kind) for name in files_of(path))


def files_of(path: str | Path) -> list[str]:
    """Return the files that a path or a pattern (part-*.csv) names, sorted."""
    is_pattern = any(mark in str(path) for mark in "*?[") and not Path(path).exists()
    return sorted(glob(str(path))) if is_pattern else [str(path)]


def fits(path: str | Path, kind: str, limit: int) -> bool:
    """Whether the points may be had in memory."""
    return str(path) == "-" or estimate(path, kind) <= limit


# ---- what is held is counted ---------------------------------------------------------------------------------------


def too_large(name: str | Path, limit: int) -> InputError:
    """The error for what would take more memory than is allowed."""
    said = "standard input" if str(name) == "-" else name
    return InputError(
        f"{said}: takes more memory, unpacked, than the limit of {limit:,} bytes; raise the limit (memory=), "
        "or unpack the file first: the rows of a plain one can stay in it"
    )


def counted(source: Any, stream: bool = False) -> Iterator[Any]:
    """Return the chunks of a source that will all be held in memory; InputError where they exceed its limit.

    The size of a plain text is known: its estimate is enough. stream: whether the source is a stream that is held
    because its rows are needed more than once; it may take as much memory as a file that is estimated to fit.
    """
    if stream:
        yield from _counted_stream(source)
        return
    if source.limit is None or not any(_grows(one) for one in getattr(source, "sources", [source])):
        yield from source.chunks()
        return
    limit, held, labels, longest = max(source.limit, LEAST), 0, 0, 0
    for chunk in source.chunks():
        held += bytes_of(chunk.rows) + sum(TEXT + len(text) for column in chunk.words.values() for text in column)
        labels += len(chunk.labels)
        if isinstance(chunk.labels, list):
            longest = max(longest, max(map(len, chunk.labels), default=0))
        if held + labels * (16 + 4 * longest) > limit:  # listed, and in an array whose texts are all as long
            raise too_large(source.name, source.limit)
        yield chunk


def _counted_stream(source: Any) -> Iterator[Any]:
    held, limit = 0, source.limit
    for chunk in source.chunks():
        held += bytes_of(chunk.rows) + sum(len(text) for column in chunk.words.values() for text in column)
        if limit is not None and TOGETHER * held > limit:
            raise InputError(
                f"{source.name}: a stream that is needed more than once is held in memory, and this one would take "
                f"more than memory= ({limit:,} bytes); save it to a file, or fit it with max_iter=1"
            )
        yield chunk


def check_held(source: Any, held: int, rows: int = 0) -> None:
    """InputError where what is held of a source, whose rows stay in the file, takes more than its limit and its file.

    held: bytes of names and labels. rows: how many; a run keeps some numbers for each.
    """
    if source.limit is None or held + ROW * rows <= max(source.limit, LEAST):
        return
    if held + ROW * rows > sum(_size_on_disk(one) for one in getattr(source, "sources", [source])):
        raise too_large(source.name, source.limit)


def _size_on_disk(source: Any) -> int:
    path = Path(str(getattr(source, "path", "")))
    if path.is_dir():
        return sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    return path.stat().st_size if path.is_file() else 0


def bytes_of(rows: Any) -> int:
    """The memory that rows take: an array, compressed sparse rows, or an Arrow table when it is unpacked."""
    if hasattr(rows, "column_names"):
        return sum(_bytes_of_column(column) for column in rows.columns)
    if hasattr(rows, "indptr"):
        rows = (rows.data, rows.indices, rows.indptr)
    return sum(int(part.nbytes) for part in (rows if isinstance(rows, tuple) else (rows,)))


def _bytes_of_column(column: Any) -> int:
    """Of an Arrow column: numbers become doubles, texts those of Python; a dictionary has each text once, rows have it
    again and again."""
    import pyarrow
    import pyarrow.compute as compute

    kinds, kind = pyarrow.types, column.type
    coded = kinds.is_dictionary(kind)
    if not _is_text(kinds, kind.value_type if coded else kind):
        return max(int(column.nbytes), 8 * len(column))
    if not coded:
        return int(column.nbytes) + TEXT * len(column)
    each = (compute.binary_length(chunk.dictionary).take(chunk.indices) for chunk in column.chunks)
    return sum(int(compute.sum(lengths).as_py() or 0) for lengths in each) + TEXT * len(column)


def _is_text(kinds: Any, kind: Any) -> bool:
    return bool(kinds.is_string(kind) or kinds.is_large_string(kind) or kinds.is_binary(kind))


def _grows(source: Any) -> bool:
    """Whether a source can hold more than its file's size tells: what is packed, coded by a dictionary, or a stream."""
    path = getattr(source, "path", None)
    if path is None or Path(path).is_dir():
        return False  # arrays that are in memory or mapped; files of a folder
    return getattr(source, "kind", "") in ("parquet", "arrow") or not Path(path).is_file() or is_packed(path)


def read_within(file: Any, limit: int | None, name: str | Path, size: int | None = None) -> bytes:
    """All bytes of a file, or `size` of them where there are so many; InputError where they are more than the limit.

    For the member of a zip, give `ZipFile.open(name)` and the member's name: what its header says of its size is not
    believed. The memory that this takes is at most twice the limit.
    """
    most = None if limit is None else max(limit, LEAST)
    parts: list[bytes] = []
    there = 0
    while (size is None or there < size) and (part := file.read(PIECE if size is None else min(PIECE, size - there))):
        there += len(part)
        if most is not None and there > most:
            raise too_large(name, limit or 0)
        parts.append(part)
    return b"".join(parts)


def bounded(file: Any, limit: int | None, name: str | Path, share: int = 1) -> BinaryIO:
    """The same file, to be read by others (tarfile, csv), who hold `share` times its bytes; InputError beyond it."""
    return file if limit is None else io.BufferedReader(_Bounded(file, limit, name, share), PIECE)


class _Bounded(io.RawIOBase):
    """Counts what is read."""

    def __init__(self, file: Any, limit: int, name: str | Path, share: int) -> None:
        self.file, self.limit, self.name, self.left = file, limit, name, max(limit, LEAST) // share

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        part = self.file.read(min(len(room), PIECE))
        self.left -= len(part)
        if self.left < 0:
            raise too_large(self.name, self.limit)
        room[: len(part)] = part
        return len(part)


def longest_line(limit: int | None, share: int = LINE) -> int:
    """The bytes that a line may have where reading it takes `share` times as many."""
    return LONGEST_LINE if limit is None else max(BLOCK, min(LONGEST_LINE, limit // share))


# ---- the estimate --------------------------------------------------------------------------------------------------


def _estimate(path: Path, kind: str) -> float:
    if kind == "nvc" or not (path.is_file() or path.is_dir()):
        return 0.0
    if path.is_dir():
        return TOGETHER * sum(file.stat().st_size for file in path.rglob("*") if file.is_file())
    if kind == "parquet":
        return TOGETHER * _parquet(path)
    return TOGETHER * FACTORS.get(kind, 1.0) * unpacked_size(path)


def is_packed(path: str | Path) -> bool:
    """Whether a file must be unpacked from its beginning."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as raw:
        head = raw.read(6)
    return any(head.startswith(magic) for magic in PACKED)


def unpacked_size(path: Path) -> float:
    """The bytes of a file when it is unpacked, by its beginning."""
    size = path.stat().st_size
    if not is_packed(path):
        return size
    with opened(path) as file:
        there = 0
        while there < BEGINNING and (more := len(file.read(BEGINNING - there))):
            there += more
        read = _taken(file)
    return there if there < BEGINNING else there * size / max(read, 1)


def _taken(file: object) -> int:
    """How many packed bytes were read so far."""
    seen: Sequence[str] = ("raw", "fileobj", "file", "_fp", "_buffer")
    while True:
        inner = next((getattr(file, name) for name in seen if getattr(file, name, None) is not None), None)
        if inner is None or isinstance(inner, int):
            return int(file.tell())  # type: ignore[attr-defined]
        file = inner


def _parquet(path: Path) -> float:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return 0.0  # told by the reader
    try:
        table = pyarrow.parquet.ParquetFile(path).metadata
    except (OSError, ValueError, pyarrow.ArrowException):
        return 0.0
    kinds = [table.schema.column(j).physical_type for j in range(table.num_columns)]
    texts = any(kind in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY") for kind in kinds)
    # of the groups only: what a damaged file says of a group's columns can end the process
    sizes = (table.row_group(group).total_byte_size for group in range(table.num_row_groups)) if texts else ()
    return float(8 * table.num_rows * len(kinds) + 2 * sum(sizes))
