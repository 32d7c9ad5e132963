"""`novikoff margin`: maximum-margin planes, proved bounds of their margins, and the mistake bound."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from novikoff.cli import UNDECIDED
from novikoff.cli.options import row_options
from novikoff.cli.options.engine_options import engine_of, engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import ProofData, data_of, data_options, refuse_classes
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer
from novikoff.cli.text.held_out import tested_in_words, widest_tested
from novikoff.cli.text.label_names import label_lines
from novikoff.cli.text.progress import working
from novikoff.cli.verbs.certify import known, save
from novikoff.data.plain_files import plane_of
from novikoff.errors import NotSeparableError, UndecidedError
from novikoff.exact.deadline import Clock
from novikoff.maxmargin.margin_in_words import FEW_DIGITS, in_words, made_in_words, points_in_words

if TYPE_CHECKING:
    from novikoff.maxmargin.margin import Margin
    from novikoff.separate.verdict import Verdict

Answer = tuple[int, dict[str, Any], list[str]]  # exit code, document, lines
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
def command(ctx: click.Context, /, **request: Any) -> int:
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

    if request["w0"] is None and ctx.get_parameter_source("eta") is not ParameterSource.DEFAULT:
        raise click.UsageError("--eta requires --w0: with initial weights 0 the learning rate changes nothing; add "
                               "--w0, or omit --eta", ctx)  # fmt: skip
    if request["holdout"] is not None and request["output"] is not None:
        raise click.UsageError("--holdout and -o: a proof is about all rows of a file; leave one of them out", ctx)
    with ExitStack() as stack:
        engine = stack.enter_context(engine_of(ctx, request))
        data = data_of(ctx, request)
        refuse_classes(data, request)
        data.check_two_classes()
        stack.enter_context(formatting.about(data.name, label=data.label))
        stack.enter_context(working(request["quiet"], "widest planes"))
        try:
            chosen = {"positive": request["positive"], "max_time": clock.max_time}
            m = margin(data.points, None, data.fit_intercept, engine, **chosen)
            code, info, lines = _found(m, data, request, clock)
        except NotSeparableError as error:
            code, info, lines = _not_separable(error.verdict, data, request, clock)
        except UndecidedError:
            n, d = data.X.shape
            code, info = UNDECIDED, {"separable": None, "n": n, "d": d, "certificate": None}
            lines = [_undecided(request, f"nothing is claimed about the {formatting.count(n, 'point')}")]
    print_answer("margin", {"data": data.name, **info}, lines, request["as_json"])
    return code


def _undecided(request: Mapping[str, Any], what: str) -> str:
    return f"UNDECIDED  after {request['max_seconds']:g} seconds: {what}. Give more time with --max-seconds."


def _found(m: Margin, data: ProofData, request: Mapping[str, Any], clock: Clock) -> Answer:
    """Return the exit code, the document and the lines for the planes that were found; save their proof."""
    in_time = known(m, "padded", clock) is not None and known(m, "radius2", clock) is not None
    m.max_time, w0, eta = clock.max_time, request["w0"], request["eta"]
    start: dict[str, Any] | None = None
    if w0 is not None and in_time:
        start = {"w0": [str(v) for v in w0], "eta": str(eta), "mistake_bound": m.mistake_bound_from(w0, eta)}
        start |= m.made_from(w0, eta)._asdict()
    m.max_time = clock.max_time
    info = {"prepared": data.prepared, "label": data.label, **m.to_dict(in_time), "start": start, "certificate": None}
    first, *lines = in_words(info, data.unit_names)
    head = [first, *label_lines(data.label, data.classes)]
    if data.held is not None:
        info |= widest_tested(m, data.classes, (data.X, data.y), (data.held.rows, data.held.labels))
        head.append(f"{tested_in_words(info['test'])}, by the plane of the geometric margin")
    lines = [*head, *lines]
    if start is not None:
        where = f"({', '.join(start['w0'])})" + (f" with η = {start['eta']}" if start["eta"] != "1" else "")
        lines.append(f"mistakes ≤ {start['mistake_bound']:,}, from weights {where} in any order")
        lines.append(f"made    {made_in_words(start['updates'], start['finished'])} from there, in cyclic order")
    if in_time:
        info["certificate"], saved = save(m, data, request["output"])
        return 0, info, [*lines, *saved]
    missing = ("no padded margin, " if info["padded"] is None else "") + "no mistake bound is proved"
    unsaved = "" if request["output"] is None else ", no proof is saved"
    return UNDECIDED, info, [*lines, _undecided(request, f"{missing}{unsaved}")]


def _not_separable(v: Verdict, data: ProofData, request: Mapping[str, Any], clock: Clock) -> Answer:
    """Return the exit code, the document and the lines for points that are not separable; save that proof.

    Weights too large for any checker (for very wide points) are not computed.
    """
    from novikoff.exact.integer_rows import digits
    from novikoff.separate.obstruction import plain_label

    rows, few = list(v.support), request["as_json"] or len(v.support) <= formatting.PROOF_TERMS
    weights = known(v, "weights", clock) if few and v.weights_bytes is None else None
    v.max_time = clock.max_time
    path, saved = save(v, data, request["output"])
    info: dict[str, Any] = {"separable": False, "n": v.n, "d": v.d, "label": data.label}
    info |= {"classes": [plain_label(c) for c in data.classes], "support": rows}
    info |= {"weights": None if weights is None else [digits(m) for m in weights], "certificate": path}
    all_points, whose = ("the one point", "its") if v.n == 1 else (f"all {v.n:,} points", "their")
    no_plane = f"no {plane_of(v.fit_intercept)} has {all_points} on {whose} own side"
    zero = "with their signs and positive weights they sum to zero" if len(rows) > 1 else "it is at the origin"
    lines = [f"NOT SEPARABLE  {no_plane}, so there is no margin", *label_lines(data.label, data.classes)]
    lines.append(f"proof  {points_in_words(rows)}: {zero}")
    if weights is not None and max(weights) < 10**FEW_DIGITS:
        lines.append("       weights " + ", ".join(f"{m:,}" for m in weights))
    return UNDECIDED if request["output"] is not None and path is None else NOT_SEPARABLE, info, [*lines, *saved]
