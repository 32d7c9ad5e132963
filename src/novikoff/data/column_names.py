"""Check that the column names of a frame or file match those seen in training, in the same order.

Weights match columns by position; other or reordered columns would silently give wrong predictions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from novikoff.data.frames import names_of
from novikoff.data.labelled_points import Labelled
from novikoff.data.plain_files import similar
from novikoff.errors import InputError

SHOWN = 5
NAMELESS = re.compile(r"|Unnamed: [0-9]+(\.[0-9]+)?|__index_level_[0-9]+__")  # no name, or pandas' name for none


def columns_of(X: Any) -> list[str] | None:
    """Return the column names of points or of a frame; None if it has none."""
    if isinstance(X, Labelled):
        return names_of(X.rows) if X.names is None else list(X.names)
    return names_of(X)


def names_for_people(X: Any) -> tuple[str, ...] | None:
    """Return the column names for a plane or an axis; None if there are none, or if they are numbers as of a frame
    without names.
    """
    names = columns_of(X)
    return None if names is None or all(str(name).isdigit() for name in names) else tuple(map(str, names))


def check_names(found: Sequence[str], expected: Sequence[str], in_order: bool = True) -> None:
    """Raise InputError if the names differ from training, or if required their order."""
    here, known = set(found), set(expected)
    if lost := [name for name in expected if name not in here]:
        raise missing_column(lost[0], found)
    if new := [name for name in found if name not in known]:
        raise InputError(f"column {new[0]!r} was not in training; remove it: {few(expected)}", "X")
    if in_order and list(found) != list(expected):
        raise InputError(
            f"the columns are {few(found)}, and in training they were {few(expected)}; give them in this order "
            "(clf.feature_names_in_)",
            "X",
        )


def missing_column(name: str, found: Sequence[str]) -> InputError:
    """Return the error for a table without a column of the training rows."""
    near = similar(name, found)
    return InputError(f"no column is named {name!r}{near}, but training had one; found {few(found)}", "X")


def few(names: Sequence[str], most: int = SHOWN) -> str:
    """Format the first few names for a message."""
    return ", ".join([*map(str, names[:most]), *(["…"] if len(names) > most else [])])
