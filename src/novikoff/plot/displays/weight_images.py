"""Weights as images: one rectangle of cells for each plane, on one scale that is symmetric around 0."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import Cells, Marks, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_IMAGES = 45
LARGE = 0.3  # of the largest weight: a negative one from here on has a minus sign


class WeightsDisplay(PanelDisplay):
    """The weights of each plane in the places of the pixels: of digits, of a retina.

    Purple cells have positive weights, orange cells negative ones; white is 0. Large negative weights also have a minus
    sign, so that images are readable in greyscale. All weights have the same scale.

    From the notes: C1 (Cornwell, handwritten digits as vectors; Rosenblatt's retina of 400 cells).

    Parameters
    ----------
    planes : weights (planes, cells), without the bias
    shape : rows and columns of an image; None: a square
    titles : of the images
    columns : images beside each other; None: as many as fit
    """

    def __init__(
        self, planes: ArrayLike, shape: Sequence[int] | None = None, titles: Sequence[str] | None = None,
        columns: int | None = None,
    ) -> None:  # fmt: skip
        weights = np.atleast_2d(np.asarray(planes, np.float64))
        rows, across = _shape(weights.shape[1], shape)
        if len(weights) > MOST_IMAGES:
            raise InputError(f"found {len(weights):,}; at most {MOST_IMAGES} images were expected", "planes")
        self.largest = float(np.abs(weights).max())
        names = [f"plane {k + 1}" for k in range(len(weights))] if titles is None else list(titles)
        self.columns = columns
        small = len(weights) > 3
        super().__init__([_image(plane.reshape(rows, across), self.largest, small, name)
                          for plane, name in zip(weights, names, strict=True)])  # fmt: skip

    @classmethod
    def from_estimator(cls, estimator: Model, shape: tuple[int, ...] | None = None, ax: Axes | None = None) -> Self:
        """Draw the weights of a fitted estimator as images.

        Parameters
        ----------
        estimator : fitted
        shape : rows and columns of an image; None: a square
        ax : one Axes for each image, or None
        """
        shown: Self = weights_of(estimator, shape, cls)
        return shown.plot(ax)


def _image(values: np.ndarray, largest: float, small: bool, name: str) -> Panel:
    """Return the panel of one image: its cells, and a minus sign on each large negative one."""
    rows, columns = np.nonzero(values < -LARGE * largest)
    cells = max(values.shape)
    size = (0.5 * ((80.0 if cells <= 12 else 130.0) if small else 240.0) / cells) ** 2
    minus = Marks(columns.astype(float), rows.astype(float), None, "white", "minus", size, name="negative")
    signs = "purple: above 0; orange and −: below 0"
    return Panel((Cells(values, largest, name="weights"), minus), name, "" if small else signs, legend="")


def weights_of(estimator: Any, shape: Any = None, cls: Any = WeightsDisplay) -> Any:
    """Return the images of a fitted estimator's planes."""
    if not hasattr(estimator, "coef_"):
        raise InputError(f"found {type(estimator).__name__} without coef_; call fit first", "estimator")
    coef, classes = np.atleast_2d(estimator.coef_), [str(label) for label in estimator.classes_]
    if len(classes) == 2:
        titles = [f"{classes[1]} (+) against {classes[0]} (−)"]
    elif hasattr(estimator, "scheme_of_many"):
        pairs = estimator.scheme_of_many().pairs
        titles = [classes[a] if b < 0 else f"{classes[a]} − {classes[b]}" for a, b in pairs]
    else:
        titles = classes
    return cls(coef, shape, titles, 5 if len(titles) == 10 else None)


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
