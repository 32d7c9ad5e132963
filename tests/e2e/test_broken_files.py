"""Damaged files, models and checkpoints given to the verbs; more of them in tests/stress."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from commands import novikoff
from damage.broken import BINARY_FILES, FOLDERS, KINDS, MODELS, PACKERS, TEXT_FILES, broken_runs
from novikoff.io import memory_limit, text_blocks


@pytest.mark.compiled
def test_damaged_files_end_in_an_answer_or_in_one_clear_line(tmp_path: Path) -> None:
    found = broken_runs(tmp_path, 2400, seed=0)
    assert found["faults"] == []
    assert set(found["kinds"]) == set(KINDS)
    refused = {kind: count for kind, (_, count) in found["kinds"].items()}
    assert all(refused[kind] > 20 for kind in (*BINARY_FILES, *FOLDERS[:2], *MODELS)), refused
    assert all(found["kinds"][kind][0] > 0 for kind in TEXT_FILES)  # some damage is another file


LONG = 10_000_000  # bytes of a line
MONSTERS: dict[str, tuple[bytes, str]] = {
    "line.svm": (b"1 1:1\n2 1:" + b"9" * LONG, "line 2, byte 3: found '1:9999"),
    "zeros.svm": (bytes(LONG), "line 1, byte 1: found"),
    "wide.svm": (b"1 1:1\n2 999999999999:1\n", "row 2: found column 999,999,999,999; expected at most"),
    "wider.svm": (b"1 1:1\n2 9999999999999999999:1\n", "line 2, byte 3: found '9999999999999999999:1'"),
    "line.csv": (b"a,b,label\n1,2,x\n" + b"7" * LONG, "line 3: found 1 cells"),
    "cells.csv": (b"a,b,label\n1,2,x\n" + b"7," * (LONG // 2), "line 3: found 5000001 cells"),
    "quote.csv": (b'a,b,label\n1,2,x\n"' + b"7,\n" * (LONG // 10), "line 3: a quotation mark is opened here"),
    "line.tsv": (b"a\tb\tlabel\n1\t2\tx\n" + b"7" * LONG, "line 3: found 1 cells"),
}  # fmt: skip


@pytest.mark.compiled
@pytest.mark.parametrize("name", MONSTERS)
def test_monsters(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Very long lines, columns beyond all memory, deep nests, shapes that no file holds: told by their place."""
    monkeypatch.chdir(tmp_path)
    data, said = MONSTERS[name]
    Path(name).write_bytes(data)
    code, out, err = novikoff("fit", name, "--max-passes", "2", "--quiet", "-o", "out.nvk")
    assert (code, out) == (3, "")
    assert err.startswith(f"novikoff: error: {name}")
    assert said in err
    assert len(err) < 600
    assert [path.name for path in tmp_path.iterdir()] == [name]


@pytest.mark.compiled
@pytest.mark.parametrize("ending", PACKERS)
def test_a_bomb_is_not_unpacked_whole(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few kilobytes that become a line of 64 MiB: refused at the limit of a line, here 8 MiB."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(text_blocks, "LONGEST_LINE", 1 << 23)
    monkeypatch.setattr(memory_limit, "LONGEST_LINE", 1 << 23)
    Path(f"b.svm{ending}").write_bytes(PACKERS[ending](bytes(1 << 26)))
    tracemalloc.start()
    code, _, err = novikoff("fit", f"b.svm{ending}", "--quiet", "-o", "out.nvk")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert code == 3
    assert f"b.svm{ending}, line 1: more than 8,388,608 bytes; is it a text file?" in err
    assert peak < 1 << 27


@pytest.mark.compiled
def test_some_in_processes_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As a person runs them: the same exit code and the same line as in here."""
    monkeypatch.chdir(tmp_path)
    for name in ("wide.svm", "line.csv"):
        Path(name).write_bytes(MONSTERS[name][0])
        command = ("fit", name, "--max-passes", "2", "--quiet", "-o", "out.nvk")
        made = subprocess.run([sys.executable, "-m", "novikoff", *command], capture_output=True, text=True, timeout=300)
        assert (made.returncode, made.stdout, made.stderr) == novikoff(*command)
