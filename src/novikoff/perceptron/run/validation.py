"""Points kept aside: the weights with the fewest errors on them win over all others.

From the notes: Z14 (validation error stops decreasing). After each pass the weights that would be handed back are
counted on the validation points (for the pocket also the present w); the best ones so far are remembered.
"""

from __future__ import annotations

import numpy as np

from novikoff.errors import InputError
from novikoff.perceptron.keeps import Vote
from novikoff.perceptron.orders import rows_of_pass
from novikoff.perceptron.passes import LOOKS, State
from novikoff.perceptron.run.vote import Voters
from novikoff.perceptron.stops import Best
from novikoff.scoring.scorer import Scorer

HOLD_OUT_PASS = 2**63  # no pass has this number: the split is independent of every pass


class Validation:
    """The best weights so far on points that are not trained on."""

    def __init__(self, judge: Scorer, voters: Voters | None = None) -> None:
        self.judge = judge
        self.judge.survey()
        self.best = Best()
        self.plane: np.ndarray | None = None
        self.voters_until = 0
        self.votes = np.zeros(judge.problem.n, np.int64) if voters is None else voters.votes(judge)

    def after_pass(self, keep: object, S: State, voters: Voters | None) -> float:
        """Count the validation errors of what the keep would hand back; the lowest count."""
        if isinstance(keep, Vote) and voters is not None:
            return self._count_votes(voters, int(S.cnt[LOOKS]))
        planes = keep.planes(S)  # type: ignore[attr-defined]
        errors = self.judge.errors(planes)
        best = len(planes) - 1 - int(np.argmin(errors[::-1]))
        if self.best.offer(errors[best].item()):
            self.plane = planes[best].copy()
        return errors[best].item()  # type: ignore[no-any-return]

    def _count_votes(self, voters: Voters, looks: int) -> float:
        self.votes += voters.votes(self.judge)
        y = self.judge.problem.y
        wrong = y[self.votes * y <= 0]
        negative, positive = self.judge.factors
        errors = negative * np.count_nonzero(wrong < 0) + positive * np.count_nonzero(wrong > 0)
        if self.best.offer(errors):
            self.voters_until = looks
        return errors


def hold_out(y: np.ndarray, fraction: float, seed: int) -> np.ndarray:
    """Which rows are trained on when a fraction of each class is kept aside, drawn by the seed.

    At least one row of each class on both sides.
    """
    kept = np.ones(y.size, bool)
    place = rows_of_pass("shuffle", y.size, seed, HOLD_OUT_PASS)
    for label in np.unique(y):
        rows = place[y[place] == label]
        if rows.size < 2:
            raise InputError(
                f"validation_fraction: a class has only {rows.size} point; give X_valid and y_valid instead of a split"
            )
        kept[rows[: set_aside(rows.size, fraction)]] = False
    return kept


def set_aside(rows: int, fraction: float) -> int:
    """How many of so many rows of a class are kept aside."""
    return min(rows - 1, max(1, round(fraction * rows)))
