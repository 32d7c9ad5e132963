"""Picture files: their endings, and panels drawn as bytes, the same bytes for the same panels."""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from novikoff.errors import InputError
from novikoff.pages.panel import Panel
from novikoff.plot.matplotlib_panels import check_matplotlib, draw_panel, new_figure

FORMATS = {".png": "png", ".pdf": "pdf", ".svg": "svg", ".jpg": "jpg", ".jpeg": "jpg", ".webp": "webp"}
UNDATED: dict[str, dict[str, Any]] = {"pdf": {"CreationDate": None}, "svg": {"Date": None}}
SETTINGS: Any = {"svg.fonttype": "none", "svg.hashsalt": "novikoff", "pdf.fonttype": 42}  # text stays text
DOTS_PER_INCH = 150


def check_format(path: str | os.PathLike[str]) -> None:
    """Raise InputError unless the name of the file ends as that of a picture.

    Examples
    --------
    >>> check_format("cover.pdf")
    """
    if Path(path).suffix.lower() not in FORMATS:
        raise InputError(f"{path}: the ending {Path(path).suffix or '(none)'} is not a picture's; "
                         f"{', '.join(FORMATS)} were expected")  # fmt: skip


def picture_bytes(panels: Sequence[Panel], kind: str, columns: int | None = None) -> bytes:
    """Return a picture file as bytes; kind: png, pdf, svg, jpg or webp.

    Raises
    ------
    InputError : matplotlib is missing, or the numbers cannot be drawn
    """
    check_matplotlib()
    from matplotlib import rc_context, style

    file = io.BytesIO()
    with style.context("default"), rc_context(SETTINGS):  # not the user's style: the same bytes everywhere
        figure, axes = new_figure(panels, columns)
        for ax, panel in zip(axes, panels, strict=True):
            draw_panel(ax, panel)
        try:
            figure.savefig(file, format=kind, dpi=DOTS_PER_INCH, metadata=UNDATED.get(kind))
        except (ValueError, OverflowError) as error:
            raise InputError(f"the picture cannot be drawn ({error}); scale the numbers") from error
    return file.getvalue()
