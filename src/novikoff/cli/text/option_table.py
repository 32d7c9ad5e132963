"""The table of options: where the help shows each of them, and what the command line does with its value.

first       --help shows it of a verb that has many options; --help-all shows every one
argument    errors of the library name it as an argument: missing='drop' is --missing drop
reading     says how a file is read, as `Reading` calls it
imputing    says how missing values are imputed
preparing   makes other numbers of those in the file, as `prepare.requested` calls it
copying     rows of a cache are copied, not used where they are mapped
proof       a certificate states it: the file is read again in the same way
formula     a formula does the same, and so excludes it
converting  `convert` writes prepared points
model       a model whose stream is continued has it
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
from click.core import ParameterSource

OWN = "Options"  # heading of those that only one verb or few have
TABLE: dict[str, dict[str, str]] = {  # heading: option: words
    OWN: {"on-missing": "argument", "formula": "proof converting"},
    "Rows": {
        "example": "first formula",
        "format": "argument",
        "label": "first argument reading formula",
        "label-as": "argument proof converting",
        "positive": "",
        "classes": "argument copying formula converting model",
        "columns": "argument reading proof formula model",
        "drop": "argument reading proof formula model",
        "header": "argument reading",
        "decimal-comma": "argument reading proof model",
        "transpose": "argument reading proof model",
        "first-column": "argument model",
    },
    "Preparation": {
        "auto": "first formula converting model",
        "missing": "argument reading imputing proof model",
        "impute-numbers": "argument imputing proof model",
        "impute-categories": "argument imputing proof model",
        "text": "argument reading proof formula converting model",
        "one-hot": "argument reading copying proof formula converting model",
        "category": "argument proof formula converting model",
        "tfidf": "argument preparing copying proof formula converting model",
        "min-df": "argument preparing proof formula converting model",
        "hash-bits": "argument preparing copying proof formula converting model",
        "presence": "argument preparing copying proof converting model",
        "ngrams": "argument preparing proof converting model",
        "analyzer": "argument preparing proof converting model",
        "scale": "first argument preparing copying proof formula converting model",
        "normalize": "argument preparing copying proof formula converting model",
        "features": "argument preparing copying proof formula converting model",
        "bias": "formula",
    },
    "Testing": {
        "folds": "first argument copying",
        "test": "first",
        "test-every": "argument copying",
        "holdout": "first argument copying",
        "valid": "",
    },
    "Learning": {
        "order": "",
        "rule": "",
        "threshold": "",
        "pa-C": "",
        "multi": "",
        "ovo": "",
        "keep": "first",
        "tie": "",
        "eta": "",
        "schedule": "",
        "class-weight": "",
        "w0": "",
        "seed": "",
        "known-margin": "",
        "mix": "",
        "partitions": "",
    },
    "Soft margin": {"soft": "first", "C": "first", "penalty": "", "gap": "", "soft-bias": ""},
    "Limits": {"max-passes": "first", "max-updates": "", "max-seconds": "", "stall-train": "", "stall-valid": ""},
    "Machine": {
        "memory": "argument",
        "spill": "argument",
        "engine": "",
        "workers": "",
        "scheduler": "",
        "checkpoint": "",
        "resume": "",
        "from": "",
    },
    "Output": {
        "output": "first",
        "csv": "first",
        "latex": "first",
        "html": "first",
        "plot": "first",
        "json": "first",
        "expect": "",
        "quiet": "",
        "help": "first",
        "help-all": "first",
    },
}


def heading_of(option: str) -> str:
    """Return the heading under which the help shows an option."""
    return next((heading for heading, options in TABLE.items() if option in options), OWN)


def words_of(option: str) -> list[str]:
    """Return what the table says of an option; nothing if it is not there."""
    return TABLE[heading_of(option)].get(option, "").split()


def parameters(word: str) -> tuple[str, ...]:
    """Return the parameters of the options with this word, in the order of the table.

    Examples
    --------
    >>> parameters("imputing")
    ('missing', 'impute_numbers', 'impute_categories')
    """
    options = (name for heading in TABLE.values() for name, words in heading.items() if word in words.split())
    return tuple(name.replace("-", "_") for name in options)


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
