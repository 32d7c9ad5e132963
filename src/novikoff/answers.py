"""What weights say about points: scores with the exact sign, and the class of each.

From the notes: Z1 (prediction), Z5 (what a tie predicts), Z15 (argmax of scores, of summed pairwise scores, of votes).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.multiclass.scheme import Scheme
from novikoff.sides.judge import Judge

MOST = float(np.finfo(np.float64).max)
Answers = tuple[np.ndarray, np.ndarray]  # scores (n,) or (n, classes), number of the class of each point


def answers_of_two(judge: Judge, plane: np.ndarray, scale: float, voters: Any, tie: str) -> Answers:
    """Two classes: one plane (w, b) as trained, times `scale`; or the votes."""
    if voters is None:
        scores = _times(judge.scores(plane[:-1], float(plane[-1])), scale)
    else:
        judge.survey()
        scores = voters.votes(judge).astype(np.float64)
    upper = scores >= 0.0 if tie == "positive" else scores > 0.0
    return scores, upper.astype(np.intp)


def answers_of_many(
    judge: Judge, planes: np.ndarray, scale: float, voters: Any, scheme: Scheme, scored: bool = True
) -> Answers:
    """More classes: the planes of a scheme, or the votes; the first of equal classes wins. scored: else no scores."""
    judge.survey()
    if voters is not None:
        votes = voters.votes(judge)
        return votes.astype(np.float64), np.argmax(votes, axis=1)
    each = scheme.class_planes(planes)
    number = judge.classes(each)
    if not scored:
        return np.zeros((len(number), 0)), number
    scores = np.column_stack([judge.scores(plane[:-1].copy(), float(plane[-1])) for plane in each])
    return _highest(_times(scores, scale), number), number


def _times(scores: np.ndarray, scale: float) -> np.ndarray:
    """Scores times η with their signs: 0 only at a tie."""
    if scale == 1.0:
        return scores
    with np.errstate(over="ignore", under="ignore"):
        scaled = np.clip(scores * scale, -MOST, MOST)
    lost = (scaled == 0.0) & (scores != 0.0)
    return np.where(lost, np.copysign(5e-324, scores), scaled)


def _highest(scores: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Scores in which the class that won exactly is the highest after rounding, too."""
    rows = np.arange(len(scores))
    won = scores[rows, number]
    scores[rows, number] = -np.inf
    others = scores.max(axis=1)
    scores[rows, number] = np.where(won > others, won, np.nextafter(others, np.inf))
    return scores
