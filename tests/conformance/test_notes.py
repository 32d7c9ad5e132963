"""docs/notes.md, walked in both directions: statement → function → test, and back."""

from __future__ import annotations

import ast
import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ID = re.compile(r"\b[TRSCZ]\d+[a-z]?\b")
TEXT = (ROOT / "docs" / "notes.md").read_text(encoding="utf-8")


def section(title: str) -> list[list[str]]:
    """The rows of the table under a heading, cell by cell."""
    body = TEXT.split(f"## {title}\n", 1)[1].split("\n## ", 1)[0]
    rows = [re.split(r"(?<!\\)\|", line)[1:-1] for line in body.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


BUILT = section("What is built")
BUILT_IDS = sorted({i for row in BUILT for i in ID.findall(row[0])})
MODEL = "T1 Z7 T2 T3a T5 Z8 S1 R3 C2 C3 C2a Z5a T7 T7a R1 Z5 Z2 Z2a"
TRAINING = "T3 C5 C6 Z3 Z6 Z4 Z12 S3 R2 S7 R6 Z10 R4 R3a Z9a T6a R7 Z14 Z11 Z13 Z15"
USE_AND_PROOF = "Z1 R1a C1 T4 R5 S10 C7 Z9 S10a S8 C4 S4 S5 S6 S5a S5b S9 S9a S11 S12 T6 T8 T9 Z10a S2 T4a Z15a"
DEMANDED = f"{MODEL} {TRAINING} {USE_AND_PROOF}".split(" ")
NAMES = sorted({name for row in BUILT for name in re.findall(r"`(novikoff[\w.]*)`", row[2])})


def conformance_tests() -> dict[str, set[str]]:
    """Every test function of the conformance folder, with the ids in its name."""
    found = {}
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                found[f"{path.name}::{node.name}"] = set(re.findall(r"(?<=_)[TRSCZ]\d+[a-z]?(?=_|$)", node.name))
    return found


TESTS = conformance_tests()


@pytest.mark.parametrize("name", NAMES)
def test_every_function_of_the_table_exists(name: str) -> None:
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            thing = importlib.import_module(".".join(parts[:cut]))
            break
        except ModuleNotFoundError:
            continue
    for part in parts[cut:]:
        thing = getattr(thing, part)


@pytest.mark.parametrize("row", BUILT, ids=lambda row: row[0].replace(" ", "-"))
def test_every_statement_names_code(row: list[str]) -> None:
    assert ID.findall(row[0])
    assert re.findall(r"`novikoff[\w.]*`", row[2])


@pytest.mark.parametrize("requirement", DEMANDED)
def test_every_demand_of_the_notes_is_in_the_table(requirement: str) -> None:
    assert requirement in BUILT_IDS


@pytest.mark.parametrize("requirement", BUILT_IDS)
def test_every_id_has_a_conformance_test_of_its_name(requirement: str) -> None:
    assert [name for name, ids in TESTS.items() if requirement in ids]


def test_no_test_is_named_after_an_id_that_is_not_in_the_table() -> None:
    strangers = {name: ids - set(BUILT_IDS) for name, ids in TESTS.items() if ids - set(BUILT_IDS)}
    assert not strangers


def test_no_docstring_names_an_id_that_is_not_in_the_table() -> None:
    strangers = {}
    for path in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for line in re.findall(r"From the notes:[^\n]*(?:\n[^\n]+)*", ast.get_docstring(node) or ""):
                    unknown = set(ID.findall(line)) - set(BUILT_IDS)
                    if unknown:
                        strangers[f"{path.name}:{node.lineno if hasattr(node, 'lineno') else 1}"] = unknown
    assert not strangers


def test_every_script_of_the_gallery_shows_statements_of_the_table() -> None:
    rows = {row[0].strip("`"): ID.findall(row[1]) for row in section("In the gallery")}
    assert sorted(rows) == sorted(path.name for path in (ROOT / "docs" / "gallery").glob("*.py"))
    assert all(ids and set(ids) <= set(BUILT_IDS) for ids in rows.values())
