"""Decide when to skip rows that are surely right, and when to stop skipping.

A run begins with ordinary passes. At pass 16, 32, 64, … the drift of w over one pass is compared with the angles of
some rows. If more than a third could be left out for about two passes, a snapshot is taken (`angles.snapshot`, the cost
of a pass), and the passes that follow leave out what they may (`skip.looks`). A new snapshot is taken when the looks
since the last one exceed three passes, or when most rows are looked at anyway; if the interval, its snapshot counted
in, saved less than a tenth, ordinary passes come back. A look at a listed row counts as 1.5 looks in order: it does not
find its numbers in the cache.

r is the mean of the w passed through in the last pass, not the present w: w goes round in a pass, and from the middle
all of its way is seen under a smaller angle.

Whatever is chosen here, the run is the same to the bit. Rows are left out only when they are shown in their
stored order and all steps are equal. While it is on it holds 8 bytes a row and two vectors of weights.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from novikoff.data.problem import Problem
from novikoff.perceptron import skip_bounds, slots
from novikoff.perceptron.orders import Order
from novikoff.perceptron.plan import Plan
from novikoff.perceptron.run import skip_pass
from novikoff.perceptron.skip_bounds import LISTED, LOOKED, RB, SINE, Angles
from novikoff.perceptron.slots import Planes
from novikoff.scoring.scorer import Scorer

NEVER, IF_IT_PAYS, ALWAYS = range(3)
WHEN = IF_IT_PAYS  # ALWAYS: from pass 2 on, whatever the data
FIRST_TRY = 16  # pass
ENOUGH = 1 << 23  # numbers read by ordinary passes before the first try: some milliseconds
SMALLEST = 20_000  # numbers stored
SAMPLED = 256  # rows
PROMISING = 0.35  # of the sampled rows could be left out
INTERVAL = 3  # passes' worth of looks between two snapshots
CROWDED = 0.8  # of all rows listed
DEAR = 1.5  # looks in order that cost as much as one at a listed row
WORTH = 0.9  # of the cost of ordinary passes
WIDEST = 0.5  # sine to begin with
MOST_ROWS = 2**31 - 2
NO_TRY = 2**62


class SkippableRun(Protocol):
    """The part of a `Run` that is used here."""

    scorer: Scorer
    plan: Plan
    S: Planes
    passes: int
    passes_before: int
    surveyed: bool

    @property
    def order(self) -> Order: ...


class Fewer:
    """Skips rows of one run while that pays."""

    def __init__(self) -> None:
        self.angles: Angles | None = None  # while rows are left out
        self.next_try = 0  # pass; 0: not yet chosen
        self.before: np.ndarray | None = None  # the plane before the pass that is measured
        self.drift = 0.0  # sine of the drift in the first pass after a snapshot, as last seen
        self.passes = 0  # since the snapshot

    def begin_pass(self, run: SkippableRun) -> None:
        """Choose whether the pass that begins skips rows."""
        if WHEN == NEVER or not run.surveyed:
            return
        if self.angles is not None:
            self._go_on(run, self.angles)
        elif run.passes >= self.next_try and self._promises(run):
            self._snapshot(run, _room(run.scorer.problem))

    def _promises(self, run: SkippableRun) -> bool:
        """Whether the pass before this one was measured, and the rows lie wide of its drift."""
        p, number = run.scorer.problem, run.passes - run.passes_before
        if self.next_try == 0:
            first = max(FIRST_TRY, -(-ENOUGH // max(1, p.stored)))
            self.next_try = run.passes_before + first if _may_leave_out(run) else NO_TRY
        if WHEN == ALWAYS:
            return self.next_try != NO_TRY
        if self.before is not None:
            share, self.drift = promise(p, self.before, _plane(run))
            self.before, self.next_try = None, run.passes_before + 2 * (number - 1)
            return share > PROMISING
        if run.passes >= self.next_try:
            self.before = _plane(run)
        return False

    def _go_on(self, run: SkippableRun, here: Angles) -> None:
        """A pass has left out rows: a new snapshot if one is due, ordinary passes if it did not pay."""
        n, looked = run.scorer.problem.n, int(here.cnt[LOOKED])
        self.passes += 1
        if self.passes == 1:
            self.drift = float(here.num[SINE])
        if looked > INTERVAL * n or here.cnt[LISTED] > CROWDED * n:
            if n + DEAR * looked <= WORTH * n * self.passes or WHEN == ALWAYS:
                self._snapshot(run, here)
            else:
                self.angles, self.next_try = None, 2 * run.passes - run.passes_before
        here.path[:] = 0.0

    def _snapshot(self, run: SkippableRun, here: Angles) -> None:
        """The angles of all rows with a new r."""
        p, S, seen = run.scorer.problem, run.S.first_plane(), here.path[-1]
        r = here.path[:-1] / seen if seen else _plane(run)
        here.r[:], here.num[RB] = r[:-1], r[-1]
        with np.errstate(over="ignore"):
            v = here.r.astype(np.float32)
        limit = min(skip_pass.GROWTH * self.drift, WIDEST)
        take = run.scorer.kernel(skip_bounds.snapshot, p.stored)
        take(p.rows, p.y, S.cnt[slots.POSITIVE], v, p.pad, S.w, S.num[slots.B], limit, here)
        self.angles, self.passes = here, 0


def promise(p: Problem, old: np.ndarray, new: np.ndarray) -> tuple[float, float]:
    """(share of sampled rows with a cosine above twice the sine of the drift, that sine); need not be exact."""
    with np.errstate(all="ignore"):
        cosine = float(old @ new) / float(np.sqrt(old @ old) * np.sqrt(new @ new))
        if not cosine > 0.0:
            return 0.0, 1.0
        sine = float(np.sqrt(max(0.0, 1.0 - cosine**2)))
        take = min(p.n // 8 + 1, SAMPLED)
        some = p.part(np.arange(take) * p.n // take)
        X = some.matrix()
        squares = (
            np.asarray(X.multiply(X).sum(axis=1)).ravel() if p.sparse else np.einsum("ij,ij->i", X, X, dtype=np.float64)
        )
        lengths = np.sqrt(squares + p.pad**2) * np.sqrt(new @ new)
        return float(np.mean(some.y * (X @ new[:-1] + new[-1] * p.pad) > 2.0 * sine * lengths)), sine


def _may_leave_out(run: SkippableRun) -> bool:
    """Whether rows may be left out of this run at all, and whether it is large enough."""
    plan, p = run.plan, run.scorer.problem
    if run.order.name != "cyclic" or plan.rule != "perceptron" or not plan.watches_returns or p.in_blocks:
        return False
    return p.n <= MOST_ROWS and (p.stored >= SMALLEST or WHEN == ALWAYS)


def _room(p: Problem) -> Angles:
    return Angles(
        rows=np.empty(p.n + 1, np.int32),
        tau=np.empty(p.n, np.float32),
        r=np.empty(p.d),
        path=np.zeros(p.d + 2),
        num=np.zeros(len(skip_bounds.NUM)),
        cnt=np.zeros(len(skip_bounds.CNT), np.int64),
    )


def _plane(run: SkippableRun) -> np.ndarray:
    return np.asarray(run.S.present[0])
