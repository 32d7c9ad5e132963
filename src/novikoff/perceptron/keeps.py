"""Which weights are handed back.

    last      the present w
    pocket    the w with the fewest errors among those that were counted; on a stream that with the longest run
    average   the mean of w over all looks
    vote      every w votes with the number of looks it lasted

From the notes: R7 (the pocket with ratchet; Gallant 1990). How our rule differs from Gallant's text is said in
docs/notes.md: a vector is counted when its run of right looks is the longest so far, accepted or not, and at the end
of each pass, and the pocket changes only when the exact count falls. The pocket never influences w, so candidates
wait in a queue and are counted together in one pass over the points.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.perceptron import passes
from novikoff.perceptron.passes import COUNTED, CREATED, LONGEST, LOOKS, QUEUED, UB, B, State
from novikoff.scoring.scorer import Scorer

QUEUE, NUMBERS = 64, 1 << 18  # candidates that wait to be counted, and the numbers of all of them for wide points


class Last:
    """The present w."""

    code = passes.NOTHING
    errors: float | None = None  # of what is kept, where counted

    def room(self, d: int, most: int) -> dict[str, np.ndarray]:
        """The arrays of `State` that this keep needs."""
        return {}

    def drain(self, S: State, judge: Scorer, may_count: bool) -> State:
        """Called after each stretch of looks: empty what is full."""
        return S

    def end_of_pass(self, S: State, judge: Scorer, separates: bool) -> float | None:
        """Called after each pass; the errors of the present w where they are counted anyway."""
        return 0 if separates else None

    def planes(self, S: State) -> np.ndarray:
        """The planes (w, b) that would be handed back now: what is validated. The last one is the keep's own."""
        return np.append(S.w, S.num[B])[None]


class Pocket(Last):
    """The w with the fewest errors among those counted."""

    code = passes.RUNS

    def __init__(self) -> None:
        self.plane: np.ndarray | None = None

    def room(self, d: int, most: int) -> dict[str, np.ndarray]:
        return {"queue": np.zeros((waiting(d + 1), d + 1))}

    def drain(self, S: State, judge: Scorer, may_count: bool) -> State:
        if S.cnt[QUEUED] < len(S.queue):
            return S
        if may_count:
            self._settle(S, judge, np.empty((0, S.w.size + 1)))
            return S
        return S._replace(queue=np.concatenate([S.queue, np.zeros_like(S.queue)]))

    def end_of_pass(self, S: State, judge: Scorer, separates: bool) -> float | None:
        present = np.append(S.w, S.num[B])[None]
        if separates:
            S.cnt[QUEUED] = 0
            S.cnt[COUNTED] = 1
            self._offer(present[0], 0)
            return 0
        if S.cnt[COUNTED]:
            present = present[:0]
        counted = self._settle(S, judge, present)
        S.cnt[COUNTED] = 1
        return counted[-1].item() if len(present) else None

    def planes(self, S: State) -> np.ndarray:
        present = np.append(S.w, S.num[B])
        return present[None] if self.plane is None else np.stack([present, self.plane])

    def _settle(self, S: State, judge: Scorer, more: np.ndarray) -> np.ndarray:
        """Count the waiting candidates (and `more`) and play the ratchet in their order."""
        waiting = np.concatenate([S.queue[: S.cnt[QUEUED]], more])
        S.cnt[QUEUED] = 0
        if not len(waiting):
            return np.empty(0, np.int64)
        counted = judge.errors(waiting)
        for plane, errors in zip(waiting, counted, strict=True):
            self._offer(plane, errors.item())
        return counted

    def _offer(self, plane: np.ndarray, errors: float) -> None:
        if self.errors is None or errors < self.errors:
            self.plane, self.errors = plane.copy(), errors


class LongestStreak(Pocket):
    """The pocket of a stream, where nothing can be counted: the w with the longest run of right looks."""

    def drain(self, S: State, judge: Scorer, may_count: bool) -> State:
        if S.cnt[QUEUED]:
            self.plane = S.queue[S.cnt[QUEUED] - 1].copy()
            S.cnt[QUEUED] = 0
        return S

    def planes(self, S: State) -> np.ndarray:
        if self.plane is None or S.cnt[LOOKS] - S.cnt[CREATED] > S.cnt[LONGEST]:
            return Last.planes(self, S)
        return self.plane[None]


class Average(Last):
    """The mean of w over all looks:  w − u/c,  u = Σ step·(looks before)·y·x over the mistakes, c looks in all."""

    code = passes.SUMS

    def room(self, d: int, most: int) -> dict[str, np.ndarray]:
        return {"u": np.zeros(d)}

    def planes(self, S: State) -> np.ndarray:
        looks = float(max(1, S.cnt[LOOKS]))
        return np.append(S.w - S.u / looks, S.num[B] - S.num[UB] / looks)[None]


class Vote(Last):
    """Every w votes with the number of looks after which it was the present one (Freund and Schapire 1999).

    Only the log of updates is stored: row, look and step of each; the vectors are made again from it, bit for bit.
    """

    code = passes.LOG

    def __init__(self) -> None:
        self.log: list[np.ndarray] = [np.empty((0, 3), np.int64)]

    def room(self, d: int, most: int) -> dict[str, np.ndarray]:
        return {"log": np.zeros((most, 3), np.int64)}

    def drain(self, S: State, judge: Scorer, may_count: bool) -> State:
        self.log.append(S.log[: S.cnt[QUEUED]].copy())
        S.cnt[QUEUED] = 0
        return S

    def updates(self) -> np.ndarray:
        """(row, look, bits of the signed step) of every update so far."""
        self.log = [np.concatenate(self.log)]
        return self.log[0]


def waiting(numbers: int) -> int:
    """How many candidates of so many numbers wait to be counted together: 64, fewer where they would take memory."""
    return int(np.clip(NUMBERS // numbers, 2, QUEUE))


def keep_of(name: str, once: bool = False) -> Any:
    """A new keep of that name; `once`: for rows that are shown once and dropped."""
    if once and name == "pocket":
        return LongestStreak()
    return {"last": Last, "pocket": Pocket, "average": Average, "vote": Vote}[name]()
