"""Count errors and measure rows partition by partition: whole numbers and maxima, so any division gives the same."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.multiclass.winning_class import class_errors
from novikoff.scoring.scorer import Scorer


def _checked(part: Problem) -> Scorer:
    """Return the scorer of rows that were checked."""
    scorer = Scorer(part)
    scorer.survey()
    return scorer


@dataclass(frozen=True)
class ClassErrors:
    """Counts, by class, the points that each set of planes does not give their own class: (sets, classes)."""

    sets: np.ndarray
    scheme: Scheme

    def __call__(self, part: Problem) -> np.ndarray:
        return class_errors(_checked(part), self.sets, self.scheme)


@dataclass(frozen=True)
class PlaneErrors:
    """Counts for each plane of one-vs-all or one-vs-one the points of its classes on the wrong side or on it."""

    planes: np.ndarray
    scheme: Scheme

    def __call__(self, part: Problem) -> np.ndarray:
        part, errors = _checked(part).problem, np.zeros(len(self.planes), np.int64)
        for k, (positive, negative) in enumerate(self.scheme.pairs):
            rows = np.flatnonzero((part.y == positive) | (negative < 0) | (part.y == negative))
            if rows.size:
                own = part if rows.size == part.n else part.part(rows)
                side = np.where(own.y == positive, np.int8(1), np.int8(-1))
                errors[k] = _checked(replace(own, y=side)).errors(self.planes[k][None])[0]
        return errors


def radius2_of(part: Problem) -> float:
    """Return the largest |x|² + pad² of a partition's rows."""
    return _checked(part).radius2()
