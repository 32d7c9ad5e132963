"""The pass of one partition: the existing pass of a run, from the common weights V, with steps of P·η.

A pure function of the partition's rows and V, so that it may be computed by any worker, again if need be. Rows are
checked in every pass: a worker knows nothing of earlier ones. Weights that the pass did not change are not returned
where that makes the result smaller; as V has no −0.0, adding their difference 0 would change no bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron import slots
from novikoff.perceptron.multiclass.scheme import Scheme
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run.run import Run


class LocalResult(NamedTuple):
    """What the pass of a partition returns."""

    places: np.ndarray | None  # of the weights that changed, among all weights of all planes; None: all are returned
    weights: np.ndarray  # after the pass, at these places
    moved: np.ndarray  # updates of each plane
    updates: int  # of all planes together
    looks: int
    loss: np.ndarray  # of each plane


@dataclass(frozen=True)
class LocalPass:
    """Makes round `number` (from 1) on one partition."""

    plan: Plan  # with the local steps
    scheme: Scheme
    planes: np.ndarray  # V: (w, b) of each plane
    resting: np.ndarray  # planes that need no more looks
    number: int
    partitions: Mapping[int, int]  # the number of the first row of each partition → the number of the partition

    def __call__(self, part: Problem) -> LocalResult:
        order = replace(self.plan.order, partition=self.partitions[part.number(0)])
        run = Run.begin(part, replace(self.plan, order=order), self.planes, None, self.scheme)
        run.S.resting[:] = self.resting
        run.passes = self.number - 1
        run.begin_pass()
        for piece in run.pieces():
            run.after(piece, piece.compiled_pass(*piece.arguments))
        tally, S = run.tally(), run.S
        moved, loss = S.cnt[:, slots.UPDATES].copy(), S.num[:, slots.LOSS].copy()
        places, weights = _changed(self.planes, S.present)
        return LocalResult(places, weights, moved, tally.updates, tally.looks, loss)


def _changed(before: np.ndarray, after: np.ndarray) -> tuple[np.ndarray | None, np.ndarray]:
    """Return the places and values of the weights that changed; all values where places would not save memory."""
    places = np.flatnonzero(before != after)
    return (places, after.ravel()[places]) if 2 * places.size < after.size else (None, after.ravel())


class Mean:
    """Adds up the results of a round in the order of the partitions.

        V ← V + (Σ_p (w_p − V))/P        for P = 1: V ← w_1

    Whole numbers stay whole: w_p − V is P times the sum of the mistakes of partition p. If no result differs from V,
    V does not change.
    """

    def __init__(self, planes: np.ndarray, partitions: int) -> None:
        self.planes, self.partitions = planes, partitions
        self.sums = np.zeros(planes.size)

    def add(self, result: LocalResult) -> None:
        """Add the result of the next partition."""
        here = slice(None) if result.places is None else result.places
        if self.partitions == 1:
            self.sums[:] = self.planes.ravel()
            self.sums[here] = result.weights
        else:
            self.sums[here] += result.weights - self.planes.ravel()[here]

    def mixed(self) -> np.ndarray:
        """Return the new V."""
        sums = self.sums.reshape(self.planes.shape)
        return sums if self.partitions == 1 else np.asarray(self.planes + sums / self.partitions)
