"""The options --engine, --workers and --scheduler."""

from __future__ import annotations

import logging
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import click

from novikoff.cli.options.row_options import options

ENGINES = ("serial", "threads", "dask")

engine_options = options(
    click.option("--engine", type=click.Choice(ENGINES), default="serial", show_default=True,
                 help="Process rows serially or in parallel; the result is the same."),
    click.option("--workers", type=click.IntRange(min=1), metavar="K",
                 help="Number of threads, or of processes of dask; by default the number of CPUs."),
    click.option("--scheduler", metavar="ADDRESS",
                 help="With --engine dask, the scheduler of a cluster, as in tcp://10.0.0.1:8786. It is trusted. "
                      "By default a cluster is started on this machine, and ended."),
)  # fmt: skip


@contextmanager
def engine_of(ctx: click.Context, request: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the requested engine."""
    check_engine(ctx, request)
    from novikoff.engines.choose_engine import engine

    if request["engine"] == "dask":
        _silence_dask()
    with engine(request["engine"], request["scheduler"] or request["workers"]) as one:
        yield one


def _silence_dask() -> None:
    """Turn off dask's own messages: errors are reported as ours. Importing it sets the levels of its loggers."""
    with suppress(ImportError):
        import distributed  # noqa: F401
    for name in ("distributed", *logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).setLevel(logging.CRITICAL)


def check_engine(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for options that do not fit the engine."""
    kind = request["engine"]
    if request["scheduler"] is not None and kind != "dask":
        raise click.UsageError("--scheduler: is for --engine dask", ctx)
    if request["workers"] is not None and (kind == "serial" or request["scheduler"] is not None):
        raise click.UsageError("--workers: is for --engine threads, and --engine dask without --scheduler", ctx)
    if kind == "dask" and (path := request.get("data")) is not None:
        from novikoff.io.file_formats import TEXTS, format_of

        if (request.get("kind") or format_of(path)) in TEXTS:
            raise click.UsageError(
                f"--engine dask: {path} is text, and a cluster is sent arrays: convert it once, by novikoff convert "
                f"{shlex.quote(path)} points.npz, and name points.npz",
                ctx,
            )


def check_fit_engine(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError if a cluster would be used for a sequential run."""
    check_engine(ctx, request)
    if request["engine"] == "dask" and not request.get("mix"):
        raise click.UsageError(
            "--engine dask: a cluster is used by fit only with --mix, which trains by parameter mixing; without it "
            "training is sequential: leave --engine out",
            ctx,
        )
