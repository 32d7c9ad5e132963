"""Read a file, compressed or not, in blocks of whole lines.

    plain · .gz · .bz2 · .xz · .zst           recognized by the first bytes of the file, not by its name

A block is a byte array of whole lines, padded at its end, with the number of its first line. The last line may have no
newline. A line longer than a block makes the block grow, up to a limit. A block of a pipe has the lines that arrive in
a tenth of a second, so that slow rows do not wait for a full block.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import os
import select
import stat
import sys
import time
import zlib
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np

from novikoff.errors import InputError

BLOCK = 1 << 20  # bytes: larger blocks are not read faster, and do not fit in the cache
LONGEST_LINE = 1 << 28
STEP = 1 << 18
NUMBERS_A_BYTE = 8  # the interpreter's work to read a byte, counted in products: 250 kB take a second
WAIT = 0.1  # seconds that the lines of a pipe wait for others
FIRST_LINES = 2  # of a pipe, in one block: the first may be a header
ROOM = 64  # bytes of padding after a block, which kernels may read
NEWLINE = 10
MARK = b"\xef\xbb\xbf"  # the byte order mark of UTF-8, skipped
UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # its byte order marks
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError)


class Place(NamedTuple):
    """Where a line begins: its offset in bytes (uncompressed), and its number from 1."""

    byte: int = 0
    line: int = 1


class LineBlock(NamedTuple):
    """Whole lines: buf[:size], then a newline. place: of the first line."""

    buf: np.ndarray
    size: int
    place: Place


def blocks_of(
    path: str | Path,
    size: int | None = None,
    arrays: int = 1,
    longest: int = LONGEST_LINE,
) -> Generator[LineBlock]:
    """Yield a file, or standard input for "-", in blocks of whole lines; raise InputError if it cannot be read.

    size: of a block in bytes, by default BLOCK. arrays: blocks use so many arrays in turn. longest: bytes that a line
    may have.
    """
    with opened(path) as file:
        if file.peek(2)[:2] in UTF_16:  # type: ignore[attr-defined]
            raise InputError(
                "found text in UTF-16; UTF-8 was expected: save it so, as by iconv -f UTF-16 -t UTF-8 OLD > NEW",
                file=path,
            )
        start = Place()
        if file.peek(len(MARK))[: len(MARK)] == MARK:  # type: ignore[attr-defined]
            start = Place(len(file.read(len(MARK))))
        yield from _blocks(file, str(path), size or BLOCK, start, arrays, longest)


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file to read its bytes, uncompressed."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        with contextlib.ExitStack() as stack:
            if str(path) == "-" and sys.stdin is None:
                raise InputError("standard input: cannot be read (it is closed); name a file, or send the rows to it")
            raw: Any = sys.stdin.buffer if str(path) == "-" else stack.enter_context(open(path, "rb"))
            file = raw if hasattr(raw, "peek") else io.BufferedReader(raw)
            head = file.peek(6)[:6]
            yield next((opener(file) for magic, opener in PACKED.items() if head.startswith(magic)), file)
    except DAMAGED as error:
        if isinstance(error, InputError):
            raise
        why = getattr(error, "strerror", None) or str(error) or "it is cut off"
        raise InputError(f"cannot be read ({why})", file=name) from error


def is_packed(path: str | Path) -> bool:
    """Whether a file is compressed."""
    with open(path, "rb") as file:
        head = file.read(6)
    return any(head.startswith(magic) for magic in PACKED)


def sizes_of(path: str | Path) -> tuple[int | None, int | None]:
    """Return the size of a file in bytes as it is, and as a compressed one; None for the other, both for a stream."""
    try:
        size = os.path.getsize(path) if os.path.isfile(path) else None
        return (None, size) if size and is_packed(path) else (size, None)
    except OSError:
        return None, None  # reading it says why


def lines_of(path: str | Path, longest: int = LONGEST_LINE) -> Iterator[str]:
    """Yield the lines of a text file, with their ends."""
    for block in blocks_of(path, longest=longest):
        for line in io.BytesIO(block.buf[: block.size].tobytes()):
            yield decoded(line)


def _zstd(file: Any) -> Any:
    import pyarrow

    return io.BufferedReader(pyarrow.CompressedInputStream(pyarrow.PythonFile(file, "r"), "zstd"))


PACKED: dict[bytes, Callable[[Any], Any]] = {  # the first bytes of a compressed file, and what reads it
    b"\x1f\x8b": lambda file: gzip.GzipFile(fileobj=file),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ\x00": lzma.LZMAFile,
    b"\x28\xb5\x2f\xfd": _zstd,
}


def _blocks(file: BinaryIO, name: str, size: int, place: Place, arrays: int, longest: int) -> Iterator[LineBlock]:
    bufs = [np.zeros(size + ROOM, np.uint8) for _ in range(arrays)]
    rest, ended, over, turn, pipe, few = bufs[0][:0], False, False, 0, _pipe(file), FIRST_LINES
    while rest.size or not ended:
        buf, there, end, ended = bufs[turn], 0, 0, False
        if buf.size > size + ROOM:  # it has grown for a long line: a block depends on its place only
            buf = np.zeros(size + ROOM, np.uint8)
        while end == 0 and not ended:
            if there == buf.size - ROOM:
                if there > longest:
                    raise line_too_long(name, place.line, longest)
                buf = np.concatenate([buf, np.zeros(min(buf.size, max(longest + 1 - there, 1)), np.uint8)])
            taken = rest[: buf.size - ROOM - there]
            buf[there : there + taken.size] = taken
            rest, there = rest[taken.size :], there + taken.size
            if there < buf.size - ROOM:
                got, over = (0, True) if over else _fill(file, memoryview(buf.data)[there : buf.size - ROOM], pipe)
                there, ended = there + got, over
            end = there if ended else _last_line(buf, there)
            if pipe is not None and there < buf.size - ROOM and not ended and count_of(NEWLINE, buf, 0, end) < few:
                end = 0
        bufs[turn] = buf
        if end:
            few = 1
            rest = np.concatenate([buf[end:there], rest])
            buf[end] = NEWLINE
            after = Place(place.byte + end, place.line + count_of(NEWLINE, buf, 0, end))
            yield LineBlock(buf, end, place)
            place, turn = after, (turn + 1) % arrays


def line_too_long(name: str, line: int, longest: int) -> InputError:
    """Return the error for a line that would take too much memory."""
    out = "" if longest == LONGEST_LINE else "; the limit depends on the memory limit: raise it (memory=)"
    return InputError(f"{name}, line {line}: more than {longest:,} bytes; is it a text file?{out}")


def count_of(byte: int, buf: np.ndarray, lo: int, hi: int) -> int:
    """Count a byte, in steps that stay in the cache."""
    return sum(int(np.count_nonzero(buf[at : min(at + STEP, hi)] == byte)) for at in range(lo, hi, STEP))


def _fill(file: BinaryIO, room: memoryview, pipe: int | None) -> tuple[int, bool]:
    """Read until the buffer is full or the file ends, a pipe for WAIT at most; return (bytes read, at the end)."""
    there, until = 0, time.perf_counter() + WAIT
    while there < len(room):
        left = until - time.perf_counter()
        if there and pipe is not None and (left <= 0 or not select.select([pipe], [], [], left)[0]):
            return there, False
        got = file.readinto1(room[there : there + STEP])  # type: ignore[attr-defined]
        if not got:
            return there, True
        there += got
    return there, False


def _pipe(file: Any) -> int | None:
    """Return the descriptor of an open pipe or terminal, whose bytes may arrive slowly; None for anything else."""
    if os.name != "posix" or type(file) is not io.BufferedReader:
        return None
    try:
        number = file.fileno()
    except OSError:
        return None
    mode = os.fstat(number).st_mode
    return number if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode) else None


def _last_line(buf: np.ndarray, there: int) -> int:
    """Return where the last whole line ends, after its newline; 0 if there is none."""
    for hi in range(there, 0, -STEP):
        lo = max(hi - STEP, 0)
        at = buf[lo:hi].tobytes().rfind(b"\n")
        if at >= 0:
            return lo + at + 1
    return 0


def decoded(raw: bytes) -> str:
    """Decode a text: as UTF-8, or else as Latin-1."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("latin-1")
