"""The network picture of a plane: inputs, weights, sum, threshold, output."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from novikoff.arguments.signature_types import Model
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREY, INK, RED, Curve, Item, Marks, Note, Panel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_INPUTS = 10  # drawn; of more features, those with the largest weights
THICKEST = 4.0


class NetworkDisplay(PanelDisplay):
    """The perceptron as a network: one line for each weight, as thick as it is large, solid if positive.

    y = sign(Σ wⱼ·xⱼ + b)

    From the notes: S2 (Sompolinsky, the perceptron: inputs, weights, threshold), S1 (the bias as one more input).

    Parameters
    ----------
    w, b : the plane; b = None: no bias
    names : of the inputs
    classes : the classes of a negative and of a positive sum
    """

    def __init__(
        self, w: Sequence[float], b: float | None = None, names: Sequence[str] | None = None,
        classes: Sequence[Any] = ("−1", "+1"),
    ) -> None:  # fmt: skip
        weights = np.asarray(w, np.float64).ravel()
        if not weights.size or not np.isfinite(weights).all():
            raise InputError("found none, or numbers that are not finite; finite weights were expected", "w")
        texts = [f"x{_low(j + 1)}" for j in range(len(weights))] if names is None else [str(name) for name in names]
        shown = sorted(np.argsort(-np.abs(weights), kind="stable")[:MOST_INPUTS].tolist())
        inputs = [(texts[j], float(weights[j])) for j in shown] + ([] if b is None else [("1", float(b))])
        self.w, self.b, self.shown = weights, b, shown
        largest = max(abs(value) for _, value in inputs) or 1.0
        middle = (len(inputs) - 1) / 2
        items: list[Item] = []
        for k, (text, value) in enumerate(inputs):
            items += _input(text, value, middle - k, largest, text == "1" and b is not None and k == len(inputs) - 1)
        more = len(weights) - len(shown)
        if more:
            items.append(Note(0.0, -middle - 0.8, f"and {more:,} more features with smaller weights", "left", GREY))
        items += _output(classes)
        super().__init__([Panel(tuple(items), "", x_limits=(-1.3, 4.1), y_limits=(-middle - 1.1, middle + 0.9),
                                legend="", frame=False)])  # fmt: skip

    @classmethod
    def from_estimator(cls, estimator: Model, plane: int = 0, ax: Axes | None = None) -> Self:
        """Draw one plane of a fitted estimator.

        Parameters
        ----------
        estimator : fitted
        plane : its number, from 0, where there are several
        ax : as in `plot`
        """
        shown: Self = network_of(estimator, plane, cls)
        return shown.plot(ax)


def network_of(estimator: Any, plane: int = 0, cls: Any = NetworkDisplay) -> Any:
    """Return the display of one plane of a fitted estimator."""
    if not hasattr(estimator, "coef_"):
        raise InputError(f"found {type(estimator).__name__} without coef_; call fit first", "estimator")
    coef = np.atleast_2d(estimator.coef_)
    if not 0 <= plane < len(coef):
        raise InputError(f"found {plane}; 0 to {len(coef) - 1} were expected", "plane")
    bias = float(np.atleast_1d(estimator.intercept_)[plane]) if getattr(estimator, "fit_intercept", True) else None
    names = getattr(estimator, "feature_names_in_", None)
    classes = [str(label) for label in estimator.classes_] if len(estimator.classes_) == 2 else ["−", "+"]
    return cls(coef[plane], bias, names, classes)


def _input(text: str, value: float, height: float, largest: float, is_bias: bool) -> list[Item]:
    """Return an input, its line to the sum, and its weight."""
    ends = np.array([0.0, 1.5]), np.array([height, 0.0])
    thick = 0.5 + (THICKEST - 0.5) * abs(value) / largest
    color, style = (RED, "solid") if value > 0 else (BLUE, "dashed") if value < 0 else (GREY, "dotted")
    symbol, shape = ("b", "square") if is_bias else ("w", "circle")
    return [
        Curve(*ends, None, color, style, thick, 0.85, name=f"weight {text}"),
        Marks(np.zeros(1), np.array([height]), None, INK, shape, 190.0, name=f"input {text}"),
        Note(-0.14, height, f"{text}   {symbol} = {value:.4g}".replace("-", "−"), "right", color, name="weight"),
    ]


def _output(classes: Sequence[Any]) -> list[Item]:
    """Return the sum, the step and the output."""
    step = np.array([2.15, 2.4, 2.4, 2.65]), np.array([-0.18, -0.18, 0.18, 0.18])
    return [
        Curve(np.array([1.5, 3.0]), np.zeros(2), None, INK, "solid", 1.6, name="output"),
        Marks(np.array([1.5]), np.zeros(1), None, "white", "circle", 900.0, name="sum back"),
        Marks(np.array([1.5]), np.zeros(1), None, INK, "circle", 900.0, False, name="sum"),
        Note(1.5, 0.0, "Σ", "center", size=15.0),
        Marks(np.array([2.4]), np.zeros(1), None, "white", "square", 1500.0, name="step back"),
        Marks(np.array([2.4]), np.zeros(1), None, INK, "square", 1500.0, False, name="threshold"),
        Curve(*step, None, INK, "solid", 1.8, name="step"),
        Note(3.05, 0.2, f"{classes[1]} if the sum > 0", "left", RED, 8.5, name="positive"),
        Note(3.05, -0.2, f"{classes[0]} if the sum < 0", "left", BLUE, 8.5, name="negative"),
    ]


def _low(number: int) -> str:
    return str(number).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
