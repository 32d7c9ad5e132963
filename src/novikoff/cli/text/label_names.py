"""Format the label's column and the names of the classes, as every verb that learns or decides prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

SHOWN = 10  # classes


def label_words(label: str | int | None) -> str:
    """Format the label's column: its name, or its number from 1; nothing if the data have none.

    Examples
    --------
    >>> label_words("Survived"), label_words(4), label_words(None)
    ('label Survived', 'label column 5', '')
    """
    return "" if label is None else f"label column {label + 1}" if isinstance(label, int) else f"label {label}"


def class_list(classes: Sequence[Any]) -> str:
    """Format the names of the classes: all of them, or the first ten."""
    return ", ".join(str(name) for name in classes[:SHOWN]) + (", …" if len(classes) > SHOWN else "")


def label_lines(label: str | int | None, classes: Sequence[Any] | None) -> list[str]:
    """Format the label's column and its classes (if it has classes) as a line; none if the data have no such column.

    Examples
    --------
    >>> label_lines("Survived", [0, 1]), label_lines(None, [0, 1])
    (['label  Survived: classes 0, 1'], [])
    """
    if label is None:
        return []
    named = label_words(label).removeprefix("label ")
    return [f"label  {named}{'' if classes is None else f': classes {class_list(classes)}'}"]
