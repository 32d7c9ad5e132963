"""`novikoff convert`: convert a file to another format or to the fast binary cache."""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli.options import out_of_core, row_options
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
@click.option("--transpose", is_flag=True, help="Columns of the table are points.")
@click.option("--first-column", type=click.Choice(["0", "1"]), help="Index of the first svmlight column.")
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
    from novikoff.io.raw_rows import rows_of
    from novikoff.io.stream.chunk_source import Points
    from novikoff.io.writer import write

    nothing = {"text": (), "category": (), "one_hot": False, "inside": ""}
    opened = row_options.training_source(source, {**request, **nothing})
    with formatting.about(source):
        if out_of_core.stays(source, request):
            return in_parts(opened, target)
        rows = rows_of(opened)
    row_options.report_bad_rows(opened)
    if rows.raw.text or rows.raw.categories or rows.y is None:
        raise InputError(f"{source}: found texts; numbers and a label were expected (fit prepares texts itself)")
    names = None if rows.raw.names is None else tuple(rows.raw.names)
    with formatting.about(source):
        write(Points(rows.raw.numbers, rows.y, names), target)
    dropped = f"; {rows.dropped:,} with a missing number, category or label left out" if rows.dropped else ""
    size = f"{formatting.count(rows.raw.n, 'row')} of {formatting.count(rows.raw.d, 'column')}"
    click.echo(f"wrote {target}: {size}{dropped}", err=True)
    return 0


def in_parts(source: Any, target: str) -> int:
    """Convert a file larger than the memory limit, in chunks."""
    from novikoff.io.raw_rows import labelled
    from novikoff.io.stream.chunk_source import in_small_chunks
    from novikoff.io.stream.file_rows import FileRows
    from novikoff.io.writer import write_rows

    rows = FileRows(in_small_chunks(source))
    row_options.report_bad_rows(source)
    if not labelled(source):
        raise InputError(f"{source.name}: no column is left for the label; name it with --label")
    dropped, names = source.dropped, source.names
    write_rows(rows, names or None, target)
    left_out = f"; {dropped:,} with a missing number, category or label left out" if dropped else ""
    size = f"{formatting.count(rows.shape[0], 'row')} of {formatting.count(rows.shape[1], 'column')}"
    click.echo(f"wrote {target}, some rows at a time: {size}{left_out}", err=True)
    return 0
