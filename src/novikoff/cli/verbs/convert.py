"""`novikoff convert`: convert a file to another format or to the fast binary cache."""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.text import formatting
from novikoff.errors import InputError


@click.command()
@click.argument("source", type=click.Path(), metavar="IN")
@click.argument("target", type=Output(), metavar="OUT")
@row_options.format_option
@row_options.label_option
@click.option("--header/--no-header", default=None, help="Whether the first line of a table has column names.")
@click.option("--decimal-comma", is_flag=True, help="Numbers use a decimal comma: 0,5.")
@click.option("--missing", type=click.Choice(["fail", "drop"]), default="fail", show_default=True,
              help="Rows with a missing number, category or label: fail or drop them.")  # fmt: skip
@click.option("--on-bad-row", type=click.Choice(["fail", "skip"]), default="fail", show_default=True,
              help="Lines that cannot be read: fail or skip them.")  # fmt: skip
@click.option("--transpose", is_flag=True, help="Transposed table: each column is a point.")
@click.option("--first-column", type=click.Choice(["0", "1"]), help="Number of the first svmlight column.")
@row_options.memory_option
@click.pass_context
def command(ctx: click.Context, /, source: str, target: str, **request: Any) -> int:
    """Convert a file to another format (csv, tsv, svm, npz, parquet) or to the fast binary cache (.nvc).

    \b
    novikoff convert train.svm.gz train.nvc
    novikoff convert points.csv points.svm
    novikoff fit train.nvc --max-passes 10

    The cache is a folder of memory-mapped arrays, so reading it needs no parsing. Every number is kept bit for bit.
    """
    from novikoff.io.reader import open_rows
    from novikoff.io.writer import write

    nothing = {"text": (), "category": (), "one_hot": False, "inside": ""}
    how, in_file = row_options.reading_of(source, {**request, **nothing}), row_options.stays(source, request)
    with formatting.about(source):
        data = open_rows(source, how, (), in_file)
    row_options.report_bad_rows(data.source)
    if data.stored.texts or data.stored.categories:
        raise InputError(f"{source}: found texts; numbers and a label were expected (fit prepares texts itself)")
    with formatting.about(source):
        write(data, target)
    dropped = f"; {data.dropped:,} with a missing number, category or label left out" if data.dropped else ""
    size = f"{formatting.count(data.n, 'row')} of {formatting.count(data.d, 'column')}"
    click.echo(f"wrote {target}{', some rows at a time' if in_file else ''}: {size}{dropped}", err=True)
    return 0
