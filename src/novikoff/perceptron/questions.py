"""Decide during a run whether a plane separates the points: after passes 10, 20, 40, …, with limited work.

    work of all questions about a plane  ≤  its looks · (numbers of a row + LOOK)        about the cost of its passes

From the notes: T1 Z7 (a strict plane, or none), C4 (a criterion for "not separable"), Z14 (when training stops). Work
is counted in integers and the answers depend on no machine, so the run has the same bits everywhere. The training loop
does not know how a question is answered.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels.compile import clock
from novikoff.perceptron.stops import Interrupt

FIRST = 10  # pass after which the first question comes; the next ones after 20, 40, …
LOOK = 64  # numbers that could be read in the time that a look takes beside reading its row
NO_PLANE = 2**61  # as the work spent on a plane: its points are separable, but not by a plane in binary64
LIMITS = (None, "max_passes", "train_stalled")  # a proof says more than these reasons to stop


class ProvedAnswer(Protocol):
    """An answer with its proof, such as `verdict.Verdict`."""

    @property
    def separable(self) -> bool | None: ...


class Decider(Protocol):
    """Answers questions about the planes of one run."""

    def numbers(self, problem: Problem) -> int:
        """Return how many numbers of a row are not zero, on average, rounded up."""

    def decide(
        self, problem: Problem, plane: int, mistakes: np.ndarray, work: int, seconds: float | None
    ) -> tuple[ProvedAnswer | None, int]:
        """Return the answer, or None if the work is not enough, and the work spent; raise TimeoutError in time.

        mistakes: how often each row was added.
        """

    def plane(self, problem: Problem, plane: int, answer: Any, work: int, seconds: float | None) -> np.ndarray | None:
        """Return a plane (w, b) for points that are proved separable, checked exactly; None if none fits into binary64.

        Raise TimeoutError in time.
        """

    def record(self, answer: Any) -> dict[str, Any]:
        """Return an answer as plain values."""

    def restored(self, problem: Problem, plane: int, record: Any) -> ProvedAnswer:
        """Return the answer of a record; raise ValueError unless its proof holds."""


@dataclass
class Questions:
    """The questions of one run, and the answers."""

    decider: Decider | None = None  # None: nothing is asked
    next_pass: int = FIRST
    answers: dict[int, ProvedAnswer] = field(default_factory=dict)  # by plane
    spent: dict[int, int] = field(default_factory=dict)  # work, by plane
    planes: dict[int, np.ndarray] = field(default_factory=dict)  # computed ones of separable points, by plane

    def not_separable(self, plane: int) -> bool:
        """Whether it is proved that no plane separates the points of this one."""
        answer = self.answers.get(plane)
        return answer is not None and answer.separable is False

    def settled(self, run: Any, goes_on: bool = False) -> str | None:
        """Return the reason to end a run whose moving planes are all answered: "not_separable" or "separable", or None.

        Points that are proved separable answer for their plane with keep "auto" only, which returns a computed plane.
        goes_on: it does not end, and computes nothing, while one of these planes has points that are not separable.
        """
        moving = np.flatnonzero(~run.S.each["resting"]).tolist()
        if not moving or not all(k in self.answers for k in moving):
            return None
        separable = [k for k in moving if not self.not_separable(k)]
        if goes_on and len(separable) < len(moving):
            return None
        if separable and (run.plan.keep != "auto" or not self._have_planes(run, separable)):
            return None
        return "not_separable" if len(separable) < len(moving) else "separable"

    def computed(self, run: Any) -> dict[int, np.ndarray]:
        """Return the planes that take the place of the run's own, of separable points; a resumed run computes them."""
        if run.reason not in ("separable", "not_separable") or self.settled(run) is None:
            return {}
        return self.planes

    def _have_planes(self, run: Any, separable: list[int]) -> bool:
        """Compute a plane for each of these; return whether all were had, and if not, never try again."""
        if any(self.spent.get(k) == NO_PLANE for k in separable):
            return False
        try:
            with Interrupt.at_once():
                for k in separable:
                    if k not in self.planes and self.decider is not None:
                        limits = self._left(run, self.decider, k)
                        found = self.decider.plane(run.scorer.problem, k, self.answers[k], *limits)
                        if found is None:
                            self.spent[k] = NO_PLANE
                            self.planes.clear()
                            return False
                        self.planes[k] = found
        except KeyboardInterrupt:
            run.reason, run.pressed = "interrupted", True
        except TimeoutError:
            run.reason = "max_seconds"
        return all(k in self.planes for k in separable)

    def after_pass(self, run: Any) -> None:
        """Ask about each plane that still makes mistakes, if it is time; the run ends if the time or Ctrl-C ends it."""
        if self.decider is None or run.passes < self.next_pass or not run.plan.stops.decides:
            return
        if run.reason not in LIMITS or run.cycle_counts is not None or run.keep.errors == 0:
            return
        while self.next_pass <= run.passes:
            self.next_pass *= 2
        try:
            with Interrupt.at_once():
                for plane in np.flatnonzero(~run.S.each["resting"]).tolist():
                    if plane not in self.answers:
                        self._ask(run, self.decider, plane)
        except KeyboardInterrupt:
            run.reason, run.pressed = "interrupted", True
        except TimeoutError:
            run.reason = "max_seconds"

    def _ask(self, run: Any, decider: Decider, plane: int) -> None:
        work, left = self._left(run, decider, plane)
        answer, spent = decider.decide(run.scorer.problem, plane, run.S.row_updates, work, left)
        self.spent[plane] = self.spent.get(plane, 0) + spent
        if answer is not None:
            self.answers[plane] = answer

    def _left(self, run: Any, decider: Decider, plane: int) -> tuple[int, float | None]:
        """Return the work and the seconds that are left for a plane; raise TimeoutError if no time is."""
        limit, looks = run.plan.stops.max_seconds, int(run.looks()[plane])
        left = None if limit is None else limit - (clock() - run.clock)
        if left is not None and left <= 0:
            raise TimeoutError
        return looks * (decider.numbers(run.scorer.problem) + LOOK) - self.spent.get(plane, 0), left

    # ---- for a checkpoint ----

    def record(self) -> dict[str, Any]:
        """Return the answers, the next question and the work spent, as plain values."""
        answers = {} if self.decider is None else self.answers
        return {
            "next": self.next_pass,
            "spent": {str(plane): work for plane, work in self.spent.items()},
            "answers": {str(plane): self.decider.record(one) for plane, one in answers.items() if self.decider},
        }

    def restore(self, run: Any, record: Any) -> None:
        """Take what `record` returned; raise ValueError for anything else, or a proof that does not hold."""
        if not isinstance(record, dict) or set(record) != {"next", "spent", "answers"}:
            raise ValueError
        planes = {str(plane): plane for plane in range(len(run.start))}
        known, spent, next_pass = record["answers"], record["spent"], record["next"]
        if type(next_pass) is not int or not FIRST <= next_pass < 2**62 or type(known) is not dict:
            raise ValueError
        if type(spent) is not dict or not {*known, *spent} <= set(planes):
            raise ValueError
        if any(type(work) is not int or not 0 <= work < 2**62 for work in spent.values()):
            raise ValueError
        if known and self.decider is None:
            raise ValueError
        self.next_pass, self.spent = next_pass, {planes[key]: work for key, work in spent.items()}
        if self.decider is not None:
            problem = run.scorer.problem
            self.answers = {planes[k]: self.decider.restored(problem, planes[k], one) for k, one in known.items()}
