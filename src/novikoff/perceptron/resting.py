"""Planes of several classes at rest: those that separate their points.

From the notes: Z15 Z15a. The pocket is one for all planes: those that put the fewest points into a wrong class, among
the sets that were counted; a point counts as right if its own class wins alone. A plane of one-vs-all that separates
its class from the others is the one that is returned (`take_separating`).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from novikoff.perceptron.run_state import RunState
from novikoff.scoring.scorer import Scorer

LARGEST = 300  # binary digits before the point of a plane that is multiplied


def rest_planes(run: RunState) -> np.ndarray:
    """Let planes rest whose binary run would have ended after this pass; return those that came to rest."""
    each, before = run.S.each, run.S.each["resting"].copy()
    updates, mistakes = (
        each["updates"] - run.planes_at_pass["updates"],
        each["mistakes"] - run.planes_at_pass["mistakes"],
    )
    for k in np.flatnonzero((mistakes == 0) & ~before):
        clean = updates[k] == 0 and not run.order.is_random_draw and not run.plan.is_aggressive
        each["resting"][k] = clean or _plane_errors(run, int(k)) == 0
    return np.flatnonzero(each["resting"] & ~before)


def take_separating(run: RunState, rested: np.ndarray) -> None:
    """Put planes that separate their class from the others into the pocket, whose errors do not rise by that.

    A large multiple of such a plane gives its own points the highest score and all others the lowest, so that the
    other planes decide among themselves as before: it is multiplied until the errors are as few.
    """
    keep = run.keep
    for k in rested:
        assert keep.planes is not None
        assert keep.errors is not None
        trial = keep.planes.copy()
        trial[k] = run.S.present[k]
        errors = run.count(trial[None])[0].item()
        while errors > keep.errors and np.abs(trial[k]).max() < 2.0**LARGEST:
            trial[k] *= 4.0
            errors = run.count(trial[None])[0].item()
        keep.planes, keep.errors = trial, errors


def _plane_errors(run: RunState, k: int) -> int:
    """Return how many of its points plane k has on the wrong side."""
    problem, (positive, negative) = run.scorer.problem, run.scheme.pairs[k]
    if negative >= 0:
        problem = problem.part(np.flatnonzero((problem.y == positive) | (problem.y == negative)))
    scorer = Scorer(replace(problem, y=np.where(problem.y == positive, np.int8(1), np.int8(-1))))
    scorer.R2 = run.scorer.R2
    return int(scorer.errors(run.S.present[k][None])[0])
