"""Write the arguments that an error of the library names as options of the command line.

missing='drop'   --missing drop         header=False   --no-header         memory=    --memory
one_hot=True     --one-hot              label=2        --label 3           (columns count from 1 here)
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from novikoff.cli.text.option_table import parameters
from novikoff.errors import InputError
from novikoff.estimators.parameter_table import PERCEPTRON, Option
from novikoff.estimators.soft_margin_parameters import SOFT_MARGIN

SOFT = ("loss", "penalty", "gap")  # the others have the names of a perceptron's parameters
OPTIONS = {name: f"--{name.replace('_', '-')}" for name in parameters("argument")} | {
    **{name: info.option.flag for name, info in PERCEPTRON.items() if isinstance(info.option, Option)},
    **{
        name: info.option.flag for name, info in SOFT_MARGIN.items() if name in SOFT and isinstance(info.option, Option)
    },
    "early_stopping": "--stall-valid",
    "validation_fraction": "--stall-valid",
    "coef_init": "--w0",
    "intercept_init": "--w0",
    "checkpoint": "--checkpoint",
    "resume": "--resume",
    "proof": "--proof",
    "positive": "--positive",
    "reference": "--reference",
    "formula": "--formula",
    "ratios": "--ratio",
    "deltas": "--delta",
    "trials": "--trials",
    "port": "--port",
    "response": "--response",
    "scheduler": "--scheduler",
}
SOFT_OPTIONS = OPTIONS | {n: info.option.flag for n, info in SOFT_MARGIN.items() if isinstance(info.option, Option)}
SIZES = {"N": "-N", "P": "-P"}  # only where an error names them: texts may have columns with these names
COLUMNS = ("label", "text", "category", "columns", "drop")
QUOTED = r"(?<![\w=\[])'(?:[^'\\]|\\.)*'"  # text found in a file: it stays as it is
VALUE = r"\['([^']*)'\]|'([^']*)'|([\w.]*\w)"
ARGUMENT = rf"{QUOTED}|(?<![\w.])({'|'.join(OPTIONS)})=(?:{VALUE})?"  # compiled when there is a message


def error_in_options(error: Exception, flags_of: Mapping[str, str] = OPTIONS) -> str:
    """Return the message of an error with options in place of arguments; flags_of: the options of arguments."""
    message, known = str(error), {**flags_of, **SIZES}
    if isinstance(error, InputError) and error.argument is not None:
        names = error.argument.split(", ")  # of one or several arguments
        if set(names) <= known.keys():
            flags = dict.fromkeys(known[name] for name in names if known[name])
            message = f"{', '.join(flags)}: {error.message}"
    from novikoff.io.reading import WORDS
    from novikoff.io.table_block import GAPS

    said = with_options(message)
    expected = error.expected or "" if isinstance(error, InputError) else ""
    auto = WORDS in expected or GAPS in expected
    return f"{said}; --auto prepares every column by what it contains" if auto else said


def with_options(message: str) -> str:
    """Return a message with options in place of arguments.

    Examples
    --------
    >>> with_options("found 'missing=1'; a number was expected; missing='drop' leaves such rows out")
    "found 'missing=1'; a number was expected; --missing drop leaves such rows out"
    """
    return re.sub(ARGUMENT, _option, message)


def _option(found: re.Match[str]) -> str:
    name, listed, text, plain = found.groups()
    if name is None:
        return found[0]
    value = listed or text or plain or ""
    option, _, without = OPTIONS[name].partition("/")
    if plain == "False":
        return without or f"--no-{name.replace('_', '-')}"
    if plain is not None and plain.isdigit() and name in COLUMNS:
        value = str(int(plain) + 1)
    return option if value in ("", "True") else f"{option} {value}"
