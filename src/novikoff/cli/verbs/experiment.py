"""`novikoff theory experiment`: the experiments of the lecture notes, reproducible by their seed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.option_checks import spelled, typed
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import ProofData, data_of, data_options
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer, write_file
from novikoff.cli.text.progress import working

NOT_SEPARABLE = 1
ON_DATA = ("orders", "starts")
USED = {  # the options of each experiment, beside those of tables and preparation
    "convergence": {"dimensions", "points", "trials", "seed", "max_updates"},
    "margin": {"dimensions", "points", "trials", "seed"},
    "angle": {"dimensions", "points", "seed", "max_updates"},
    "worst": {"deltas", "max_updates"},
    "orders": {"data", "example", "trials", "seed", "max_updates"},
    "starts": {"data", "example", "trials", "seed", "max_updates"},
    "position": {"dimensions", "points", "trials", "seed"},
}
ARGUMENTS = {"dimensions": "N", "points": "P"}  # of the functions, where they are not called as the parameters here

size_options = row_options.options(
    click.option("-N", "dimensions", type=click.IntRange(min=1), multiple=True, metavar="N",
                 help="Number of dimensions; repeatable."),
    click.option("-P", "points", type=click.IntRange(min=1), multiple=True, metavar="P",
                 help="Number of points; repeatable."),
)  # fmt: skip
draw_options = row_options.options(
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
                 help="Seed of the draws; the results depend on nothing else."),
    click.option("--csv", "csv_file", metavar="FILE", type=Output(path_type=Path), help="Also write the table as CSV."),
    engine_options,
    click.option("--quiet", is_flag=True, help="Print only errors on stderr."),
)  # fmt: skip


@click.command(cls=Verb, short_help="Run an experiment of the lecture notes.")
@click.argument("name", type=click.Choice(tuple(USED)), metavar="NAME")
@size_options
@click.option("--trials", type=click.IntRange(1, 10_000_000), metavar="T", help="Draws, orders or starts per size.")
@click.option("--max-updates", type=click.IntRange(min=1), metavar="K",
              help="Limit of each run; by default 1,000,000, of angle 100,000, of worst 10,000,000.")  # fmt: skip
@click.option("--delta", "deltas", type=formatting.positive, multiple=True, metavar="NUMBER",
              help="Of worst: half the distance of the two points; repeatable.")  # fmt: skip
@draw_options
@data_options
@click.pass_context
def experiment(ctx: click.Context, /, name: str, **request: Any) -> int:
    """Run an experiment of the lecture notes; every draw depends on the seed alone.

    \b
    novikoff theory experiment convergence -N 10 -N 20 -P 50 -P 100 --trials 20 --seed 1
    novikoff theory experiment margin --seed 1
    novikoff theory experiment angle -N 20 -P 100
    novikoff theory experiment worst
    novikoff theory experiment orders --example cornwell
    novikoff theory experiment starts --example cornwell
    novikoff theory experiment position -N 4 -N 8 --trials 20

    NAME is convergence (updates until Gaussian points labelled by a teacher are separated), margin (the teacher's
    smallest margin), angle (between the weights and the teacher, with the bounds of the proof and a random walk), worst
    (updates as the margin goes to 0), orders and starts (many runs on the same points, DATA or --example), or position
    (how often points of coordinates −1 and 1 are in general position).

    Exit codes: 0 done, 1 the points of orders or starts are not separable, 2 usage, 3 bad input.
    """
    for option in set().union(*USED.values()) - USED[name]:
        if typed(ctx, option):
            raise click.UsageError(f"{spelled(ctx, option)}: {name} does not use it; omit it", ctx)
    data = None
    if name in ON_DATA:
        data = data_of(ctx, request)
        for hint in [] if request["quiet"] else _hints(data, request):
            click.echo(hint, err=True)
    chosen = {ARGUMENTS.get(key, key): request[key] for key in USED[name] - {"data", "example"}}
    chosen = {key: value for key, value in chosen.items() if value not in (None, ())}
    with engine_of(ctx, request) as engine, working(request["quiet"], name) as show:
        found = _run(ctx, name, data, chosen, {"engine": engine, "on_block": show})
    if found is None:
        return NOT_SEPARABLE
    write_table(request, found.to_csv())
    print_answer("experiment", found.to_dict(), [str(found)], request["as_json"])
    return 0


def _run(
    ctx: click.Context, name: str, data: ProofData | None, chosen: dict[str, Any], blocks: Mapping[str, Any]
) -> Any:
    """Return the results; None if the points are not separable. blocks: the engine, and what is told of them."""
    import novikoff as nv

    if data is not None:
        run = nv.orders_experiment if name == "orders" else nv.starts_experiment
        try:
            with formatting.about(data.name):
                return run(data.points, fit_intercept=data.fit_intercept, **chosen, **blocks)
        except nv.NotSeparableError:
            click.echo(f"novikoff: {data.name}: the points are not separable, so no run ends; novikoff certify "
                       "proves it", err=True)  # fmt: skip
            return None
    if name == "worst":
        return nv.worst_case(**chosen)
    if name != "angle":
        function: Any = getattr(nv, f"{name}_experiment")
        return function(**chosen, **blocks)
    for key in {"N", "P"} & chosen.keys():
        if len(chosen[key]) > 1:
            raise click.UsageError(f"-{key}: angle follows one run; give it once", ctx)
        chosen[key] = int(chosen[key][0])
    return nv.angle_experiment(**chosen)


def _hints(data: ProofData, request: Mapping[str, Any]) -> list[str]:
    """Return the hint that columns of very different scales make long runs."""
    from novikoff.cli.text.column_hints import MANY, scale_hints

    n, d = data.X.shape
    if hasattr(data.X, "indptr") or n * d > MANY or any(request[name] for name in ("scale", "scale_by", "normalize")):
        return []
    return scale_hints(data.X, data.names or [f"x{j}" for j in range(1, d + 1)])


def write_table(request: Mapping[str, Any], text: str) -> None:
    """Write the table to the file of --csv, if there is one."""
    if request["csv_file"] is not None:
        write_file(request["csv_file"], text, request["quiet"])
