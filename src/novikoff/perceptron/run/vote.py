"""The voted perceptron's electorate: every w of a stretch of the run, made again from the log of updates.

A vector weighs the number of looks after which it was the present one (Freund and Schapire 1999). No vector is
stored: the log names the rows that were added and the steps, and the same roundings give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron import passes
from novikoff.scoring.scorer import Scorer

AT_ONCE = 32


@dataclass(frozen=True)
class Voters:
    """The vectors present during looks after `since` up to `until`, beginning with `start`."""

    problem: Problem  # holds the rows that the log names
    log: np.ndarray  # (row, look, bits of the signed step) of each update
    start: np.ndarray  # (w, b) before the first of them
    since: int
    until: int
    earlier: Voters | None = None  # of a run that this one goes on with

    def votes(self, judge: Scorer) -> np.ndarray:
        """Σ weight·side over all vectors, for each point of the judge."""
        total = np.zeros(judge.problem.n, np.int64) if self.earlier is None else self.earlier.votes(judge)
        for planes, weights in self._ballots():
            total += judge.votes(planes, weights)
        return total

    def compact(self) -> Voters:
        """The same voters with a copy of just the rows that the log names."""
        named, place = np.unique(self.log[:, 0], return_inverse=True)
        log = np.column_stack([place, self.log[:, 1:]])
        return replace(self, problem=self.problem.part(named), log=log)

    def _ballots(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(planes, weights), a few vectors at a time."""
        w, b = self.start[:-1].copy(), float(self.start[-1])
        again = Scorer(self.problem)
        created = np.concatenate([[self.since + 1], self.log[:, 1], [self.until + 1]])
        for k in range(0, len(self.log) + 1, AT_ONCE):
            updates = self.log[k : k + AT_ONCE]
            planes = np.empty((min(AT_ONCE, len(self.log) + 1 - k), w.size + 1))
            make = again.kernel(passes.replay, w.size * len(planes))
            b = make(self.problem.rows, updates, w, b, self.problem.pad, planes)
            yield planes, np.diff(created[k : k + len(planes) + 1])
