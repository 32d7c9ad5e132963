"""The data of a verb: a file, or an example by its name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from novikoff.cli import words
from novikoff.errors import InputError
from novikoff.points import EXAMPLES

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True)
class Data:
    """Points and labels as a verb gets them.

    name: how a person calls them. names: the columns' names, where the file has them. rows: their numbers (from 0) in
    the file or example. how: how the file was read, for a certificate; None of an example.
    """

    name: str
    X: Any
    y: Any
    rows: Any
    names: tuple[str, ...] | None
    fit_intercept: bool
    how: Mapping[str, Any] | None


def data_options(command: Command) -> Command:
    """DATA or --example, and what belongs to them."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS = (
    click.argument("data", type=click.Path(path_type=Path), required=False),
    click.option(
        "--example", metavar="NAME", shell_complete=words.examples, help=f"Instead of a file: {', '.join(EXAMPLES)}."
    ),
    click.option("--label", metavar="NAME|NUMBER", help="The label's column in a CSV file; by number, the first is 1."),
    click.option("--classes", metavar="A,B", help="Only the rows of these classes."),
    click.option("--bias/--no-bias", default=None, help="Any plane, or only planes through the origin."),
    click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout."),
)


def data_of(ctx: click.Context, asked: Mapping[str, Any], numbers: str = "binary64", two: bool = False) -> Data:
    """The points that the options of `data_options` ask for; `two`: of two classes, or it is an error."""
    path, example = asked["data"], asked["example"]
    if path is not None and example is not None:
        raise click.UsageError(f"both {path} and --example {example}: give one of them", ctx)
    if path is None and example is None:
        raise click.UsageError("no data: name a CSV or svmlight file, or use --example NAME", ctx)
    if path is None:
        if asked["label"] is not None:
            raise click.UsageError("--label is for files; an example has its labels", ctx)
        name, X, y, fit_intercept = words.example(ctx, example, asked["bias"])
        names, how = None, None
    else:
        from novikoff.certify.files import read_plain
        from novikoff.certify.verify import label_column

        label = None if asked["label"] is None else label_column(asked["label"])
        plain = read_plain(path, label, numbers)
        name, X, y, names, how = str(path), plain.X, plain.y, plain.names, plain.how
        fit_intercept = asked["bias"] is not False
    if asked["classes"] is None and not two:
        return Data(name, X, y, range(len(y)), names, fit_intercept, how)
    X, y, rows = words.chosen_classes(X, y, name, asked["classes"], two)
    return Data(name, X, y, rows, names, fit_intercept, how)


def refuse_classes(data: Data, what: str) -> None:
    """A certificate speaks of whole files: no part of one."""
    if data.how is not None and len(data.rows) != 0 and data.rows[-1] + 1 != len(data.rows):
        raise InputError(f"--classes: {what} speaks of a whole file; write these rows to one of their own")
