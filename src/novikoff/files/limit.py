"""How much memory the points of a file would take, told before they are read; and how much they may take.

    text (csv, svmlight, …)    bytes of the file, unpacked, times a factor of the format
    Parquet                    by its own table of contents: 8 bytes a number, texts twice as they lie
    Arrow                      bytes of the file
    .nvc                       nothing: it is mapped, not read
    npz, npy, idx, tar         their readers have them in memory anyway: bytes of the file

All of it twice: while chunks are put together they are there in pieces and as a whole. A packed file is unpacked for
its first four megabytes, and taken to be packed alike to its end. The estimate is of rows as they are read: products of
columns (--features poly2) take more.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from glob import glob
from pathlib import Path

from novikoff.errors import InputError
from novikoff.files.packed import PACKED, opened

FACTORS = {"svmlight": 2.0, "csv": 3.0, "tsv": 3.0, "jsonl": 2.0, "vw": 4.0}  # bytes in memory for each of the text
BEGINNING = 1 << 22  # bytes, unpacked
TOGETHER = 2.0  # in pieces and as a whole
SHARE = 2  # half of the machine's memory
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
        raise InputError(f"memory: found {memory!r}; expected bytes, or a size like 512M or 2G")
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
    if Path(path).exists() or not any(mark in str(path) for mark in "*?["):
        return _estimate(Path(path), kind) if Path(path).exists() else 0.0
    return sum(_estimate(Path(name), kind) for name in sorted(glob(str(path))))


def fits(path: str | Path, kind: str, limit: int) -> bool:
    """Whether the points may be had in memory."""
    return str(path) == "-" or estimate(path, kind) <= limit


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
