"""Choose the positive one of two classes: the conventional one, or the one requested.

From the notes: T7a (`+` and `-`, yes and no, spam and ham, true and false as a person reads them), T3a (which colour
gets "> 0" does not matter). Estimators do not use this: they keep scikit-learn's convention, `classes_[1]`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from novikoff.data.plain_files import label_text
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
    """Return the index, 0 or 1, of the positive one of two classes; by default chosen by name, else the last.

    Raises InputError if the requested class is neither.

    Examples
    --------
    >>> positive_place(["+", "-"]), positive_place(["Yes", "no"]), positive_place(["blue", "red"])
    (0, 0, 1)
    >>> positive_place(["blue", "red"], "blue")
    0
    """
    if request is not None:
        same = [k for k, c in enumerate(classes) if type(c) is type(request) and c == request]
        same = same or [k for k, c in enumerate(classes) if label_text(str(c)) == label_text(str(request))]
        if len(same) != 1:
            raise InputError(
                f"found {request!r}; expected one of the two classes, {classes[0]!r} or {classes[1]!r}", "positive"
            )
        return same[0]
    first, last = (str(c).strip().casefold() for c in classes)
    return 0 if PAIRS.get(last) == first else 1


def choice_in_words(classes: Sequence[Any]) -> str:
    """Format which class has which sign, for (negative, positive); '' if there is only one class."""
    negative, positive = classes
    return "" if negative is None or positive is None else f"+ is {positive}, − is {negative}"
