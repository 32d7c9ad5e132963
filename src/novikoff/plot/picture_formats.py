"""The endings of picture files, known before anything is drawn or computed."""

from __future__ import annotations

import os
from pathlib import Path

from novikoff.errors import InputError

FORMATS = {".png": "png", ".pdf": "pdf", ".svg": "svg", ".jpg": "jpg", ".jpeg": "jpg", ".webp": "webp"}


ANIMATED = ".gif"


def check_format(path: str | os.PathLike[str], animated: bool = False) -> None:
    """Raise InputError unless the name of the file ends as that of a picture; animated: or of an animation.

    Examples
    --------
    >>> check_format("cover.pdf")
    """
    known = [*FORMATS, *([ANIMATED] if animated else [])]
    if Path(path).suffix.lower() not in known:
        raise InputError(f"{path}: the ending {Path(path).suffix or '(none)'} is not a picture's; "
                         f"{', '.join(known)} were expected")  # fmt: skip
