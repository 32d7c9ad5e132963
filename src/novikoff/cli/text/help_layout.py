"""Group the options of a verb that reads points into help sections: rows, preparation, learning, …"""

from __future__ import annotations

import click

SECTIONS = {  # heading: its options; others are specific to the verb and come first
    "Rows": "example format label label-as positive classes columns drop header decimal-comma on-bad-row transpose "
    "first-column inside",
    "Preparation": "auto missing impute-numbers impute-categories missing-indicator text one-hot category tfidf "
    "min-df hash-bits presence ngrams analyzer stop-words scale scale-by normalize features bias",
    "Testing": "folds test test-inside test-every test-label holdout valid",
    "Learning": "order rule threshold pa-C multi ovo keep tie eta schedule class-weight w0 seed known-margin "
    "mix partitions",
    "Soft margin": "soft C penalty gap soft-bias",
    "Limits": "max-passes max-updates max-seconds stall-train stall-valid",
    "Machine": "memory engine workers scheduler checkpoint resume from",
    "Output": "output csv latex html plot json expect quiet help",
}
OWN = "Options"


class Verb(click.Command):
    """Verb whose help has a heading above each group of options."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by section."""
        info: dict[str, list[tuple[str, str]]] = {heading: [] for heading in (OWN, *SECTIONS)}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and (record := option.get_help_record(ctx)) is not None:
                info[heading_of(option)].append(record)
        for heading, records in info.items():
            if records:
                with formatter.section(heading):
                    formatter.write_dl(records)


def heading_of(option: click.Parameter) -> str:
    """Return the section of an option."""
    name = option.opts[-1].removeprefix("--")
    return next((heading for heading, names in SECTIONS.items() if name in names.split()), OWN)
