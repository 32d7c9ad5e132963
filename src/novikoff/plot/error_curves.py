"""Errors against passes: training and validation, as a run counted them.

From the notes: Z14 (Zhang, training and validation error against passes: when to stop), T4a.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.pages.panel import BLUE, GREEN, GREY, PURPLE, RED, Curve, Item, Marks, Panel
from novikoff.plot.display import PanelDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SERIES = (  # column of the history, its label, colour, shape and line style
    ("mistakes", "mistakes in the pass", BLUE, "square", "solid"),
    ("errors", "training errors after the pass", RED, "circle", "dashed"),
    ("pocket_errors", "training errors of the pocket", GREEN, "triangle", "dashdot"),
    ("valid_errors", "validation errors", PURPLE, "diamond", "dotted"),
)
ERRORS = {name for name, *_ in SERIES if name != "mistakes"}
MOST_MARKS = 40


class ErrorCurveDisplay(PanelDisplay):
    """Mistakes in each pass, and the errors on training and validation points that the run counted after it.

    A mistake is made by the weights of that moment; an error is counted for fixed weights on all points. The run counts
    errors only when it needs them, so a curve may have gaps or be absent.

    Parameters
    ----------
    estimator : a fitted Perceptron that was trained by fit

    Examples
    --------
    >>> import novikoff as nv
    >>> clf = nv.Perceptron().fit(*nv.example("cornwell"))
    >>> nv.ErrorCurveDisplay(clf).panels[0].labels[:2]
    ['mistakes in the pass', 'training errors after the pass']
    """

    def __init__(self, estimator: Model) -> None:
        history: Mapping[str, Any] = getattr(estimator, "history_", None) or {}
        reason, weights = (getattr(estimator, name, None) for name in ("stop_reason_", "class_weight"))
        if not history.get("pass"):
            raise InputError("found no passes; a fitted Perceptron that was trained by fit was expected", "estimator")
        passes = np.array(history["pass"], np.float64)
        items: list[Item] = []
        for column, label, color, shape, style in SERIES:
            known = _known(history, column)
            if not known.any():
                continue
            values = np.array([np.nan if v is None else float(v) for v in history[column]])
            if known.sum() == 1:  # no line
                items.append(Marks(passes[known], values[known], label, color, shape, 22.0, name=column))
                continue
            items.append(Curve(passes[known], values[known], label, color, style, 1.4, name=column))
            if len(passes) <= MOST_MARKS:
                items.append(Marks(passes[known], values[known], None, color, shape, 22.0, name=f"{column} marks"))
        end, high = float(passes[-1]), _highest(items)
        ended = f"end: {reason}" if reason else None
        items.append(Curve(np.array([end, end]), np.array([0.0, high]), ended, GREY, "dotted", 1.0,
                           name="end"))  # fmt: skip
        title = "Errors against passes" + (f"\nstopped: {reason}" if reason else "")
        counted = "mistakes or errors" if any(item.name in ERRORS for item in items) else "mistakes"
        y_label = counted + (", errors weighted by class" if weights is not None else "")
        super().__init__([Panel(tuple(items), title, "pass", y_label,
                                (0.5, 1.02 * end + 0.5), (-0.03 * high, 1.08 * high), x_whole=True,
                                y_whole=weights is None)])  # fmt: skip

    @classmethod
    def from_estimator(cls, estimator: Model, ax: Axes | None = None) -> Self:
        """Draw the history of a fitted Perceptron.

        Parameters
        ----------
        estimator : fitted with fit
        ax : as in `plot`
        """
        return cls(estimator).plot(ax)


def _known(history: Mapping[str, Sequence[float | None]], column: str) -> np.ndarray:
    return np.array([v is not None for v in history.get(column) or [None] * len(history["pass"])], bool)


def _highest(items: list[Item]) -> float:
    return max((float(item.y.max()) for item in items if isinstance(item, Curve | Marks)), default=1.0) or 1.0
