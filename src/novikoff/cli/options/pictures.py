"""The option --plot: draw a result to a picture file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options.output_files import Output
from novikoff.cli.text.answer import write_file
from novikoff.cli.text.formatting import about
from novikoff.cli.text.label_names import side_of
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


def picture(request: Mapping[str, Any], display: Callable[[], Any]) -> bytes:
    """Return the content of the picture file, to be written after all else has succeeded; nothing without --plot."""
    if request["plot_file"] is None:
        return b""
    with about(str(request.get("data") or request.get("example") or "X")):
        shown = display()
    content: bytes = shown.file_content(request["plot_file"])
    return content


def write_picture(request: Mapping[str, Any], content: bytes) -> None:
    """Write the picture file, if there is one."""
    if request["plot_file"] is not None:
        write_file(request["plot_file"], content, bool(request.get("quiet")))


def check_fit_picture(ctx: click.Context, request: Mapping[str, Any], stream: bool) -> None:
    """Raise an error before training if the model cannot be drawn, whatever the points are."""
    if request["plot_file"] is None:
        return
    if stream:
        raise click.UsageError("--plot: a stream keeps no points to draw; read the rows from a file", ctx)
    if request["keep"] == "vote":
        raise click.UsageError("--plot: --keep vote predicts by the votes of many planes, not by one plane; use --keep "
                               "average", ctx)  # fmt: skip


def check_points(request: Mapping[str, Any], parts: Any) -> None:
    """Raise an error before training if these points cannot be drawn."""
    if request["plot_file"] is None:
        return
    classes, d = len(parts.counts), parts.X.shape[1]
    if classes > 2 and d != 2 and request["soft"] is not None:
        raise InputError(f"--plot: {parts.name} has {classes:,} classes and {d:,} features; soft margins are drawn for "
                         "two classes or two features: choose them with --classes or --columns")  # fmt: skip


def fit_display(learner: Any, parts: Any, positive: str | None) -> Any:
    """Return the display of a fitted model and its training points; positive: the class of --positive."""
    from novikoff.data.labelled_points import Numbered
    from novikoff.plot.boundary_display import BoundaryDisplay
    from novikoff.plot.display import PanelDisplay
    from novikoff.plot.error_curves import ErrorCurveDisplay
    from novikoff.plot.fitted_planes import fitted_planes
    from novikoff.plot.regions_display import RegionsDisplay

    points = Numbered(parts.X, parts.y, _names(parts))
    fitted = fitted_planes(learner, points)
    panels = list[Any]()
    if side_of(learner.classes_.tolist(), positive) < 0:
        fitted = fitted.mirrored()
    if fitted.is_binary:
        panels += BoundaryDisplay(fitted).panels
    elif fitted.points.d == 2:
        panels += RegionsDisplay([fitted]).panels
    if learner.history_ and learner.history_.get("pass"):
        panels += ErrorCurveDisplay(learner).panels
    return PanelDisplay(panels)


def _names(parts: Any) -> tuple[str, ...] | None:
    """Return the names of the prepared columns, if the file has names; scaled ones say so."""
    names = getattr(getattr(parts.known, "prep", None), "unit_names", None)
    return None if names is None or len(names) > 50 else tuple(str(name) for name in names)
