"""Choose the class on which a printed plane is above 0: the one that reads as positive, or --positive (T7a).

A model keeps scikit-learn's convention, `classes_[1]`. The printed plane may be the same one, negated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.labels.positive_class import positive_place
from novikoff.errors import InputError


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
