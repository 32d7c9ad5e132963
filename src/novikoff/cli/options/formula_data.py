"""The option --formula: the design of a regression from a file, as "y ~ C(a) + b" states it.

The file is read as for fit, its response and the variables of the formula only: --missing drop then drops the rows that
miss one of these, as R does. Columns of words are factors; integers stay integers, so that levels are named 1, 2, 3.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import click

from novikoff.cli.options import row_options
from novikoff.cli.options.automatic_options import typed_option
from novikoff.cli.text.option_table import parameters
from novikoff.errors import InputError

formula_option = click.option(
    "--formula", metavar="FORMULA",
    help='Response and columns as in "y ~ C(a) + b"; C(a): a factor, whose first level is the reference.',
)  # fmt: skip
NEITHER = (None, False, ())


class FormulaPoints(NamedTuple):
    """Rows of a file (`data`), their design, response, the names of the design's columns, and notes."""

    data: Any
    X: Any
    y: Any
    names: tuple[str, ...]
    notes: tuple[str, ...]


def formula_points(ctx: click.Context, request: Mapping[str, Any]) -> FormulaPoints:
    """Return the design and the response that the formula states; a column of --counts is the last of the design."""
    _check_alone(ctx, request)
    try:
        return _points(ctx, request, request["formula"], request.get("counts"))
    except InputError as error:
        if error.argument != "X":
            raise
        raise InputError(error.message, "--formula") from None


def _points(ctx: click.Context, request: Mapping[str, Any], formula: str, counts: str | None) -> FormulaPoints:
    from novikoff.regression.formulas import by_formula, variables_of

    response, others = variables_of(formula)
    used = None if others is None else tuple(dict.fromkeys([*others, *([] if counts is None else [counts])]))
    data = row_options.opened(ctx, {**request, "label": response, "columns": used or None, "one_hot": True})
    frame = _frame(data, response)
    design, y, notes = by_formula(formula, frame, counts, data.numbering)
    names = tuple(str(name) for name in design.columns)
    X = design.to_numpy(float)
    if counts is not None:
        import numpy as np

        X, names = np.column_stack([X, frame[counts].to_numpy(float)]), (*names, counts)
    return FormulaPoints(data, X, y, names, notes)


def _check_alone(ctx: click.Context, request: Mapping[str, Any]) -> None:
    """Raise UsageError for options that choose or prepare columns, which the formula does."""
    given = {param.name: param for param in ctx.command.params}
    for name in parameters("formula"):
        value = request.get(name)
        if value not in NEITHER or (name == "bias" and value is False):
            option = typed_option(given[name], value)[0] if name in given else f"--{name}"
            way = "write 0 + for a model without an intercept" if name == "bias" else "the formula chooses the columns"
            raise click.UsageError(f"{option} cannot be used with --formula: {way}", ctx)
    if request["missing"] == "impute":
        raise click.UsageError("--missing impute cannot be used with --formula; drop the rows, or impute before", ctx)


def _frame(data: Any, response: str) -> Any:
    """Return the columns of a file as a pandas frame, in the order of the file if it is known."""
    import numpy as np
    import pandas as pd

    raw, columns = data.stored.raw, dict[str, Any]()
    if raw.numbers is not None and raw.d:
        table = np.asarray(raw.numbers.toarray() if hasattr(raw.numbers, "toarray") else raw.numbers, np.float64)
        names = [f"x{j + 1}" for j in range(raw.d)] if raw.names is None else raw.names
        columns |= {str(name): _tidy(table[:, j]) for j, name in enumerate(names)}
    columns |= {str(name): list(values) for name, values in raw.categories.items()}
    columns[response] = np.asarray(data.labels)
    if raw.text:
        raise InputError(f"--formula: {data.name} has a column of texts; numbers and categories were expected")
    known: Any = getattr(getattr(data.source, "layout", None), "header", None) or ()
    return pd.DataFrame({name: columns[name] for name in (*(n for n in known if n in columns), *columns)})


def _tidy(column: Any) -> Any:
    """Return integers as integers: the names of levels then have no .0."""
    return column.astype("int64") if ((column % 1 == 0) & (abs(column) < 2**53)).all() else column
