"""The option --plot: draw a result to a picture file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options.output_files import Output
from novikoff.cli.text.answer import write_file
from novikoff.cli.text.formatting import about
from novikoff.errors import InputError

plot_option = click.option(
    "--plot", "plot_file", metavar="FILE", type=Output(path_type=Path),
    help="Draw the result to this file (.png .pdf .svg .jpg .webp).",
)  # fmt: skip


def check_plot(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise an error before anything is computed: an unknown ending, or no matplotlib."""
    if request["plot_file"] is None:
        return
    from novikoff.plot.matplotlib_panels import check_matplotlib
    from novikoff.plot.picture_files import check_format

    try:
        check_format(request["plot_file"])
    except InputError as error:
        raise click.UsageError(f"--plot: {error}", ctx) from None
    check_matplotlib()


class Picture:
    """A picture made in memory, to be written after everything else has succeeded."""

    def __init__(self, request: Mapping[str, Any], display: Any) -> None:
        self.path, self.quiet = request["plot_file"], bool(request.get("quiet"))
        self.content = b""
        if self.path is None:
            return
        with about(str(request.get("data") or request.get("example") or "X")):
            shown = display()
        self.content = shown.file_content(self.path)

    def write(self) -> None:
        """Write the file."""
        if self.path is not None:
            write_file(self.path, self.content, self.quiet)
