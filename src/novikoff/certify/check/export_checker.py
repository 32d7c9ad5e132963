"""Assemble the checker as one file: `verify`, with the modules that it imports in place of their imports."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

from novikoff.certify.check import certificate_parts, separation_certificate, separation_check, verify
from novikoff.data import plain_files

FUTURE = "from __future__ import annotations\n"
PARTS = (plain_files, certificate_parts, separation_certificate, separation_check)  # each needs only those before it
IMPORT = re.compile(r"^from novikoff\.[\w.]+ import (?:\([^)]*\)|.*)\n", re.MULTILINE)


def standalone() -> str:
    """Return the text of the file; it imports only the standard library."""
    heading, body = _text(verify).split(FUTURE)
    parts = "\n\n".join(_part(module) for module in PARTS)
    own = IMPORT.sub("", body).strip("\n")
    first = re.search(r"^(?!import|from)\S", own, re.MULTILINE)
    if first is None or "from novikoff" in parts + own:
        raise AssertionError("the checker imports a module of novikoff that is not one of its parts")
    return f"{heading}{FUTURE}\n{own[: first.start()]}\n{parts}\n\n{own[first.start() :]}\n"


def _part(module: ModuleType) -> str:
    """Return a module without its imports of novikoff, with its docstring as a comment."""
    heading, body = _text(module).split(FUTURE)
    said = [f"# {line}".rstrip() for line in heading.split('"""')[1].strip().splitlines()]
    return "\n".join([*said, IMPORT.sub("", body).strip("\n"), ""])


def _text(module: ModuleType) -> str:
    return Path(module.__file__ or "").read_text(encoding="utf-8")
