"""Convert parameters, labels, names and histories to JSON values and back, with validation.

Numbers round-trip bit for bit (Python writes the shortest decimal that reads back as the same binary64), labels keep
their type.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.records.record_reader import Fields

ROOM = 1 << 28  # bytes of all labels: a short file must not allocate much memory
HISTORY = 1_000  # entries of a history in a file
_TYPE = re.compile(r"[<>|](?:[iu][1248]|f[248]|b1)|object|[<>]U[0-9]{1,4}|\|S[0-9]{1,4}")
_NOT_FINITE = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}


# ---- parameters ----------------------------------------------------------------------------------------------------


def plain_parameter(name: str, value: Any) -> Any:
    """Convert a parameter to JSON: a number, a string, a boolean, None, or a dict as a list of pairs."""
    if isinstance(value, dict):
        return {"pairs": [[plain_parameter(name, k), plain_parameter(name, v)] for k, v in value.items()]}
    value = value.item() if isinstance(value, np.generic) else value
    finite = not isinstance(value, float) or math.isfinite(value)
    if value is None or (type(value) in (bool, int, float, str) and finite):
        return value
    ways = {"schedule": "clf.set_params(schedule='constant')", "random_state": "clf.set_params(random_state=clf.seed_)"}
    raise InputError(
        f"{name}: {value!r} cannot be stored in a file; set a plain value first, "
        f"{ways.get(name, 'a number or a word')}: predictions stay as they are"
    )


def parameter_of(value: Any, fields: Fields, name: str) -> Any:
    """Read a parameter from JSON."""
    if not isinstance(value, dict):
        if isinstance(value, list):
            fields.refuse(name, value, "a plain value")
        return value
    pairs = value.get("pairs")
    if set(value) != {"pairs"} or not isinstance(pairs, list):
        fields.refuse(name, value, "a plain value")
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or any(isinstance(v, list | dict) for v in pair):
            fields.refuse(name, pair, "a pair of plain values")
    if len(dict(pairs)) < len(pairs):
        fields.refuse(name, pairs, "a value for each class, once,")
    return dict(pairs)


# ---- labels --------------------------------------------------------------------------------------------------------


def plain_classes(classes: np.ndarray) -> dict[str, Any]:
    """Convert the classes with their type: numbers, booleans, strings, or Python objects of these."""
    kind = classes.dtype
    values = [v.item() if isinstance(v, np.generic) else v for v in classes.tolist()]
    if kind.kind == "S":
        values = [v.decode("latin-1") for v in values]
    text = "object" if kind.kind == "O" else kind.str
    known = all(type(v) in (bool, int, float, str) for v in values)
    if not known or not _TYPE.fullmatch(text) or classes.nbytes > ROOM:
        raise InputError(
            f"labels like {repr(classes.tolist()[0])[:80]} ({kind}) cannot be stored in a file; whole "
            "numbers, floats, truth values or texts of at most 9,999 characters were expected",
            "classes",
        )
    return {"dtype": text, "values": values}


def classes_of(fields: Fields) -> np.ndarray:
    """Read the classes from JSON: values of exactly the stored type, sorted."""
    text = fields.take("dtype", lambda v: isinstance(v, str) and bool(_TYPE.fullmatch(v)), "a type of labels")
    values = fields.take("values", lambda v: isinstance(v, list), "a list of labels")
    fields.done()
    expected = f"labels of type {text} in rising order"
    kind = np.dtype(text)
    if not all(_holds(kind, v) for v in values) or len(values) * kind.itemsize > ROOM:
        fields.refuse("values", values, expected)
    try:
        rising = all(a < b for a, b in itertools.pairwise(values))
    except TypeError:
        rising = False
    if not rising:
        fields.refuse("values", values, expected)
    classes = np.empty(len(values), kind)
    classes[:] = [v.encode("latin-1") for v in values] if kind.kind == "S" else values
    return classes


def _holds(kind: np.dtype, value: Any) -> bool:
    """Return whether a label can have this type without change."""
    if kind.kind == "O":
        return type(value) in (bool, int, str) or (type(value) is float and math.isfinite(value))
    if kind.kind in "US":
        width = kind.itemsize // (4 if kind.kind == "U" else 1)
        return isinstance(value, str) and len(value) <= width and (kind.kind == "U" or max(value, default="") < "Ā")
    if kind.kind == "b":
        return isinstance(value, bool)
    if kind.kind == "f":
        with np.errstate(over="ignore"):
            return type(value) is float and math.isfinite(value) and float(np.array(value).astype(kind)) == value
    return type(value) is int and int(np.iinfo(kind).min) <= value <= int(np.iinfo(kind).max)


def take_names(fields: Fields, clf: Any, d: int) -> None:
    """Read the feature names, if any."""
    names = fields.optional("feature_names", fields.texts)
    if names is not None and len(names) != d:
        fields.refuse("feature_names", names, f"null or {d} names")
    if names is not None:
        clf.feature_names_in_ = np.array(names, dtype=object)


# ---- history -------------------------------------------------------------------------------------------------------


def plain_history(history: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Return the columns of the history that are the same on every machine.

    Of more than HISTORY entries, HISTORY evenly spaced ones are returned, the first and the last among them.
    """
    rows = evenly(len(next(iter(history.values()), [])), HISTORY)
    return {
        name: [_plain_number(column[k]) for k in rows]
        for name, column in history.items()
        if name not in ("seconds", "loss", "norm")
    }


def evenly(n: int, most: int) -> Sequence[int]:
    """Return at most `most` (two or more) of the numbers 0, …, n − 1, evenly spaced, from the first to the last.

    Examples
    --------
    >>> evenly(11, 6), list(evenly(3, 6))
    ([0, 2, 4, 6, 8, 10], [0, 1, 2])
    """
    if n <= most:
        return range(n)
    return [(2 * k * (n - 1) + most - 1) // (2 * (most - 1)) for k in range(most)]  # k·(n − 1)/(most − 1), rounded


def _plain_number(value: Any) -> Any:
    value = value.item() if isinstance(value, np.generic) else value
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def history_of(fields: Fields) -> dict[str, list[Any]]:
    """Read the columns, all of the same length."""
    columns = fields.rest()
    for name, column in columns.items():
        if not isinstance(column, list) or len(column) != len(next(iter(columns.values()))):
            fields.refuse(name, column, "a column as long as the others")
        for value in column:
            if not (value is None or type(value) in (int, float) or (isinstance(value, str) and value in _NOT_FINITE)):
                fields.refuse(name, value, "a number")
    return {name: [_NOT_FINITE.get(v, v) if isinstance(v, str) else v for v in c] for name, c in columns.items()}
