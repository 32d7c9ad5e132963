"""The endings of picture files, known before anything is drawn or computed."""

from __future__ import annotations

import os
from pathlib import Path

from novikoff.errors import InputError

FORMATS = {".png": "png", ".pdf": "pdf", ".svg": "svg", ".jpg": "jpg", ".jpeg": "jpg", ".webp": "webp"}


def check_format(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless the name of the file ends as that of a picture.

    Examples
    --------
    >>> check_format("cover.pdf")
    """
    if Path(path).suffix.lower() not in FORMATS:
        raise InputError(f"{path}: the ending {Path(path).suffix or '(none)'} is not a picture's; "
                         f"{', '.join(FORMATS)} were expected")  # fmt: skip
