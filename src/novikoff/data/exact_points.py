"""Convert labelled points to exact fractions.

    row (x1, …, xd)  →  (x1, …, xd, 1)      the 1 of the bias, if there is one

A float becomes the binary fraction it stores, a string the decimal number it contains. Standard library only: arrays,
sparse matrices and data frames are converted by their own methods.

From the notes: T5 Z8 (Tao, "one more dimension"; Zhang, "A Trick for Hiding the Bias Term"), T7 R1 (any two labels),
T3a (which colour is "> 0" does not matter), T7a (which one is positive).
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, TypeAlias

from novikoff.data.positive_class import positive_place
from novikoff.errors import InputError, counted

Vector: TypeAlias = tuple[Fraction, ...]

LARGEST_EXPONENT = 400  # of a number given as a string; binary64 ends at e308


def exact_rows(X: Any, fit_intercept: bool) -> list[Vector]:
    """Return the points as exact rows, padded with the 1 of the bias.

    Examples
    --------
    >>> exact_rows([(0, "1.5")], fit_intercept=True)
    [(Fraction(0, 1), Fraction(3, 2), Fraction(1, 1))]
    """
    rows = [_listed(x, f"X, {counted(i)}") for i, x in enumerate(_listed(X, "X"))]
    if not rows or not rows[0]:
        found = "rows without columns" if rows else "no rows"
        raise InputError(f"found {found}, expected at least one row of numbers", "X")
    for i, x in enumerate(rows):
        if len(x) != len(rows[0]):
            raise InputError(f"X, {counted(i)}: found {len(x)} numbers, expected {len(rows[0])} as in row 1")
    pad = (Fraction(1),) if fit_intercept else ()
    return [
        (*(exact_number(value, f"X, {counted(i)}, column {j}") for j, value in enumerate(x, start=1)), *pad)
        for i, x in enumerate(rows)
    ]


def exact_signs(y: Any, n: int, positive: Any = None) -> tuple[tuple[Any, Any], list[int]]:
    """Return the negative and the positive class, and for each label −1 or 1.

    Examples
    --------
    >>> exact_signs(["red", "blue"], 2)
    (('blue', 'red'), [1, -1])
    """
    labels = [label.item() if hasattr(label, "item") else label for label in _listed(y, "y")]
    if len(labels) != n:
        raise InputError(f"found {len(labels)} labels, expected {n}, one for each row of X", "y")
    if any(label is None or label != label for label in labels):
        raise InputError("found a missing label (None or NaN), expected one of two labels for each row", "y")
    if any(isinstance(label, float) and abs(label) == float("inf") for label in labels):
        raise InputError("found infinity, expected one of two labels for each row", "y")
    classes = _sorted_classes(labels)
    if len(classes) != 2:
        few = ", ".join(map(repr, classes[:5])) + ", …" * (len(classes) > 5)
        raise InputError(f"found {len(classes)} class{'es' * (len(classes) != 1)} ({few}), expected exactly two", "y")
    up = classes[positive_place(classes, positive)]
    down = classes[0] if up is classes[1] else classes[1]
    return (down, up), [1 if label == up else -1 for label in labels]


def _sorted_classes(labels: list[Any]) -> list[Any]:
    try:
        return sorted(set(labels))
    except TypeError:
        kinds = ", ".join(sorted({type(label).__name__ for label in labels}))
        raise InputError(f"found labels of type {kinds}, expected two labels that can be sorted", "y") from None


def exact_vector(values: Any, name: str) -> Vector:
    """Return a flat list of numbers as exact fractions."""
    return tuple(exact_number(v, f"{name}, number {j}") for j, v in enumerate(_listed(values, name), start=1))


def exact_number(value: Any, name: str) -> Fraction:
    """Return one finite number as an exact fraction.

    numpy scalars are converted by `item` and `as_integer_ratio`: numpy.float64 times a Fraction would round.

    Examples
    --------
    >>> exact_number("0.1", "eta0"), exact_number(0.1, "eta0") == Fraction(1, 10)
    (Fraction(1, 10), False)
    """
    try:
        if hasattr(value, "item"):
            value = value.item()
        return _spelled(value) if isinstance(value, str) else Fraction(*value.as_integer_ratio())
    except (ArithmeticError, AttributeError, TypeError, ValueError):
        raise InputError(f"found {value!r}, expected a finite number", name) from None


def _spelled(text: str) -> Fraction:
    exponent = text.lower().partition("e")[2]
    if exponent and abs(int(exponent)) > LARGEST_EXPONENT:
        raise ValueError(text)
    return Fraction(text)


def _listed(values: Any, name: str) -> list[Any]:
    """Return the values of a list, an array, a sparse matrix, a data frame or one of its columns."""
    for convert in ("toarray", "to_numpy"):
        if hasattr(values, convert):
            values = getattr(values, convert)()
    if hasattr(values, "tolist"):
        values = values.tolist()
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"found {values!r}, expected a list of {'rows' if name == 'X' else 'values'}", name)
    return list(values)
