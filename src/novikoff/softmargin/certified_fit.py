"""Solve a soft-margin problem to a relative gap, and prove it.

The solver ends by its own gap, in floating point; `gap` then bounds that of its weights and multipliers rigorously. If
rounding makes the bound larger than requested, the solver continues to a smaller gap, until it can get no further.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from novikoff.softmargin.gap import ProvedGap, proved_gap
from novikoff.softmargin.losses import HINGE
from novikoff.softmargin.soft_problem import Limits, SoftProblem, with_middle_bias
from novikoff.softmargin.solvers.choose_solver import solve
from novikoff.softmargin.solvers.newton import Start

ATTEMPTS = 4
TIGHTER = 0.2
SMALL = 100_000  # up to n·d numbers the automatic gap is the small one
SMALL_GAP, LARGE_GAP = 1e-12, 1e-4
WIDEST = 0.999
ROUNDED, SMALLEST = 1e-9, 1e-250  # |w|² is rounded by less, and from here on does not underflow
Point = tuple[float, float, float]  # of a history: seconds, P, D


@dataclass(frozen=True, eq=False)
class SoftPlane:
    """Weights (bias last) and multipliers, with P(w) − min P ≤ gap and objective ≤ P(w)."""

    w: np.ndarray
    a: np.ndarray
    gap: float
    objective: float
    stop_reason: str  # "gap", "precision", "stalled", "max_iter", "max_time" or "interrupted"
    steps: int
    solver: str
    history: list[Point]
    hard: bool  # hinge, stopped by "gap" or "precision": the margin is proved to be at least WIDEST of the maximum
    mu: float | None = None

    @property
    def relative_gap(self) -> float:
        """The gap relative to the objective."""
        return self.gap / self.objective if self.objective > 0.0 else self.gap

    @property
    def start(self) -> Start:
        """Where a similar problem begins."""
        return Start(self.w, self.a, self.mu)


def automatic_gap(n: int, d: int) -> float:
    """Return the relative gap for n points of d numbers."""
    return SMALL_GAP if n * d <= SMALL else LARGE_GAP


def _is_widest(problem: SoftProblem, w: np.ndarray, proof: ProvedGap) -> bool:
    """Return whether the margins prove that the plane's margin is at least WIDEST of the maximum margin γ.

    ½|w|² − gap ≤ P(w) − gap ≤ min P ≤ ½/γ², so that min m/|w| ≥ min m·√(1 − 2·gap/|w|²)·γ.
    """
    size2 = float(np.square(problem.penalized(w)).sum())
    if problem.loss != HINGE or not size2 > SMALLEST:
        return False
    share = 1.0 - 2.0 * proof.gap / size2
    return share > 0.0 and proof.least * math.sqrt(share) * (1.0 - ROUNDED) >= WIDEST


def _proved_point(seconds: float, proof: ProvedGap, history: list[Point]) -> Point:
    """Return the entry of the history for a proof: the best objective and lower bound so far."""
    P, D = proof.objective, proof.objective - proof.gap
    return (seconds, min(P, history[-1][1]), max(D, history[-1][2])) if history else (seconds, P, D)


def fit_plane(
    problem: SoftProblem, limits: Limits, solver: str = "auto", start: Start | None = None, seed: int = 0
) -> SoftPlane:
    """Return weights with a proved gap of at most `limits.gap` relative to the objective, or say what prevented it."""
    best: SoftPlane | None = None
    target, steps = limits.gap, 0
    history: list[Point] = []
    for _ in range(ATTEMPTS):
        began = limits.seconds
        found, name = solve(problem, limits.part(target, limits.steps_left(steps)), solver, start, seed)
        steps += found.steps
        history += [(began + seconds, P, D) for seconds, P, D in found.history]
        w, a = found.points()
        w = with_middle_bias(problem, w)
        proof = proved_gap(problem, w, a)
        if not proof.gap <= proof.objective:  # min P ≥ 0: the multipliers 0 prove the gap P
            proof = min(proof, proved_gap(problem, w, np.zeros(a.size)), key=lambda one: one.gap)
        history.append(_proved_point(limits.seconds, proof, history))
        done = proof.gap <= limits.gap * proof.objective
        reason = "gap" if done else "precision" if found.reason == "gap" else found.reason
        hard = reason in ("gap", "precision") and _is_widest(problem, w, proof)
        plane = SoftPlane(w, a, proof.gap, proof.objective, reason, steps, name, history, hard, found.mu)
        if best is None or plane.gap <= best.gap:
            best = plane
        if done or found.reason != "gap":
            break
        target, start = TIGHTER * target, plane.start
    assert best is not None
    return best
