"""The extras of pyproject.toml install packages that the library imports, and `all` is all of them."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]


def imported() -> set[str]:
    """The top-level packages that some file of the library imports."""
    found = set()
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("extra", sorted(EXTRAS.keys() - {"all"}))
def test_an_extra_is_offered_only_if_the_library_imports_its_packages(extra: str) -> None:
    packages = {re.split(r"[<>=\[]", package)[0].replace("-", "_") for package in EXTRAS[extra]}
    assert packages <= imported()


def test_all_is_every_extra() -> None:
    (everything,) = EXTRAS["all"]
    named = everything.removeprefix("novikoff[").removesuffix("]").split(",")
    assert sorted(named) == sorted(EXTRAS.keys() - {"all"})
