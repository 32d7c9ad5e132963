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
    history : `history_` of a fitted Perceptron
    stop_reason : why the run ended, for the title and the mark at the last pass
    n, n_valid : numbers of training and validation points: errors are then percentages
    weighted : whether errors were weighted by class, for the label of the axis

    Examples
    --------
    >>> import novikoff as nv
    >>> clf = nv.Perceptron().fit(*nv.example("cornwell"))
    >>> nv.ErrorCurveDisplay(clf.history_, clf.stop_reason_).panels[0].labels[:2]
    ['mistakes in the pass', 'training errors after the pass']
    """

    def __init__(
        self, history: Mapping[str, Sequence[float | None]], stop_reason: str | None = None, n: int | None = None,
        n_valid: int | None = None, weighted: bool = False,
    ) -> None:  # fmt: skip
        if not history or not history.get("pass"):
            raise InputError("found no passes; a fitted Perceptron that was trained by fit was expected", "estimator")
        passes = np.array(history["pass"], np.float64)
        share = n is not None and (n_valid is not None or not _known(history, "valid_errors").any())
        items: list[Item] = []
        for column, label, color, shape, style in SERIES:
            known = _known(history, column)
            if not known.any():
                continue
            values = np.array([np.nan if v is None else float(v) for v in history[column]])
            total = n_valid if column == "valid_errors" else n
            values = 100 * values / total if share and total else values
            if known.sum() == 1:  # no line
                items.append(Marks(passes[known], values[known], label, color, shape, 22.0, name=column))
                continue
            items.append(Curve(passes[known], values[known], label, color, style, 1.4, name=column))
            if len(passes) <= MOST_MARKS:
                items.append(Marks(passes[known], values[known], None, color, shape, 22.0, name=f"{column} marks"))
        end, high = float(passes[-1]), _highest(items)
        ended = f"end: {stop_reason}" if stop_reason else None
        items.append(Curve(np.array([end, end]), np.array([0.0, high]), ended, GREY, "dotted", 1.0,
                           name="end"))  # fmt: skip
        title = "Errors against passes" + (f"\nstopped: {stop_reason}" if stop_reason else "")
        self.history = history
        counted = "mistakes or errors" if any(item.name in ERRORS for item in items) else "mistakes"
        y_label = ("% of the points" if share else counted) + (", errors weighted by class" if weighted else "")
        super().__init__([Panel(tuple(items), title, "pass", y_label,
                                (0.5, 1.02 * end + 0.5), (-0.03 * high, 1.08 * high), x_whole=True,
                                y_whole=not share and not weighted)])  # fmt: skip

    @classmethod
    def from_estimator(
        cls, estimator: Model, n: int | None = None, n_valid: int | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the history of a fitted Perceptron.

        Parameters
        ----------
        estimator : fitted with fit
        n, n_valid : numbers of training and validation points; without them errors are counts
        ax : as in `plot`
        """
        shown: Self = error_curves_of(estimator, n, n_valid, cls)
        return shown.plot(ax)


def error_curves_of(
    estimator: Any, n: int | None = None, n_valid: int | None = None, cls: Any = ErrorCurveDisplay
) -> Any:
    """Return the display of the history of a fitted Perceptron."""
    history, weights = getattr(estimator, "history_", None) or {}, getattr(estimator, "class_weight", None)
    return cls(history, getattr(estimator, "stop_reason_", None), n, n_valid, weights is not None)


def _known(history: Mapping[str, Sequence[float | None]], column: str) -> np.ndarray:
    return np.array([v is not None for v in history.get(column) or [None] * len(history["pass"])], bool)


def _highest(items: list[Item]) -> float:
    return max((float(item.y.max()) for item in items if isinstance(item, Curve | Marks)), default=1.0) or 1.0
