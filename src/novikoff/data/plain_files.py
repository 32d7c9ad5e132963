"""Read numbers, labels and headers of texts with the standard library, as the text readers do in cases of doubt.

A text like 0.1 means the nearest binary64 number.
"""

from __future__ import annotations

import math
import re
from typing import Any

LONGEST_NUMBER = 2_000
LABELS = ("label", "y", "target", "class")  # usual names of the label column of a CSV file; the first has priority
NO_LABEL = ("", "nan")  # missing labels, in lower case; NA and similar may be the name of a class
MISSING = (
    "",
    "na",
    "n/a",
    "nan",
    "null",
    "none",
    "?",
    "#n/a",
    "#na",
    "n.a.",
)  # missing numbers, in lower case
ENDLESS = ("inf", "infinity")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE]([+-]?[0-9]+))?")
CUT = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)[eE][+-]?")  # a number whose exponent is missing
_TRUTH = {"true": "1", "True": "1", "TRUE": "1", "false": "0", "False": "0", "FALSE": "0"}


class UnreadableError(ValueError):
    """Numbers, labels or a file that cannot be read; the message says where, and what is wrong."""


# ---- numbers and labels --------------------------------------------------------------------------------------------


def label_text(label: Any) -> str:
    """Return the text of a label, the same for every spelling of the same number.

    Examples
    --------
    >>> [label_text(label) for label in (1, +1.0, True, "1", "+1", "1e0", 0.5, ".50", "spam")]
    ['1', '1', '1', '1', '1', '1', '0.5', '0.5', 'spam']
    """
    if isinstance(label, bytes):
        label = label.decode("utf-8", "surrogateescape")
    plain = label.strip() if isinstance(label, str) else _spelled(label)
    if NUMBER.fullmatch(plain) and len(plain) <= 400:
        if plain.lstrip("+-").isdigit():
            return str(int(plain))
        if math.isfinite(near := float(plain)):
            return str(int(near)) if near == int(near) else repr(near)
    return _TRUTH.get(plain, label) if isinstance(label, str) else plain


def _spelled(label: Any) -> str:
    try:
        return str(int(label)) if label == int(label) else repr(float(label))
    except (TypeError, ValueError, OverflowError):
        raise UnreadableError(f"y: {short(label)} is neither a text nor a finite number") from None


def number_of(value: Any) -> float:
    """Parse a finite binary64 number; raise ValueError for anything else."""
    if isinstance(value, str):
        if len(value) > LONGEST_NUMBER or not NUMBER.fullmatch(value):
            raise ValueError(value)
        value = float(value)
    near = float(value)
    if near != value or math.isinf(near):
        raise ValueError(value)
    return near


# ---- headers -------------------------------------------------------------------------------------------------------


def usual_places(cells: list[str]) -> list[int]:
    """Return the indices of the usual label names: label before y, target and class."""
    return sorted((j for j, cell in enumerate(cells) if cell.lower() in LABELS), key=lambda j: _rank(cells[j]))


def _rank(name: str) -> int:
    return LABELS.index(name.lower())


def is_header(cells: list[str], label: str) -> bool | None:
    """Return whether a first line is a header, from its number cells and label cell; None if it could be either.

    Names above all numeric columns make a header (an index column may have none), as does a usual label name. But y may
    be a label that means yes, and a word among numbers may be a typing error in a row, whatever the label is.

    Examples
    --------
    >>> [is_header(cells, "kind") for cells in (["a", "b"], ["", "b"], ["5", "7"], ["5", "b"], ["-", "b"])]
    [True, True, False, None, None]
    """
    usual = label.lower() in LABELS and label.lower() != "y"
    names = [is_name(cell) for cell in cells if cell]
    if usual or not any(names):
        return None if label.lower() == "y" else usual
    return True if all(names) else None


def is_name(cell: str) -> bool:
    """Return whether a cell can be the name of a numeric column: a word, but not one for a missing or infinite number.

    Punctuation without a letter is not a name, nor is a number, even if truncated (1e).
    """
    plain = cell.lower().lstrip("+-")
    number = NUMBER.fullmatch(cell) or CUT.fullmatch(cell)
    return any(map(str.isalpha, cell)) and plain not in (*MISSING, *ENDLESS) and not number


NO_HEADER = "header=False"  # how to state that the first line is a row


def either(cells: list[str]) -> str:
    """Return advice for a first line that could be a header or a row."""
    return (
        f"found {short(','.join(cells))} in the first line, which could be a header or a row (numbers and words); "
        "header=True or header=False says which"
    )


def only_once(label: str) -> str:
    """Return advice for a first line of words whose label occurs in no other row."""
    return (
        f"the class {short(label)} is only in the first line, which was read as a row: is it a header? "
        "header=True or header=False says which"
    )


def label_column(text: str) -> int | str:
    """Parse the label column as typed: a name, or a number from 1."""
    return int(text) - 1 if text.isascii() and text.isdigit() and 0 < len(text) < 10 else text


# ---- words ---------------------------------------------------------------------------------------------------------


def plane_of(bias: bool) -> str:
    """Return what a claim is about: without a bias every plane goes through the origin."""
    return "plane" if bias else "plane through the origin"


def short(value: Any) -> str:
    """Return what was found, shortened if it is long."""
    text = repr(value[:60] if isinstance(value, str | list | tuple) else value)
    return text if len(text) <= 80 else f"{text[:60]}…"


def similar(name: Any, names: Any) -> str:
    """Return a hint at the column whose name differs only in case, spaces and punctuation; '' if there is none."""
    letters = [re.sub(r"[\W_]", "", str(one)).casefold() for one in (name, *names)]
    near = [one for one, text in zip(names, letters[1:], strict=True) if text and text == letters[0] and one != name]
    return f" (did you mean {short(near[0])}?)" if near else ""
