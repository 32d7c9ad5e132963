"""Who votes when there are many classes: the vectors of each plane's run, or sets of joint planes.

From the notes: Z15; Freund and Schapire 1999 for the vote.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.run.vote import Voters
from novikoff.scoring.scorer import Scorer


@dataclass(frozen=True)
class Electorate:
    """The voters of a run with many classes: those of each plane, or sets of joint planes."""

    scheme: Scheme
    each: list[Voters]
    earlier: Electorate | None = None

    def votes(self, judge: Scorer) -> np.ndarray:
        """Votes (points, classes), whole numbers."""
        if self.scheme.name != "joint":
            return self.scheme.class_votes(self.tallies(judge))
        shape = (judge.problem.n, self.scheme.classes)
        total = np.zeros(shape, np.int64) if self.earlier is None else self.earlier.votes(judge)
        for sets, weight in self._sets():
            winner = judge.classes(sets)
            total[np.arange(judge.problem.n), winner] += weight
        return total

    def tallies(self, judge: Scorer) -> np.ndarray:
        """Votes for minus against (points, planes) of planes that were trained apart."""
        return np.column_stack([voters.votes(judge) for voters in self.each])

    def _sets(self) -> Any:
        """(planes of all classes, looks after which they were the present ones), in order."""
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
