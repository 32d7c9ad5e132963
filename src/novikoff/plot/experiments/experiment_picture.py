"""The display of each experiment, by its name."""

from __future__ import annotations

from typing import Any

from novikoff.plot.display import PanelDisplay
from novikoff.plot.experiments.cover_display import CoverDisplay
from novikoff.plot.experiments.experiment_display import ExperimentDisplay
from novikoff.plot.experiments.orders_display import OrdersDisplay
from novikoff.plot.experiments.teacher_displays import AngleDisplay, PositionDisplay, PowerLawDisplay, WorstCaseDisplay
from novikoff.theory.experiments.experiment_table import Experiment

OF_TEACHERS: tuple[type[ExperimentDisplay], ...] = (AngleDisplay, PowerLawDisplay, WorstCaseDisplay, PositionDisplay)
DISPLAYS = {name: kind for kind in OF_TEACHERS for name in kind.experiments}


def experiment_display(experiment: Experiment, X: Any = None, y: Any = None) -> PanelDisplay:
    """Return the display of an experiment; X, y: the points of many orders or starts."""
    if experiment.name == "capacity":
        return CoverDisplay(list(dict.fromkeys(row["N"] for row in experiment.rows)), experiment.rows)
    if experiment.name in ("orders", "starts"):
        return OrdersDisplay(experiment, X, y)
    return DISPLAYS[experiment.name](experiment)
