"""Check output paths before a verb runs: none is an input, none is used twice, all are writable.

A parameter of type `Output` (or `OutputFolder`) is written, every other `click.Path` is read. Every verb is
a `Verb`, which checks them, so no verb checks its own paths.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from novikoff.errors import InputError
from novikoff.records.atomic_write import check_replaceable

STDOUT = "-"


class Output(click.Path):
    """The name of a file to write, not of a folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail for the name of a folder."""
        if str(value).endswith(("/", os.sep)):
            self.fail(f"{value}: ends as a folder does; name a file, as in {value}answer", param, ctx)
        return super().convert(value, param, ctx)

    def files(self, value: str) -> tuple[str, ...]:
        """Return the files that will be written."""
        return () if value == STDOUT and self.allow_dash else (value,)


class OutputFolder(Output):
    """The name of a folder for checkpoints, whose file has a fixed name."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail for the name of a file."""
        return click.Path.convert(self, value, param, ctx)

    def files(self, value: str) -> tuple[str, ...]:
        """Return the file that will be written."""
        from novikoff.perceptron.checkpoint import NAME

        return (str(Path(value) / NAME),)


def check_outputs(ctx: click.Context) -> None:
    """Raise UsageError for an output that is an input or another output, InputError for one that cannot be written."""
    given = [(param, str(path)) for param, path in _paths(ctx)]
    inputs = [path for param, path in given if not isinstance(param.type, Output)]
    written = [
        (path, param.opts[-1] if isinstance(param, click.Option) else param.make_metavar(ctx), value)
        for param, value in given
        if isinstance(param.type, Output)
        for path in param.type.files(value)
    ]
    for k, (path, option, value) in enumerate(written):
        _check_no_input(ctx, path, inputs)
        for other, named, _ in written[:k]:
            if _collide(path, other):
                raise click.UsageError(
                    f"{option} and {named}: {path} would take the place of {other}; name two different files", ctx
                )
        (check_writable if path == value else check_replaceable)(path)


def _paths(ctx: click.Context) -> Iterator[tuple[click.Parameter, Any]]:
    """Yield every path among the parameters of a command."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if isinstance(param.type, click.Path) and value is not None:
            yield from ((param, path) for path in (value if isinstance(value, tuple) else (value,)))


def _check_no_input(ctx: click.Context, output: str, inputs: list[str]) -> None:
    """Raise UsageError if the output is an input, in an input pattern, or a folder with an input."""
    if not os.path.exists(output) or _is_device(output):
        return
    for given in inputs:
        if given == "-":
            files = [output] if _is_standard_input(output) else []
        else:
            files = [given] if os.path.exists(given) else glob.glob(given)
        for path in (path for path in files if not os.path.isdir(path)):
            if os.path.isdir(output):
                raise click.UsageError(
                    f"{output}: is a folder; name a file in it, as in {Path(output) / 'answer'}", ctx
                )
            if os.path.samefile(output, path) or _overlap(output, path):
                named = " as standard input" if given == "-" else "" if path == given else f", one of {given}"
                raise click.UsageError(
                    f"{output}: this command reads it{named}, and writing the output there would overwrite it; name "
                    "another file",
                    ctx,
                )


def _is_standard_input(path: str) -> bool:
    """Whether standard input comes from this file."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(0))
    except OSError:
        return False


def _is_device(path: str) -> bool:
    """Whether this is a device or a pipe, to which any number of outputs may go."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _overlap(one: str, other: str) -> bool:
    """Whether two paths are the same, or one is in the folder that the other is."""
    a, b = (Path(os.path.normcase(os.path.realpath(path))) for path in (one, other))
    return a == b or a in b.parents or b in a.parents


def _collide(one: str, other: str) -> bool:
    """Whether two outputs are the same file, or one is in the folder that the other is."""
    same = os.path.exists(one) and os.path.exists(other) and os.path.samefile(one, other)
    return not _is_device(one) and (same or _overlap(one, other))


def check_writable(path: str) -> None:
    """Raise InputError for a path that cannot be written, before hours of training."""
    if _is_device(path):
        return
    folder = Path(path).resolve().parent
    is_folder = Path(path).is_dir()
    if is_folder or not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "it is a folder" if is_folder else f"{folder} is no folder where you may write"
        raise InputError(f"{path}: cannot be written ({why}); name a file in a folder you may write to")
    check_replaceable(path)
