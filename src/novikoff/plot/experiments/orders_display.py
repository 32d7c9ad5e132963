"""Many orders or starts on the same points: all planes beside the widest one, and the updates against the bound."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.data.text.format_numbers import bound_in_words
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import DrawnPoints, class_marks, drawable_points
from novikoff.plot.geometry.straight_lines import limits_around, line_across
from novikoff.plot.panel import BLUE, GREY, INK, RED, Bars, Curve, Item, Panel
from novikoff.theory.experiments.experiment_table import Experiment, of_experiment

BINS = 30
WIDE = 20.0  # the bound is drawn if it is at most so many times the largest count


class OrdersDisplay(PanelDisplay):
    """Every plane that the runs returned beside the widest plane, and how many updates each run made.

    Points with two features are drawn with one line per run; otherwise the angles to the widest plane are counted.

    From the notes: Z11 (Zhang, the solution is not unique; the widest plane is).

    Parameters
    ----------
    experiment : the result of `orders_experiment` or `starts_experiment`
    X, y : the points of the experiment; None: the angles, without the widest plane and the bound
    """

    def __init__(self, experiment: Experiment, X: Any = None, y: Any = None) -> None:
        self.experiment = of_experiment(experiment, ("orders", "starts"))
        self.widest: tuple[list[float], float] | None = None
        self.bound: float | None = None
        planes, bound = self._angles(), None
        if X is not None:
            points = drawable_points(X, y)
            fit_intercept = self._has_bias(points.d)
            from novikoff.maxmargin.margin import margin

            m = margin(points.X, points.y, fit_intercept=fit_intercept)
            w, b = m.padded.plane
            self.widest = w.tolist(), float(b)
            if experiment.name == "orders":
                self.bound = bound = float(m.mistake_bound[1])
            if points.d == 2:
                planes = self._lines(points)
        super().__init__([planes, self._updates(bound)])

    @classmethod
    @known_arguments
    def from_experiment(cls, experiment: Experiment, X: Any = None, y: Any = None, ax: Any = None) -> Any:
        """Draw the result of `orders_experiment` or `starts_experiment`.

        Parameters
        ----------
        experiment : the result
        X, y : the points of the experiment, or None
        ax : two Axes, or None
        """
        return cls(experiment, X, y).plot(ax)

    def _has_bias(self, d: int) -> bool:
        length = len(self.experiment.rows[0]["plane"])
        if length not in (d, d + 1):
            raise InputError(f"found {d} features; {length} or {length - 1} were expected, as in the experiment", "X")
        return length == d + 1

    def _what(self) -> str:
        return "orders" if self.experiment.name == "orders" else "starts"

    def _lines(self, points: DrawnPoints) -> Panel:
        x_limits, y_limits = limits_around(points.X[:, 0], 0.15), limits_around(points.X[:, 1], 0.15)
        items: list[Item] = []
        for row in self.experiment.rows:
            plane = row["plane"]
            ends = line_across(plane[:2], plane[2] if len(plane) == 3 else 0.0, x_limits, y_limits)
            if ends is not None:
                label = None if items else f"{len(self.experiment.rows):,} {self._what()}"
                items.append(Curve(ends[:, 0], ends[:, 1], label, GREY, "solid", 0.8, 0.35, name="run"))
        assert self.widest is not None
        ends = line_across(*self.widest, x_limits, y_limits)
        if ends is not None:
            items.append(Curve(ends[:, 0], ends[:, 1], "widest plane", INK, "solid", 2.4, name="widest"))
        title, (x_label, y_label) = f"Planes of {len(self.experiment.rows):,} {self._what()}", points.axis_names
        drawn = (*items, *class_marks(points))
        return Panel(drawn, title, x_label, y_label, x_limits, y_limits, legend="outside")

    def _angles(self) -> Panel:
        angles = np.array([row["angle"] for row in self.experiment.rows])
        edges, heights = _histogram(angles)
        return Panel((Bars(edges, heights, None, BLUE, name="angles"),), f"Planes of {len(angles):,} {self._what()}",
                     "angle to the widest plane, degrees", self._what(), y_limits=_from_zero(heights))  # fmt: skip

    def _updates(self, bound: float | None) -> Panel:
        updates = np.array([row["updates"] for row in self.experiment.rows], np.float64)
        edges, heights = _whole_histogram(updates)
        items: list[Item] = [Bars(edges, heights, None, BLUE, name="updates")]
        most = float(updates.max())
        title = f"{updates.min():,.0f} to {most:,.0f} updates"
        if bound is not None:
            title += f" of at most (R/γ)² = {bound_in_words(bound)}"
            if bound <= WIDE * most:
                items.append(Curve(np.array([bound, bound]), np.array([0.0, float(heights.max())]), "bound (R/γ)²", RED,
                                   "dashed", name="bound"))  # fmt: skip
        return Panel(tuple(items), title, "updates until separated", self._what(), y_limits=_from_zero(heights))


def _from_zero(heights: np.ndarray) -> tuple[float, float]:
    return 0.0, 1.08 * float(heights.max())


def _histogram(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return edges and counts."""
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(1.0, high):
        low, high = low - 0.5, high + 0.5
    heights, edges = np.histogram(values, min(BINS, max(5, len(values) // 4)), (low, high))
    return edges, heights


def _whole_histogram(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return edges at half integers and counts, in bins of equal whole width."""
    low, high = int(values.min()), int(values.max())
    width = max(1, -(-(high - low + 1) // BINS))
    edges = np.arange(low, high + width + 1, width) - 0.5
    heights, _ = np.histogram(values, edges)
    return edges, heights
