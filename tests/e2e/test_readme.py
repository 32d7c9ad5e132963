"""What the README shows is what the program prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from data.storages import STORAGES

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, flags=re.S)


@pytest.mark.compiled
def test_the_first_example_prints_what_is_shown() -> None:
    at = next(k for k, (language, _) in enumerate(BLOCKS) if language == "python")
    done = subprocess.run([sys.executable, "-c", BLOCKS[at][1]], capture_output=True, text=True, check=True)
    assert done.stdout == BLOCKS[at + 1][1]
    assert "NotSeparatedWarning: not_separable" in done.stderr


def test_the_stream_of_the_page_about_storages_prints_what_is_shown() -> None:
    page = (Path(__file__).parents[2] / "docs" / "storages.md").read_text(encoding="utf-8")
    code, shown = re.findall(r"```python\n(.*?)```\s+prints `(.*?)`", page, flags=re.S)[0]
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == shown
    assert f"{len(STORAGES)} storages" in page


def test_the_command_prints_what_is_shown() -> None:
    shown = next(text for _, text in BLOCKS if text.startswith("$ .venv/bin/novikoff"))
    command, table = shown.split("\n", 1)
    arguments = command.removeprefix("$ .venv/bin/novikoff ").split()
    done = subprocess.run([sys.executable, "-m", "novikoff", *arguments], capture_output=True, text=True, check=True)
    assert done.stdout == table


def test_the_two_commands_are_targets_of_the_makefile() -> None:
    makefile = (Path(__file__).parents[2] / "Makefile").read_text(encoding="utf-8")
    for verb in re.findall(r"^make (\w+)", README, flags=re.M):
        assert re.search(rf"^{verb}:", makefile, flags=re.M)
