"""Many orders or starts on the same points: the planes of all runs beside the widest one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from novikoff.arguments.signature_types import Labels, Points
from novikoff.errors import InputError
from novikoff.plot.display import PanelDisplay
from novikoff.plot.displays.point_marks import class_marks, drawable_points
from novikoff.plot.panel import GREY, INK, Curve, Item, Panel
from novikoff.plot.straight_lines import limits_around, line_across
from novikoff.theory.experiments.experiment_table import Experiment, of_experiment

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SPACE = 0.15  # around the points, of their extent


class OrdersDisplay(PanelDisplay):
    """Every plane that the runs returned beside the widest plane; points with two features.

    From the notes: Z11 (Zhang, the solution is not unique; the widest plane is).

    Parameters
    ----------
    experiment : the result of `orders_experiment` or `starts_experiment`
    X, y : the points of the experiment
    """

    def __init__(self, experiment: Experiment, X: Points, y: Labels | None = None) -> None:
        rows = of_experiment(experiment, ("orders", "starts")).rows
        points, length = drawable_points(X, y), len(rows[0]["plane"])
        if points.d != 2 or length not in (2, 3):
            raise InputError(f"found {points.d} features, and planes of {length} numbers; the points of the experiment "
                             "were expected, with two features", "X")  # fmt: skip
        from novikoff.maxmargin.margin import margin

        w, b = margin(points.rows, points.labels, fit_intercept=length == 3).padded.plane
        limits = limits_around(points.X[:, 0], SPACE), limits_around(points.X[:, 1], SPACE)
        items: list[Item] = []
        for row in rows:
            plane = row["plane"]
            ends = line_across(plane[:2], plane[2] if length == 3 else 0.0, *limits)
            if ends is not None:
                label = None if items else f"{len(rows):,} {experiment.name}"
                items.append(Curve(ends[:, 0], ends[:, 1], label, GREY, "solid", 0.8, 0.35, name="run"))
        ends = line_across(w.tolist(), float(b), *limits)
        if ends is not None:
            items.append(Curve(ends[:, 0], ends[:, 1], "widest plane", INK, "solid", 2.4, name="widest"))
        title, (x_label, y_label) = f"Planes of {len(rows):,} {experiment.name}", points.axis_names
        super().__init__([Panel((*items, *class_marks(points)), title, x_label, y_label, *limits, legend="outside")])

    @classmethod
    def from_experiment(
        cls, experiment: Experiment, X: Points, y: Labels | None = None, ax: Axes | None = None
    ) -> Self:
        """Draw the result of `orders_experiment` or `starts_experiment`.

        Parameters
        ----------
        experiment : the result
        X, y : the points of the experiment
        ax : as in `plot`
        """
        return cls(experiment, X, y).plot(ax)
