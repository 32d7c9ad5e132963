"""Rename the labels of rows, and match them with the classes of a model."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from novikoff.data.labels import coded as coded_array, typed
from novikoff.data.plain_files import label_text
from novikoff.errors import InputError


def class_numbers(labels: Any, classes: Any, name: str, rows: np.ndarray | None = None) -> np.ndarray:
    """Return the index of each label's class; +1, 1 and 1.0 are one label. Raise InputError for a label of no class.

    rows: their numbers in the file, from 0; None for 0, 1, 2, …
    """
    if labels is None:
        raise InputError("found rows without a label; expected one, name its column with label=", file=name)
    different, codes = coded(labels)
    known = {label_text(str(label)): k for k, label in enumerate(classes.tolist())}
    numbers: np.ndarray = np.array([known.get(label_text(str(label)), -1) for label in different], np.intp)[codes]
    unknown = np.flatnonzero(numbers < 0)
    if unknown.size:
        row = int(unknown[0])
        found, at = label_text(str(different[codes[row]])), (row if rows is None else int(rows[row])) + 1
        those = ", ".join(map(str, classes.tolist()[:10])) + (", …" if len(classes) > 10 else "")
        raise InputError(
            f"found the label {found!r} in row {at}; expected a class of the training rows: {those}. Leave "
            "such rows out, or name them alike with label_as=",
            file=name,
        )
    return numbers


def among(labels: Any, classes: Any, name: str, rows: np.ndarray | None = None) -> Any:
    """Return labels by their classes; raise InputError for a label of none."""
    return classes[class_numbers(labels, classes, name, rows)]


def coded(labels: Any) -> tuple[list[Any], np.ndarray]:
    """Return the different labels, and the index among them of each row's label."""
    if isinstance(labels, np.ndarray):
        different, codes = coded_array(labels)
        return different.tolist(), codes
    places: dict[Any, int] = {}
    codes = np.fromiter((places.setdefault(label, len(places)) for label in labels), np.intp, len(labels))
    return list(places), codes


def renamed(labels: Any, label_as: Sequence[tuple[str, str]]) -> Any:
    """Return labels by their new names: that of the first pair (pattern, name) whose pattern fits."""
    if not label_as:
        return labels
    different, codes = coded(labels)
    texts = [str(label) for label in different]
    return typed([next((name for pattern, name in label_as if fnmatchcase(t, pattern)), t) for t in texts])[codes]
