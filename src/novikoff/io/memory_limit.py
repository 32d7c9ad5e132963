"""The memory limit: its default, how it is written, and how long lines may be.

Rows are counted as they are read; beyond the limit they go to temporary files (`spill`). A line is kept whole: it may
take a share of the limit.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from novikoff.errors import InputError
from novikoff.io.text_blocks import BLOCK, LONGEST_LINE

SHARE = 2  # half of the machine's memory
LEAST = 1 << 25  # bytes that may be in memory in any case: a smaller limit only makes rows go to temporary files
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


def too_large(name: str | Path, limit: int) -> InputError:
    """Return the error for a file that takes more memory than the limit, and cannot go to temporary files."""
    file = "standard input" if str(name) == "-" else name
    return InputError(
        f"takes more memory, uncompressed, than the limit of {limit:,} bytes; raise the limit (memory=), or "
        "uncompress the file first",
        file=file,
    )


def longest_line(limit: int | None, share: int = LINE) -> int:
    """Return how many bytes a line may have, if reading it takes `share` times as much memory."""
    return LONGEST_LINE if limit is None else max(BLOCK, min(LONGEST_LINE, limit // share))
