"""`novikoff margin`: maximum-margin planes, proved bounds of their margins, and the mistake bound."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from novikoff.certify.deadline import Clock
from novikoff.cli import UNDECIDED
from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import ProofData, data_of, data_options, refuse_classes
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.held_out import tested_in_words, widest_tested
from novikoff.cli.text.label_names import label_lines
from novikoff.cli.text.positive_side import side_of
from novikoff.cli.text.progress import working
from novikoff.cli.verbs.certify import known, save, say_saved
from novikoff.data.labels.positive_class import choice_in_words
from novikoff.data.text.format_numbers import BEYOND, bounds, ends_in_words, json_interval
from novikoff.data.text.plain_files import plane_of
from novikoff.errors import NotSeparableError, UndecidedError
from novikoff.scoring.unit_plane import unit_plane

NOT_SEPARABLE = 1
FEW_FEATURES = 50  # up to here the weights are in the document
FEW_DIGITS = 18  # exact fractions and weights up to here are shown
SHOWN = 20  # points


@click.command(cls=Verb)
@data_options
@click.option(
    "--holdout",
    type=formatting.part,
    metavar="F",
    help="Find the planes of the other rows, and test the geometric one on this fraction, evenly spaced.",
)
@click.option("--w0", type=formatting.numbers, metavar="A,B,…",
              help="Also bound the mistakes from these initial weights, the bias last.")  # fmt: skip
@click.option("--eta", type=formatting.positive, metavar="NUMBER", default="1", show_default=True,
              help="Learning rate η of a run from --w0.")  # fmt: skip
@click.option("--max-seconds", type=formatting.seconds, metavar="NUMBER", help="Time limit.")
@row_options.positive_option
@click.option("-o", "--output", type=Output(path_type=Path), metavar="CERT", help="Save the proof.")
@engine_options
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(
    ctx: click.Context, /, w0: tuple[Fraction, ...] | None, eta: Fraction, as_json: bool, **request: Any
) -> int:
    """Find the maximum-margin planes with proved margins, and bound the mistakes a perceptron can make.

    \b
    novikoff margin --example or
    novikoff margin data.csv --json
    novikoff margin data.csv -o proof.json
    novikoff margin --example tao --w0=-10,-10

    DATA is a file as for fit. After --max-seconds, what is proved so far is reported. novikoff verify, or Python alone,
    checks the saved proof.

    Exit codes: 0 done, 1 the points are not separable, 2 usage, 3 bad input, 4 undecided at the time limit.
    """
    clock = Clock(request["max_seconds"])
    from novikoff.maxmargin.margin import margin

    if w0 is None and ctx.get_parameter_source("eta") is not ParameterSource.DEFAULT:
        raise click.UsageError("--eta requires --w0: with initial weights 0 the learning rate changes nothing; add "
                               "--w0, or omit --eta", ctx)  # fmt: skip
    if request["holdout"] is not None and request["output"] is not None:
        raise click.UsageError("--holdout and -o: a proof is about all rows of a file; leave one of them out", ctx)
    with ExitStack() as stack:
        engine = stack.enter_context(engine_of(ctx, request))
        data = data_of(ctx, request, engine=engine)
        refuse_classes(data, request)
        if len(data.classes) > 2:  # raise an error that explains how to choose
            formatting.chosen_classes(data.y, data.y, data.name, None, two=True)
        stack.enter_context(formatting.about(data.name, label=data.label))
        stack.enter_context(working(request["quiet"], "widest planes"))
        try:
            chosen = {"positive": request["positive"], "max_time": clock.max_time}
            m = margin(data.points, None, data.fit_intercept, engine, **chosen)
        except NotSeparableError as error:
            return _refuse(data, error, as_json, request, clock)
        except UndecidedError:
            return _undecided(data, request["max_seconds"], as_json)
        in_time = known(m, "padded", clock) is not None and known(m, "radius2", clock) is not None
        started = None
        m.max_time = clock.max_time
        if w0 is not None and in_time:
            started = {"w0": [str(v) for v in w0], "eta": str(eta), "mistake_bound": m.mistake_bound_from(w0, eta)}
            started |= m.made_from(w0, eta)._asdict()
        m.max_time = clock.max_time
        info = document(m, data, sides_of(data, request["positive"]), in_time) | {"start": started}
        if data.held is not None:
            info |= widest_tested(m, data.classes, (data.X, data.y), (data.held.rows, data.held.labels))
        saved = save(m, data, request["output"]) if in_time else None
        info["certificate"] = None if saved is None else str(request["output"])
    shown = json.dumps({"schema": "novikoff/margin/1", **info}, allow_nan=False) if as_json else in_words(info, data)
    click.echo(shown)
    if saved is not None and not as_json:
        click.echo("\n".join(say_saved(data, request, saved)))
    if not in_time and not as_json:
        missing = ("no padded margin, " if info["padded"] is None else "") + "no mistake bound is proved"
        saved = "" if request["output"] is None else ", no proof is saved"
        click.echo(f"UNDECIDED  after {request['max_seconds']:g} seconds: {missing}{saved}. "
                   "Give more time with --max-seconds.")  # fmt: skip
    return 0 if in_time else UNDECIDED


def _undecided(data: ProofData, seconds: float, as_json: bool) -> int:
    """Report that the time limit was reached and nothing is proved."""
    n, d = data.X.shape
    if as_json:
        info = {"schema": "novikoff/margin/1", "data": data.name, "separable": None, "n": n, "d": d}
        click.echo(json.dumps(info | {"certificate": None}))
    else:
        click.echo(f"UNDECIDED  after {seconds:g} seconds: nothing is claimed about the "
                   f"{formatting.count(n, 'point')}. Give more time with --max-seconds.")  # fmt: skip
    return UNDECIDED


def sides_of(data: ProofData, positive: str | None) -> list[Any]:
    """Return the negative and the positive class; None if there is only one class."""
    from novikoff.certify.decide.obstruction import plain_label

    sides = [plain_label(c) for c in data.classes][:: side_of(data.classes, positive)]
    return sides if len(sides) == 2 else [None, *sides]


def document(m: Any, data: ProofData, sides: list[Any], in_time: bool) -> dict[str, Any]:
    """Return the JSON document: rows from 0. in_time: whether what gives the mistake bound was found in time."""
    info = {"data": data.name, "prepared": data.prepared, "separable": True, "n": m.n, "d": m.d}
    info |= {"bias": m.fit_intercept, "label": data.label, "classes": sides, "geometric": _width(m.geometric)}
    if not in_time:
        padded = vars(m).get("padded")  # found, or not computed again
        info["padded"] = None if padded is None else _width(padded)
        return info | dict.fromkeys(("radius", "radius2", "shortest", "mistake_bound", "updates", "finished"))
    low, high = m.radius2
    info |= {"padded": _width(m.padded), "radius": m.radius, "radius2": str(high) if low == high else None}
    info |= {"shortest": json_interval(m.shortest), "mistake_bound": json_interval(m.mistake_bound)}
    return info | {"updates": m.updates, "finished": m.finished}


def _width(width: Any) -> dict[str, Any]:
    w, b = width.plane
    unit = unit_plane(w.tolist(), float(b))
    endless = math.isinf(width.gamma[1])
    return {
        "gamma": None if endless else width.gamma,
        "gamma2": None if width.gamma2 is None else str(width.gamma2),
        "w": w.tolist() if w.size <= FEW_FEATURES else None,
        "b": b,
        "unit_normal": None if unit is None or w.size > FEW_FEATURES else unit.normal,
        "distance": None if unit is None or math.isinf(unit.distance) else unit.distance,
        "touching": width.touching.tolist(),
        "weights": width.weights.tolist(),
    }


def in_words(info: dict[str, Any], data: ProofData) -> str:
    """Format the document for people: points from 1."""
    both, padded = info["geometric"], info["padded"]
    sides = f"; {said}" if (said := choice_in_words(info["classes"])) else ""
    lines = [f"{formatting.count(info['n'], 'point')}, {formatting.count(info['d'], 'feature')}: separable{sides}"]
    lines += label_lines(data.label, data.classes)
    lines += [f"{tested_in_words(info['test'])}, by the plane of the geometric margin"] if "test" in info else []
    if not info["bias"]:
        lines.append("planes through the origin: the padded and the geometric margin are the same")
    elif both["gamma"] is None:
        lines.append("only one class: the plane can be arbitrarily far away, so the geometric margin is unbounded")
    else:
        lines += _said("geometric margin", both, data.unit_names)
    if padded is None:
        return "\n".join(lines)
    lines += _said("padded margin" if info["bias"] else "margin", padded, data.unit_names)
    if info["radius"] is None:
        return "\n".join(lines)
    R2 = f" = √{info['radius2']}" if _short(info["radius2"]) else ""
    lines.append(f"R{R2} {_radius(info)}, the length of the longest {'(x, 1)' if info['bias'] else 'x'}")
    lines.append(f"B = 1/γ = {agreed(info['shortest'])}, the shortest {'(w, b)' if info['bias'] else 'w'} with "
                 f"y·score ≥ 1 for every point")  # fmt: skip
    lines.append(f"mistakes ≤ (R/γ)² = {agreed(info['mistake_bound'])}, from weights 0 in any order")
    lines.append(f"made    {_made(info)} from weights 0, in cyclic order")
    if (start := info["start"]) is not None:
        where = f"({', '.join(start['w0'])})" + (f" with η = {start['eta']}" if start["eta"] != "1" else "")
        lines.append(f"mistakes ≤ {start['mistake_bound']:,}, from weights {where} in any order")
        lines.append(f"made    {_made(start)} from there, in cyclic order")
    return "\n".join(lines)


def _said(name: str, width: dict[str, Any], names: Sequence[str] | None) -> list[str]:
    low, high = bounds(*width["gamma"])
    square = f" = √({width['gamma2']})" if _short(width["gamma2"]) else ""
    lines = [f"{name}  γ{square} = {agreed(width['gamma'])}", f"        proved  {low} ≤ γ ≤ {high}"]
    if width["w"] is not None and len(width["w"]) <= formatting.PLANE_TERMS:
        lines.append(f"        plane   {formatting.plane(width['w'], width['b'], names)}")
    if width["distance"] is not None:
        few = width["w"] is not None and len(width["w"]) <= formatting.PLANE_TERMS
        normal = f"unit normal ≈({', '.join(f'{v:.6g}' for v in width['unit_normal'])}), " if few else ""
        lines.append(f"        {normal}distance from the origin ≈{width['distance']:.6g}")
    return [*lines, f"        touching  {_points(width['touching'])}"]


def agreed(interval: Sequence[float | None]) -> str:
    """Return the leading digits that both ends of an interval share, followed by … if it has more."""
    low, high = interval
    if low is None or high is None:
        return BEYOND
    if low == high:
        return f"{int(low):,}" if low.is_integer() else " … ".join(dict.fromkeys(bounds(low, high)))
    a, b = (f"{Decimal(v):.60e}".split("e") for v in (low, high))
    same = _same_beginning(a[0], b[0]) if a[1] == b[1] else ""
    if len(same.rstrip(".")) < 2:
        return ends_in_words((low, high)) if f"{low:.6g}" != f"{high:.6g}" else " … ".join(bounds(low, high))
    power = int(a[1])
    if not -5 < power < 16:
        return f"{same}…e{power}"
    digits = same.replace(".", "")
    if power < 0:
        return f"0.{'0' * (-power - 1)}{digits}…"
    return f"{digits[: power + 1]}.{digits[power + 1 :]}…" if len(digits) > power + 1 else ends_in_words((low, high))


def _radius(info: dict[str, Any]) -> str:
    """Format = R, or ≈ R if it is rounded."""
    text = f"{info['radius']:.15g}"
    is_root = info["radius2"] is not None and Fraction(text) ** 2 == Fraction(info["radius2"])
    return f"{'=' if is_root else '≈'} {text}"


def _same_beginning(a: str, b: str) -> str:
    return a[: next((k for k, (p, q) in enumerate(zip(a, b, strict=False)) if p != q), len(a))]


def _short(fraction: str | None) -> bool:
    return fraction is not None and len(fraction) <= FEW_DIGITS


def _points(rows: Sequence[int]) -> str:
    more = len(rows) - SHOWN
    shown = ", ".join(f"{row + 1}" for row in rows[:SHOWN])
    return f"{formatting.count(len(rows), 'point')}: {shown}{f' and {more:,} more' if more > 0 else ''}"


def _made(info: dict[str, Any]) -> str:
    updates = formatting.count(info["updates"], "update")
    return updates if info["finished"] else f"more than {updates} (stopped there, not run to the end)"


def _refuse(data: ProofData, error: NotSeparableError, as_json: bool, request: Mapping[str, Any], clock: Clock) -> int:
    """Report that the points are not separable; save that proof if requested and if its weights are found in time.

    Weights too large for any checker (for very wide points) are not computed.
    """
    v, wanted = error.verdict, request["output"] is not None
    rows, long = list(v.support), v.weights_bytes is not None
    shown = not long and (as_json or len(rows) <= formatting.PROOF_TERMS)
    weights = known(v, "weights", clock) if shown else None
    v.max_time = clock.max_time
    saved = save(v, data, request["output"])
    code = UNDECIDED if wanted and saved is None else NOT_SEPARABLE
    if as_json:
        from novikoff.certify.check.proof import digits
        from novikoff.certify.decide.obstruction import plain_label

        info = {"schema": "novikoff/margin/1", "data": data.name, "separable": False, "n": v.n, "d": v.d}
        info |= {"label": data.label, "classes": [plain_label(c) for c in data.classes]}
        info |= {"support": rows, "weights": None if weights is None else [digits(m) for m in weights]}
        click.echo(json.dumps(info | {"certificate": None if saved is None else str(request["output"])}))
        return code
    all_points, whose = ("the one point", "its") if v.n == 1 else (f"all {v.n:,} points", "their")
    click.echo(
        f"NOT SEPARABLE  no {plane_of(v.fit_intercept)} has {all_points} on {whose} own side, so there is no margin"
    )
    for line in label_lines(data.label, data.classes):
        click.echo(line)
    zero = "with their signs and positive weights they sum to zero" if len(rows) > 1 else "it is at the origin"
    click.echo(f"proof  {_points(rows)}: {zero}")
    if weights is not None and max(weights) < 10**FEW_DIGITS:
        click.echo("       weights " + ", ".join(f"{m:,}" for m in weights))
    if wanted:
        click.echo("\n".join(say_saved(data, request, saved)))
    return code
