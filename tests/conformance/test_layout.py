"""The layout of src/novikoff: unique class names, short functions, no banned identifiers.

Each rule is a function from a package folder to its violations. The last tests run the rules on a package that breaks
them, so that a rule that finds nothing anywhere fails.
"""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).resolve().parents[2] / "src" / "novikoff"
LINES = 80  # at most, in the body of a function
BANNED = {"told", "asked", "handed", "demand", "demands", "newborn", "newborns", "born", "freshen", "speaks", "piled"}
"""words that no identifier contains, between its underscores: metaphors with a plain term in use"""
Rule = Callable[[Path], list[str]]


def modules(root: Path) -> list[Path]:
    """The modules of the package, sorted."""
    return sorted(path for path in root.rglob("*.py") if path.name != "__init__.py")


def repeated(found: Iterator[tuple[str, str]]) -> list[str]:
    """The names that occur in more than one place, with the places."""
    places: dict[str, list[str]] = {}
    for name, place in found:
        places.setdefault(name, []).append(place)
    return [f"{name}: {', '.join(where)}" for name, where in places.items() if len(where) > 1]


def class_names_twice(root: Path) -> list[str]:
    """Class names that occur twice, nested classes included."""
    return repeated(
        (node.name, f"{path.relative_to(root)}:{node.lineno}")
        for path in sorted(root.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    )


def banned_identifiers(root: Path) -> list[str]:
    """Identifiers with a banned word; strings and comments are not identifiers."""
    found = []
    for path in sorted(root.rglob("*.py")):
        with tokenize.open(path) as file:
            for token in tokenize.generate_tokens(file.readline):
                if token.type == tokenize.NAME and BANNED & set(token.string.lower().split("_")):
                    found.append(f"{path.relative_to(root)}:{token.start[0]}: {token.string}")
        if BANNED & set(path.stem.lower().split("_")):
            found.append(f"{path.relative_to(root)}: the module's name")
    return found


def long_functions(root: Path) -> list[str]:
    """Functions whose body, without the docstring, is longer than LINES lines."""
    found = []
    for path in sorted(root.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            body = node.body[1:] if ast.get_docstring(node) is not None else node.body
            lines = (body[-1].end_lineno or 0) - body[0].lineno + 1 if body else 0
            if lines > LINES:
                found.append(f"{path.relative_to(root).as_posix()}:{node.lineno}: {node.name}, {lines} lines")
    return found


def options_outside_cli(root: Path) -> list[str]:
    """Texts outside `cli` that name an option of the command line; docstrings may show a command.

    The table of parameters has the options that set them.
    """
    found = []
    for path in sorted(root.rglob("*.py")):
        if "cli" in path.relative_to(root).parts or path.name == "parameter_table.py":
            continue
        nodes = list(ast.walk(ast.parse(path.read_text("utf-8"))))
        docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        texts = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in docstrings)
        for text in texts:
            if option := re.search(r"(?<![\w-])--[a-z][\w-]*", str(text.value)):
                found.append(f"{path.relative_to(root)}:{text.lineno}: {option[0]}")
    return found


RULES: list[Rule] = [
    class_names_twice,
    banned_identifiers,
    options_outside_cli,
    long_functions,
]


@pytest.mark.parametrize("rule", RULES)
def test_the_package_keeps_the_rule(rule: Rule) -> None:
    assert len(modules(SRC)) > 100
    assert rule(SRC) == []


# the rules find what breaks them


def package(root: Path, files: dict[str, str]) -> Path:
    """A package of these files."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return root


BROKEN: dict[Rule, tuple[dict[str, str], list[str]]] = {
    class_names_twice: (
        {"a.py": "class Rows: pass\n", "b/__init__.py": "def f():\n    class Rows: pass\n"},
        ["Rows: a.py:1, b/__init__.py:2"],
    ),
    banned_identifiers: (
        {"a.py": "def f(x):\n    return x.demand_rows\n", "told.py": ""},
        ["a.py:2: demand_rows", "told.py: the module's name"],
    ),
    options_outside_cli: (
        {"a.py": "def f(x):\n    raise ValueError(f'{x}: name it with --label')\n"},
        ["a.py:2: --label"],
    ),
    long_functions: ({"a.py": "def f():\n    'Text.'\n" + "    pass\n" * 81}, ["a.py:1: f, 81 lines"]),
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_finds_what_breaks_it(rule: Rule, tmp_path: Path) -> None:
    files, violations = BROKEN[rule]
    assert rule(package(tmp_path, files)) == violations


ALLOWED = {
    "cli/verbs/margin.py": "option = '--label'\n",
    "data/example.py": "'novikoff fit FILE --label y'\nrule = '------'\n",
    "margin/__init__.py": "",
    "margin/margin.py": "# told and asked, in a comment\ntext = 'demand'\ntolder = retold = 0\n",
    "f.py": "def f():\n    'Text.'\n" + "    pass\n" * 80,
}


@pytest.mark.parametrize("rule", RULES)
def test_a_rule_passes_what_is_allowed(rule: Rule, tmp_path: Path) -> None:
    """Words in strings and comments, options in the command line's texts and 80 lines are no violation."""
    assert rule(package(tmp_path, ALLOWED)) == []
