"""Group the options of a verb that reads points into help sections: rows, preparation, learning, …

`--help` shows the options that are used most, `--help-all` all of them.
"""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli.options.output_files import check_outputs
from novikoff.cli.text.option_table import OWN, TABLE, heading_of, words_of

ALL = "novikoff help-all"  # in the meta of a context: whether every option is shown
MANY = 24  # options of a verb from which on --help leaves some out


class Verb(click.Command):
    """Verb whose help has a heading above each group of options, and whose output paths are checked before it runs."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(self.params) > MANY:
            self.params.append(
                click.Option(["--help-all"], is_flag=True, is_eager=True, expose_value=False, callback=_show_all,
                             help="Show all options and exit.")
            )  # fmt: skip

    def invoke(self, ctx: click.Context) -> Any:
        """Run the verb after a check of its output paths."""
        check_outputs(ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by section."""
        info: dict[str, list[tuple[str, str]]] = {heading: [] for heading in TABLE}
        some = len(self.params) > MANY and not ctx.meta.get(ALL, False)
        for option in self.get_params(ctx):
            name = option.opts[-1].removeprefix("--")
            shown = not some or heading_of(name) == OWN or "first" in words_of(name)
            if shown and isinstance(option, click.Option) and (record := option.get_help_record(ctx)) is not None:
                info[heading_of(name)].append(record)
        for heading, records in info.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def _show_all(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    """Print the help with every option."""
    if value and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
