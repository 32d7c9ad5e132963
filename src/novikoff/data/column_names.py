"""Names of columns, of a frame or of the points of a file; the same, in the same order, are asked for later.

A plane has a number for each column by its place, so that other columns, or the same in another order, would be
answered without a word, and wrongly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.frames import names_of
from novikoff.data.labelled_points import Labelled
from novikoff.errors import InputError

SHOWN = 5


def columns_of(X: Any) -> list[str] | None:
    """The names of the columns of points or of a frame; None where they have none."""
    if isinstance(X, Labelled):
        return names_of(X.rows) if X.names is None else list(X.names)
    return names_of(X)


def check_names(found: Sequence[str], expected: Sequence[str]) -> None:
    """InputError for other names than those of training, or another order."""
    if list(found) == list(expected):
        return
    here, known = set(found), set(expected)
    for name in expected:
        if name not in here:
            raise InputError(f"X: no column is named {name!r}, as one was in training; found {few(found)}")
    for name in found:
        if name not in known:
            raise InputError(f"X: column {name!r} was not there in training; leave it out: {few(expected)}")
    raise InputError(
        f"X: the columns are {few(found)}, and in training they were {few(expected)}; give them in this order "
        "(clf.feature_names_in_)"
    )


def few(names: Sequence[str]) -> str:
    """Names for people: the first of them."""
    return ", ".join([*map(str, names[:SHOWN]), *(["…"] if len(names) > SHOWN else [])])
