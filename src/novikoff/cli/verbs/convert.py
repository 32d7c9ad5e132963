"""`novikoff convert`: convert a file to another format, prepared if requested; a model to ONNX."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli.options import row_options
from novikoff.cli.options.formula_data import formula_option
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.proof_data import data_of
from novikoff.cli.options.verb import Verb
from novikoff.cli.text import formatting
from novikoff.cli.text.option_table import parameters
from novikoff.errors import InputError


@click.command(cls=Verb)
@click.argument("source", type=click.Path(), metavar="IN")
@click.argument("target", type=Output(), metavar="OUT")
@row_options.file_options
@row_options.preparation_options
@formula_option
@click.option("--counts", metavar="NAME", help="With --formula: also write this column.")
@row_options.memory_option
@row_options.spill_option
@click.pass_context
def command(ctx: click.Context, /, source: str, target: str, **request: Any) -> int:
    """Convert a file to another format (csv, svm, npz), a model to ONNX.

    \b
    novikoff convert train.svm.gz train.npz
    novikoff convert points.csv points.svm
    novikoff fit train.npz --max-passes 10
    novikoff convert data.csv prepared.csv --one-hot --scale
    novikoff convert model.nvk model.onnx

    Reading npz needs no parsing. Every number is kept bit for bit.

    With preparation options the prepared points are written, as fit and certify use them: a proof about prepared points
    can be checked against them by the standalone checker.

    An ONNX file (float64) has the model's imputation, scaling, one-hot encoding and products; its inputs are the raw
    columns by name, or X for a model without preparation of a table. Texts and unit length cannot be written.
    """
    from novikoff.io.writer import write

    if Path(target).suffix == ".onnx":
        _to_onnx(ctx, source, target)
        return 0
    request = {**request, "data": source, "example": None, "bias": None, "quiet": False}
    if request["counts"] is not None and request["formula"] is None:
        raise click.UsageError("--counts is for --formula; without it, all columns are written", ctx)
    if request["missing"] == "impute" or any(request[name] for name in parameters("converting")):
        points, dropped = data_of(ctx, request).points, 0
    else:
        points = _unchanged(source, request)
        dropped = points.dropped
    with formatting.about(source):
        write(points, target)
    without = f"; {dropped:,} with a missing number, category or label left out" if dropped else ""
    size = f"{formatting.count(points.n, 'row')} of {formatting.count(points.d, 'column')}"
    click.echo(f"wrote {target}: {size}{without}", err=True)
    return 0


def _to_onnx(ctx: click.Context, source: str, target: str) -> None:
    """Write a model as ONNX; it takes no option."""
    for option in ctx.command.params:
        given = ctx.get_parameter_source(str(option.name)) is ParameterSource.COMMANDLINE
        if given and isinstance(option, click.Option):
            raise click.UsageError(
                f"{option.opts[0]}: is for data; {target} is a model, which has its preparation", ctx
            )
    from novikoff.model import trained
    from novikoff.model.onnx import save_onnx

    model = trained(source)

    try:
        save_onnx(model, target)
    except InputError as error:
        raise (error if error.file == target else InputError(str(error), file=source)) from error
    click.echo(f"wrote {target}", err=True)


def _unchanged(source: str, request: Any) -> Any:
    """Return the rows of a file as they are."""
    from novikoff.io.reader import open_rows

    how = row_options.reading_of(source, request)
    with formatting.about(source), row_options.spilling(source, request) as spill:
        data = open_rows(source, how, (), spill)
    if data.stored.texts or data.stored.categories:
        raise InputError(
            f"{source}: found texts; numbers and a label were expected: preparation options convert them, as "
            "--one-hot or --text COLUMN, or --hash-bits 18"
        )
    return data
