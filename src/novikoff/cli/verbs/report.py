"""`novikoff report`: write one self-contained page about a data set."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import command_line, expanded
from novikoff.cli.options.output_files import STDOUT, Output
from novikoff.cli.options.proof_data import data_options
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.answer import note, print_answer
from novikoff.cli.text.column_hints import column_hints
from novikoff.cli.text.label_names import label_lines
from novikoff.cli.text.progress import working

OWN = ("output", "as_json", "quiet", "max_seconds")  # options that the other verbs do not get
HOLDOUT = ["--holdout", "0.2"]


@click.command(cls=Verb)
@data_options
@row_options.positive_option
@click.option("-o", "--output", type=Output(path_type=Path, allow_dash=True), metavar="PAGE",
              help="Write the page to this file; - writes it to stdout.")  # fmt: skip
@click.option("--max-seconds", type=formatting.seconds, metavar="NUMBER", default="60", show_default=True,
              help="Time limit of each part; a part that is stopped says so.")  # fmt: skip
@click.option("--quiet", is_flag=True, help="Print only errors on stderr.")
@click.pass_context
def command(ctx: click.Context, /, **request: Any) -> int:
    """Write one self-contained page about a data set: proof, margin, capacity, learners, errors, weights.

    \b
    novikoff report data.csv -o report.html
    novikoff report --example cornwell -o report.html
    novikoff report titanic.csv --label Survived --auto -o report.html
    novikoff report --example iris --classes setosa,virginica --json

    The page has the data, whether a plane separates the classes with the proof, the margin and the mistake bound, how
    many labellings of as many points are separable, five learners trained on four fifths of the rows and tested on the
    other fifth, what they get wrong, and the weights. Each number stands with the command that reproduces it. The page
    is one file without script; pictures show at most 2,000 points.

    Exit codes: 0 done, 2 usage error, 3 bad input.
    """
    if request["output"] is None and not request["as_json"]:
        raise click.UsageError("name the page, as in -o report.html, or print the numbers with --json", ctx)
    on_stdout = str(request["output"]) == STDOUT
    if on_stdout and request["as_json"]:
        raise click.UsageError("-o - and --json: only one answer can go to stdout; name the page", ctx)
    request = expanded(ctx, request)
    data = row_options.opened(ctx, request)
    data = data.prepare(row_options.preparation(request, data.stored.categories))
    hints = [] if request["data"] is None else column_hints(data, data.preparation, request)
    note(request["quiet"], [*hints, *row_options.imputed_notes(data.name, data.preparation)])
    from novikoff.data_report.report import report

    how = {"fit_intercept": row_options.has_bias(request), "positive": request["positive"]}
    with formatting.about(data.name, label=data.label), working(request["quiet"], "report"):
        found = report(data, max_time=request["max_seconds"], title=data.name, **how)
    found = replace(found, commands=commands(ctx, found, request))
    if on_stdout:
        click.echo(found.to_html(), nl=False)
        return 0
    if request["output"] is not None:
        found.save(request["output"])
    page = None if request["output"] is None else str(request["output"])
    document = {"data": data.name, "label": data.label, **found.to_dict(), "page": page}
    first, *lines = str(found).splitlines()
    lines = [first, *label_lines(data.label, found.classes), *lines, *([] if page is None else [f"page   {page}"])]
    print_answer("report", document, lines, request["as_json"])
    return 0


def commands(ctx: click.Context, found: Any, request: Mapping[str, Any]) -> dict[str, str]:
    """Return the command that reproduces the numbers of each part."""
    held = [] if found.split.note else HOLDOUT
    fit = command_line(ctx, "fit", OWN)
    numbers = f"{command_line(ctx, 'report', OWN)} --json"
    certify = command_line(ctx, "certify", OWN)
    made = {"data": numbers, "verdict": certify, "pairs": certify, "margin": command_line(ctx, "margin", OWN)}
    made["capacity"] = f"novikoff theory capacity -P {found.n} -N {found.d}{' --affine' if found.fit_intercept else ''}"
    made["perceptron"] = _joined(fit, held)
    made["pocket"] = _joined(fit, [*held, "--keep", "pocket"])
    made["average"] = _joined(fit, [*held, "--keep", "average"])
    made["soft"] = _joined(command_line(ctx, "fit", (*OWN, "bias")), [*held, "--soft", "hinge"])
    made["maxmargin"] = _joined(made["margin"], [*held, "--json"])
    made["confusion"] = made["weights"] = _joined(fit, [*held, "--json"])
    if found.d > formatting.FEW_FEATURES:
        made["weights"] = f"{_joined(fit, [*held, '-o', 'model.nvk'])} && novikoff explain model.nvk --json"
    if request["data"] not in (None, "-") and request["classes"] is None:
        made["check"] = f"{certify} -o proof.json; novikoff verify proof.json {shlex.quote(request['data'])}"
    return made


def _joined(command: str, more: list[str]) -> str:
    return " ".join([command, *map(shlex.quote, more)])
