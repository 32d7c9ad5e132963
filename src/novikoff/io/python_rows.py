"""Convert tables in memory to the raw rows of a model: data frames, lists of dictionaries, lists of texts.

Columns are found by name, in any order, and columns that the model does not have are ignored, as in a file. A model of
a table without names takes the columns by position. A cell means the same as in a CSV file: a text such as "3.5" in a
column of numbers is that number, and None, NaN, an empty text, ?, NA and similar are missing values.
"""

from __future__ import annotations

import math
import numbers
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.column_names import NAMELESS, few, missing_column
from novikoff.data.frames import check_distinct, frame_columns, is_frame, numbers_of_column
from novikoff.data.plain_files import MISSING, NUMBER
from novikoff.data.storages import check_whole
from novikoff.errors import InputError, InputTypeError, counted
from novikoff.io.model_reader import model_reader_of
from novikoff.io.rows import Form, has_names
from novikoff.io.source import Points
from novikoff.io.table_block import GROUPED, with_point
from novikoff.prepare.column_steps import ColumnSteps
from novikoff.prepare.preparation import Preparation
from novikoff.prepare.raw_columns import Raw

SHOWN = 40


def is_table(X: Any) -> bool:
    """Return whether X holds raw rows: a data frame, dictionaries, texts, `Raw`, or points with names."""
    if isinstance(X, Points):
        return X.names is not None
    return (
        isinstance(X, Raw | str | bytes)
        or is_frame(X)
        or _are_texts(X)
        or (isinstance(X, list | tuple) and len(X) > 0 and isinstance(X[0], Mapping))
    )


def raw_rows_of(X: Any, prep: Preparation) -> Raw:
    """Return the rows of a table as the preparation takes them; raise InputError for a column that is missing."""
    if isinstance(X, Raw):
        return X
    if isinstance(X, str | bytes):
        raise InputTypeError(f"found one text, {str(X)[:SHOWN]!r}; a list of texts was expected, one for each row", "X")
    reader = model_reader_of(prep)
    if _are_texts(X):
        return _of_texts(X, prep.columns)
    columns, model = _columns_of(X), prep.columns
    if not has_names(model, reader.form):
        model = replace(model, others=prep.others)
        columns = _by_position(columns, model, reader.form)
    return _raw(model, columns, reader.decimal_comma)


# ---- columns -------------------------------------------------------------------------------------------------------


def _are_texts(X: Any) -> bool:
    kind = getattr(X, "dtype", None)
    if kind is not None and not isinstance(X, np.ndarray):  # a column of a data frame
        package = type(X).__module__.partition(".")[0]
        return package in ("pandas", "polars") and package in sys.modules and _are_texts(cells_of_column(X))
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "OUST" and X.size > 0 and _are_texts(X.tolist())
    return isinstance(X, list | tuple) and len(X) > 0 and all(isinstance(text, str | bytes) for text in X)


def _of_texts(X: Any, columns: ColumnSteps) -> Raw:
    if len(columns.text) != 1 or columns.d or columns.categories:
        needed = [*columns.number_names[:5], *columns.text, *columns.categories]
        raise InputError(
            f"found a list of texts; the model was trained on the columns {few(needed)}: give a data frame, or a "
            "list of dictionaries",
            "X",
        )
    return Raw(text={next(iter(columns.text)): cells_of_column(X)})


def _columns_of(X: Any) -> dict[str, Any]:
    """Return the columns of a table by name: arrays, or columns of a data frame."""
    if isinstance(X, Points):
        values = X.X.toarray() if hasattr(X.X, "toarray") else X.X
        return (
            dict(zip(X.names or (), values.T, strict=True)) if isinstance(values, np.ndarray) else _columns_of(values)
        )
    if is_frame(X):
        named = frame_columns(X)
        check_distinct([label for label, _ in named], "X")
        return dict(named)
    for number, row in enumerate(X, start=1):
        if not isinstance(row, Mapping):
            raise InputTypeError(f"X, row {number}: found {type(row).__name__}; a dictionary was expected, as in row 1")
    return {str(name): [row.get(name) for row in X] for name in dict.fromkeys(name for row in X for name in row)}


def places_of(model: ColumnSteps, form: Form) -> tuple[dict[str, int], int]:
    """Return the columns of a model without names by their position in its training rows, and how many these had.

    The label is not counted; the columns are called x and the position in the training file.
    """
    words = [c for c in (*form.text, *form.categories) if isinstance(c, int)]
    dropped = [c for c in form.dropped if isinstance(c, int)]
    width = model.d + len(words) + len(dropped)
    label = form.label if isinstance(form.label, int) else width
    places = {c: k for k, c in enumerate(c for c in range(width + 1) if c != label)}  # in the training file
    numbers = [c for c in places if c not in (*words, *dropped)]
    names = [*model.number_names, *model.text, *model.categories]
    return {name: places[c] for name, c in zip(names, (*numbers, *words), strict=True)}, width


