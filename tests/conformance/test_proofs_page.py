"""docs/proofs.md: every command and example prints what is shown."""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from novikoff.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "proofs.md"
TEXT = PAGE.read_text(encoding="utf-8")
FILES = re.findall(r"`([\w.]+)`:\n\n```csv\n(.*?)```", TEXT, flags=re.S)
BLOCKS = re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)


def printed(command: str) -> str:
    """What a command of the page prints to stdout."""
    words = shlex.split(command)
    if words[0] == "cat":
        return Path(words[1]).read_text(encoding="utf-8")
    if words[0] == "python":
        done = subprocess.run([sys.executable, "-I", "-S", *words[1:]], capture_output=True, text=True)
        return done.stdout
    assert words[0] == "novikoff"
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        main(words[1:])
    return out.getvalue()


def info() -> list[str]:
    """The console blocks as they should be; run in a folder with the page's files."""
    blocks = []
    for block in BLOCKS:
        commands = [line.removeprefix("$ ") for line in block.splitlines() if line.startswith("$ ")]
        blocks.append("".join(f"$ {command}\n{printed(command)}" for command in commands))
    return blocks


def whichever(text: str) -> str:
    """Many sets of points prove that classes overlap; which one is found depends on roundings."""
    return re.sub(r"(?<=overlap: points )[\d, ]+", "…", text)


def test_commands_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES:
        Path(name).write_text(text, encoding="utf-8")
    assert len(FILES) == 4
    assert len(BLOCKS) >= 6
    assert [whichever(block) for block in info()] == [whichever(block) for block in BLOCKS]


def test_examples_print_what_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried >= 10
    assert failed == 0


def test_every_field_of_a_certificate_is_explained() -> None:
    import novikoff as nv

    record = nv.decide([[0.1], [2]], [0, 1]).certificate(file={"sha256": "0" * 64}).record()
    table = TEXT.split("## The certificate")[1].split("\n## ")[0]
    named = {
        name
        for line in table.splitlines()
        if line.startswith("| `")
        for name in re.findall(r"`([\w.]+)`", line.split("|")[1])
    }
    assert named == {*record, *(f"data.{name}" for name in record["data"])} - {"data"}
