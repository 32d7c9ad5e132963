"""The page on preparation says what the program does."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[2] / "docs" / "preparation.md"


@pytest.mark.compiled
def test_the_examples_of_the_page_come_out_as_printed() -> None:
    tried = doctest.testfile(str(PAGE), module_relative=False)
    assert tried.attempted > 10
    assert tried.failed == 0
