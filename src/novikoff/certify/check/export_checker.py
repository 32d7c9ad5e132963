"""Assemble the checker as one file: `verify`, with `plain_files` in place of its import."""

from __future__ import annotations

import re
from pathlib import Path

from novikoff.certify.check import verify
from novikoff.data.text import plain_files

FUTURE = "from __future__ import annotations\n"
IMPORT = re.compile(rf"^from {re.escape(plain_files.__name__)} import (?:\([^)]*\)|.*)\n", re.MULTILINE)


def standalone() -> str:
    """Return the text of the file; it imports only the standard library."""
    checker, reader = (Path(module.__file__ or "").read_text(encoding="utf-8") for module in (verify, plain_files))
    heading, body = reader.split(FUTURE)
    said = heading.split('"""')[1].partition("\n")[0]
    text, places = IMPORT.subn(lambda _: f"# {said}\n{body}", checker)
    if places != 1:
        raise AssertionError(f"the checker imports {plain_files.__name__} in {places} places; exactly one was expected")
    return text
