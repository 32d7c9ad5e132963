"""The voted perceptron: every w votes with the number of looks after which it was the present one.

Freund and Schapire 1999. No vector is stored: the log of updates names the rows that were added and the steps, and the
same roundings give the same bits. Of several classes (notes: Z15) the vectors of each plane vote, or sets of joint
planes.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron import passes, slots
from novikoff.perceptron.keeps.keep import Count, Last
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.slots import Planes
from novikoff.scoring.scorer import Scorer

AT_ONCE = 32


class Vote(Last):
    """Keep the log of all updates; the present w is returned beside the voters."""

    code = slots.LOG

    def __init__(self, planes: int) -> None:
        self.parts: list[list[np.ndarray]] = [[np.empty((0, 3), np.int64)] for _ in range(planes)]

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        return super().arrays(planes, d, most) | {"log": np.zeros((planes, most, 3), np.int64)}

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        for parts, log, size in zip(self.parts, S.log, S.cnt[:, slots.QUEUED], strict=True):
            parts.append(log[:size].copy())
        S.cnt[:, slots.QUEUED] = 0
        return S

    def logs(self) -> list[np.ndarray]:
        """Return (row, look, bits of the signed step) of every update of each plane so far."""
        self.parts = [[np.concatenate(parts)] for parts in self.parts]
        return [log for (log,) in self.parts]


@dataclass(frozen=True)
class PlaneVoters:
    """The vectors of one plane present during looks after `since` up to `until`, beginning with `start`."""

    problem: Problem  # holds the rows that the log names
    log: np.ndarray  # (row, look, bits of the signed step) of each update
    start: np.ndarray  # (w, b) before the first of them
    since: int
    until: int
    earlier: PlaneVoters | None = None  # of a run that this one continues

    def votes(self, scorer: Scorer) -> np.ndarray:
        """Return Σ weight·side over all vectors, for each point of the scorer."""
        total = np.zeros(scorer.problem.n, np.int64) if self.earlier is None else self.earlier.votes(scorer)
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
            make = again.kernel(passes.replay, w.size * len(planes))
            b = make(self.problem.rows, updates, w, b, self.problem.pad, planes)
            yield planes, np.diff(created[k : k + len(planes) + 1])


@dataclass(frozen=True)
class Voters:
    """The voters of a run: those of each plane, or sets of joint planes."""

    scheme: Scheme
    each: list[PlaneVoters]
    earlier: Voters | None = None  # of a run that this one continues

    @classmethod
    def of(
        cls,
        scheme: Scheme,
        problem: Problem,
        logs: list[np.ndarray],
        start: np.ndarray,
        since: np.ndarray,
        until: np.ndarray,
        earlier: Voters | None = None,
    ) -> Voters:
        """Return the voters of these logs (one per plane), with one copy of the rows that any of them names."""
        named = np.unique(np.concatenate([log[:, 0] for log in logs]))
        part, each = problem.part(named), []
        for k, log in enumerate(logs):
            own = np.column_stack([np.searchsorted(named, log[:, 0]), log[:, 1:]])
            before = None if earlier is None else earlier.each[k]
            each.append(PlaneVoters(part, own, start[k], int(since[k]), int(until[k]), before))
        return cls(scheme, each, earlier)

    def votes(self, scorer: Scorer) -> np.ndarray:
        """Return the votes as integers: for minus against (points,) of two classes, else (points, classes)."""
        if self.scheme.is_binary:
            return self.each[0].votes(scorer)
        if not self.scheme.is_joint:
            return self.scheme.class_votes(self.tallies(scorer))
        shape = (scorer.problem.n, self.scheme.classes)
        total = np.zeros(shape, np.int64) if self.earlier is None else self.earlier.votes(scorer)
        for sets, weight in self._sets():
            winner = scorer.classes(sets)
            total[np.arange(scorer.problem.n), winner] += weight
        return total

    def tallies(self, scorer: Scorer) -> np.ndarray:
        """Return the votes for minus against (points, planes) of planes that were trained separately."""
        return np.column_stack([voters.votes(scorer) for voters in self.each])

    def _sets(self) -> Iterator[tuple[np.ndarray, int]]:
        """Yield (planes of all classes, looks after which they were the present ones), in order."""
        present = np.stack([voters.start for voters in self.each])
        matrix, pad = self.each[0].problem.matrix(), self.each[0].problem.pad
        events = sorted((int(look), k, int(row), step) for k, v in enumerate(self.each) for row, look, step in v.log)
        created = self.each[0].since + 1
        for look, together in itertools.groupby(events, key=lambda event: event[0]):
            yield present.copy(), look - created
            created = look
            for _, k, row, bits in together:
                x = matrix[row].toarray().ravel() if self.each[0].problem.sparse else matrix[row]
                present[k] += np.int64(bits).view(np.float64) * np.append(x.astype(np.float64), pad)
        yield present.copy(), self.each[0].until + 1 - created
