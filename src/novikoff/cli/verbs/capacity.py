"""`novikoff capacity`: how many labellings of P points in N dimensions a plane separates, computed and measured."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import click

from novikoff.cli.options.engine_options import engine_of
from novikoff.cli.options.experiment_options import draw_options, size_options, write_table
from novikoff.cli.pictures.plot_options import Picture, check_plot, plot_option
from novikoff.cli.text import formatting
from novikoff.cli.text.help_layout import Verb
from novikoff.cli.text.progress import counting
from novikoff.data.text.format_numbers import ends_in_words

RATIOS = ("1", "1.2", "1.4", "1.6", "1.8", "2", "2.2", "2.4", "3", "4")


@click.command(cls=Verb)
@size_options
@click.option("--ratio", "ratios", type=formatting.positive, multiple=True, metavar="NUMBER",
              help="Ratio P/N, instead of -P; repeatable.")  # fmt: skip
@click.option("--fraction", type=formatting.positive, metavar="Q",
              help="Also find the largest P for which a fraction of at least Q is separable.")  # fmt: skip
@click.option("--affine", is_flag=True, help="Planes with a bias: N features, N + 1 parameters.")
@click.option("--simulate", "trials", type=click.IntRange(1, 10_000_000), metavar="TRIALS",
              help="Also decide this many random labellings of random points for each size, with proofs.")  # fmt: skip
@draw_options
@plot_option
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Count the labellings of P points in N dimensions that a plane separates (Cover's theorem).

    \b
    novikoff capacity -P 130 -N 65
    novikoff capacity -N 5 -N 65
    novikoff capacity -N 65 --fraction 0.99
    novikoff capacity -N 5 --simulate 100 --seed 1
    novikoff capacity -N 5 -N 65 --plot cover.pdf

    The points are in general position, the planes pass through the origin (with --affine they have a bias). --simulate
    adds the measured fraction and its 95 % confidence interval. --plot draws the fraction and the count against P/N.

    Exit codes: 0 done, 2 usage, 3 bad input.
    """
    if not request["dimensions"]:
        raise click.UsageError("-N is missing: the number of dimensions, as in -N 65", ctx)
    if request["points"] and request["ratios"]:
        raise click.UsageError("-P and --ratio: give the numbers of points or their ratios to N, not both", ctx)
    if request["trials"] is not None and request["affine"]:
        raise click.UsageError("--affine: --simulate draws planes through the origin; use -N with one more", ctx)
    if request["trials"] is None and request["checkpoint"] is not None:
        raise click.UsageError("--checkpoint: is for --simulate", ctx)
    check_plot(ctx, request)
    sizes = _sizes(request)
    if request["trials"] is not None:
        from novikoff.theory.experiments.trials import check_draws

        check_draws(sizes)
    rows = [_row(P, N, request["affine"]) for N, P in sizes]
    if request["trials"] is not None:
        rows = [row | found for row, found in zip(rows, _measured(ctx, sizes, request), strict=True)]
    info: dict[str, Any] = {"schema": "novikoff/capacity/1", "affine": request["affine"], "seed": request["seed"],
                            "trials": request["trials"], "rows": rows}  # fmt: skip
    info["largest"] = _largest(request)
    picture = Picture(request, lambda: _display(rows, request))
    write_table(request, _csv(rows))
    click.echo(json.dumps(info, allow_nan=False) if request["as_json"] else _in_words(info, request))
    picture.write()
    return 0


def _display(rows: list[dict[str, Any]], request: Mapping[str, Any]) -> Any:
    from novikoff.plot.displays.cover_display import CoverDisplay

    return CoverDisplay(list(dict.fromkeys(request["dimensions"])), rows, request["affine"], level=0.95)


