"""Large costs by continuation: solve for smaller ones first, each from the solution before.

From a cold start Newton's method needs more and more steps as C grows. Along C, 10·C, 100·C, … each solution is
close to the next. For the hinge with multipliers all below the cost, the costs do not bind: the point is optimal for
every larger C, and its plane is the maximum-margin plane. From the notes: Z11 (the limit of hard margins).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from novikoff.softmargin.losses import HINGE, SQUARED_HINGE
from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem
from novikoff.softmargin.solvers.newton import Start, newton

FACTOR = 10.0
BEGIN = 30.0  # C·mean|x|² of the first stage
ROUGH = 1e-2  # relative gap of all stages but the last


def by_continuation(problem: SoftProblem, limits: Limits, start: Start | None = None) -> BestPoints:
    """Return the best points found by Newton's method for costs that grow tenfold up to those of the problem."""
    shares = [1.0]
    while problem.scale * shares[-1] > BEGIN * FACTOR:
        shares.append(shares[-1] / FACTOR)
    steps = 0
    history: list[tuple[float, float, float]] = []
    for share in reversed(shares):
        last = share == 1.0
        stage = replace(problem, costs=problem.costs * share)
        found = newton(stage, limits if last else _rough(limits, steps), start, sample=start is None)
        steps, history = steps + found.steps, history + (found.history if last else [])
        w, a = found.points()
        if last or found.reason != "gap":
            break
        if problem.loss == HINGE and not is_bound(a, stage.costs, 0.99):
            found = newton(problem, limits, Start(w, a, found.mu), sample=False)
            steps, history = steps + found.steps, history + found.history
            break
        bound = a >= stage.costs * (1.0 - 1e-12)
        grown = np.where(bound, 0.5 * FACTOR * a, a) if problem.loss != SQUARED_HINGE else a
        start = Start(w, grown, 0.5 / (stage.mean_cost * FACTOR))
    found.steps, found.history, found.limits = steps, history, limits
    return found


def is_bound(a: np.ndarray, costs: np.ndarray, share: float = 1.0) -> bool:
    """Return whether a multiplier reaches its cost, or `share` of it."""
    return bool((a >= share * costs)[costs > 0.0].any())


def _rough(limits: Limits, steps: int) -> Limits:
    left = None if limits.max_time is None else max(limits.max_time - limits.seconds, 0.0)
    most = None if limits.max_steps is None else max(limits.max_steps - steps, 0)
    return Limits(max(ROUGH, limits.gap), most, left, limits.timer)
