"""Write the page docs/cli.md from the --help texts: `python -m novikoff.cli.help_page > docs/cli.md`."""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli import commands, door
from novikoff.cli.options.verb import ALL

WIDTH = 110
HEAD = """# The command line

The output of `novikoff --help` and `novikoff VERB --help-all`.
`python -m novikoff.cli.help_page > docs/cli.md` generates this page.
"""


def page() -> str:
    """Return the help of every verb as Markdown."""
    wide: dict[str, Any] = {"terminal_width": WIDTH, "max_content_width": WIDTH}
    top = click.Context(door, info_name="novikoff", help_option_names=["-h", "--help"], **wide)
    parts = [HEAD, _block(door.get_help(top))]
    for name, command in commands():
        parent = click.Context(door, top, " ".join(name.split()[:-1]), **wide) if " " in name else top
        own = click.Context(command, parent, name.split()[-1], **wide)
        own.meta[ALL] = True
        parts += [f"## {name}\n", _block(command.get_help(own))]
    return "\n".join(parts)


def _block(text: str) -> str:
    return "```\n" + "\n".join(line.rstrip() for line in text.splitlines()) + "\n```\n"


if __name__ == "__main__":
    click.echo(page(), nl=False)
