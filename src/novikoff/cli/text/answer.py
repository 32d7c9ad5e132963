"""Print the answer of a verb, as lines for people or as one JSON document, and write its files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click


def print_answer(verb: str, document: Mapping[str, Any], lines: Iterable[str], as_json: bool) -> None:
    """Print the document, with its schema, or the lines."""
    if as_json:
        click.echo(json.dumps({"schema": f"novikoff/{verb}/1", **document}, allow_nan=False))
    else:
        click.echo("\n".join(lines))


def write_file(path: Path, content: str | bytes, quiet: bool = False, how: str = "") -> None:
    """Write a file at once, and name it on stderr. how: what to do with it."""
    from novikoff.records.atomic_write import replace_file

    replace_file(path, content)
    note(quiet, [f"wrote {path}{how}"])


def note(quiet: bool, lines: Iterable[str]) -> None:
    """Print lines on stderr, unless --quiet."""
    for line in () if quiet else lines:
        click.echo(line, err=True)
