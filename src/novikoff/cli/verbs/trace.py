"""`novikoff trace`: show every update of a run in exact fractions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.learning_options import OPTIONS, check_rule, trace_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import ProofData, data_of
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import print_answer, write_file
from novikoff.cli.text.label_names import label_lines
from novikoff.errors import InputError

STDOUT = Path("-")
MOST = 1_000_000  # numbers
MARGIN_SECONDS = 20.0  # for the bound in a page; without it the page has the bound of the last weights


@click.command(cls=Verb)
@row_options.row_options
@row_options.preparation_options
@trace_options
@row_options.positive_option
@click.option("--max-updates", type=click.IntRange(min=1), default=10_000, show_default=True,
              help="Stop after this many updates.")  # fmt: skip
@click.option("--csv", "csv_file", metavar="FILE", type=Output(path_type=Path, allow_dash=True),
              help="Also write the table as CSV; - prints it to stdout instead of the table.")  # fmt: skip
@click.option("--latex", "latex_file", metavar="FILE", type=Output(path_type=Path, allow_dash=True),
              help="Also write the table as LaTeX; - prints it to stdout instead of the table.")  # fmt: skip
@click.option("--html", "html_file", metavar="FILE", type=Output(path_type=Path),
              help="Also write the run as one self-contained page to step through.")  # fmt: skip
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Show every update of a run in exact fractions.

    \b
    novikoff trace --example cornwell
    novikoff trace --example spam --order first
    novikoff trace --example or --w0 0,0,1 --json
    novikoff trace --example cornwell --html run.html

    DATA is a file as for fit, of up to a million numbers.
    """
    files = [(f"--{name} -", request[f"{name}_file"]) for name in ("csv", "latex")]
    printed = [option for option, path in files if path == STDOUT]
    if len(printed) + request["as_json"] > 1:
        both = " and ".join([*printed, *(["--json"] if request["as_json"] else [])])
        raise click.UsageError(f"{both}: only one answer can go to stdout; name a file for the other", ctx)
    check_rule(ctx, request)
    data = data_of(ctx, request | {"memory": None})
    X = table(data)
    data.check_two_classes()
    from novikoff.perceptron.trace import trace

    how = {name: request[name] for name in ("rule", "order", "schedule", "w0", "seed", "positive", "max_updates")}
    how |= {name: request[OPTIONS[name].key] for name in ("threshold", "C")}
    with formatting.about(data.name, label=data.label):
        names = None if data.unit_names is None else tuple(data.unit_names)
        points = replace(data, X=X, names=names).points
        run = trace(points, fit_intercept=data.fit_intercept, eta0=request["eta"], **how)
    for path, text in ((request["csv_file"], run.to_csv), (request["latex_file"], run.to_latex)):
        if path is not None and path != STDOUT:
            write_file(path, text())
    if request["html_file"] is not None:
        write_file(request["html_file"], run.to_html(_margin(data, request), data.name))
    if printed:
        click.echo(run.to_csv() if request["csv_file"] == STDOUT else run.to_latex(), nl=False)
        return 0
    named = "example" if data.how is None else "data"
    lines = [run.to_text().rstrip("\n"), *label_lines(data.label, data.classes)]
    print_answer("trace", {named: data.name, "label": data.label, **run.to_dict()}, lines, request["as_json"])
    return 0


def _margin(data: ProofData, request: Mapping[str, Any]) -> Any:
    """Return the margin of the points, for the bound of their mistakes; None if none is found within MARGIN_SECONDS."""
    from novikoff.errors import NotSeparableError, UndecidedError
    from novikoff.maxmargin.margin import margin

    try:
        with formatting.about(data.name, label=data.label):
            found = margin(data.points, None, data.fit_intercept, max_time=MARGIN_SECONDS, positive=request["positive"])
            _ = found.padded, found.radius2
    except (NotSeparableError, UndecidedError):
        return None
    return found


def table(data: ProofData) -> Any:
    """Return the points as an array: every number becomes a fraction."""
    n, d = data.X.shape
    if n * d > MOST:
        raise InputError(
            f"{data.name}: found {n:,} rows of {d:,} numbers; a trace shows up to {MOST:,} numbers: use fit"
        )
    return data.X.toarray() if hasattr(data.X, "toarray") else data.X
