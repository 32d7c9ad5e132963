"""When to leave out rows that are surely right, and when to stop doing so.

A run begins with ordinary passes. At pass 8, 16, 32, … the drift of w over one pass is compared with the angles of some
rows: if more than a third could be left out for about two passes, a snapshot is taken (`angles.snapshot`, the cost of a
pass) and the passes that follow leave out what they may (`skip.looks`). As w drifts the list of rows to look at grows;
a new snapshot is taken when a pass costs more than the passes since the last one did on average, the snapshot counted
in: later would be dearer, and so would earlier. If an interval saves less than a tenth, ordinary passes come back.

Whatever is chosen here, the run is the same to the bit. It is only for presentation in order and steps that are all
equal, and holds 8 bytes a row while it is on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from novikoff.perceptron import angles, skip
from novikoff.perceptron.angles import LOOKED, RELISTED, SINE, Angles
from novikoff.perceptron.passes import PAD, POSITIVE, B
from novikoff.points.problem import Problem
from novikoff.sides.judge import Judge

if TYPE_CHECKING:
    from novikoff.perceptron.train import Run

NEVER, IF_IT_PAYS, ALWAYS = range(3)
WHEN = NEVER  # ALWAYS: from pass 2 on, on data of any size
FIRST_TRY = 8  # pass
ENOUGH = 1 << 23  # numbers that ordinary passes have read before the first try: some milliseconds
SMALLEST = 20_000  # numbers stored
PROMISING = 0.35  # of the sampled rows could be left out
SAMPLED = 256
MOST_ROWS = 2**31 - 2


class Fewer:
    """The looks of one run, made fewer while that pays."""

    def __init__(self) -> None:
        self.angles: Angles | None = None  # while rows are left out
        self.next_try = 0
        self.before: np.ndarray | None = None  # the plane before the pass that is measured
        self.drift = 0.0  # sine of the drift of the first pass after a snapshot
        self.passes = 0  # since the snapshot
        self.looked = 0

    def begin_pass(self, run: Run) -> None:
        """Choose how the pass that begins is made."""
        if WHEN == NEVER or not run.surveyed or not _is_open_to(run):
            return
        if self.angles is not None:
            self._go_on(run)
        elif WHEN == ALWAYS:
            self._snapshot(run)
        else:
            self._try(run)

    def kernel(self, judge: Judge) -> Any:
        """The stretch of looks that leaves out rows, called as the ordinary one is."""
        left_out, looks = self.angles, judge.kernel(skip.looks, judge.problem.stored)
        return lambda A, y, rows, lo, hi, S: looks(A, y, left_out, lo, hi, S)

    def _try(self, run: Run) -> None:
        """At the passes chosen for it measure one pass, then begin if that promises to pay."""
        p, number = run.judge.problem, run.passes - run.passes_before
        if self.before is not None:
            old, self.before = self.before, None
            share, self.drift = promise(p, old, _plane(run))
            if share > PROMISING:
                self._snapshot(run)
            return
        self.next_try = self.next_try or max(FIRST_TRY, -(-ENOUGH // p.stored))
        if number >= self.next_try:
            self.before, self.next_try = _plane(run), 2 * number

    def _go_on(self, run: Run) -> None:
        """A pass has left out rows: a new snapshot if that is due, ordinary passes if it did not pay."""
        assert self.angles is not None
        n, cnt = run.judge.problem.n, self.angles.cnt
        last, self.looked = int(cnt[LOOKED]) - self.looked, int(cnt[LOOKED])
        self.passes += 1
        if self.passes == 1:
            self.drift = float(self.angles.num[SINE])
        spent = n + self.looked + int(cnt[RELISTED]) * n // 8
        full = last > 0.8 * n
        poor = (full or self.passes >= 4) and spent > 0.9 * n * self.passes
        if poor and WHEN != ALWAYS:
            self.angles = None
            self.next_try = 2 * (run.passes - run.passes_before)
        elif full or last * self.passes > spent:
            self._snapshot(run)

    def _snapshot(self, run: Run) -> None:
        p, S = run.judge.problem, run.S
        if self.angles is None:
            self.angles = Angles(
                rows=np.empty(p.n + 1, np.int32),
                tau=np.empty(p.n, np.float32),
                r=np.empty(p.d),
                num=np.zeros(7),
                cnt=np.zeros(3, np.int64),
            )
        take = run.judge.kernel(angles.snapshot, p.stored)
        limit = min(skip.GROWTH * self.drift, 0.5)
        take(p.rows, p.y, S.cnt[POSITIVE], S.w, S.v, S.num[B], S.num[PAD], limit, self.angles)
        self.passes = self.looked = 0


def promise(p: Problem, old: np.ndarray, new: np.ndarray) -> tuple[float, float]:
    """(share of sampled rows with a cosine above twice the sine of the drift, that sine); need not be exact."""
    lengths = float(old @ old) * float(new @ new)
    cosine = float(old @ new) / np.sqrt(lengths) if lengths > 0.0 else 0.0
    if not cosine > 0.0:
        return 0.0, 1.0
    sine = float(np.sqrt(max(0.0, 1.0 - cosine**2)))
    take = min(p.n // 8 + 1, SAMPLED)
    some = p.part(np.arange(take) * p.n // take)
    X = some.matrix()
    squares = np.asarray(X.multiply(X).sum(axis=1)).ravel() if p.sparse else np.einsum("ij,ij->i", X, X)
    scores = some.y * (X @ new[:-1] + new[-1] * p.pad)
    wide = scores > 2.0 * sine * np.sqrt((squares + p.pad**2) * float(new @ new))
    return float(np.mean(wide)), sine


def _is_open_to(run: Run) -> bool:
    """Whether rows may be left out of this run at all, and the data are large enough."""
    plan, p = run.plan, run.judge.problem
    plain = plan.order.name == "cyclic" and plan.rule == "perceptron" and plan.steps_are_equal
    return plain and p.n <= MOST_ROWS and (p.stored >= SMALLEST or WHEN == ALWAYS)


def _plane(run: Run) -> np.ndarray:
    return np.append(run.S.w, run.S.num[B])
