"""Store a fitted preparation as plain data: a JSON dictionary and float64 arrays by name. Loading executes nothing.

    {"kind": "novikoff-preparation/1", "numbers": d, "names": null or list, "report": {…},
     "steps": [{"step": "words", "on": "text", "column": "message", …}, …]}

The array `idf` of step 2 (from 0) is called "2.idf". Anything that `record_of` does not write is rejected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from novikoff.prepare.column_steps import OF_NUMBERS, OF_ROWS, OF_TEXT, ColumnSteps
from novikoff.prepare.imputation import Impute
from novikoff.prepare.onehot import OneHot
from novikoff.records.record_reader import Fields

KIND = "novikoff-preparation/1"
ORDER = ("cells", "numbers", "categories", "text", "rows")
KNOWN: dict[str, Mapping[str, Any]] = {
    "cells": {Impute.kind: Impute},
    "numbers": OF_NUMBERS,
    "categories": {OneHot.kind: OneHot},
    "text": OF_TEXT,
    "rows": OF_ROWS,
}


def record_of(columns: ColumnSteps, report: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the dictionary and the arrays."""
    steps: list[dict[str, Any]] = []
    arrays: dict[str, np.ndarray] = {}
    for step, column in columns.steps():
        fields, own = step.record()
        arrays |= {f"{len(steps)}.{name}": array for name, array in own.items()}
        steps.append({"step": step.kind, "on": step.on} | ({} if column is None else {"column": column}) | fields)
    names = None if columns.named is None else list(columns.named)
    return {"kind": KIND, "numbers": columns.d, "names": names, "steps": steps, "report": dict(report)}, arrays


def columns_of(record: Any, arrays: Mapping[str, np.ndarray]) -> tuple[ColumnSteps, dict[str, Any]]:
    """Return the columns and the report of a record; raise InputError for anything that `record_of` does not write."""
    whole = Fields(record, "preparation")
    whole.word("kind", (KIND,))
    columns = ColumnSteps(whole.whole("numbers", 0))
    names = whole.optional("names", whole.texts)
    if names is not None and len(names) != columns.d:
        whole.refuse("names", f"{len(names)} names", f"{columns.d}, one for each column,")
    columns.named = names
    steps = whole.take("steps", lambda v: isinstance(v, list), "a list")
    report = whole.take("report", lambda v: isinstance(v, dict), "an object")
    whole.done()
    place, left = 0, dict(arrays)
    for i, step in enumerate(steps):
        own = {name.removeprefix(f"{i}."): left.pop(name) for name in list(left) if name.startswith(f"{i}.")}
        fields = Fields(step, f"preparation, step {i + 1}", arrays=own)
        kind, on = fields.text("step"), fields.text("on")
        if on not in KNOWN or kind not in KNOWN[on]:
            fields.refuse("step", f"{kind} on {on}", "a step that this version of novikoff knows")
        if ORDER.index(on) < place:
            fields.refuse("on", on, f"a step in the order {', '.join(ORDER)}")
        place = ORDER.index(on)
        made, there = KNOWN[on][kind].from_record(fields, columns.d), getattr(columns, on)
        if on in ("categories", "text"):
            column = fields.text("column")
            if column in (*(columns.named or ()), *columns.categories, *columns.text):
                fields.refuse("column", column, "a column that is not used twice")
            there[column] = made
        elif on == "rows":
            if there and list(OF_ROWS).index(kind) <= list(OF_ROWS).index(there[-1].kind):
                fields.refuse("step", kind, f"{' and then '.join(OF_ROWS)}, each at most once")
            there.append(made)
        elif there is not None:
            fields.refuse("on", on, "a single step for missing values, and one for the numbers")
        else:
            setattr(columns, on, made)
        fields.done()
    Fields({}, "preparation", arrays=left).done()
    if (columns.numbers is None) != (columns.d == 0):
        whole.refuse("numbers", columns.d, "a number of columns if and only if there is a step for them,")
    if columns.cells is not None and [*columns.cells.frequent] != [*columns.categories]:
        whole.refuse("steps", [*columns.cells.frequent], "an imputed category for each column of categories")
    if columns.numbers is None and not columns.categories and not columns.text:
        whole.refuse("steps", steps, "at least one step for columns")
    return columns, report
