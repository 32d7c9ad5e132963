"""Which of two classes is the positive side: the one a person reads as positive, or the one that is asked for.

From the notes: T7a (`+` and `-`, yes and no, spam and ham, true and false as a person reads them), T3a (which colour
gets "> 0" does not matter). The estimators do not ask here: they keep scikit-learn's convention, `classes_[1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.text.plain_files import label_text
from novikoff.errors import InputError

PAIRS = {  # negative: positive
    "-": "+",
    "−": "+",
    "-1": "+1",
    "−1": "+1",
    "no": "yes",
    "n": "y",
    "false": "true",
    "f": "t",
    "ham": "spam",
    "negative": "positive",
    "neg": "pos",
    "off": "on",
}


def positive_place(classes: Sequence[Any], request: Any = None) -> int:
    """The place, 0 or 1, of the positive class among two; by default as their names are read, else the last one.

    InputError where the class that is asked for is neither.

    Examples
    --------
    >>> positive_place(["+", "-"]), positive_place(["Yes", "no"]), positive_place(["blue", "red"])
    (0, 0, 1)
    >>> positive_place(["blue", "red"], "blue")
    0
    """
    if request is not None:
        return _requested(classes, request)
    first, last = (str(c).strip().casefold() for c in classes)
    return 0 if PAIRS.get(last) == first else 1


def _requested(classes: Sequence[Any], request: Any) -> int:
    same = [k for k, c in enumerate(classes) if type(c) is type(request) and c == request]
    same = same or [k for k, c in enumerate(classes) if label_text(str(c)) == label_text(str(request))]
    if len(same) != 1:
        raise InputError(
            f"positive: found {request!r}; expected one of the two classes, {classes[0]!r} or {classes[1]!r}"
        )
    return same[0]


def choice_in_words(classes: Sequence[Any]) -> str:
    """Which class is which sign, for (negative, positive); '' where only one occurs."""
    negative, positive = classes
    return "" if negative is None or positive is None else f"+ is {positive}, − is {negative}"
