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
SETTLED = 20  # passes that a run makes though no plane separates the points
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

    def not_separable(self, plane: int) -> bool:
        """Whether it is proved that no plane separates the points of this one."""
        answer = self.answers.get(plane)
        return answer is not None and answer.separable is False

    def all_settled(self, resting: np.ndarray) -> bool:
        """Whether each plane is at rest, or proved to have points that no plane separates, and one of them is."""
        known = [self.not_separable(k) for k in range(resting.size)]
        return any(known) and bool((resting | known).all())

    def after_pass(self, run: Any) -> None:
        """Ask about each plane that still makes mistakes, if it is time; the run ends if the time or Ctrl-C ends it."""
        made = run.passes - run.passes_before
        if self.decider is None or made < self.next_pass or not run.plan.stops.decides:
            return
        if run.reason not in LIMITS or run.cycle_counts is not None or run.keep.errors == 0:
            return
        while self.next_pass <= made:
            self.next_pass *= 2
        try:
            with Interrupt.at_once():
                for plane in np.flatnonzero(~run.S.resting).tolist():
                    if plane not in self.answers:
                        self._ask(run, self.decider, plane)
        except KeyboardInterrupt:
            run.reason, run.pressed = "interrupted", True
        except TimeoutError:
            run.reason = "max_seconds"

    def _ask(self, run: Any, decider: Decider, plane: int) -> None:
        problem, limit, before = run.scorer.problem, run.plan.stops.max_seconds, self.spent.get(plane, 0)
        looks = int(run.looks()[plane] - run.since[plane])
        work = looks * (decider.numbers(problem) + LOOK) - before
        left = None if limit is None else limit - (clock() - run.clock)
        if left is not None and left <= 0:
            raise TimeoutError
        answer, spent = decider.decide(problem, plane, run.S.mistakes, work, left)
        self.spent[plane] = before + spent
        if answer is not None:
            self.answers[plane] = answer

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
