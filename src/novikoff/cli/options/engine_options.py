"""The options --engine and --workers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from novikoff.cli.options.row_options import options

ENGINES = ("serial", "threads", "processes")

engine_options = options(
    click.option("--engine", type=click.Choice(ENGINES), default="serial", show_default=True,
                 help="Process rows serially or in parallel; the result is the same."),
    click.option("--workers", type=click.IntRange(min=1), metavar="K",
                 help="Number of threads or processes; by default the number of CPUs."),
)  # fmt: skip


@contextmanager
def engine_of(ctx: click.Context, request: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the requested engine."""
    if request["workers"] is not None and request["engine"] == "serial":
        raise click.UsageError("--workers: is for --engine threads and --engine processes", ctx)
    from novikoff.engines.engine import engine

    with engine(request["engine"], request["workers"]) as one:
        yield one
