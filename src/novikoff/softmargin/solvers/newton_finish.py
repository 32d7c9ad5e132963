"""Dual coordinates, then Newton's method by conjugate gradients, for the smooth losses.

On sparse rows of many columns Newton's first steps, far from the optimum, are the dear ones, and so are the
last passes of coordinates with a large C. So coordinates begin, up to a gap of a tenth, and Newton's method ends.
"""

from __future__ import annotations

from novikoff.softmargin.soft_problem import BestPoints, Limits, SoftProblem
from novikoff.softmargin.solvers.coordinates import coordinates
from novikoff.softmargin.solvers.newton import Start, newton

SWITCH = 0.1  # relative gap at which coordinates end


def newton_finish(problem: SoftProblem, limits: Limits, start: Start | None = None, seed: int = 0) -> BestPoints:
    """Return the best points found."""
    first = coordinates(problem, limits.part(max(limits.gap, SWITCH), limits.max_steps), start, seed)
    first.limits = limits
    if first.is_done():
        return first
    began = limits.seconds
    last = limits.part(limits.gap, limits.steps_left(first.steps))
    found = newton(problem, last, Start(first.w, first.a), sample=False)
    found.steps += first.steps
    later = [(began + seconds, min(P, first.primal), max(D, first.dual)) for seconds, P, D in found.history]
    found.history = first.history + later
    return found
