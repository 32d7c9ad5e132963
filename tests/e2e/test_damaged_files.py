"""Files and models damaged byte by byte, monsters, and small files that unpack to far more than memory."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import zstandard

import novikoff as nv
from commands import novikoff
from damage import PLAIN, TEXTS
from examples import STRESS

pytestmark = pytest.mark.compiled
PACKERS: dict[str, Callable[[bytes], bytes]] = {
    ".gz": lambda data: gzip.compress(data, mtime=0),
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": lambda data: bytes(zstandard.compress(data)),
}
KINDS = ["i.csv", "i.svm", "m.tsv", "i.npz", "i.parquet", "i.arrow", "i.nvk", "m.nvk"] + [
    f"i.svm{one}" for one in PACKERS
]
CASES = 20_000 if STRESS else 40  # of each kind


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Good files of every kind."""
    there = tmp_path_factory.mktemp("good")
    X, _ = nv.example("iris")
    X, y = X[:40:3], np.repeat([1, 2], 7)
    np.savez(there / "i.npz", X=X, y=y)
    for name in ("i.csv", "i.svm"):
        assert novikoff("convert", there / "i.npz", there / name).code == 0
    for ending, pack in PACKERS.items():
        (there / f"i.svm{ending}").write_bytes(pack((there / "i.svm").read_bytes()))
    mails = ["spam\tfree cash now", "ham\tsee you at lunch", "spam\tcash prize", "ham\tlunch at noon"]
    (there / "m.tsv").write_text("".join(f"{mail}\n" for mail in mails))
    table = pyarrow.table({f"x{j}": X[:, j] for j in range(4)} | {"label": y})
    pyarrow.parquet.write_table(table, there / "i.parquet", row_group_size=5)
    with pyarrow.OSFile(str(there / "i.arrow"), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
        writer.write_table(table, max_chunksize=5)
    text = ["--label", "1", "--text", "2", "--tfidf"]
    for data, model, more in (("i.csv", "i.nvk", ["--scale"]), ("m.tsv", "m.nvk", text)):
        assert novikoff("fit", there / data, *more, "--max-passes", 3, "-o", there / model, "--quiet").code == 0
    return there


def requests(kind: str, bad: str) -> list[tuple[str, ...]]:
    if kind.endswith(".nvk"):
        rows = "i.csv" if kind == "i.nvk" else "m.tsv"
        return [("predict", bad, rows, "-o", "out.txt"), ("explain", bad), ("evaluate", bad, rows)]
    text = ("--label", "1", "--text", "2") if kind == "m.tsv" else ()
    fit = ("fit", bad, "--max-passes", "3", "-o", "out.nvk", "--quiet", *text)
    model = "m.nvk" if kind == "m.tsv" else "i.nvk"
    return [fit, ("predict", model, bad, "-o", "out.txt"), *([("certify", bad)] if not text else [])]


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_ends_in_an_answer_or_in_one_clear_line(
    kind: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line names the file; nothing is written; a model that was changed is never used."""
    monkeypatch.chdir(folder)
    chance, good, codes = random.Random(kind), Path(kind).read_bytes(), Counter[int]()
    bad = Path(f"bad-{kind}")
    before = {path.name for path in folder.iterdir()} | {bad.name}
    for _ in range(CASES):
        data = chance.choice(TEXTS if kind in ("i.csv", "i.svm", "m.tsv") else PLAIN)(chance, good)
        bad.write_bytes(data)
        command = chance.choice(requests(kind, bad.name))
        told = novikoff(*command)
        codes[told.code] += 1
        left = {path.name for path in folder.iterdir()} - before
        if told.code in (2, 3):
            errors = [line for line in told.err.splitlines() if line.startswith("novikoff: error: ")]
            assert (told.out, left) == ("", set()), (command, data)
            assert told.code == 2 or (len(errors) == 1 and (bad.name in errors[0] or "--" in errors[0])), told.err
        else:
            assert told.code in ((0, 1) if command[0] == "certify" else (0,)), (command, data, told.err)
            assert not kind.endswith(".nvk") or data == good
        for name in left:
            Path(name).unlink()
    bad.unlink()
    assert codes[3] > CASES // 10
    assert kind not in ("i.csv", "i.svm") or codes[0] > 0


LONG = 10_000_000  # bytes of a line
MONSTERS: dict[str, tuple[bytes, str]] = {
    "line.svm": (b"1 1:1\n2 1:" + b"9" * LONG, "line 2, byte 3: found '1:9999"),
    "zeros.svm": (bytes(LONG), "line 1, byte 1: found"),
    "wide.svm": (b"1 1:1\n2 999999999999:1\n", "expected at most"),
    "wider.svm": (b"1 1:1\n2 9999999999999999999:1\n", "line 2, byte 3: found '9999999999999999999:1'"),
    "line.csv": (b"a,b,label\n1,2,x\n" + b"7" * LONG, "line 3: found 1 cells"),
    "cells.csv": (b"a,b,label\n1,2,x\n" + b"7," * (LONG // 2), "line 3: found 5000001 cells"),
    "quote.csv": (b'a,b,label\n1,2,x\n"' + b"7,\n" * (LONG // 10), "line 3: a quotation mark is opened here"),
}  # fmt: skip


@pytest.mark.parametrize("name", MONSTERS)
def test_monsters(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very long lines and columns beyond all memory are told by their place."""
    monkeypatch.chdir(tmp_path)
    data, words = MONSTERS[name]
    Path(name).write_bytes(data)
    told = novikoff("fit", name, "--max-passes", 2, "--quiet", "-o", "out.nvk")
    assert (told.code, told.out) == (3, "")
    assert told.err.startswith(f"novikoff: error: {'' if name == 'wide.svm' else name}")
    assert words in told.err
    assert len(told.err) < 600
    assert [path.name for path in tmp_path.iterdir()] == [name]


LIMIT, SPARE, SIZE = 40 << 20, 220 << 20, (3 << 30) if STRESS else (300 << 20)  # bytes; the libraries take 180 MB
PROGRAM = """
import sys
from novikoff.cli import main
code = main(sys.argv[1:])
print(next(x.split()[1] for x in open("/proc/self/status") if x.startswith("VmHWM")), "numba" in sys.modules)
sys.exit(code)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc here")
@pytest.mark.parametrize(
    ("kind", "ending"), [("csv", ".gz"), ("svm", ".zst"), *(("one-hot.csv", ending) for ending in PACKERS)]
)
def test_what_is_unpacked_counts_against_the_memory_limit(kind: str, ending: str, tmp_path: Path) -> None:
    """A few kilobytes that unpack to far more than the limit, of rows or of one long line, are refused."""
    line = {"csv": b"1,2,y\n", "svm": b"2 1:1 2:1\n", "one-hot.csv": b"word,"}[kind]
    head = {"csv": b"a,b,label\n1,2,x\n", "svm": b"1 1:1 2:2\n", "one-hot.csv": b""}[kind]
    piece = line * ((1 << 20) // len(line))
    path = tmp_path / f"bomb.{kind}{ending}"
    path.write_bytes(PACKERS[ending](head) + PACKERS[ending](piece) * (SIZE // len(piece)))  # files of many streams
    words = ["fit", str(path), "--max-passes", "1", "--memory", str(LIMIT), *(["--one-hot"] if "one" in kind else [])]
    for _ in range(3):  # a process that compiles, and stores what it compiled, has the compiler's memory too
        done = subprocess.run([sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True)
        kilobytes, compiled = done.stdout.split()[-2:]
        if compiled == "False" or 1024 * int(kilobytes) <= LIMIT + SPARE:
            break
    assert done.returncode == 3, done.stderr
    assert "(--memory)" in done.stderr
    assert f"{path}" in done.stderr
    assert 1024 * int(kilobytes) <= LIMIT + SPARE
