"""Points of classes as marks: one colour and one shape for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.column_names import columns_of
from novikoff.data.labelled_points import Labelled, unpacked_in_memory
from novikoff.data.labels import known_numbers, labels_of
from novikoff.errors import InputError
from novikoff.pages.panel import Marks
from novikoff.pages.plane_pictures import MOST_POINTS, class_marks, thinned, thinning_note
from novikoff.pages.window import View, view_around

LARGEST, SMALLEST = 1e140, 1e-140  # whose squares are numbers, with all their digits
MOST_NUMBERS = 20_000_000  # of the points that are drawn


@dataclass(frozen=True)
class DrawnPoints:
    """Points to draw as a dense array, the numbers of their classes, the classes, and the columns' names.

    rows: all points in their own storage, labels: of all of them; X and codes are of some of these if there are many.
    """

    X: np.ndarray
    codes: np.ndarray
    classes: list[Any]
    names: tuple[str, ...] | None
    rows: Any
    labels: np.ndarray

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def n(self) -> int:
        """Number of points, drawn or not."""
        return len(self.labels)

    @property
    def axis_names(self) -> tuple[str, str]:
        """The names of the first two columns."""
        names = (*(self.names or ()), "x₁", "x₂")[:2] if self.names else ("x₁", "x₂")
        return str(names[0]), str(names[1])

    @property
    def thinned(self) -> str:
        """A sentence if not all points are drawn."""
        return thinning_note(len(self.codes), self.n)


def drawable_points(X: Any, y: Any = None, classes: Any = None) -> DrawnPoints:
    """Return points and labels to draw, evenly spaced ones if there are many; raise InputError for anything else.

    classes: those of a model, in its order; None: those of y, sorted.
    """
    names = columns_of(X) if not isinstance(X, Labelled) else getattr(X, "names", None)
    rows, labels = unpacked_in_memory(X, y, "a picture")
    if labels is None:
        raise InputError("found none; the label of each point was expected", "y")
    rows = rows.tocsr() if hasattr(rows, "toarray") else np.asarray(rows)
    labels = np.asarray(labels_of(labels))
    if len(rows.shape) != 2 or rows.shape[0] != len(labels) or not rows.shape[0] * rows.shape[1]:
        raise InputError(f"found shape {rows.shape} and {len(labels):,} labels; one row of numbers for each label was "
                         "expected", "X")  # fmt: skip
    n, d = rows.shape
    chosen = np.array(thinned(n, max(2, min(MOST_POINTS, MOST_NUMBERS // d))))
    part: Any = rows[chosen]
    part = part.toarray() if hasattr(part, "toarray") else part
    try:
        dense = np.asarray(part, np.float64)
    except (TypeError, ValueError):
        raise InputError("found values that are not numbers; numbers were expected", "X") from None
    if not (np.abs(dense) < LARGEST).all():
        raise InputError(f"found nan, infinity or a number beyond {LARGEST:g}; smaller numbers were expected", "X")
    largest = float(np.abs(dense).max())
    if 0 < largest < SMALLEST:
        raise InputError(f"numbers too small to draw: the largest is {largest:.3g}, and one of at least {SMALLEST:g} "
                         "was expected; multiply X by a large number first", "X")  # fmt: skip
    found = np.unique(labels).tolist() if classes is None else np.asarray(classes).tolist()
    codes = known_numbers(labels, np.asarray(found), "y", "the classes")
    drawn = None if names is None else tuple(map(str, names))
    return DrawnPoints(dense, codes[chosen], found, drawn, rows, labels)


def marks_of(points: DrawnPoints, x: np.ndarray | None = None, y: np.ndarray | None = None) -> list[Marks]:
    """Return the marks of each class, at its points or at the given coordinates."""
    x, y = points.X[:, 0] if x is None else x, points.X[:, 1] if y is None else y
    return class_marks(x, y, points.codes, points.classes)


def view_of(x: np.ndarray, y: np.ndarray, square: bool = True) -> View:
    """Return limits with room around points; raise InputError if their range is too large or too small for floats."""
    view = view_around(zip(x.tolist(), y.tolist(), strict=True), square)
    if view is None:
        raise InputError("found coordinates too far apart or too close together to draw; scale the numbers", "X")
    return view