def _sizes(request: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return N and P of each row, without repetitions."""
    ratios = request["ratios"] or [Fraction(ratio) for ratio in RATIOS]
    plane = int(request["affine"])
    if request["points"]:
        return list(dict.fromkeys((N, P) for N in request["dimensions"] for P in request["points"]))
    return list(dict.fromkeys((N, max(1, round(r * (N + plane)))) for N in request["dimensions"] for r in ratios))


def _row(P: int, N: int, affine: bool) -> dict[str, Any]:
    """Return the exact count as digits, where it is not too long, the fraction and the logarithm."""
    from novikoff.certify.check.proof import digits
    from novikoff.errors import InputError
    from novikoff.theory.cover import cover_count
    from novikoff.theory.cover_logs import approximate_fraction, log10_cover_count, log10_fraction

    try:
        count: str | None = digits(cover_count(P, N, affine))
    except InputError:
        count = None
    return {"N": N, "P": P, "ratio": P / (N + affine), "count": count,
            "log10_count": log10_cover_count(P, N, affine), "fraction": approximate_fraction(P, N, affine),
            "log10_fraction": log10_fraction(P, N, affine)}  # fmt: skip


def _measured(ctx: click.Context, sizes: Sequence[tuple[int, int]], request: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the measured fraction of each row, with its interval."""
    from novikoff.theory.experiments.capacity_experiment import measured_fractions

    with engine_of(ctx, request) as engine, counting(request["quiet"], "random labellings") as show:
        return measured_fractions(sizes, request["trials"], request["seed"], engine, request["checkpoint"], show)


def _largest(request: Mapping[str, Any]) -> list[dict[str, Any]] | None:
    if request["fraction"] is None:
        return None
    from novikoff.theory.capacity_limits import largest_separable

    most = [largest_separable(N, request["fraction"], request["affine"]) for N in request["dimensions"]]
    return [{"N": N, "fraction": str(request["fraction"]), "P": P}
            for N, P in zip(request["dimensions"], most, strict=True)]  # fmt: skip


def _csv(rows: list[dict[str, Any]]) -> str:
    lines = [",".join(rows[0]), *(",".join("" if v is None else str(v) for v in row.values()) for row in rows)]
    return "\n".join(lines) + "\n"


def _in_words(info: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Format the answer: sentences for one size, a table for several."""
    rows, kind = info["rows"], "with a bias" if info["affine"] else "through the origin"
    if len(rows) == 1:
        lines = _one(rows[0], kind)
    else:
        lines = [f"{'N':>8}{'P':>10}{'P/N':>8}{'fraction':>13}{'log10 count':>15}" + _header(rows[0])]
        lines += [f"{row['N']:>8,}{row['P']:>10,}{row['ratio']:>8.3g}{row['fraction']:>13.6g}"
                  f"{row['log10_count']:>15.6g}" + _measurement(row) for row in rows]  # fmt: skip
        lines.append(f"fraction: of all 2^P labellings of P points in general position, by planes {kind}")
        if info["affine"]:
            lines.append("P/N: P divided by the number of parameters, which is N + 1 with a bias")
    for one in info["largest"] or ():
        lines.append(f"N = {one['N']:,}: a fraction of at least {one['fraction']} is separable up to P = {one['P']:,}")
    if info["trials"] is not None:
        lines.append(f"measured: separable of {info['trials']:,} draws (seed {info['seed']}), each decided with a "
                     "proof, and the 95 % confidence interval")  # fmt: skip
    elif len(rows) > 1:
        lines.append("--simulate 2000 --seed 1 adds measured fractions")
    return "\n".join(lines)


def _one(row: Mapping[str, Any], kind: str) -> list[str]:
    from novikoff.theory.cover_logs import fraction_in_words

    lines = [f"{formatting.count(row['P'], 'point')} in general position, N = {row['N']:,}, planes {kind}"]
    if row["count"] is not None:
        lines.append(f"separable labellings  {row['count']}")
    lines.append(f"log10 of the count    {row['log10_count']:.10g}")
    lines.append(f"fraction of all 2^P   {fraction_in_words(row['fraction'], row['log10_fraction'])}")
    if "measured" in row:
        lines.append(f"measured{_measurement(row)}")
    return lines


def _header(row: Mapping[str, Any]) -> str:
    return f"{'measured':>12}   interval" if "measured" in row else ""


def _measurement(row: Mapping[str, Any]) -> str:
    return f"{row['measured']:>12.4f}   {ends_in_words((row['low'], row['high']), '.4f')}" if "measured" in row else ""
