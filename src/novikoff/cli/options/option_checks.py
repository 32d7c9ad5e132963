"""Reject options that have no effect, instead of ignoring them.

Only options that were typed are checked: not defaults, nor options from a certificate.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

TABLES = ("csv", "tsv")
NAMED = (*TABLES, "parquet", "arrow")
FORMATS_OF = {  # option: the formats it applies to
    "label": NAMED,
    "text": NAMED,
    "one_hot": NAMED,
    "columns": NAMED,
    "drop": NAMED,
    "header": TABLES,
    "decimal_comma": TABLES,
}


def check_format(path: str, kind: str, request: Mapping[str, Any]) -> None:
    """Raise UsageError for an option that does not apply to a file of this format."""
    ctx = click.get_current_context(silent=True)
    for name, formats in FORMATS_OF.items():
        if kind in formats or request.get(name) in (None, ()) or not typed(ctx, name):
            continue
        takes = ", ".join(formats)
        raise click.UsageError(f"{spelled(ctx, name)} applies only to {takes}; {path} is read as {kind}", ctx)


def typed(ctx: click.Context | None, name: str) -> bool:
    """Whether an option was typed."""
    return ctx is not None and ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE


def spelled(ctx: click.Context | None, name: str) -> str:
    """Return an option as it is typed."""
    named = [] if ctx is None else [option for option in ctx.command.params if option.name == name]
    return "/".join([*named[0].opts, *named[0].secondary_opts]) if named else name
