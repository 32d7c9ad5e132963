"""Convert text labels to numbers if all are numeric, so that +1, 1 and 1.0 are one label."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import NUMBER, label_text
from novikoff.errors import InputError

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
DIGITS = re.compile(r"[+-]?[0-9]{1,400}")


def typed(labels: Sequence[str]) -> Any:
    """Return labels as integers if all are, as numbers if all are, else as texts: +1, 1 and 1.0 are one label."""
    texts = {label: label_text(label) for label in set(labels)}
    check_texts(texts)
    for kind, form in ((np.int64, WHOLE), (np.float64, NUMBER)):
        if all(form.fullmatch(text) for text in texts.values()) and not (
            kind is np.float64 and _rounds(texts.values())
        ):
            values = {label: kind(text) for label, text in texts.items()}
            _check_different(texts, values)
            if np.isfinite(list(values.values())).all():
                return np.array([values[label] for label in labels], kind)
    return np.array([texts[label] for label in labels])


def _rounds(texts: Iterable[str]) -> bool:
    """Return whether binary64 would round one of the integers among the texts."""
    return any(DIGITS.fullmatch(text) and Fraction(text) != float(text) for text in texts)


def check_texts(labels: Iterable[str]) -> None:
    """Raise InputError for a label that NumPy or UTF-8 does not hold: with a NUL character or a lone surrogate."""
    for label in labels:
        if "\0" in label or any("\ud800" <= letter <= "\udfff" for letter in label):
            raise InputError(
                f"y: found the label {label[:40]!r}; a text without NUL characters and lone surrogates "
                "was expected: rename the class"
            )


def _check_different(texts: Mapping[str, str], values: Mapping[str, Any]) -> None:
    """Raise InputError if different numbers, with more digits than binary64, would become one label."""
    first: dict[Any, str] = {}
    for text, value in sorted((texts[label], value) for label, value in values.items()):
        if first.setdefault(value, text) != text and np.isfinite(value):
            raise InputError(f"y: labels {first[value]} and {text} are one number in binary64; rename one of them")
