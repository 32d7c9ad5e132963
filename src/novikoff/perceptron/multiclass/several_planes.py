"""The run of several planes, trained side by side in one pass over the points: its passes, and planes at rest.

From the notes: Z15 Z15a. The pocket is one for all planes: those that put the fewest points into a wrong class, among
the sets that were counted; a point counts as right if its own class wins alone. A plane of one-vs-all that separates
its class from the others is the one that is returned (`_take_separating`).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.perceptron import slots
from novikoff.perceptron.multiclass import group_pass, multi_pass
from novikoff.perceptron.passive_aggressive import aggressive
from novikoff.perceptron.slots import Planes
from novikoff.scoring.scorer import Scorer

LARGEST = 300  # binary digits before the point of a plane that is multiplied


@dataclass
class SeveralPlanes:
    """What a run of several planes does and remembers beside its state. `run` is its `Run`."""

    at_plane: np.ndarray = field(default_factory=lambda: np.zeros((2, 0), np.int64))
    """updates and mistakes of each plane when the pass began"""

    def begin(self, run: Any) -> None:
        """Begin to count the updates of each plane."""
        self.at_plane = np.zeros((2, len(run.start)), np.int64)

    def continued(self, run: Any, before: Any) -> SeveralPlanes:
        """Continue on other points: a plane at rest stays so if it is right about these."""
        S: Planes = run.S
        S.factors[:], S.all[slots.FIRST] = run.scheme.factors(run.plan.factors), 1
        run.scorer.survey()
        for k in np.flatnonzero(before.S.resting):
            S.resting[k] = _plane_errors(run, int(k)) == 0
        return replace(self)

    def compiled_pass(self, run: Any, looks: int) -> Any:
        """Return the compiled pass of the scheme."""
        problem = run.scorer.problem
        function = multi_pass.joint if run.scheme.is_joint else multi_pass.independent
        if run.plan.is_aggressive:
            function = aggressive
        elif problem.sparse and run.scheme.name == "ova":
            function = group_pass.grouped
        return run.scorer.kernel(function, looks * (problem.stored // problem.n + 8) * run.scheme.classes)

    def begin_pass(self, run: Any) -> None:
        """Remember the counts of each plane, and whether rows are new."""
        self.at_plane = run.S.cnt[:, [slots.UPDATES, slots.MISTAKES]].T.copy()
        run.S.all[slots.FIRST] = not run.surveyed

    def react(self, run: Any, why: int, row: int) -> None:
        """Do nothing: returns of the weights are not watched."""

    def end_of_looks(self, run: Any) -> None:
        """Do nothing: the looks of a pass have made its updates."""

    def end_of_pass(self, run: Any, clean: bool) -> float | None:
        """Let planes rest, update the keep; return the errors of the present planes where they are known."""
        rested = np.empty(0, np.int64)
        if run.reason is None and not run.scheme.is_joint:
            rested = self._pause_planes(run)
            if run.S.resting.all():
                run.reason = "separated"
        errors: float | None = run.keep.end_of_pass(run.S, run.count, False)
        if run.plan.keep == "pocket" and run.scheme.name == "ova":
            _take_separating(run, rested)
        return errors

    def shift(self, S: Planes, by: int) -> None:
        """Do nothing: no place in the order is saved."""

    def _pause_planes(self, run: Any) -> np.ndarray:
        """Let planes rest whose binary run would have ended after this pass; return those that came to rest."""
        S, before = run.S, run.S.resting.copy()
        updates, mistakes = S.cnt[:, [slots.UPDATES, slots.MISTAKES]].T - self.at_plane
        for k in np.flatnonzero((mistakes == 0) & ~S.resting):
            clean = updates[k] == 0 and not run.order.is_random_draw and not run.plan.is_aggressive
            S.resting[k] = clean or _plane_errors(run, int(k)) == 0
        return np.flatnonzero(S.resting & ~before)


def _plane_errors(run: Any, k: int) -> int:
    """Return how many of its points plane k has on the wrong side."""
    problem, (positive, negative) = run.scorer.problem, run.scheme.pairs[k]
    if negative >= 0:
        problem = problem.part(np.flatnonzero((problem.y == positive) | (problem.y == negative)))
    scorer = Scorer(replace(problem, y=np.where(problem.y == positive, np.int8(1), np.int8(-1))))
    scorer.R2 = run.scorer.R2
    return int(scorer.errors(run.S.present[k][None])[0])


def _take_separating(run: Any, rested: np.ndarray) -> None:
    """Put planes that separate their class from the others into the pocket, whose errors do not rise by that.

    A large multiple of such a plane gives its own points the highest score and all others the lowest, so that the
    other planes decide among themselves as before: it is multiplied until the errors are as few.
    """
    keep = run.keep
    for k in rested:
        trial = keep.planes.copy()
        trial[k] = run.S.present[k]
        errors = run.count(trial[None])[0].item()
        while errors > keep.errors and np.abs(trial[k]).max() < 2.0**LARGEST:
            trial[k] *= 4.0
            errors = run.count(trial[None])[0].item()
        keep.planes, keep.errors = trial, errors
