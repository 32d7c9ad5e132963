"""The base class of pictures that need nothing but the result of one experiment."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.plot.display import PanelDisplay
from novikoff.plot.panel import Panel
from novikoff.theory.experiments.experiment_table import Experiment, of_experiment


class ExperimentDisplay(PanelDisplay):
    """The picture of an experiment; a subclass names its experiments and computes the panels."""

    experiments: ClassVar[tuple[str, ...]]

    def __init__(self, experiment: Experiment) -> None:
        self.experiment = of_experiment(experiment, self.experiments)
        super().__init__(self._panels())

    @abstractmethod
    def _panels(self) -> list[Panel]:
        """Return the panels of the experiment."""

    @classmethod
    @known_arguments
    def from_experiment(cls, experiment: Experiment, ax: Any = None) -> Any:
        """Draw the result of the experiment that the class is for.

        Parameters
        ----------
        experiment : the result
        ax : as in `plot`
        """
        return cls(experiment).plot(ax)
