"""`novikoff theory`: Cover's counts, general position, bits of exact weights, and the experiments of the notes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from novikoff.cli import UNDECIDED
from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.pictures import check_plot, picture, plot_option, write_picture
from novikoff.cli.options.proof_data import ProofData, data_of, data_options
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note, print_answer, write_file
from novikoff.cli.text.option_table import spelled, typed
from novikoff.cli.text.progress import working
from novikoff.cli.verbs.trace import table
from novikoff.data.format_numbers import ends_in_words
from novikoff.perceptron import FIXED_ORDERS

NO = 1
FEW = 20  # rows or weights that are shown
RATIOS = ("1", "1.2", "1.4", "1.6", "1.8", "2", "2.2", "2.4", "3", "4")


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


@click.group(subcommand_metavar="KIND ...")
def command() -> None:
    """Count, decide and measure what the theory of the notes states.

    \b
    novikoff theory capacity -N 5 -N 65
    novikoff theory position --example cornwell
    novikoff theory bits --example cornwell
    novikoff theory experiment worst
    """


# ---- capacity ------------------------------------------------------------------------------------------------------


@command.command(cls=Verb, short_help="Count the labellings that a plane separates (Cover).")
@size_options
@click.option("--ratio", "ratios", type=formatting.positive, multiple=True, metavar="NUMBER",
              help="Ratio P/N, instead of -P; repeatable.")  # fmt: skip
@click.option("--affine", is_flag=True, help="Planes with a bias: N features, N + 1 parameters.")
@click.option("--simulate", "trials", type=click.IntRange(1, 10_000_000), metavar="TRIALS",
              help="Also decide this many random labellings of random points for each size, with proofs.")  # fmt: skip
@plot_option
@draw_options
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")
@click.pass_context
def capacity(ctx: click.Context, /, **request: Any) -> int:
    """Count the labellings of P points in N dimensions that a plane separates (Cover's theorem).

    \b
    novikoff theory capacity -P 130 -N 65
    novikoff theory capacity -N 5 -N 65
    novikoff theory capacity -N 5 --simulate 100 --seed 1
    novikoff theory capacity -N 5 -N 65 --plot cover.pdf

    The points are in general position, the planes pass through the origin (with --affine they have a bias). --simulate
    adds the measured fraction and its 95 % confidence interval. --plot draws the fraction and the count against P/N.

    Exit codes: 0 done, 2 usage, 3 bad input.
    """
    Ns, trials, affine = list(dict.fromkeys(request["dimensions"])), request["trials"], request["affine"]
    if not Ns:
        raise click.UsageError("-N is missing: the number of dimensions, as in -N 65", ctx)
    if request["points"] and request["ratios"]:
        raise click.UsageError("-P and --ratio: give the numbers of points or their ratios to N, not both", ctx)
    if trials is not None and affine:
        raise click.UsageError("--affine: --simulate draws planes through the origin; use -N with one more", ctx)
    check_plot(ctx, request)
    ratios = request["ratios"] or [Fraction(ratio) for ratio in RATIOS]
    sizes = [(N, P) for N in Ns for P in request["points"] or [max(1, round(r * (N + affine))) for r in ratios]]
    sizes = list(dict.fromkeys(sizes))
    from novikoff.theory.experiments.capacity_experiment import measured_fractions
    from novikoff.theory.experiments.trials import check_draws

    if trials is not None:
        check_draws(sizes)
    rows = [_counts(P, N, affine) for N, P in sizes]
    if trials is not None:
        with engine_of(ctx, request) as engine, working(request["quiet"], "random labellings") as show:
            found = measured_fractions(sizes, trials, request["seed"], engine, show)
        rows = [row | one for row, one in zip(rows, found, strict=True)]
    drawn = picture(request, lambda: _cover_display(Ns, rows, affine))
    info = {"affine": affine, "seed": request["seed"], "trials": trials,
            "rows": rows}  # fmt: skip
    lines = [",".join(rows[0]), *(",".join("" if v is None else str(v) for v in row.values()) for row in rows)]
    write_table(request, "\n".join(lines) + "\n")
    print_answer("capacity", info, _capacity_in_words(info), request["as_json"])
    write_picture(request, drawn)
    return 0


def _cover_display(Ns: list[int], rows: list[dict[str, Any]], affine: bool) -> Any:
    from novikoff.plot.cover_display import CoverDisplay

    return CoverDisplay(Ns, rows, affine, level=0.95)


def _counts(P: int, N: int, affine: bool) -> dict[str, Any]:
    """Return the exact count as digits, where it is not too long, the fraction and the logarithm."""
    from novikoff.errors import InputError
    from novikoff.exact.integer_rows import digits
    from novikoff.theory.cover import cover_count
    from novikoff.theory.cover_logs import approximate_fraction, log10_cover_count, log10_fraction

    try:
        count: str | None = digits(cover_count(P, N, affine))
    except InputError:
        count = None
    return {"N": N, "P": P, "ratio": P / (N + affine), "count": count,
            "log10_count": log10_cover_count(P, N, affine), "fraction": approximate_fraction(P, N, affine),
            "log10_fraction": log10_fraction(P, N, affine)}  # fmt: skip


def _capacity_in_words(info: Mapping[str, Any]) -> list[str]:
    """Format the answer: sentences for one size, a table for several."""
    from novikoff.theory.cover_logs import fraction_in_words

    rows, kind = info["rows"], "with a bias" if info["affine"] else "through the origin"
    row = rows[0]
    if len(rows) == 1:
        lines = [f"{formatting.count(row['P'], 'point')} in general position, N = {row['N']:,}, planes {kind}"]
        lines += [] if row["count"] is None else [f"separable labellings  {row['count']}"]
        lines.append(f"log10 of the count    {row['log10_count']:.10g}")
        lines.append(f"fraction of all 2^P   {fraction_in_words(row['fraction'], row['log10_fraction'])}")
        lines += [f"measured{_measured(row)}"] if "measured" in row else []
    else:
        measured = f"{'measured':>12}   interval" if "measured" in row else ""
        lines = [f"{'N':>8}{'P':>10}{'P/N':>8}{'fraction':>13}{'log10 count':>15}{measured}"]
        lines += [f"{row['N']:>8,}{row['P']:>10,}{row['ratio']:>8.3g}{row['fraction']:>13.6g}"
                  f"{row['log10_count']:>15.6g}{_measured(row)}" for row in rows]  # fmt: skip
        lines.append(f"fraction: of all 2^P labellings of P points in general position, by planes {kind}")
        if info["affine"]:
            lines.append("P/N: P divided by the number of parameters, which is N + 1 with a bias")
    if info["trials"] is not None:
        lines.append(f"measured: separable of {info['trials']:,} draws (seed {info['seed']}), each decided with a "
                     "proof, and the 95 % confidence interval")  # fmt: skip
    elif len(rows) > 1:
        lines.append("--simulate 2000 --seed 1 adds measured fractions")
    return lines


def _measured(row: Mapping[str, Any]) -> str:
    return f"{row['measured']:>12.4f}   {ends_in_words((row['low'], row['high']), '.4f')}" if "measured" in row else ""


# ---- position ------------------------------------------------------------------------------------------------------


@command.command(cls=Verb, short_help="Decide whether points are in general position.")
@data_options
@click.option("--max-seconds", type=formatting.seconds, metavar="NUMBER", default="60", show_default=True,
              help="Time limit.")  # fmt: skip
@click.option("--count", "dichotomies", is_flag=True, help="Also count the labellings that a plane separates.")
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def position(ctx: click.Context, /, as_json: bool, **request: Any) -> int:
    """Decide exactly whether points are in general position, and show a dependent subset if they are not.

    \b
    novikoff theory position --example cornwell
    novikoff theory position data.csv --json
    novikoff theory position --example or --count

    DATA is a file as for fit; labels are ignored. With a bias: no k + 2 points on a plane of dimension k < d. Without:
    no N points or fewer are linearly dependent. The work grows like n^(N−2): after --max-seconds the answer is
    undecided, and what is proved so far is reported.

    Exit codes: 0 in general position, 1 not, 2 usage, 3 bad input, 4 undecided at the time limit.
    """
    data, seconds = data_of(ctx, request), request["max_seconds"]
    from novikoff.theory.position import general_position

    with formatting.about(data.name), working(request["quiet"], "general position"):
        found = general_position(data.points, data.fit_intercept, seconds)
        rows = None if found.dependent is None else [int(data.rows[i]) for i in found.dependent]
        info = {"data": data.name, "general_position": found.holds, "n": found.points,
                "d": found.dimensions - data.fit_intercept, "bias": data.fit_intercept, "N": found.dimensions,
                "rank": found.rank, "dependent": rows, "fewest": found.fewest,
                "independent_up_to": found.independent_up_to}  # fmt: skip
        if request["dichotomies"]:
            info |= _dichotomies(found, data, seconds)
    print_answer("position", info, _position_in_words(info, seconds), as_json)
    return UNDECIDED if found.holds is None else NO * (not found.holds)


def _dichotomies(found: Any, data: ProofData, seconds: float) -> dict[str, Any]:
    """Return the number of separable labellings of these points, and Cover's; None where it was not found in time."""
    from novikoff.errors import UndecidedError
    from novikoff.exact.integer_rows import digits
    from novikoff.theory.cover import cover_count
    from novikoff.theory.dichotomies import count_dichotomies

    most = cover_count(found.points, found.dimensions)
    try:
        own = most if found.holds else count_dichotomies(data.points, data.fit_intercept, max_time=seconds)
    except UndecidedError:
        return {"dichotomies": None, "cover_count": digits(most)}
    return {"dichotomies": digits(own), "cover_count": digits(most)}


def _position_in_words(info: Mapping[str, Any], seconds: float) -> list[str]:
    """Format the answer: points from 1."""
    kind = "with the 1 of the bias" if info["bias"] else "without a bias"
    space = f"{formatting.count(info['n'], 'point')} in N = {info['N']:,} dimensions, {kind}"
    if info["general_position"]:
        most = min(info["n"], info["N"])
        sets = "no point is at the origin" if most == 1 else f"every {most:,} points or fewer are independent"
        text = f"IN GENERAL POSITION  {space}: {sets}"
    elif info["general_position"] is None:
        text = (f"UNDECIDED  after {seconds:g} seconds, {space}: every "
                f"{formatting.count(info['independent_up_to'], 'point')} or fewer are independent; larger subsets are "
                "not decided. Give more time with --max-seconds.")  # fmt: skip
    else:
        rows = info["dependent"]
        more = f" and {len(rows) - FEW:,} more" if len(rows) > FEW else ""
        named = ", ".join(str(row + 1) for row in rows[:FEW]) + more
        fewest = "; no fewer are" if info["fewest"] and len(rows) > 1 else ""
        dependent = f"points {named} are linearly dependent" if len(rows) > 1 else f"point {named} is at the origin"
        text = f"NOT IN GENERAL POSITION  {space}: {dependent}{fewest}"
    if "dichotomies" in info:
        own = "not counted within the time limit" if info["dichotomies"] is None else info["dichotomies"]
        return [
            text,
            f"separable labellings  {own} of these points; {info['cover_count']} of as many in general position",
        ]
    return [text]


# ---- bits ----------------------------------------------------------------------------------------------------------


@command.command(cls=Verb, short_help="Compare the bits of exact weights with their bound.")
@data_options
@click.option("--order", type=click.Choice(FIXED_ORDERS), default="cyclic", show_default=True,
              help="Order in which the points are presented.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of random orders.")
@click.option(
    "--max-updates", type=click.IntRange(min=1), default=10_000, show_default=True, help="Stop after this many updates."
)
@click.pass_context
def bits(ctx: click.Context, /, as_json: bool, **request: Any) -> int:
    """Compare the bits of the weights of an exact run with the bound s + ⌈log2 t⌉ and a sign bit.

    \b
    novikoff theory bits --example cornwell
    novikoff theory bits data.csv --json

    DATA is a file as for fit, of up to a million numbers. s is the bits of the largest coordinate, scaled to integers,
    and t the updates.
    """
    data = data_of(ctx, request)
    X = table(data)
    data.check_two_classes()
    from novikoff.exact.integer_rows import digits
    from novikoff.theory.bits import bits_used

    how = {name: request[name] for name in ("order", "seed", "max_updates")}
    with formatting.about(data.name):
        run = bits_used(replace(data, X=X).points, fit_intercept=data.fit_intercept, **how)
    weights, scale = [digits(v) for v in run.weights], digits(run.scale)
    info = {"data": data.name, "n": run.n, "parameters": run.parameters, "scale": scale,
            "s": run.s, "t": run.t, "bound": run.bound, "used": run.used, "separated": run.separated,
            "weights": weights, "code_bits": run.code, "at_update": list(run.at_update)}  # fmt: skip
    scaled = "" if scale == "1" else f", times {_long(scale)}"
    lines = [
        f"s = {run.s:,}   bits of the largest coordinate as an integer{scaled}",
        f"t = {run.t:,}   updates{'' if run.separated else '; the run did not separate the points'}",
        f"bound  {run.bound:,} bits per weight: s + ⌈log2 t⌉ and a sign bit",
        f"used   {run.used:,} bits by the largest weight of the run, with its sign",
        f"code   {run.code:,} bits for s, t and all {run.parameters:,} weights, prefix-free",
        f"weights  {_vector(weights)}",
    ]
    print_answer("bits", info, lines, as_json)
    return 0


def _vector(weights: Sequence[str]) -> str:
    more = f", … ({len(weights) - FEW:,} more)" if len(weights) > FEW else ""
    return f"({', '.join(map(_long, weights[:FEW]))}{more})"


def _long(number: str) -> str:
    return number if len(number) <= 2 * FEW else f"{number[:FEW]}… ({len(number):,} digits)"


# ---- experiments ---------------------------------------------------------------------------------------------------


@command.command(cls=Verb, short_help="Run an experiment of the lecture notes.")
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
        note(request["quiet"], _hints(data, request))
    chosen = {ARGUMENTS.get(key, key): request[key] for key in USED[name] - {"data", "example"}}
    chosen = {key: value for key, value in chosen.items() if value not in (None, ())}
    with engine_of(ctx, request) as engine, working(request["quiet"], name) as show:
        found = _run(ctx, name, data, chosen, {"engine": engine, "on_block": show})
    if found is None:
        return NO
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
    if hasattr(data.X, "indptr") or n * d > MANY or any(request[name] for name in ("scale", "normalize")):
        return []
    return scale_hints(data.X, data.names or [f"x{j}" for j in range(1, d + 1)])


def write_table(request: Mapping[str, Any], text: str) -> None:
    """Write the table to the file of --csv, if there is one."""
    if request["csv_file"] is not None:
        write_file(request["csv_file"], text, request["quiet"])
