"""The voted perceptron of two classes: every w votes with the number of looks after which it was the present one.

Freund and Schapire 1999. No vector is stored: the log of updates names the rows that were added and the steps, and the
same roundings give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron.keeps.keep import Count, Last
from novikoff.perceptron.pass_one import replay
from novikoff.perceptron.state import LOG, Planes
from novikoff.scoring.scorer import Scorer

AT_ONCE = 32


class Vote(Last):
    """Keep the log of all updates; the present w is returned beside the voters."""

    code = LOG

    def __init__(self) -> None:
        self.parts = [np.empty((0, 3), np.int64)]

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        return super().arrays(planes, d, most) | {"log": np.zeros((most, 3), np.int64)}

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        self.parts.append(S.log[: S.counts["waiting"]].copy())
        S.counts["waiting"] = 0
        return S

    def log(self) -> np.ndarray:
        """Return (row, look, bits of the signed step) of every update so far."""
        self.parts = [np.concatenate(self.parts)]
        return self.parts[0]


@dataclass(frozen=True)
class Voters:
    """The vectors present during looks after `since` up to `until`, beginning with `start`."""

    problem: Problem  # holds the rows that the log names
    log: np.ndarray  # (row, look, bits of the signed step) of each update
    start: np.ndarray  # (w, b) before the first of them
    since: int
    until: int

    def with_named_rows(self) -> Voters:
        """Return the same voters with a copy of the rows that the log names, instead of all rows."""
        named = np.unique(self.log[:, 0])
        log = np.column_stack([np.searchsorted(named, self.log[:, 0]), self.log[:, 1:]])
        return replace(self, problem=self.problem.part(named), log=log)

    def votes(self, scorer: Scorer) -> np.ndarray:
        """Return Σ weight·side over all vectors, for each point of the scorer."""
        total = np.zeros(scorer.problem.n, np.int64)
        for planes, weights in self._ballots():
            total += scorer.votes(planes, weights)
        return total

    def _ballots(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (planes, weights), a few vectors at a time."""
        w, b = self.start[:-1].copy(), float(self.start[-1])
        again = Scorer(self.problem)
        created = np.concatenate([[self.since + 1], self.log[:, 1], [self.until + 1]])
        for k in range(0, len(self.log) + 1, AT_ONCE):
            updates = self.log[k : k + AT_ONCE]
            planes = np.empty((min(AT_ONCE, len(self.log) + 1 - k), w.size + 1))
            make = again.kernel(replay, w.size * len(planes))
            b = make(self.problem.rows, updates, w, b, self.problem.pad, planes)
            yield planes, np.diff(created[k : k + len(planes) + 1])
