"""Files of a few kilobytes or megabytes that unpack to far more than a memory limit, and what a command takes on them.

Most begin with rows that hardly pack, so that an estimate by the beginning of the file is far too small.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

PIECE = 1 << 20
BEGINNING = 5 << 20  # bytes: an estimate looks at the first four megabytes
PROGRAM = """
import re, sys
from novikoff.__main__ import run
code = run()
print("numba" in sys.modules, file=sys.stderr)
print(re.search(r"VmHWM:\\s*(\\d+)", open("/proc/self/status").read())[1], file=sys.stderr)
sys.exit(code)
"""


class Again(NamedTuple):
    """Bytes, so many times."""

    piece: bytes
    times: int


def repeated(line: bytes, size: int) -> Again:
    """Whole lines, about so many bytes."""
    piece = line * (PIECE // len(line) + 1)
    return Again(piece, size // len(piece) + 1)


def noise(line: str, rows: int) -> bytes:
    """Rows of numbers that hardly pack: {} is one of them."""
    chance, parts = np.random.default_rng(0), line.split("{}")
    texts = []
    for numbers in chance.normal(size=(rows, len(parts) - 1)).tolist():
        texts.append("".join(f"{part}{v!r}" for part, v in zip(parts, numbers, strict=False)) + parts[-1])
    return "".join(texts).encode()


def packed(path: Path, *pieces: bytes | Again) -> None:
    """Packed as the name ends, each piece by itself: a file of several is one, and what is repeated is packed once."""
    import zstandard

    how: dict[str, Callable[[bytes], bytes]] = {
        ".gz": lambda data: gzip.compress(data, 6),
        ".bz2": bz2.compress,
        ".xz": lambda data: lzma.compress(data, preset=1),
        ".zst": zstandard.ZstdCompressor().compress,
    }
    with open(path, "wb") as file:
        for piece in pieces:
            data, times = piece if isinstance(piece, Again) else (piece, 1)
            file.write(how[path.suffix](data) * times)


def parquet(path: Path, size: int, texts: bool) -> None:
    import pyarrow
    import pyarrow.parquet

    rows = 1 << 17
    word = pyarrow.array(["long " * 200]).dictionary_encode()
    once = {
        "a": pyarrow.DictionaryArray.from_arrays(np.zeros(rows, np.int32), word.dictionary)
        if texts
        else np.zeros(rows),
        "b": np.zeros(rows),
        "label": np.arange(rows) % 2,
    }
    table = pyarrow.table(once)
    with pyarrow.parquet.ParquetWriter(path, table.schema, compression="zstd") as out:
        for _ in range(max(1, size // (rows * (1000 if texts else 24)))):
            out.write_table(table)


ROWS = {  # a header, a row that hardly packs, a row that is repeated
    "csv": ("a,b,label\n", "{},{},x\n", "1,2,y\n"),
    "svm": ("", "1 1:{} 2:{}\n", "2 1:1 2:1\n"),
}
LINES = {"csv": (b"", b"1,"), "svm": (b"1 ", b"1:1 ")}


def noisy_rows(path: Path, kind: str, size: int) -> None:
    """A header, rows that hardly compress, then one row repeated."""
    head, row, line = ROWS[kind]
    begin = noise(row, BEGINNING // 40).replace(b"<", b"{").replace(b">", b"}")
    packed(path, head.encode() + begin, repeated(line.encode(), size))


def long_label(path: Path, size: int) -> None:
    """A label of 2,000 bytes in the first row, then rows that hardly compress, then one row repeated."""
    start = b"a,label\n1," + b"z" * 2000 + b"\n"
    packed(path, start, noise("{},x\n", BEGINNING // 20), repeated(b"1,y\n", size))


def repeated_text(path: Path, start: bytes, text: bytes, size: int) -> None:
    packed(path, start, repeated(text, size))


def bombs(size: int) -> dict[str, tuple[Callable[[Path], None], list[str]]]:
    """By file name: what writes a file that unpacks to about so many bytes, and the options that it needs."""
    made: dict[str, tuple[Callable[[Path], None], list[str]]] = {}
    for kind in ROWS:
        for packing in ("gz", "bz2", "xz", "zst") if kind in ("csv", "svm") else ("gz",):
            made[f"rows.{kind}.{packing}"] = partial(noisy_rows, kind=kind, size=size), []
    for kind, (start, cell) in LINES.items():
        made[f"line.{kind}.gz"] = partial(repeated_text, start=start, text=cell, size=size), []
    return made | {
        "labels.csv.gz": (partial(long_label, size=size), []),
        "turned.csv.gz": (partial(repeated_text, start=b"", text=b"1,2,3,4\n", size=size), ["--transpose"]),
        "one-hot.csv.gz": (partial(repeated_text, start=b"", text=b"word,", size=size), ["--one-hot"]),
        "zeros.parquet": (partial(parquet, size=size, texts=False), []),
        "words.parquet": (partial(parquet, size=size, texts=True), ["--text", "a", "--hash-bits", "10"]),
    }


def peak(*args: object) -> tuple[int, str, int]:
    """A command in a process of its own: (exit code, what is said, the most memory it had, in bytes).

    A process that compiled kernels has the compiler's memory too, so the command runs again with what is now cached.
    """
    for last in (False, True):
        done = subprocess.run([sys.executable, "-c", PROGRAM, *map(str, args)], capture_output=True, text=True)
        *said, compiled, memory = done.stderr.splitlines()
        assert re.fullmatch("[0-9]+", memory), done.stderr
        if last or compiled == "False":
            break
    return done.returncode, "\n".join(said), 1024 * int(memory)
