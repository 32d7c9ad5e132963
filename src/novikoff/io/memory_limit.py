"""Estimate how much memory the points of a file would take, and refuse what takes more than the memory limit.

    text (csv, svmlight, …)    bytes of the file, uncompressed, times a factor of the format
    Parquet                    from its metadata: 8 bytes a number, texts twice their size
    Arrow                      bytes of the file
    .nvc                       nothing: it is mapped, not read
    npz                        bytes of the file, uncompressed: its reader keeps all of it in memory

The estimate is twice these numbers, as chunks are in memory in pieces and joined. The first four megabytes of a
compressed file are uncompressed, and the rest is assumed to be compressed as much. The estimate is for rows as they are
read: products of columns (poly2) take more.

A compressed file may be far larger than estimated: a few bytes can expand to any number. So the memory is counted while
a file is read (`counted`, `bounded`), and a file that grows beyond the limit is refused. A line is kept whole: it may
take a share of the limit (`longest_line`).
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterator
from glob import glob
from pathlib import Path
from typing import Any, BinaryIO

from novikoff.errors import InputError
from novikoff.io.text_blocks import BLOCK, LONGEST_LINE, PACKED, opened, unpacked

PARTS = {".csv", ".tsv", ".svm", ".svmlight", ".libsvm", ".parquet", ".arrow", ".feather"}
FACTORS = {"svmlight": 2.0, "csv": 3.0, "tsv": 3.0}  # bytes in memory per byte of text
BEGINNING = 1 << 22  # bytes, uncompressed
TOGETHER = 2.0  # in pieces and joined
SHARE = 2  # half of the machine's memory
LEAST = 1 << 25  # bytes that may be in memory in any case: a smaller limit only makes rows go to temporary files
PIECE = 1 << 20  # bytes read at a time
TEXT = 56  # bytes of a Python text besides its characters
LINE, CELLS = 8, 64  # memory per byte of a line, while compiled code reads it, and as Python texts
UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}
SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
CONTAINER = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def size_of(memory: int | str | None) -> int:
    """Return a limit in bytes from a number or a text like 512M or 2G (powers of 1024); by default half the memory.

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
    """Return the memory of this machine, or of its container, in bytes."""
    sizes = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in CONTAINER:
        try:
            sizes.append(int(Path(path).read_text()))
        except (OSError, ValueError):
            continue
    return min(sizes)


def estimate(path: str | Path, kind: str) -> float:
    """Return how many bytes the points of a file, or of the files of a pattern, would take; 0 if unknown."""
    return sum(_estimate(Path(name), kind) for name in files_of(path))


def files_of(path: str | Path) -> list[str]:
    """Return the files that a path, a pattern (part-*.csv) or a folder of parts names, sorted."""
    is_pattern = any(mark in str(path) for mark in "*?[") and not Path(path).exists()
    return sorted(glob(str(path))) if is_pattern else parts_of(path) or [str(path)]


def parts_of(path: str | Path) -> list[str]:
    """Return the files of a folder of parts, sorted: all are tables or svmlight files with the same ending, and there
    are no folders; names that begin with a dot or an underscore do not count. [] for anything else.
    """
    if not os.path.isdir(path):
        return []
    found = sorted(name for name in os.listdir(path) if not name.startswith((".", "_")))
    files = [os.path.join(path, name) for name in found]
    endings = {_ending(name) for name in found}
    return files if len(endings) == 1 and endings <= PARTS and all(map(os.path.isfile, files)) else []


def _ending(name: str) -> str:
    """Return how the name of a file ends, without `.gz` and the like."""
    stem, ending = os.path.splitext(name)
    return os.path.splitext(stem)[1] if ending in (".gz", ".bz2", ".xz", ".zst") else ending


def fits(path: str | Path, kind: str, limit: int) -> bool:
    """Whether the points fit in the memory limit."""
    return str(path) == "-" or estimate(path, kind) <= limit


# ---- counting while reading ----------------------------------------------------------------------------------------


def too_large(name: str | Path, limit: int) -> InputError:
    """Return the error for a file that takes more memory than the limit."""
    file = "standard input" if str(name) == "-" else name
    return InputError(
        f"{file}: takes more memory, uncompressed, than the limit of {limit:,} bytes; raise the limit (memory=), or "
        "uncompress the file first"
    )


def counted(source: Any, stream: bool = False) -> Iterator[Any]:
    """Yield the chunks of a source that will all be in memory; raise InputError if they exceed its limit.

    A plain file is not counted: its estimate is enough. stream: whether the source is a stream whose rows are needed
    more than once; it may take as much memory as a file that is estimated to fit.
    """
    if stream:
        yield from _counted_stream(source)
        return
    if source.limit is None or not any(map(_grows, source.files)):
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
                f"{source.name}: a stream whose rows are needed more than once is kept in memory, and this one "
                f"would take more than memory= ({limit:,} bytes); save it to a file, or fit it with max_iter=1"
            )
        yield chunk


def bytes_of(rows: Any) -> int:
    """Return the memory that rows take: an array, compressed sparse rows, or an Arrow table once converted."""
    if hasattr(rows, "column_names"):
        return sum(_bytes_of_column(column) for column in rows.columns)
    if hasattr(rows, "indptr"):
        rows = (rows.data, rows.indices, rows.indptr)
    return sum(int(part.nbytes) for part in (rows if isinstance(rows, tuple) else (rows,)))


def _bytes_of_column(column: Any) -> int:
    """Return the memory of an Arrow column: numbers become doubles, texts Python texts, one for each row."""
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
    """Whether a source may take more memory than its file's size says: compressed, dictionary-coded, or a stream."""
    path = getattr(source, "path", None)
    if path is None or Path(path).is_dir():
        return False  # arrays that are in memory or mapped; files of a folder
    return getattr(source, "kind", "") in ("parquet", "arrow") or not Path(path).is_file() or is_packed(path)


def bounded(file: Any, limit: int | None, name: str | Path, share: int = 1) -> BinaryIO:
    """Return the file to be read by code that takes `share` times its bytes; InputError if that exceeds the limit."""
    return file if limit is None else io.BufferedReader(_Bounded(file, limit, name, share), PIECE)


class _Bounded(io.RawIOBase):
    """Counts the bytes that are read."""

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
    """Return how many bytes a line may have, if reading it takes `share` times as much memory."""
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
    """Whether a file is compressed, so that it can be read from its beginning only."""
    if not Path(path).is_file():
        return False
    with open(path, "rb") as raw:
        head = raw.read(6)
    return any(head.startswith(magic) for magic in PACKED)


def unpacked_size(path: Path) -> float:
    """Return the uncompressed size of a file, estimated from its beginning."""
    size = path.stat().st_size
    if not is_packed(path):
        return size
    with opened(path, packed=True) as raw:
        file, there = unpacked(raw), 0
        while there < BEGINNING and (more := len(file.read(BEGINNING - there))):
            there += more
        read = raw.tell()
    return there if there < BEGINNING else there * size / max(read, 1)


def _parquet(path: Path) -> float:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        return 0.0  # the reader reports it
    try:
        table = pyarrow.parquet.ParquetFile(path).metadata
    except (OSError, ValueError, pyarrow.ArrowException):
        return 0.0
    kinds = [table.schema.column(j).physical_type for j in range(table.num_columns)]
    texts = any(kind in ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY") for kind in kinds)
    # of the groups only: the metadata of a group's columns in a damaged file can crash the process
    sizes = (table.row_group(group).total_byte_size for group in range(table.num_row_groups)) if texts else ()
    return float(8 * table.num_rows * len(kinds) + 2 * sum(sizes))
