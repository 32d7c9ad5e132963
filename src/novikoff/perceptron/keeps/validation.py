"""Validation points: the weights with the fewest errors on them are returned.

From the notes: Z14 (validation error stops decreasing). After each pass the errors of the weights that would be
returned (for the pocket also of the present w) are counted on the validation points; the best ones are remembered.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.perceptron.keeps.vote import Vote, Voters
from novikoff.perceptron.orders import rows_of_pass
from novikoff.perceptron.scheme import Scheme
from novikoff.perceptron.stops import Best
from novikoff.perceptron.winning_class import errors_of
from novikoff.scoring.scorer import Scorer

HOLD_OUT_PASS = 2**63  # no pass has this number: the split is independent of every pass


class Validation:
    """The best planes so far on points that are not trained on."""

    def __init__(self, scorer: Scorer) -> None:
        self.scorer = scorer
        self.scorer.survey()
        self.planes: np.ndarray | None = None
        self.pass_start = np.empty((1, 0))  # planes when the pass began, for the vote
        self.voters_until = 0
        self.votes = np.zeros(scorer.problem.n, np.int64)

    def after_pass(self, run: Any) -> float:
        """Count the validation errors of what the keep of the run would return; return the lowest count."""
        if isinstance(run.keep, Vote):
            return self._count_votes(run, run.keep)
        return self.offer(run.keep.candidates(run.S, run.averaged_looks()), run.scheme, run.best)

    def offer(self, sets: np.ndarray, scheme: Scheme, best: Best) -> float:
        """Count the validation errors of sets of planes, of which the last is what would be returned; return the
        lowest count, and remember its planes if it is the lowest so far.
        """
        errors = errors_of(self.scorer, sets, scheme)
        lowest = len(sets) - 1 - int(np.argmin(errors[::-1]))
        if best.offer(errors[lowest].item()):
            self.planes = sets[lowest].copy()
        return errors[lowest].item()  # type: ignore[no-any-return]

    def _count_votes(self, run: Any, keep: Vote) -> float:
        """Add the votes of the vectors present during this pass, and count the errors of all votes."""
        since, until, log = run.at_pass.looks, run.tally().looks, keep.log()
        voters = Voters(run.scorer.problem, log[log[:, 1] > since], self.pass_start[0], since, until)
        self.votes += voters.votes(self.scorer)
        y = self.scorer.problem.y
        wrong = y[self.votes * y <= 0]
        negative, positive = self.scorer.factors
        errors = negative * np.count_nonzero(wrong < 0) + positive * np.count_nonzero(wrong > 0)
        if run.best.offer(errors):
            self.voters_until = until
        return errors


def hold_out(y: np.ndarray, fraction: float, seed: int) -> np.ndarray:
    """Return which rows are trained on when a fraction of each class, drawn by the seed, is held out.

    At least one row of each class on both sides.
    """
    kept = np.ones(y.size, bool)
    place = rows_of_pass("shuffle", y.size, seed, HOLD_OUT_PASS)
    for label in np.unique(y):
        rows = place[y[place] == label]
        if rows.size < 2:
            raise InputError(
                f"a class has only {rows.size} point; use X_valid and y_valid instead",
                "validation_fraction",
            )
        kept[rows[: set_aside(rows.size, fraction)]] = False
    return kept


def set_aside(rows: int, fraction: float) -> int:
    """Return how many of so many rows of a class are held out."""
    return min(rows - 1, max(1, round(fraction * rows)))
