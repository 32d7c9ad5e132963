"""What is asked of every partition: pure functions of its points, which can be asked twice, here or elsewhere."""

from __future__ import annotations

import numpy as np

from novikoff.points.problem import Problem
from novikoff.sides.judge import Judge


class Errors:
    """How many points each plane (w, b) has on the wrong side or on itself: whole numbers, which add up exactly."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Judge(part)
        judge.survey()
        return judge.errors(self.planes)


class Winners:
    """The class with the highest score of each point, exactly, under one plane (w, b) for each class."""

    def __init__(self, planes: np.ndarray) -> None:
        self.planes = planes

    def __call__(self, part: Problem) -> np.ndarray:
        judge = Judge(part)
        judge.survey()
        return judge.classes(self.planes)


class Scores:
    """⟨w, x⟩ + b of each point, with the exact sign."""

    def __init__(self, plane: np.ndarray) -> None:
        self.plane = plane

    def __call__(self, part: Problem) -> np.ndarray:
        return Judge(part, filtered=False).scores(self.plane[:-1], float(self.plane[-1]))
