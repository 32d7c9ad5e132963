"""Format the label's column and the names of the classes, as every verb that learns or decides prints them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.positive_class import positive_place
from novikoff.errors import InputError

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


def side_of(classes: Sequence[Any], positive: str | None = None) -> int:
    """Return 1 if the positive class is the last of two, −1 if it is the first; 1 for more than two classes."""
    if len(classes) != 2:
        if positive is not None and len(classes) > 2:
            raise InputError(f"--positive {positive}: is for two classes, and here are {len(classes)}; leave it out")
        return 1
    try:
        return 1 if positive_place(list(classes), positive) else -1
    except InputError as error:
        raise InputError(f"--{error}") from None


def oriented(document: dict[str, Any], positive: str | None) -> dict[str, Any]:
    """Return the document of a fit with `positive`, the class on which w, b and the proof's plane are above 0."""
    classes = document["classes"]
    side = side_of(classes, positive)
    if len(classes) != 2:
        return document
    info = document | {"positive": classes[1] if side > 0 else classes[0]}
    if side < 0:
        for plane in [info, *(info[part] for part in ("proof", "unscaled") if "w" in info.get(part, {}))]:
            plane |= {name: _negated(plane[name]) for name in ("w", "b") if name in plane}
    return info


def _negated(value: Any) -> Any:
    """Return −value: of a number, of an integer as text, or of a list of them."""
    if isinstance(value, list):
        return [_negated(v) for v in value]
    if isinstance(value, str):
        return value[1:] if value.startswith("-") else value if value == "0" else f"-{value}"
    return -value if value else value
