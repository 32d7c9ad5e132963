"""`--auto`: choose the options of reading and preparing from the contents of a table, and print the command."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

import click
from click.core import ParameterSource

from novikoff.cli.text.answer import note
from novikoff.cli.text.option_names import with_options
from novikoff.errors import InputError

NOT_WITH = {"transpose": "--transpose", "one_hot": "--one-hot", "tfidf": "--tfidf"}


def expanded(ctx: click.Context, request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options with those that --auto stands for, and print the command on stderr; without --auto the same.

    Either a file or an example must be given.
    What was typed stays as it is: --auto chooses only for the columns that no option names.
    """
    path, example = request["data"], request["example"]
    if path is not None and example is not None:
        raise click.UsageError(f"both {path} and --example {example}: give one of them", ctx)
    if path is None and example is None:
        raise click.UsageError("no data: name a file, or use --example NAME, as in --example cornwell", ctx)
    if not request.get("auto"):
        return dict(request)
    if path is None:
        raise click.UsageError("--auto is for a table in a file; an example is already numbers", ctx)
    from novikoff.io.automatic_columns import automatic_columns
    from novikoff.io.file_formats import TABLES, check_readable, format_of
    from novikoff.io.reading import Reading

    check_readable(path)
    kind = request["kind"] or ("csv" if path == "-" else format_of(path))
    if kind not in TABLES:
        raise InputError(f"--auto: is for {', '.join(TABLES)}; {path} is read as {kind}")
    for name, option in NOT_WITH.items():
        if request[name]:
            raise click.UsageError(f"--auto and {option}: leave one of them out", ctx)
    how = {name: request[name] for name in ("label", "text", "columns", "drop", "header", "decimal_comma")}
    found = automatic_columns(path, Reading(format=kind, categories=request["category"], **how))
    given = ctx.get_parameter_source("missing") is ParameterSource.COMMANDLINE
    chosen = _options(found, kind, request, given)
    made = {**request, **chosen, "auto": False}
    for name, value in chosen.items():
        ctx.params[name] = value
        ctx.set_parameter_source(name, ParameterSource.COMMANDLINE)
    ctx.params["auto"] = False
    ctx.set_parameter_source("auto", ParameterSource.DEFAULT)
    said = [*map(with_options, found.notes), command_line(ctx)]
    note(bool(request.get("quiet")), (f"auto   {line}" for line in said))
    return made


def _options(found: Any, kind: str, request: Mapping[str, Any], missing_is_given: bool) -> dict[str, Any]:
    """Return the options, by parameter, that choose these columns."""
    chosen = found.options(kind)
    for name in ("text", "drop", "category"):
        chosen[name] = (*request[name], *chosen[name])
    for name in ("decimal_comma", "scale", "one_hot"):
        chosen[name] = request[name] or chosen[name]
    for name, given in (("label", request["label"] is not None), ("missing", missing_is_given)):
        chosen[name] = request[name] if given else chosen[name]
    if chosen["missing"] != "impute" or request["impute_categories"] is not None:
        chosen["impute_categories"] = request["impute_categories"]
    return {name: value for name, value in chosen.items() if value != request[name]}


def command_line(ctx: click.Context, verb: str | None = None, without: Sequence[str] = ()) -> str:
    """Return the command as it would be typed, with every option that does not have its default value.

    verb: another verb with the same options; without: the names of parameters to leave out.
    """
    words = ["novikoff", *(ctx.command_path.split()[1:] if verb is None else [verb])]
    for param in ctx.command.params:
        name = param.name or ""
        value: Any = ctx.params.get(name)
        if name in without:
            continue
        if isinstance(param, click.Argument):
            words += [] if value is None else [str(value)]
        elif ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            for one in value if getattr(param, "multiple", False) else [value]:
                words += typed_option(param, one)
    return shlex.join(words)


def typed_option(param: click.Parameter, value: Any) -> list[str]:
    """Return an option and its value as they are typed.

    Examples
    --------
    >>> typed_option(click.Option(["--drop"]), ("age", 3)), typed_option(click.Option(["--bias/--no-bias"]), False)
    (['--drop', 'age,4'], ['--no-bias'])
    """
    if isinstance(value, bool):
        return [(param.opts if value else param.secondary_opts)[0]] if value or param.secondary_opts else []
    name = param.name or ""
    if name == "label_as":
        return [param.opts[0], ":".join(value)]
    if name == "class_weight" and isinstance(value, dict):
        return [param.opts[0], ",".join(f"{_column(label, True)}={weight}" for label, weight in value.items())]
    if name in ("columns", "drop", "text", "category", "label"):
        listed = value if isinstance(value, tuple) else (value,)
        return [param.opts[0], ",".join(_column(c, isinstance(value, tuple)) for c in listed)]
    return [param.opts[0], ",".join(map(str, value)) if isinstance(value, tuple) else str(value)]


def _column(column: str | int, in_list: bool) -> str:
    """Return a column as it is typed: numbers count from 1; in a list a name with a comma is in quotes."""
    if isinstance(column, int):
        return str(column + 1)
    return f'"{column}"' if in_list and "," in column else column