def _by_position(columns: Mapping[str, Any], model: ColumnSteps, form: Form) -> dict[str, Any]:
    """Return the columns of a table by the names of a model without names."""
    values = list(columns.values())
    places, width = places_of(model, form)
    if len(values) == width + 1:
        del values[form.label if isinstance(form.label, int) else width]
    elif len(values) != width:
        raise InputError(
            f"found {len(values)} columns; {width} were expected, in the order of the training rows, which have no "
            "names",
            "X",
        )
    return {name: values[k] for name, k in places.items()}


# ---- cells ---------------------------------------------------------------------------------------------------------


def _raw(model: ColumnSteps, columns: Mapping[str, Any], comma: bool) -> Raw:
    """Return the cells of the model's columns. comma: whether commas are decimal marks."""
    imputes = model.cells is not None
    numbers = [_numbers(_column(columns, name), name, comma, imputes) for name in model.number_names]
    text = {name: [_text(cell) for cell in cells_of_column(_column(columns, name))] for name in model.text}
    categories = {
        name: list(map(_spelling(step.categories), cells_of_column(_column(columns, name))))
        for name, step in model.categories.items()
    }
    X = np.column_stack(numbers) if numbers else None
    return Raw(X, list(model.number_names) if model.named is not None else None, text, categories, imputes)


def _column(columns: Mapping[str, Any], name: str) -> Any:
    if name in columns:
        return columns[name]
    nameless = [c for c in columns if NAMELESS.fullmatch(c)]
    if not name and len(nameless) == 1:
        return columns[nameless[0]]
    raise missing_column(name, list(columns))


def _numbers(column: Any, name: str, comma: bool, imputes: bool) -> np.ndarray:
    """Return the cells of a column as numbers; a missing one is NaN if it is imputed."""
    values = numbers_of_column(column)
    if values is None:
        found = np.array([_number(cell, name, row, comma) for row, cell in enumerate(cells_of_column(column))])
    else:
        check_whole(values, f"X: column {name!r}")
        found = values.astype(np.float64)
    for row in np.flatnonzero(~np.isfinite(found) & ~(np.isnan(found) & imputes))[:1].tolist():
        wrong = f"{found[row]}; a finite number was expected"
        if np.isnan(found[row]):
            wrong = "a missing number, and the model imputes none; fill it in, or omit the row"
        raise InputError(f"column {name!r}, {counted(row)}: found {wrong}", "X")
    return found


def _number(cell: Any, name: str, row: int, comma: bool) -> float:
    if is_none(cell) or (isinstance(cell, str) and cell.strip().lower() in MISSING):
        return math.nan
    try:
        if not isinstance(cell, str):
            return float(cell)
        text = with_point(cell.strip(), comma)
        if NUMBER.fullmatch(text) and not GROUPED[comma].fullmatch(cell.strip()):
            return float(text)
    except (OverflowError, TypeError, ValueError):
        pass
    shown = f"{type(cell).__name__} {str(cell)[:SHOWN]!r}"
    raise InputError(f"column {name!r}, {counted(row)}: found {shown}; a number was expected, as in training", "X")


def _text(cell: Any) -> Any:
    return "" if is_none(cell) else cell if isinstance(cell, bytes) else str(cell).strip()


def _spelling(known: Sequence[str]) -> Callable[[Any], str]:
    """Return the function that spells a cell as the training file did: 3 and 3.0 are the category "3".

    A missing one is spelled as the only category of the model that means so, else as an empty text.
    """
    there = set(known)
    by_value = {float(text): text for text in reversed(known) if NUMBER.fullmatch(text)}
    lost = [text for text in known if text.strip().lower() in MISSING]

    def spelled(cell: Any) -> str:
        if is_none(cell):
            return lost[0] if len(lost) == 1 else ""
        text = str(cell).strip().removesuffix(" 00:00:00")  # of a date as a frame has it
        number = isinstance(cell, numbers.Real) and not isinstance(cell, bool | np.bool_) and text not in there
        return by_value.get(float(cell), text) if number else text

    return spelled


def is_none(cell: Any) -> bool:
    """Return whether a cell holds nothing: None, NaN, pandas' NA or NaT."""
    return (
        cell is None or type(cell).__name__ in ("NAType", "NaTType") or (isinstance(cell, float) and math.isnan(cell))
    )


def cells_of_column(column: Any) -> list[Any]:
    """Return the cells of a column as Python objects."""
    for method in ("to_pylist", "to_list", "tolist"):  # pyarrow, polars, pandas and NumPy
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)
