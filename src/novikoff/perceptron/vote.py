"""The voted perceptron's electorate: every w of a stretch of the run, made again from the log of mistakes.

A vector weighs the number of looks after which it was the present one (Freund and Schapire 1999). No vector is
stored: the log names the rows that were added, and the same roundings give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from novikoff.perceptron import passes
from novikoff.perceptron.rates import Rates
from novikoff.points.problem import Problem
from novikoff.sides.judge import Judge

AT_ONCE = 32


@dataclass(frozen=True)
class Voters:
    """The vectors present during looks after `since` up to `until`, beginning with `start`."""

    problem: Problem  # holds the rows that the log names
    log: np.ndarray  # (row, look) of each mistake
    start: np.ndarray  # (w, b) before the first of them
    rates: Rates
    factors: np.ndarray
    updates: int  # made before the first of them
    since: int
    until: int

    def votes(self, judge: Judge) -> np.ndarray:
        """Σ weight·side over all vectors, for each point of the judge."""
        total = np.zeros(judge.problem.n, np.int64)
        for planes, weights in self._ballots():
            total += judge.votes(planes, weights)
        return total

    def compact(self) -> Voters:
        """The same voters with a copy of just the rows that the log names."""
        named, place = np.unique(self.log[:, 0], return_inverse=True)
        log = np.stack([place.astype(np.int64), self.log[:, 1]], axis=1)
        return Voters(
            self.problem.part(named), log, self.start, self.rates, self.factors, self.updates, self.since, self.until
        )

    def _ballots(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """(planes, weights), a few vectors at a time."""
        w, b = self.start[:-1].copy(), float(self.start[-1])
        again = Judge(self.problem)
        born = np.concatenate([[self.since + 1], self.log[:, 1], [self.until + 1]])
        rates = self.rates.of(self.updates, self.updates + len(self.log))
        for k in range(0, len(self.log) + 1, AT_ONCE):
            mistakes = self.log[k : k + AT_ONCE]
            planes = np.empty((min(AT_ONCE, len(self.log) + 1 - k), w.size + 1))
            make = again.kernel(passes.replay, w.size * len(planes))
            b = make(
                self.problem.rows,
                self.problem.y,
                mistakes,
                rates[k : k + AT_ONCE],
                self.factors,
                w,
                b,
                self.problem.pad,
                planes,
            )
            yield planes, np.diff(born[k : k + len(planes) + 1])
