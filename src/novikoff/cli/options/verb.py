"""Group the options of a verb that reads points into help sections: rows, preparation, learning, …

`--help` shows the options that are used most, `--help-all` all of them.
"""

from __future__ import annotations

from typing import Any

import click

from novikoff.cli.options.output_files import check_outputs

SECTIONS = {  # heading: its options; others are specific to the verb and come first
    "Rows": "example format label label-as positive classes columns drop header decimal-comma on-bad-row transpose "
    "first-column",
    "Preparation": "auto missing impute-numbers impute-categories missing-indicator text one-hot category tfidf "
    "min-df hash-bits presence ngrams analyzer stop-words scale scale-by normalize features bias",
    "Testing": "folds test test-every test-label holdout valid",
    "Learning": "order rule threshold pa-C multi ovo keep tie eta schedule class-weight w0 seed known-margin "
    "mix partitions",
    "Soft margin": "soft C penalty gap soft-bias",
    "Limits": "max-passes max-updates max-seconds stall-train stall-valid",
    "Machine": "memory engine workers scheduler checkpoint resume from",
    "Output": "output csv latex html plot json expect quiet help help-all",
}
OWN = "Options"
ALL = "novikoff help-all"  # in the meta of a context: whether every option is shown
MANY = 24  # options of a verb from which on --help leaves some out
FIRST = (  # those that --help shows of such a verb, beside its own
    "output example label auto text missing scale folds holdout test soft C keep multi max-passes seed plot expect "
    "json quiet help help-all"
)


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
        info: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (OWN, *SECTIONS)}
        some = len(self.params) > MANY and not ctx.meta.get(ALL, False)
        for option in self.get_params(ctx):
            shown = (
                not some or heading_of(option) == OWN or {name.lstrip("-") for name in option.opts} & {*FIRST.split()}
            )
            if shown and isinstance(option, click.Option) and (record := option.get_help_record(ctx)) is not None:
                info[heading_of(option)].append(record)
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


def heading_of(option: click.Parameter) -> str:
    """Return the section of an option."""
    name = option.opts[-1].removeprefix("--")
    return next((heading for heading, names in SECTIONS.items() if name in names.split()), OWN)
