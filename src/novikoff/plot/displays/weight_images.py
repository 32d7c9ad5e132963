"""Weights as images: one rectangle of cells for each plane, on one scale that is symmetric around 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import DrawnPoints, drawable_points
from novikoff.plot.panel import Cells, Marks, Panel

MOST_IMAGES = 45
LARGE = 0.3  # of the largest weight: a negative one from here on has a minus sign


class WeightsDisplay(PanelDisplay):
    """The weights of each plane in the places of the pixels: of digits, of a retina.

    Purple cells have positive weights, orange cells negative ones; white is 0. Large negative weights also have a minus
    sign, so that images are readable in greyscale. All weights have the same scale. With points, the mean image of each
    class is drawn below the weights of its plane, or after all planes if these are of pairs; means have one scale too.
    Below the mean is the closest other point: of all points of other classes, the one with the largest score for the
    class.

    From the notes: C1 (Cornwell, handwritten digits as vectors; Rosenblatt's retina of 400 cells).

    Parameters
    ----------
    planes : weights (planes, cells), without the bias
    shape : rows and columns of an image; None: a square
    titles : of the images
    columns : images beside each other; None: as many as fit
    means : mean images (classes, cells), or None
    mean_titles : of the mean images
    closest : the closest other point of each class (classes, cells), or None
    closest_titles : of these images
    """

    def __init__(
        self, planes: Any, shape: Sequence[int] | None = None, titles: Sequence[str] | None = None,
        columns: int | None = None, means: Any = None, mean_titles: Sequence[str] = (), closest: Any = None,
        closest_titles: Sequence[str] = (),
    ) -> None:  # fmt: skip
        weights = np.atleast_2d(np.asarray(planes, np.float64))
        rows, across = _shape(weights.shape[1], shape)
        if len(weights) > MOST_IMAGES:
            raise InputError(f"found {len(weights):,}; at most {MOST_IMAGES} images were expected", "planes")
        self.largest = float(np.abs(weights).max())
        names = [f"plane {k + 1}" for k in range(len(weights))] if titles is None else list(titles)
        self.columns = columns
        self.means, self.closest = (None if v is None else np.asarray(v, np.float64) for v in (means, closest))
        others = [(self.means, mean_titles, "mean"), (self.closest, closest_titles, "closest")]
        below = [_of_points(values, rows, across, texts, name) for values, texts, name in others if values is not None]
        small = len(weights) + sum(map(len, below)) > 3
        images = [_image(plane.reshape(rows, across), self.largest, small, name)
                  for plane, name in zip(weights, names, strict=True)]  # fmt: skip
        super().__init__(_in_turn([images, *below], columns))

    @classmethod
    @known_arguments
    def from_estimator(cls, estimator: Any, shape: Any = None, X: Any = None, y: Any = None, ax: Any = None) -> Any:
        """Draw the weights of a fitted estimator as images.

        Parameters
        ----------
        estimator : fitted
        shape : rows and columns of an image; None: a square
        X, y : points and labels: the mean image of each class, and the closest point of another one, are drawn as
            well; None: only the weights
        ax : one Axes for each image, or None
        """
        return weights_of(estimator, shape, cls, X, y).plot(ax)


def _image(values: np.ndarray, largest: float, small: bool, name: str) -> Panel:
    """Return the panel of one image: its cells, and a minus sign on each large negative one."""
    rows, columns = np.nonzero(values < -LARGE * largest)
    cells = max(values.shape)
    size = (0.5 * ((80.0 if cells <= 12 else 130.0) if small else 240.0) / cells) ** 2
    minus = Marks(columns.astype(float), rows.astype(float), None, "white", "minus", size, name="negative")
    signs = "purple: above 0; orange and −: below 0"
    return Panel((Cells(values, largest, name="weights"), minus), name, "" if small else signs, legend="")


def _of_points(values: np.ndarray, rows: int, across: int, titles: Sequence[str], name: str) -> list[Panel]:
    """Return the panels of images of points, on one scale."""
    end = float(np.abs(values).max())
    return [Panel((Cells(one.reshape(rows, across), end, name=name),), title, legend="")
            for one, title in zip(values, titles, strict=True)]  # fmt: skip


def _in_turn(kinds: list[list[Panel]], columns: int | None) -> list[Panel]:
    """Return rows of weights, each followed by the other images of its classes; otherwise all of a kind together."""
    first = len(kinds[0])
    if columns is None or any(len(kind) != first for kind in kinds) or first % columns:
        return [panel for kind in kinds for panel in kind]
    return [panel for k in range(0, first, columns) for row in kinds for panel in row[k : k + columns]]


def image_points(X: Any, y: Any, classes: Sequence[Any], cells: int) -> DrawnPoints:
    """Return points whose columns are the cells of an image."""
    points = drawable_points(X, y, classes)
    if points.d != cells:
        raise InputError(f"found {points.d:,} columns; {cells:,} were expected, as in training", "X")
    return points


def mean_images(points: DrawnPoints) -> np.ndarray:
    """Return the mean of the points of each class; of a class without points, zeros."""
    means = np.zeros((len(points.classes), points.d))
    for k, label in enumerate(points.classes):
        own = np.flatnonzero(points.labels == label)
        if len(own):
            means[k] = np.asarray(points.rows[own].mean(axis=0), np.float64).ravel()
    return means


def closest_others(points: DrawnPoints, planes: np.ndarray) -> list[int]:
    """Return for each class the index of the point of another class that has the largest score for it.

    planes: (w, b) of each class, in the order of `points.classes`.
    """
    found = []
    for label, plane in zip(points.classes, planes, strict=True):
        scores = np.asarray(points.rows @ plane[:-1], np.float64).ravel() + plane[-1]
        found.append(int(np.argmax(np.where(points.labels == label, -np.inf, scores))))
    return found


def weights_of(estimator: Any, shape: Any = None, cls: Any = WeightsDisplay, X: Any = None, y: Any = None) -> Any:
    """Return the images of a fitted estimator's planes, with those of the mean of each class if X is given."""
    if not hasattr(estimator, "coef_"):
        raise InputError(f"found {type(estimator).__name__} without coef_; call fit first", "estimator")
    coef, classes = np.atleast_2d(estimator.coef_), [str(label) for label in estimator.classes_]
    if len(classes) == 2:
        titles = [f"{classes[1]} (+) against {classes[0]} (−)"]
    elif hasattr(estimator, "_scheme_of_many"):
        pairs = estimator._scheme_of_many().pairs
        titles = [classes[a] if b < 0 else f"{classes[a]} − {classes[b]}" for a, b in pairs]
    else:
        titles = classes
    columns = 5 if len(titles) == 10 else None
    if X is None:
        return cls(coef, shape, titles, columns)
    points = image_points(X, y, estimator.classes_.tolist(), coef.shape[1])
    if columns is None and len(titles) == len(classes):
        columns = len(titles)
    means = mean_images(points), [f"mean of {label}" for label in classes]
    planes = np.column_stack([coef, np.ravel(estimator.intercept_)])
    planes = np.vstack([-planes, planes]) if len(classes) == 2 else planes
    if (len(classes) > 2 and titles != classes) or len(np.unique(points.labels)) < 2:
        return cls(coef, shape, titles, columns, *means)
    others = closest_others(points, planes)
    names = [f"closest to {one}: {points.labels[i]}" for one, i in zip(classes, others, strict=True)]
    images = np.vstack([_dense(points.rows[i : i + 1]) for i in others])
    return cls(coef, shape, titles, columns, *means, images, names)


def _dense(rows: Any) -> np.ndarray:
    return np.asarray(rows.toarray() if hasattr(rows, "toarray") else rows, np.float64)


def is_square(d: int) -> bool:
    """Whether so many features are a square image of at least 4 × 4 cells.

    Examples
    --------
    >>> is_square(64), is_square(400), is_square(63), is_square(9)
    (True, True, False, False)
    """
    return d >= 16 and math.isqrt(d) ** 2 == d


def _shape(cells: int, shape: Sequence[int] | None) -> tuple[int, int]:
    if shape is None:
        side = math.isqrt(cells)
        if side * side != cells:
            raise InputError(f"found None for {cells:,} weights, which are no square; rows and columns were expected, "
                             "as in shape=(28, 14)", "shape")  # fmt: skip
        return side, side
    found = tuple(int(v) for v in shape)
    if len(found) != 2 or found[0] * found[1] != cells:
        raise InputError(f"found {shape!r}; rows and columns of {cells:,} cells were expected", "shape")
    return found
