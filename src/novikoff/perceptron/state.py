"""The state of a run that its passes change: named arrays, and records with the numbers of each plane and of the run.

One plane is K = 1 of (d, K), so that all passes share this state.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.kernels.exact_sign import LIMBS
from novikoff.kernels.norms import length
from novikoff.scoring.scorer import aligned, side_by_side

NEVER = 2**62
NOTHING, STREAKS, SUMS, LOG = range(4)  # what a keep records: nothing, candidates, sums for the average, updates
NOWHERE = -1  # no place in the order

PLANE = np.dtype(
    [
        ("bias", "f8"),
        ("bias_sum", "f8"),  # Σ step·(looks before)·y·pad, for the average
        ("looks", "i8"),  # that the average counts
        ("updates", "i8"),
        ("mistakes", "i8"),
        ("negative", "f8"),  # factor of the steps of its negative side,
        ("positive", "f8"),  # and of its positive side
        ("resting", "?"),  # it separates its points and needs no more looks
        ("norm2", "f8"),  # an upper bound of |w|² + b²
        ("cap", "f8"),  # of norm2: up to it `error` holds
        ("error", "f8"),  # a bound on the error of y·score − θ, for the fast score of a look
    ]
)
RUN = np.dtype(
    [
        ("rule", "i8"),  # its place in RULES
        ("threshold", "f8"),  # a point whose y·score is above needs no update
        ("C", "f8"),  # of pa1 and pa2
        ("pad", "f8"),  # the coordinate of the bias, 0 without one
        ("records", "i8"),  # NOTHING, STREAKS, SUMS or LOG
        ("batch", "?"),  # order `batch`: mistakes are added to `batch`, the weights stay
        ("restarts", "?"),  # order `first`: look again from the first row after an update
        ("new", "?"),  # rows may be new: they are checked and measured
        ("looks", "i8"),
        ("updates", "i8"),
        ("mistakes", "i8"),
        ("loss", "f8"),  # Σ max(θ − m, 0) over the updates of this pass
        ("limit", "i8"),  # of updates
        ("rates_from", "i8"),  # the updates before the first one of `rates`
        ("radius2", "f8"),  # an upper bound of |x|² + pad² of all rows seen,
        ("seen", "f8"),  # which holds for rows with |x|² up to this
        ("offset", "i8"),  # the number of the first row, where rows come in blocks
        ("place", "i8"),  # order `first`: the next row,
        ("farthest", "i8"),  # and the end of the rows that were looked at
        ("streak_from", "i8"),  # pocket: the look that made the present w
        ("longest", "i8"),  # streak of right looks so far
        ("counted", "?"),  # whether the errors of the present w were counted
        ("waiting", "i8"),  # candidates in the queue, or updates in the log
        ("every", "?"),  # whether each w waits, however short its streak
        ("saved_bias", "f8"),  # cycles: that of the weights saved in `reference`; NaN if none are
        ("witness", "i8"),  # a column in which w differs from `reference`, as far as is known
        ("home", "i8"),  # the place in the order at which the weights were saved
        ("patience", "i8"),  # returns to another place that are not reported
        ("window", "i8"),  # the number of updates after which w is saved anew
    ]
)


class Planes(NamedTuple):
    """The state of K planes; compiled passes change it in place."""

    weights: Any  # (d, K), float64; of several planes: see `weights_of`
    fast: Any  # the weights from which fast scores are computed: `weights`, or a float32 copy of them
    sums: Any  # (K, d) Σ step·(looks before)·y·x, for the average; (K, 1) without one
    reference: Any  # (d,) the weights that later ones are compared with to find a cycle; (1,) of several planes
    each: Any  # (K,) of PLANE
    run: Any  # (1,) of RUN
    sides: Any  # (classes, K) the side of a class for each plane: 1, −1, or 0 where its rows are not shown to it
    rates: Any  # η, or the next ones of a schedule
    row_updates: Any  # how often each row was added, int32
    batch: Any  # (d + 1,) Σ factor·y·(x, pad) over the mistakes of a pass of the order `batch`
    log: Any  # (row, look, bits of the signed step) of each update of the stretch, for the vote
    queue: Any  # (places, K, d + 1) candidates for the pocket
    limbs: Any  # room for an exact sum,
    scores: Any  # and for the scores of a row under all planes

    @property
    def counts(self) -> Any:
        """The record of the run."""
        return self.run[0]

    @property
    def present(self) -> np.ndarray:
        """(w, b) of each plane."""
        W = self.weights[:, : self.each.size]
        return np.ascontiguousarray(np.column_stack([W.T, self.each["bias"]]))

    def flat(self) -> Planes:
        """The state of one plane with vectors of weights and sums."""
        return self._replace(weights=self.weights.ravel(), fast=self.fast.ravel(), sums=self.sums.ravel())

    def lengths(self) -> np.ndarray:
        """Return the length of (w, b) of each plane."""
        W, bias = self.weights[:, : self.each.size], self.each["bias"]
        with np.errstate(over="ignore"):
            squares = np.einsum("jk,jk->k", W, W) + bias * bias  # without BLAS, whose threads would wait for each other
        if ((squares > 2.0**-800) & (squares < 2.0**1000)).all():
            return np.asarray(np.sqrt(squares))
        return np.array([length(w, b) for w, b in zip(np.ascontiguousarray(W.T), bias.tolist(), strict=True)])

    def copy_weights(self) -> None:
        """Make the float32 copy of the weights anew, if there is one."""
        if self.fast.dtype == np.float32:
            with np.errstate(over="ignore"):
                self.fast[:, : self.each.size] = self.weights[:, : self.each.size]


def weights_of(start: np.ndarray, single: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights (d, K) of planes (w, b), and those for fast scores; single: whether these are in float32.

    Of several planes, the weights of a plane are adjacent in memory where scores are in float32 (dense rows); else
    those of a column, with planes of zeros up to a multiple of four. -0.0 becomes 0.0, so that the storage of the
    points makes no difference.
    """
    if len(start) > 1 and not single:
        weights = side_by_side(start[:, :-1] + 0.0)
    else:
        weights = aligned((len(start), start.shape[1] - 1), np.float64).T
        weights[:] = start[:, :-1].T + 0.0
    if not single:
        return weights, weights
    fast = aligned(weights.T.shape).T
    with np.errstate(over="ignore"):
        fast[:] = weights
    return weights, fast


def new_planes(start: np.ndarray, single: bool, n: int, sides: np.ndarray, recorded: dict[str, np.ndarray]) -> Planes:
    """Return the state before the first look of n rows; start: (K, d + 1), recorded: the arrays of the keep."""
    K, d = start.shape[0], start.shape[1] - 1
    weights, fast = weights_of(start, single)
    each, run = np.zeros(K, PLANE), np.zeros(1, RUN)
    each["bias"], run["saved_bias"], run["window"], run["limit"] = start[:, -1] + 0.0, np.nan, NEVER, NEVER
    each["negative"] = each["positive"] = 1.0
    return Planes(
        weights=weights,
        fast=fast,
        reference=np.zeros(d if K == 1 else 1),
        each=each,
        run=run,
        sides=sides,
        rates=np.ones(1),
        row_updates=np.zeros(n, np.int32),
        batch=np.zeros(1),
        limbs=np.zeros(LIMBS, np.int64),
        scores=np.zeros(fast.shape[1], fast.dtype),
        **recorded,
    )
