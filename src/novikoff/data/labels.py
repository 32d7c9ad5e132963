"""Labels: text as numbers if all are numeric, and any two or more values as signs or class indices.

Numeric texts are numbers, so that +1, 1 and 1.0 are one label. From the notes: T7 R1 (any two labels), T3a (which
colour gets "> 0" does not matter). The class that sorts last is the positive side.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.dask_rows import computed
from novikoff.data.plain_files import NUMBER, label_text
from novikoff.errors import InputError, ManyClassesError, MeasuredLabelsError

WHOLE = re.compile(r"[+-]?[0-9]{1,18}")
DIGITS = re.compile(r"[+-]?[0-9]{1,400}")


def classes_of(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the sorted classes, and for each label its sign (two classes) or class index (more)."""
    labels = labels_of(y)
    classes, codes = coded(labels)
    infinite = labels.dtype.kind == "f" and not np.isfinite(classes).all()
    measured = labels.dtype.kind == "f" and classes.size > 2 and (classes != np.floor(classes)).any()
    if classes.size < 2 or infinite or measured or labels.dtype.kind == "c":
        raise _not_two_classes(labels)
    return classes, codes if classes.size > 2 else 2 * codes - 1


def signs_of(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return the two classes, sorted, and the sign of each label: +1 for the class that sorts last."""
    classes, signs = classes_of(y)
    if classes.size > 2:
        raise _not_two_classes(labels_of(y))
    return classes, signs


def coded(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct labels, sorted, and the index of each row's label among them.

    Raise InputError for labels that cannot be sorted. Two labels are compared, which is faster than sorting.
    """
    other = labels != labels[0]
    at = int(np.argmax(other))
    try:
        if other[at] and ((labels == labels[at]) == other).all():
            rising = bool(labels[0] < labels[at])
            return labels[[0, at] if rising else [at, 0]], (other == rising).view(np.int8)
        classes = np.unique(labels)
    except TypeError:
        kinds = ", ".join(sorted({type(value).__name__ for value in labels.tolist()}))
        raise InputError(f"labels of mixed types ({kinds}); use labels of one type", "y") from None
    return classes, numbers_of(labels, classes)


def class_counts(labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the distinct labels, sorted, and the number of rows of each."""
    classes, counts = np.unique(labels, return_counts=True)
    return classes, counts


def numbers_of(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the class index of each label; the classes are sorted and contain every label."""
    return np.searchsorted(classes, labels).astype(np.int32)


def known_numbers(labels: Any, classes: np.ndarray, name: str, whose: str) -> np.ndarray:
    """Return the class index of each label; raise InputError for an unknown label."""
    number = {label: k for k, label in enumerate(classes.tolist())}
    known, inverse = np.unique(labels, return_inverse=True)
    strangers = [label for label in known.tolist() if label not in number]
    if strangers:
        raise InputError(f"found {strangers[0]!r}; one of {whose} {classes.tolist()} was expected", name)
    return np.asarray(np.array([number[label] for label in known.tolist()], np.int32)[inverse])


def sorted_by_class(y: np.ndarray) -> bool:
    """Return whether the rows are sorted by class."""
    return y.size > 2 and int(np.count_nonzero(y[1:] != y[:-1])) == np.unique(y).size - 1


def check_labels(labels: np.ndarray) -> None:
    """Raise InputError for labels that cannot be new classes: not finite, not integer, complex, of mixed types."""
    kind = labels.dtype.kind
    measured = kind == "f" and not (np.isfinite(labels) & (labels == np.floor(labels))).all()
    mixed = kind == "O" and len({kind_of(np.array([label])) for label in labels.tolist()}) > 1
    if kind == "c" or measured or mixed:
        raise _not_two_classes(labels)


def as_before(labels: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Return the labels in the type of the known classes; raise InputError if that type does not hold them."""
    if not classes.size or labels.dtype == classes.dtype or {labels.dtype.kind, classes.dtype.kind} <= {"U", "O"}:
        return labels
    same = labels.astype(classes.dtype) if kind_of(labels) == kind_of(classes) else labels[:0]
    if same.size != labels.size or same.tolist() != labels.tolist():
        raise InputError(
            f"labels of mixed types, {classes.dtype} like {classes.tolist()[0]!r} before and {labels.dtype} like "
            f"{labels.tolist()[0]!r} now; use labels of one type",
            "y",
        )
    return same


def kind_of(labels: np.ndarray) -> str:
    """Return the kind of labels: numbers, text, or another type."""
    if labels.dtype.kind in "biuf":
        return "number"
    first = labels.tolist()[0]
    return "text" if isinstance(first, str) else "number" if isinstance(first, int | float) else type(first).__name__


WITHOUT_LABELS = "Expected array-like (array or non-string sequence), got None: fit requires y to be passed"


def labels_of(y: Any) -> np.ndarray:
    """Return labels as a one-dimensional array."""
    if y is None:
        raise InputError(f"{WITHOUT_LABELS}", "y")
    if hasattr(y, "_mask") and np.ma.is_masked(y):
        raise InputError("found masked labels; remove their rows, as in X[~y.mask] and y.compressed()", "y")
    y = computed(y)
    try:
        labels = np.asarray(y)
    except ValueError:
        raise InputError("labels of different lengths; one label for each row was expected", "y") from None
    if labels.dtype.kind in "US" and isinstance(y, list | tuple) and not all(isinstance(v, str | bytes) for v in y):
        kinds = ", ".join(sorted({type(value).__name__ for value in y}))
        raise InputError(f"labels of mixed types ({kinds}); use labels of one type", "y")
    if labels.dtype.kind == "U" and not isinstance(y, np.ndarray):
        check_texts(set(y))
    if labels.dtype.kind == "O" and any(_is_missing(label) for label in labels.ravel().tolist()):
        raise InputError("a missing label (None or NaN); drop the rows without a label, or give them one", "y")
    if labels.ndim != 1:
        raise InputError(f"y should be a 1d array, got an array of shape {labels.shape} instead.", "y")
    if labels.size == 0:
        raise InputError("found no labels; one for each row was expected", "y")
    return labels


def _is_missing(label: Any) -> bool:
    """Return whether a label is None, NaN, or a package's own missing value."""
    named = type(label).__name__ in ("NoneType", "NAType", "NaTType")
    return named or (isinstance(label, float | np.floating) and bool(np.isnan(label)))


def _not_two_classes(labels: np.ndarray) -> InputError:
    """Return the error for labels that do not have exactly two classes."""
    if labels.dtype.kind == "c":
        return InputError(
            f"Complex data not supported (found {labels.dtype}); use real numbers or strings as labels", "y"
        )
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        what = "NaN" if np.isnan(labels).any() else "infinity or a value too large for dtype('float64')"
        return InputError(f"Input y contains {what}. Drop the rows without a label, or give them one", "y")
    found = np.unique(labels)
    if found.size == 1:
        return InputError(
            f"only one class, {found.tolist()[0]!r}; two classes are needed to find a plane between them", "y"
        )
    if labels.dtype.kind == "f" and (found != np.floor(found)).any():
        why = f"is a measurement ({found.size:,} different values); classes or counts are needed"
        return MeasuredLabelsError(f"Unknown label type: continuous. y {why}", "y", found=why)
    shown = ", ".join(repr(v) for v in found[:5].tolist()) + (", …" if found.size > 5 else "")
    return ManyClassesError(
        "Only binary classification is supported. The type of the target is multiclass. "
        f"Found {found.size} classes ({shown}); "
        "keep the rows of two of them",
        "y",
    )


def typed(labels: Sequence[str]) -> Any:
    """Return labels as integers if all are, as numbers if all are, else as texts: +1, 1 and 1.0 are one label."""
    texts = {label: label_text(label) for label in set(labels)}
    check_texts(texts)
    for kind, form in ((np.int64, WHOLE), (np.float64, NUMBER)):
        numeric = all(form.fullmatch(text) for text in texts.values())
        if numeric and not any(DIGITS.fullmatch(text) and Fraction(text) != kind(text) for text in texts.values()):
            values = {label: kind(text) for label, text in texts.items()}
            _check_different(texts, values)
            if np.isfinite(list(values.values())).all():
                return np.array([values[label] for label in labels], kind)
    return np.array([texts[label] for label in labels])


def check_texts(labels: Iterable[str]) -> None:
    """Raise InputError for a label that NumPy or UTF-8 does not hold: with a NUL character or a lone surrogate."""
    for label in labels:
        if "\0" in label or any("\ud800" <= letter <= "\udfff" for letter in label):
            raise InputError(
                f"found the label {label[:40]!r}; a text without NUL characters and lone surrogates "
                "was expected: rename the class",
                "y",
            )


def _check_different(texts: Mapping[str, str], values: Mapping[str, Any]) -> None:
    """Raise InputError if different numbers, with more digits than binary64, would become one label."""
    first: dict[Any, str] = {}
    for text, value in sorted((texts[label], value) for label, value in values.items()):
        if first.setdefault(value, text) != text and np.isfinite(value):
            raise InputError(f"labels {first[value]} and {text} are one number in binary64; rename one of them", "y")
