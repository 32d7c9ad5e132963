"""`novikoff trace`: every update of a run, in exact fractions."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import click

from novikoff.cli import words

STDOUT = Path("-")


@click.command(context_settings={"allow_extra_args": True})
@words.common_options
@click.option("--max-updates", type=click.IntRange(min=1), default=10_000, show_default=True, help="A limit.")
@click.option("--csv", "csv_file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True),
              help="Also write the table as CSV; - prints it instead of the table.")  # fmt: skip
@click.option("--latex", "latex_file", metavar="FILE", type=click.Path(path_type=Path, allow_dash=True),
              help="The same as LaTeX.")  # fmt: skip
@click.pass_context
def command(
    ctx: click.Context,
    example: str | None,
    order: str,
    bias: bool | None,
    eta: Fraction,
    w0: tuple[Fraction, ...] | None,
    seed: int,
    classes: str | None,
    as_json: bool,
    max_updates: int,
    csv_file: Path | None,
    latex_file: Path | None,
) -> int:
    """Show every update of a run in exact fractions.

    \b
    novikoff trace --example cornwell
    novikoff trace --example spam --order first
    novikoff trace --example or --w0 0,0,1 --json
    """
    printed = [option for option, path in (("--csv -", csv_file), ("--latex -", latex_file)) if path == STDOUT]
    if len(printed) + as_json > 1:
        both = " and ".join([*printed, *(["--json"] if as_json else [])])
        raise click.UsageError(f"{both}: only one answer can go to stdout; name a file for the other", ctx)
    name, X, y, fit_intercept = words.example(ctx, example, bias)
    X, y, _ = words.chosen_classes(X, y, name, classes, two=True)
    from novikoff.perceptron.trace import trace

    run = trace(X, y, order=order, fit_intercept=fit_intercept, eta0=eta, w0=w0, seed=seed, max_updates=max_updates)
    answer = run.to_text()
    if as_json:
        answer = json.dumps({"schema": "novikoff/trace/1", "example": name, **run.to_dict()}, allow_nan=False)
    for path, text in ((csv_file, run.to_csv), (latex_file, run.to_latex)):
        if path == STDOUT:
            answer = text()
        elif path is not None:
            write(path, text())
    click.echo(answer, nl=not answer.endswith("\n"))
    return 0


def write(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    from novikoff.atomic import replace_file

    replace_file(path, text)
    click.echo(f"wrote {path}", err=True)
