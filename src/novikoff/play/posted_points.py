"""Read the points and settings of a call, within limits: sizes, whole numbers, choices."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.exact_points import exact_number
from novikoff.data.format_numbers import count
from novikoff.errors import InputError

MOST_POINTS, MOST_NUMBERS = 2_000, 20_000
FEATURES = ("", "poly2")
LARGEST = 1e9  # of a coordinate
LONGEST = 40  # characters of a number
NUMBER = re.compile(r"[-+]?(?:[0-9]+/[0-9]+|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?)")
"""an exact number as text; exact_numbers.js reads the same"""


def points_of(request: dict[str, Any]) -> tuple[np.ndarray, np.ndarray]:
    """Return X and y (−1 and 1) of a call, with products of pairs of columns if it has features: "poly2"."""
    X, y = request.get("X"), request.get("y")
    if not isinstance(X, list) or not isinstance(y, list) or len(X) != len(y):
        raise InputError("expected a list of points and a list of as many labels", "X, y")
    if len(X) > MOST_POINTS:
        raise InputError(f"found {len(X):,} points; the page takes up to {MOST_POINTS:,}: use novikoff fit FILE", "X")
    rows = [numbers_of(row, "X") for row in X]
    d = len(rows[0]) if rows else 0
    if not d or any(len(row) != d for row in rows):
        raise InputError("expected points with the same number of coordinates, at least one", "X")
    cells = len(rows) * (d if choice(request, "features", FEATURES) == "" else d * (d + 3) // 2)
    if cells > MOST_NUMBERS:
        raise InputError(f"found {cells:,} numbers; the page takes up to {MOST_NUMBERS:,}", "X")
    if any(isinstance(label, bool) or label not in (-1, 1) for label in y):
        raise InputError("expected the labels -1 and 1", "y")
    if len(set(y)) < 2:
        raise InputError("found one class; put at least one point of each colour", "y")
    return _with_features(np.array(rows), request), np.array([int(label) for label in y])


def _with_features(X: np.ndarray, request: dict[str, Any]) -> np.ndarray:
    if choice(request, "features", FEATURES) == "":
        return X
    from novikoff.prepare.products import Products

    made: np.ndarray = Products().apply(X)
    return made


def numbers_of(values: Any, name: str) -> list[float]:
    """Return a list of finite numbers."""
    if not isinstance(values, list) or not all(_is_number(v) for v in values):
        raise InputError(f"expected a list of numbers between -{LARGEST:g} and {LARGEST:g}", name)
    return [float(v) for v in values]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST


def whole(request: dict[str, Any], name: str, default: int, least: int, most: int) -> int:
    """Return a whole number of a call."""
    value = request.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InputError(f"found {value!r}, expected a whole number from {least:,} to {most:,}", name)
    return value


def exact(value: Any, name: str) -> Fraction:
    """Return an exact number written as text: 1, 0.5, 1/2 or 1e-3."""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InputError(f"found {value!r}, expected a number like 1, 0.5, 1/2 or 1e-3", name)
    text = str(value)
    if len(text) > LONGEST or not NUMBER.fullmatch(text):
        raise InputError(f"found {text[:LONGEST]!r}, expected a number like 1, 0.5, 1/2 or 1e-3", name)
    found = exact_number(text, name)
    if abs(found) > LARGEST:
        raise InputError(f"found {text}, expected a number between -{LARGEST:g} and {LARGEST:g}", name)
    return found


def positive(request: dict[str, Any], name: str) -> Fraction:
    """Return a number above 0 of a call, exactly; 1 by default."""
    value = exact(request.get(name, "1"), name)
    if value <= 0 or not float(value):
        raise InputError(f"found {request[name]}, expected a number above 0", name)
    return value


def start_of(request: dict[str, Any], n: int) -> list[Fraction] | None:
    """Return the n initial weights of a call, the bias last, or None for zeros."""
    given = request.get("w0")
    if given is None:
        return None
    if not isinstance(given, list):
        raise InputError("expected a list of numbers", "w0")
    if len(given) != n:
        raise InputError(f"found {count(len(given), 'number')}, expected {n}: one for each weight, the bias last", "w0")
    return [exact(value, "w0") for value in given]


def truth(request: dict[str, Any], name: str, default: bool) -> bool:
    """Return true or false of a call."""
    value = request.get(name, default)
    if not isinstance(value, bool):
        raise InputError(f"found {value!r}, expected true or false", name)
    return value


def choice(request: dict[str, Any], name: str, values: tuple[str, ...]) -> str:
    """Return one of these values of a call; the first one is the default."""
    value = request.get(name, values[0])
    if not isinstance(value, str) or value not in values:
        raise InputError(f"found {value!r}, expected one of {', '.join(map(repr, values))}", name)
    return value
