"""Options of experiments: sizes, draws, seed, files, engine."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from novikoff.cli.options.engine_options import engine_options
from novikoff.cli.options.output_files import Output
from novikoff.cli.options.row_options import options

SIZE = click.IntRange(min=1)

size_options = options(
    click.option("-N", "dimensions", type=SIZE, multiple=True, metavar="N", help="Number of dimensions; repeatable."),
    click.option("-P", "points", type=SIZE, multiple=True, metavar="P", help="Number of points; repeatable."),
)
draw_options = options(
    click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True,
                 help="Seed of the draws; the results depend on nothing else."),
    click.option("--checkpoint", metavar="FILE", type=Output(path_type=Path),
                 help="Keep finished draws in this file; the same command continues from it."),
    click.option("--csv", "csv_file", metavar="FILE", type=Output(path_type=Path), help="Also write the table as CSV."),
    click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout."),
    click.option("--quiet", is_flag=True, help="Print only errors on stderr."),
    engine_options,
)  # fmt: skip


def write_table(request: Mapping[str, Any], text: str) -> None:
    """Write the table to the file of --csv, if there is one."""
    if request["csv_file"] is not None:
        from novikoff.records.atomic_write import replace_file

        replace_file(request["csv_file"], text)
        if not request["quiet"]:
            click.echo(f"wrote {request['csv_file']}", err=True)
