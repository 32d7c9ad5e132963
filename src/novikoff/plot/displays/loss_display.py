"""Losses against y·score, and the loss of each pass."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREEN, RED, Curve, Marks, Panel

LAST = 2.0  # |y·score| of the axis


class LossDisplay(PanelDisplay):
    """The perceptron loss beside the hinge loss and the 0–1 loss, and the perceptron loss of each pass of a run.

    perceptron −min(y·score, 0)      hinge max(0, 1 − y·score)      0–1: 1 if y·score ≤ 0

    From the notes: Z10 (Zhang, the perceptron loss), Z10a.

    Parameters
    ----------
    history : `history_` of a fitted Perceptron, or None: the first panel alone
    """

    def __init__(self, history: Any = None) -> None:
        t = np.array([-LAST, 0.0, 1.0, LAST])
        items = (
            Curve(t, -np.minimum(t, 0.0), "perceptron", BLUE, "solid", 2.0, name="perceptron"),
            Curve(t, np.maximum(0.0, 1.0 - t), "hinge", RED, "dashed", name="hinge"),
            Curve(np.array([-LAST, 0.0, np.nan, 0.0, LAST]), np.array([1.0, 1.0, np.nan, 0.0, 0.0]), "0–1", GREEN,
                  "dashdot", name="zero-one"),
            Marks(np.zeros(1), np.ones(1), None, GREEN, "circle", 24.0, name="tie"),
        )  # fmt: skip
        panels = [Panel(items, "Loss of one point", "y·score", "loss", (-LAST, LAST), (-0.1, LAST + 1.1))]
        if history is not None:
            if not history.get("pass") or "loss" not in history:
                raise InputError("found no passes; a Perceptron that was trained by fit was expected", "estimator")
            x, y = np.array(history["pass"], np.float64), np.array(history["loss"], np.float64)
            panels.append(Panel((Curve(x, y, None, BLUE, name="loss"), Marks(x, y, None, BLUE, "square", 18.0)),
                                "Perceptron loss of the looks of each pass", "pass", "loss", x_whole=True))  # fmt: skip
        super().__init__(panels)

    @classmethod
    @known_arguments
    def from_estimator(cls, estimator: Any, ax: Any = None) -> Any:
        """Draw the losses, and that of each pass of a fitted Perceptron.

        Parameters
        ----------
        estimator : fitted with fit
        ax : two Axes, or None
        """
        return cls(getattr(estimator, "history_", None) or {}).plot(ax)
