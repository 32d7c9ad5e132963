"""The angle to the teacher, update by update, between the bounds of the convergence proof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import numpy as np

from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import BLUE, GREEN, RED, Curve, Panel
from novikoff.theory.experiments.experiment_table import Experiment, of_experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class AngleDisplay(PanelDisplay):
    """The overlap of the weights with the teacher, their length and the cosine, update by update.

    ⟨w, w*⟩ ≥ n·δ        ‖w‖ ≤ √n·R        cosine ≥ √n·δ/R

    The bounds of the convergence proof are dashed, and a random walk of as many steps is dotted.

    From the notes: S9 (Sompolinsky, the angle to a teacher), S9a (the same under an unbiased random walk).

    Parameters
    ----------
    experiment : the result of `angle_experiment`
    """

    def __init__(self, experiment: Experiment) -> None:
        rows = of_experiment(experiment, ("angle",)).rows
        column = {name: np.array([row[name] for row in rows], np.float64) for name in rows[0]}
        n = column["update"]
        start = np.concatenate([[0.0], n])
        super().__init__([
            _three(start, "Overlap with the teacher", "⟨w, w*⟩", column, "overlap", "lower bound n·δ"),
            _three(start, "Length of the weights", "‖w‖", column, "norm", "upper bound √n·R"),
            _three(n, "Cosine of the angle to the teacher", "⟨w, w*⟩ / ‖w‖", column, "cosine", "lower bound √n·δ/R"),
        ])  # fmt: skip

    @classmethod
    def from_experiment(cls, experiment: Experiment, ax: Axes | None = None) -> Self:
        """Draw the result of `angle_experiment`.

        Parameters
        ----------
        experiment : the result
        ax : three Axes, or None
        """
        return cls(experiment).plot(ax)


def _three(n: np.ndarray, title: str, y_label: str, column: dict[str, np.ndarray], name: str, bound: str) -> Panel:
    """Return a panel of a quantity, its bound and its value on the random walk; from 0 unless it is a cosine."""

    def curve(values: np.ndarray, label: str, color: str, style: str, which: str) -> Curve:
        y = values if len(values) == len(n) else np.concatenate([[0.0], values])
        return Curve(n, y, label, color, style, name=which)

    items = (
        curve(column[name], "perceptron", BLUE, "solid", name),
        curve(column[f"{name}_bound"], bound, RED, "dashed", f"{name}_bound"),
        curve(column[f"walk_{name}"], "random walk", GREEN, "dotted", f"walk_{name}"),
    )
    highest = max(float(item.y.max()) for item in items)
    limits = (-1.05, 1.05) if name == "cosine" else (0.0, 1.05 * highest) if name == "norm" else None
    return Panel(items, title, "updates n", y_label, (0.0, float(n[-1]) * 1.02), limits)
