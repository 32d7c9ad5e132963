"""The checker as one file for anyone: `certify.verify`, with `points.written` where it is imported."""

from __future__ import annotations

import re
from pathlib import Path

from novikoff.certify import verify
from novikoff.points import written

FUTURE = "from __future__ import annotations\n"


def standalone() -> str:
    """The text of the file; it imports the standard library alone."""
    checker, reader = (Path(module.__file__ or "").read_text(encoding="utf-8") for module in (verify, written))
    heading, body = reader.split(FUTURE)
    said = heading.split('"""')[1].partition("\n")[0]
    return re.sub(r"from novikoff\.points\.written import .*\n", lambda _: f"# {said}\n{body}", checker)
