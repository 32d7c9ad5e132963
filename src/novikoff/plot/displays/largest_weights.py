"""The largest weights by name: words, columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.estimators.new_rows import preparation_of
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREY, INK, RED, Curve, Item, Marks, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST = 24  # characters of a name


class LargestWeightsDisplay(PanelDisplay):
    """The weights that count most, largest first: circles for the positive class, squares for the negative one.

    From the notes: Z3 (Zhang, words of mails and their weights).

    Parameters
    ----------
    w : weights of one plane
    names : of the features; None: x1, x2, …
    count : weights to show
    classes : the negative and the positive class
    """

    def __init__(
        self, w: ArrayLike, names: Sequence[str] | None = None, count: int = 20, classes: Sequence[Any] = ("−", "+")
    ) -> None:
        argument_checks.whole("count", count, 1, optional=False)
        weights = np.asarray(w, np.float64).ravel()
        if not weights.size or not np.isfinite(weights).all():
            raise InputError("found none, or numbers that are not finite; finite weights were expected", "w")
        if names is not None and len(names) != weights.size:
            raise InputError(f"found {len(names):,} for {weights.size:,} weights; one for each was expected", "names")
        self.order = np.argsort(-np.abs(weights), kind="stable")[:count]
        values = weights[self.order]
        texts = [f"x{j + 1}" if names is None else _short(str(names[j])) for j in self.order.tolist()]
        y = np.arange(len(values), dtype=np.float64)[::-1]
        items: list[Item] = [Curve(np.zeros(2), np.array([-0.6, len(y) - 0.4]), None, GREY, width=0.8, name="zero")]
        items += [Curve(np.array([0.0, v]), np.array([at, at]), None, GREY, width=1.2, name="stem")
                  for v, at in zip(values, y, strict=True)]  # fmt: skip
        for chosen, label, color, shape in (
            (values > 0, f"for {classes[1]}", RED, "circle"),
            (values < 0, f"for {classes[0]}", BLUE, "square"),
            (values == 0, "0", INK, "x"),
        ):
            if chosen.any():
                items.append(Marks(values[chosen], y[chosen], label, color, shape, name=label))
        title = f"The {len(values):,} largest of {weights.size:,} weights" if len(values) < weights.size else "Weights"
        super().__init__([Panel(tuple(items), title, "weight", "", y_limits=(-0.6, len(y) - 0.4), legend="outside",
                                y_ticks=tuple(texts[::-1]))])  # fmt: skip

    @classmethod
    def from_estimator(cls, estimator: Model, count: int = 20, plane: int = 0, ax: Axes | None = None) -> Self:
        """Draw the largest weights of a fitted estimator; names come from its data frame or its preparation.

        Parameters
        ----------
        estimator : fitted
        count : weights to show
        plane : its number, from 0, where there are several
        ax : as in `plot`
        """
        if not hasattr(estimator, "coef_"):
            raise InputError(f"found {type(estimator).__name__} without coef_; call fit first", "estimator")
        coef = np.atleast_2d(estimator.coef_)
        if not 0 <= plane < len(coef):
            raise InputError(f"found {plane}; 0 to {len(coef) - 1} were expected", "plane")
        steps = preparation_of(estimator)
        names: Any = getattr(estimator, "feature_names_in_", None) if steps is None else steps.names
        found: Any = getattr(estimator, "classes_", ())
        classes = found.tolist() if len(found) == 2 else ["−", "+"]
        return cls(coef[plane], names, count, classes).plot(ax)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
