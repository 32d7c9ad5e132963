"""The arrays that a run carries from look to look, and the slots of their numbers.

`num` and `cnt` hold the floats and the counters of each plane; `all` counts for the planes of several classes together,
in the slots of `cnt`. Compiled passes change these arrays in place.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

# floats of a plane
NUM = range(13)
B, UB, REFB = NUM[:3]  # in checkpoints
PAD, LOSS, THRESHOLD, C = NUM[3:7]  # THRESHOLD: m above it needs no update; LOSS: of the pass
R2, SEEN, W2, CAP, FAR, UNIT = NUM[7:]  # R2 ≥ |x|² + pad² of all rows seen, W2 ≥ |w|² + b²; FAR: error of a score

# counters of a plane
CNT = range(19)
LOOKS, UPDATES, MISTAKES, CREATED, LONGEST, COUNTED = CNT[:6]  # from CREATED on: the run of the present w
WITNESS, HOME, PATIENCE, WINDOW = CNT[6:10]  # Brent's method
NEXT, FARTHEST = CNT[10:12]  # order `first`; the counters up to here are in checkpoints
LIMIT, RULE, POSITIVE, QUEUED = CNT[
    12:16
]  # POSITIVE: the label of the positive side; QUEUED: of the pocket, or the log
RATE0, KEEP, EVERY = CNT[16:]  # update of rates[0]; what is kept; whether all w wait

# counters of several planes together: some slots of `cnt`; whether rows are seen for the first time; and of the rules
# from pa on, whether the order is `first`
ALL = range(21)
FIRST, RESTARTS = ALL[19:]

# values of KEEP
NOTHING, RUNS, SUMS, LOG = range(4)


class State(NamedTuple):
    """The state of one plane, as its compiled pass takes it."""

    w: Any  # weights, float64
    v: Any  # the same in float32 (dense32 only)
    u: Any  # Σ step·(looks before)·y·x, for the average
    ref: Any  # the weights saved by Brent's method
    queue: Any  # candidates (w, b) for the pocket
    rates: Any  # η, or the next ones of a schedule
    factors: Any  # by which a step for the negative, the positive class is multiplied
    mistakes: Any  # how often each row was added, int32
    log: Any  # (row, look, bits of the signed step) of each update of the stretch, for the vote
    num: Any  # floats by slot
    cnt: Any  # counters by slot


class Planes(NamedTuple):
    """The state of all planes of a run; the first index of most arrays is the plane."""

    w: Any  # weights of each plane, of several by a passive-aggressive rule column by column in memory
    v: Any  # the same in float32 (dense32 only)
    t: Any  # the weights in float32 as the verb `tile` takes them, or room for some (`group_pass`); several planes only
    u: Any  # sums for the average
    ref: Any  # the weights saved by Brent's method; none of several planes
    num: Any  # floats by plane and slot
    cnt: Any  # counters by plane and slot
    positive: Any  # the positive class of each plane
    members: Any  # by class: the planes that its rows are shown to
    factors: Any  # by which a step for the negative, the positive side of each plane is multiplied
    resting: Any  # planes that need no more looks
    rates: Any  # η, or the next ones of a schedule
    mistakes: Any  # updates made at each row
    log: Any  # (row, look, bits of the signed step) of each update of the stretch, for the vote
    queue: Any  # candidates for the pocket: all planes (w, b)
    all: Any  # counters of several planes together, by slot

    @property
    def total(self) -> np.ndarray:
        """The counters of the run as a whole."""
        return self.cnt[0] if len(self.cnt) == 1 else self.all  # type: ignore[no-any-return]

    @property
    def present(self) -> np.ndarray:
        """(w, b) of each plane."""
        return np.ascontiguousarray(np.concatenate([self.w, self.num[:, B : B + 1]], axis=1))

    def first_plane(self) -> State:
        """The state of a single plane, which shares these arrays."""
        return State(
            self.w[0], self.v[0], self.u[0], self.ref[0], self.queue[:, 0], self.rates, self.factors[0], self.mistakes,
            self.log, self.num[0], self.cnt[0],
        )  # fmt: skip
