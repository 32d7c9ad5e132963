"""`novikoff margin`: maximum-margin planes, proved bounds of their margins, and the mistake bound."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
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
from novikoff.cli.text.progress import working
from novikoff.cli.verbs.certify import known, save, say_saved
from novikoff.data.text.plain_files import plane_of
from novikoff.errors import NotSeparableError, UndecidedError
from novikoff.maxmargin.margin_in_words import FEW_DIGITS, in_words, made_in_words, points_in_words

NOT_SEPARABLE = 1


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
        data = data_of(ctx, request)
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
        info = {"data": data.name, "prepared": data.prepared, "label": data.label, **m.to_dict(in_time)}
        info["start"] = started
        if data.held is not None:
            info |= widest_tested(m, data.classes, (data.X, data.y), (data.held.rows, data.held.labels))
        saved = save(m, data, request["output"]) if in_time else None
        info["certificate"] = None if saved is None else str(request["output"])
    shown = json.dumps({"schema": "novikoff/margin/1", **info}, allow_nan=False) if as_json else _in_words(info, data)
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


def _in_words(info: dict[str, Any], data: ProofData) -> str:
    """Format the document for people."""
    first, *lines = in_words(info, data.unit_names)
    test = [f"{tested_in_words(info['test'])}, by the plane of the geometric margin"] if "test" in info else []
    if (start := info["start"]) is not None:
        where = f"({', '.join(start['w0'])})" + (f" with η = {start['eta']}" if start["eta"] != "1" else "")
        lines.append(f"mistakes ≤ {start['mistake_bound']:,}, from weights {where} in any order")
        lines.append(f"made    {made_in_words(start['updates'], start['finished'])} from there, in cyclic order")
    return "\n".join([first, *label_lines(data.label, data.classes), *test, *lines])


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
    click.echo(f"proof  {points_in_words(rows)}: {zero}")
    if weights is not None and max(weights) < 10**FEW_DIGITS:
        click.echo("       weights " + ", ".join(f"{m:,}" for m in weights))
    if wanted:
        click.echo("\n".join(say_saved(data, request, saved)))
    return code
