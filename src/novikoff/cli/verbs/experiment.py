"""`novikoff experiment`: the experiments of the lecture notes, reproducible by their seed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.experiment_options import size_options, write_table
from novikoff.cli.options.option_checks import typed
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import data_of, data_options
from novikoff.cli.pictures.plot_options import Picture, check_plot, plot_option
from novikoff.cli.text import formatting
from novikoff.cli.text.help_layout import Verb
from novikoff.cli.text.progress import counting
from novikoff.errors import InputError

NOT_SEPARABLE = 1
USED = {  # the options of each experiment
    "convergence": {"dimensions", "points", "trials", "seed", "max_updates", "checkpoint"},
    "margin": {"dimensions", "points", "trials", "seed", "checkpoint"},
    "angle": {"dimensions", "points", "seed", "max_updates", "plot_file"},
    "worst": {"deltas", "max_updates"},
    "orders": {"data", "example", "trials", "seed", "max_updates", "checkpoint", "plot_file"},
    "starts": {"data", "example", "trials", "seed", "max_updates", "checkpoint", "plot_file"},
    "position": {"dimensions", "points", "trials", "seed", "checkpoint"},
}
OWN = {"dimensions": "-N", "points": "-P", "trials": "--trials", "seed": "--seed", "max_updates": "--max-updates",
       "checkpoint": "--checkpoint", "deltas": "--delta", "data": "DATA", "example": "--example",
       "plot_file": "--plot"}  # fmt: skip


@click.command(cls=Verb)
@click.argument("experiment", type=click.Choice(tuple(USED)), metavar="KIND")
@size_options
@click.option("--trials", type=click.IntRange(1, 10_000_000), metavar="T", help="Draws, orders or starts per size.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
              help="Seed of the draws; the results depend on nothing else.")  # fmt: skip
@click.option("--max-updates", type=click.IntRange(min=1), metavar="K",
              help="Limit of each run; by default 1,000,000, of angle 100,000, of worst 10,000,000.")  # fmt: skip
@click.option("--delta", "deltas", type=formatting.positive, multiple=True, metavar="NUMBER",
              help="Of worst: half the distance of the two points; repeatable.")  # fmt: skip
@click.option("--checkpoint", metavar="FILE", type=Output(path_type=Path),
              help="Keep finished draws in this file; the same command continues from it.")  # fmt: skip
@click.option("--csv", "csv_file", metavar="FILE", type=Output(path_type=Path), help="Also write the table as CSV.")
@plot_option
@data_options
@engine_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, experiment: str, **request: Any) -> int:
    """Run an experiment of the lecture notes; every draw depends on the seed alone.

    \b
    novikoff experiment convergence -N 10 -N 20 -P 50 -P 100 --trials 20 --seed 1
    novikoff experiment margin --seed 1
    novikoff experiment angle -N 20 -P 100
    novikoff experiment angle --plot angle.pdf
    novikoff experiment worst
    novikoff experiment orders --example cornwell
    novikoff experiment starts --example cornwell
    novikoff experiment position -N 4 -N 8 --trials 20

    KIND is convergence (updates until Gaussian points labelled by a teacher are separated), margin (the teacher's
    smallest margin), angle (between the weights and the teacher, with the bounds of the proof and a random walk), worst
    (updates as the margin goes to 0), orders and starts (many runs on the same points, DATA or --example), or position
    (how often points of coordinates −1 and 1 are in general position).

    Exit codes: 0 done, 1 the points of orders or starts are not separable, 2 usage, 3 bad input.
    """
    kind = experiment
    for name, option in OWN.items():
        if name not in USED[kind] and typed(ctx, name):
            raise click.UsageError(f"{option}: {kind} does not use it; omit it", ctx)
    check_plot(ctx, request)
    with engine_of(ctx, request) as engine, counting(request["quiet"], kind) as show:
        found, points = _run(ctx, kind, request, engine, show)
    if found is None:
        return NOT_SEPARABLE
    picture = Picture(request, lambda: _display(found, points))
    write_table(request, found.to_csv())
    shown = {"schema": "novikoff/experiment/1", **found.to_dict()}
    click.echo(json.dumps(shown, allow_nan=False) if request["as_json"] else found.to_text())
    picture.write()
    return 0


def _display(found: Any, points: Any) -> Any:
    from novikoff.plot.displays.angle_display import AngleDisplay
    from novikoff.plot.displays.orders_display import OrdersDisplay

    return AngleDisplay(found) if points is None else OrdersDisplay(found, points)


def _run(ctx: click.Context, kind: str, request: Mapping[str, Any], engine: Any, show: Any) -> tuple[Any, Any]:
    """Return the results, None if the points are not separable, and the points of the user, if there are any."""
    import novikoff as nv

    chosen: dict[str, Any] = {"seed": request["seed"]}
    for name in ("trials", "max_updates", "checkpoint"):
        if name in USED[kind] and request[name] is not None:
            chosen[name] = request[name]
    for name, argument in (("dimensions", "N"), ("points", "P")):
        if name in USED[kind] and request[name]:
            chosen[argument] = request[name]
    if kind == "angle":
        sizes = {key: _single(ctx, chosen, key) for key in ("N", "P") if key in chosen}
        return nv.angle_experiment(**chosen | sizes), None
    if kind == "worst":
        del chosen["seed"]
        return nv.worst_case(**chosen | ({"deltas": request["deltas"]} if request["deltas"] else {})), None
    chosen |= {"engine": engine, "on_block": show}
    if kind in ("orders", "starts"):
        return _on_data(ctx, kind, request, chosen)
    function: Any = getattr(nv, f"{kind}_experiment")
    return function(**chosen), None


def _on_data(ctx: click.Context, kind: str, request: Mapping[str, Any], chosen: dict[str, Any]) -> tuple[Any, Any]:
    """Return the results of many runs on the points of a file or an example."""
    import novikoff as nv

    row_options.check_one(ctx, request["data"], request["example"])
    data = data_of(ctx, request)
    if request["plot_file"] is not None and data.X.shape[1] != 2:
        features = formatting.count(data.X.shape[1], "feature")
        raise InputError(f"--plot: {data.name} has {features}; planes are drawn for two: choose them with --columns, or "
                         "omit --plot")  # fmt: skip
    if not request["quiet"]:
        for hint in _hints(data, request):
            click.echo(hint, err=True)
    run = nv.orders_experiment if kind == "orders" else nv.starts_experiment
    with formatting.about(data.name):
        try:
            return run(data.points, fit_intercept=data.fit_intercept, **chosen), data.points
        except nv.NotSeparableError:
            click.echo(f"novikoff: {data.name}: the points are not separable, so no run ends; novikoff certify "
                       "proves it", err=True)  # fmt: skip
            return None, None


def _hints(data: Any, request: Mapping[str, Any]) -> list[str]:
    """Return the hint that columns of very different scales make long runs."""
    from novikoff.cli.text.column_hints import MANY, scale_hints

    n, d = data.X.shape
    if hasattr(data.X, "indptr") or n * d > MANY or any(request[name] for name in ("scale", "scale_by", "normalize")):
        return []
    return scale_hints(data.X, data.names or [f"x{j}" for j in range(1, d + 1)])


def _single(ctx: click.Context, chosen: Mapping[str, Any], key: str) -> int:
    values = chosen[key]
    if len(values) > 1:
        raise click.UsageError(f"-{key}: angle follows one run; give it once", ctx)
    return int(values[0])
