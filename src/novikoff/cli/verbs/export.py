"""`novikoff export`: export a model for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from novikoff.cli.options import model_rows
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.verb import Verb
from novikoff.errors import InputError

ENDINGS = {".onnx": "onnx", ".txt": "liblinear", ".model": "liblinear"}


@click.command(cls=Verb)
@click.argument("model", type=click.Path())
@click.option("-o", "--output", type=Output(), required=True, metavar="FILE",
              help="Output file: x.onnx for ONNX, x.txt or x.model for LIBLINEAR.")  # fmt: skip
@click.option("--prepared", is_flag=True, help="Write only the planes; rows are prepared elsewhere.")
@click.pass_context
def command(ctx: click.Context, /, model: str, output: str, prepared: bool) -> int:
    """Export a model as ONNX (float64) or in LIBLINEAR's text format.

    \b
    novikoff export model.nvk -o model.onnx
    novikoff export model.nvk -o model.txt

    ONNX includes the preparation of numbers and categories: imputation, scaling, one-hot, poly2, unit length. The
    inputs are the raw columns: X has the numbers, and each column of categories is an input of its own. Words cannot be
    exported, and LIBLINEAR takes no preparation: --prepared writes the planes alone, for rows that are prepared
    elsewhere.
    """
    kind = ENDINGS.get(Path(output).suffix)
    if kind is None:
        raise InputError(f"{output}: the name does not determine the format; expected {', '.join(ENDINGS)}")
    learner, _ = model_rows.model_of(model)
    try:
        _write(learner, output, kind, prepared)
    except InputError as error:
        raise error if str(error).startswith(output) else InputError(f"{model}: {error}") from error
    click.echo(f"wrote {output}", err=True)
    return 0


def _write(learner: Any, output: str, kind: str, prepared: bool) -> None:
    if kind == "onnx":
        from novikoff.model.onnx import save_onnx

        save_onnx(learner, output, prepared=prepared)
    else:
        from novikoff.model.liblinear import save_liblinear

        save_liblinear(learner, output, prepared=prepared)
