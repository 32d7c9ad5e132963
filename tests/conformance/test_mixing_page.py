"""docs/mixing.md: its command and its example print what is shown, and its figures hold."""

from __future__ import annotations

import doctest
import re
import shlex
from pathlib import Path

from commands import answer, novikoff

PAGE = Path(__file__).parents[2] / "docs" / "mixing.md"
TEXT = PAGE.read_text(encoding="utf-8")


def test_the_command_prints_what_is_shown() -> None:
    (block,) = re.findall(r"```console\n(.*?)```", TEXT, flags=re.S)
    command, _, printed = block.partition("\n")
    assert novikoff(*shlex.split(command)[2:]).out == printed


def test_the_example_prints_what_is_shown() -> None:
    failed, tried = doctest.testfile(str(PAGE), module_relative=False)
    assert (failed, tried) == (0, 6)


def test_the_bound_of_the_example_holds_for_every_number_of_partitions() -> None:
    bound = answer("margin", "--example", "digits", "--classes", "3,8", "--quiet")["mistake_bound"]
    assert f"(R/γ)² is {float(bound[1]):.0f}" in TEXT
    rows = re.findall(r"^(\d+) separated \d+ (\d+)$", TEXT, flags=re.M)
    assert len(rows) == 5
    assert all(int(updates) <= int(partitions) * float(bound[0]) for partitions, updates in rows)
