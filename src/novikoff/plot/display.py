"""The base class of displays: panels, drawn on request."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Self

from novikoff.pages.panel import Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PanelDisplay:
    """A picture in scikit-learn's Display form.

    panels: the contents, as data. After `plot`: figure_, axes_ (one Axes per panel) and ax_ (the first of them).
    """

    columns: int | None = None  # of the grid of panels; None: as many as fit

    def __init__(self, panels: list[Panel]) -> None:
        self.panels = panels

    def plot(self, ax: Axes | None = None) -> Self:
        """Draw the panels with matplotlib and return the display.

        Parameters
        ----------
        ax : the Axes to draw on, a sequence if there are several panels; None: those of a new figure. Given axes may
            have neighbours, so that their legends are inside
        """
        from novikoff.plot.matplotlib_panels import draw

        self.axes_ = draw(self.panels if ax is None else [one.inside() for one in self.panels], ax, self.columns)
        self.ax_ = self.axes_[0]
        self.figure_ = self.ax_.figure
        return self

    def save(self, path: str | os.PathLike[str]) -> Self:
        """Write the picture to a file, in the format of its ending (.png, .pdf, .svg, …), and return the display."""
        from novikoff.records.atomic_write import replace_file

        replace_file(Path(path), self.file_content(path))
        return self

    def file_content(self, path: str | os.PathLike[str]) -> bytes:
        """Return the picture in the format of a file's ending."""
        from novikoff.plot.picture_files import FORMATS, check_format, picture_bytes

        check_format(path)
        return picture_bytes(self.panels, FORMATS[Path(path).suffix.lower()], self.columns)
