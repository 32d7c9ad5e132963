"""Points of classes as marks: one colour and one shape for each class."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.column_names import columns_of
from novikoff.data.labelled_points import Labelled, unpacked_in_memory
from novikoff.data.labels.classes import labels_of
from novikoff.errors import InputError
from novikoff.plot.panel import Marks, class_look

FEW, MANY = 60, 2000  # points up to which marks are large, and from which they are small


@dataclass(frozen=True)
class DrawnPoints:
    """Points in memory as a dense array, their labels, the sorted classes, and the columns' names."""

    X: np.ndarray
    y: np.ndarray
    classes: list[Any]
    names: tuple[str, ...] | None

    @property
    def d(self) -> int:
        """Number of features."""
        return int(self.X.shape[1])

    @property
    def axis_names(self) -> tuple[str, str]:
        """The names of the first two columns."""
        names = self.names or ("x₁", "x₂")
        return str(names[0]), str(names[1])


def drawable_points(X: Any, y: Any = None, classes: Any = None) -> DrawnPoints:
    """Return points and labels as arrays; raise InputError for anything else.

    classes: those of a model, in its order; None: those of y, sorted.
    """
    names = columns_of(X) if not isinstance(X, Labelled) else getattr(X, "names", None)
    rows, labels = unpacked_in_memory(X, y, "a picture")
    if labels is None:
        raise InputError("found none; the label of each point was expected", "y")
    dense = np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)
    labels = np.asarray(labels_of(labels))
    if dense.ndim != 2 or dense.shape[0] != len(labels) or not dense.size:
        raise InputError(f"found shape {dense.shape} and {len(labels):,} labels; one row of numbers for each label was "
                         "expected", "X")  # fmt: skip
    if not np.isfinite(dense).all():
        raise InputError("found nan or infinity; finite numbers were expected", "X")
    found = np.unique(labels).tolist() if classes is None else np.asarray(classes).tolist()
    return DrawnPoints(dense, labels, found, None if names is None else tuple(map(str, names)))


def class_marks(points: DrawnPoints, x: np.ndarray | None = None, y: np.ndarray | None = None) -> list[Marks]:
    """Return the marks of each class, at its points or at the given coordinates."""
    x = points.X[:, 0] if x is None else x
    y = points.X[:, 1] if y is None else y
    size = 46.0 if len(x) <= FEW else 24.0 if len(x) <= MANY else 8.0
    marks = []
    for k, label in enumerate(points.classes):
        color, shape = class_look(k)
        chosen = points.y == label
        sign = f" ({'−+'[k]})" if len(points.classes) == 2 else ""
        if chosen.any():
            marks.append(Marks(x[chosen], y[chosen], f"{label}{sign}", color, shape, size,
                               alpha=0.9 if len(x) <= MANY else 0.5, name=f"class {label}"))  # fmt: skip
    return marks
