"""Check output paths before a verb runs: none is an input, none is used twice, all are writable.

A parameter of type `Output` (or `OutputFolder`) is written, every other `click.Path` is read. Every verb is
a `Verb`, which checks them, so no verb checks its own paths.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import click

from novikoff.errors import InputError
from novikoff.records.atomic_write import check_replaceable

STDOUT = "-"


class Output(click.Path):
    """The name of a file to write, or of a cache; no other folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail for the name of a folder."""
        if str(value).endswith(("/", os.sep)) and Path(value).suffix != ".nvc":
            self.fail(f"{value}: ends as a folder does; name a file, as in {value}answer", param, ctx)
        return super().convert(value, param, ctx)

    def files(self, value: str) -> tuple[str, ...]:
        """Return the files, or the cache, that will be written."""
        return () if value == STDOUT and self.allow_dash else (value,)


class OutputFolder(Output):
    """The name of a folder for checkpoints, whose files have fixed names."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the name; fail for the name of a folder."""
        return click.Path.convert(self, value, param, ctx)

    def files(self, value: str) -> tuple[str, ...]:
        """Return the files that will be written."""
        from novikoff.perceptron.checkpoints.checkpoint import NAME

        return (str(Path(value) / NAME),)


class _Written(NamedTuple):
    """A file that a command will write, and the option or argument that names it."""

    path: str
    option: str
    alone: bool  # whether the option names this file itself, not a folder for it


def check_outputs(ctx: click.Context) -> None:
    """Raise UsageError for an output that is an input or another output, InputError for one that cannot be written."""
    written = list(_outputs(ctx))
    inputs = [value for param, value in _paths(ctx) if not isinstance(param.type, Output)]
    for one in written:
        _check_no_input(ctx, one.path, inputs)
    for k, one in enumerate(written):
        for other in written[:k]:
            if other.option != one.option and _collide(one.path, other.path):
                raise click.UsageError(
                    f"{one.option} and {other.option}: {one.path} would take the place of {other.path}; name two "
                    "different files",
                    ctx,
                )
    for one in written:
        if one.alone:
            check_writable(one.path)
        else:
            check_replaceable(one.path)


def _paths(ctx: click.Context) -> Iterator[tuple[click.Parameter, str]]:
    """Yield every path among the parameters of a command."""
    for param in ctx.command.params:
        value = ctx.params.get(param.name or "")
        if isinstance(param.type, click.Path) and value is not None:
            for path in value if isinstance(value, tuple) else (value,):
                yield param, str(path)


def _outputs(ctx: click.Context) -> Iterator[_Written]:
    for param, value in _paths(ctx):
        if isinstance(param.type, Output):
            option = param.opts[-1] if isinstance(param, click.Option) else param.make_metavar(ctx)
            files = param.type.files(value)
            yield from (_Written(path, option, path == value) for path in files)


def _check_no_input(ctx: click.Context, output: str, inputs: list[str]) -> None:
    """Raise UsageError if the output is an input, in an input folder, cache or pattern, or a folder with an input."""
    if not (os.path.isfile(output) or os.path.isdir(output)):
        return
    for given in inputs:
        if given == "-" and _is_standard_input(output):
            raise click.UsageError(
                f"{output}: this command reads it as standard input, and writing the output there would overwrite it; "
                "name another file",
                ctx,
            )
        for path in _files(given):
            if os.path.isdir(output) and Path(output).suffix != ".nvc" and not os.path.isdir(path):
                raise click.UsageError(
                    f"{output}: is a folder; name a file in it, as in {Path(output) / 'answer'}", ctx
                )
            if os.path.samefile(output, path) or _part(output, path) or _inside(path, output):
                named = "" if str(path) == str(given) else f", one of {given}"
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


def _files(given: str) -> Iterator[str]:
    """Yield the files that an argument names: a file or folder, the files of a pattern."""
    if given == "-":
        return
    found = [given] if os.path.exists(given) else glob.glob(given)
    yield from (path for path in found if os.path.isfile(path) or os.path.isdir(path))


def _collide(one: str, other: str) -> bool:
    """Whether two outputs are the same file, or one is in the folder that the other is.

    Any number of outputs may go to a device or a pipe.
    """
    a, b = (os.path.normcase(os.path.realpath(path)) for path in (one, other))
    if os.path.exists(a) and not (os.path.isfile(a) or os.path.isdir(a)):
        return False
    if a == b or Path(a) in Path(b).parents or Path(b) in Path(a).parents:
        return True
    return os.path.exists(a) and os.path.exists(b) and os.path.samefile(a, b)


def _part(path: str | Path, folder: str | Path) -> bool:
    """Whether a file is part of a cache."""
    return Path(folder).suffix == ".nvc" and _inside(path, folder)


def _inside(path: str | Path, folder: str | Path) -> bool:
    return os.path.isdir(folder) and Path(folder).resolve() in Path(path).resolve().parents


def check_writable(path: str) -> None:
    """Raise InputError for a path that cannot be written, before hours of training."""
    if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
        return  # a device or a pipe
    folder = Path(path).resolve().parent
    is_folder = Path(path).is_dir() and Path(path).suffix != ".nvc"
    if is_folder or not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "it is a folder" if is_folder else f"{folder} is no folder where you may write"
        raise InputError(f"{path}: cannot be written ({why}); name a file in a folder you may write to")
    check_replaceable(path)
