"""The place of an answer: a file, in a folder that may be written to, and never one of those that are read.

An output that is an input would be gone after the run, without a word: it is refused before anything is read.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from novikoff.errors import InputError


class Output(click.Path):
    """The name of a file to write; `dir/` is a folder's, and of folders only a cache is written."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name, as click has it."""
        if str(value).endswith(("/", os.sep)) and Path(value).suffix != ".nvc":
            self.fail(f"{value}: ends as a folder does; name a file, as in {value}answer", param, ctx)
        return super().convert(value, param, ctx)


def demand_apart(ctx: click.Context, output: str | Path | None, *inputs: str | Path | None) -> None:
    """UsageError where the output is an input, a file of one (a folder, a cache, a pattern), or a folder around one."""
    if output is None or not (os.path.isfile(output) or os.path.isdir(output)):
        return
    for given in inputs:
        for path in _files(given):
            if os.path.isdir(output) and Path(output).suffix != ".nvc" and not os.path.isdir(path):
                raise click.UsageError(
                    f"{output}: is a folder; name a file in it, as in {Path(output) / 'answer'}", ctx
                )
            if os.path.samefile(output, path) or _part(output, path) or _inside(path, output):
                named = "" if str(path) == str(given) else f", one of {given}"
                raise click.UsageError(
                    f"{output}: is read by this command{named}, and writing the answer there would destroy it; name "
                    "another file",
                    ctx,
                )


def _files(given: str | Path | None) -> Iterator[str]:
    """What an argument names: nothing, a file or a folder, or the files of a pattern."""
    if given is None or str(given) == "-":
        return
    found = [str(given)] if os.path.exists(given) else glob.glob(str(given))
    yield from (path for path in found if os.path.isfile(path) or os.path.isdir(path))


def _part(path: str | Path, folder: str | Path) -> bool:
    """Whether a file is read as one of a folder: of a cache, or a text, which lies in the folder of its label."""
    return _inside(path, folder) and (
        Path(folder).suffix == ".nvc" or Path(path).resolve().parent != Path(folder).resolve()
    )


def _inside(path: str | Path, folder: str | Path) -> bool:
    return os.path.isdir(folder) and Path(folder).resolve() in Path(path).resolve().parents


def demand_writable(path: str | None) -> None:
    """A place that cannot be written to is told before hours of training."""
    if path is None:
        return
    folder = Path(path).resolve().parent
    if Path(path).is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        why = "it is a folder" if Path(path).is_dir() else f"{folder} is no folder where you may write"
        raise InputError(f"{path}: cannot be written ({why}); name a file in a folder you may write to")
