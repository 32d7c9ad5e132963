"""The pocket: the planes with the fewest errors so far.

From the notes: R7 (the pocket with ratchet; Gallant 1990). docs/notes.md says how our rule differs from Gallant's text:
a vector is counted when its run of right looks is the longest so far, accepted or not, and at the end of each pass, and
the pocket changes only when the exact count falls. The pocket never influences w, so candidates wait in a queue and are
counted together in one pass over the points.
"""

from __future__ import annotations

import numpy as np

from novikoff.perceptron.keeps.keep import Count, Last
from novikoff.perceptron.state import STREAKS, Planes

QUEUE, NUMBERS = 64, 1 << 18  # candidates that wait to be counted, and the numbers of all of them for wide points
SETS = 16  # candidates that wait, where each is a set of several planes


class Pocket(Last):
    """Return the planes with the fewest errors among those counted."""

    code = STREAKS

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        places = int(np.clip(NUMBERS // (planes * (d + 1)), 2, QUEUE))
        places = places if planes == 1 else min(SETS, places)
        return super().arrays(planes, d, most) | {"queue": np.zeros((places, planes, d + 1))}

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        if S.counts["waiting"] < len(S.queue):
            return S
        if count is None:
            return S._replace(queue=np.concatenate([S.queue, np.zeros_like(S.queue)]))
        self._count_queue(S, count, S.queue[:0])
        return S

    def end_of_pass(self, S: Planes, count: Count, separates: bool) -> float | None:
        counts, present = S.counts, S.present[None]
        if separates:
            counts["waiting"], counts["counted"] = 0, True
            self._offer(present[0], 0)
            return 0
        if counts["counted"]:
            present = present[:0]
        counted = self._count_queue(S, count, present)
        counts["counted"] = True
        return counted[-1].item() if len(present) else None

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        return S.present[None] if self.planes is None else np.stack([S.present, self.planes])

    def _count_queue(self, S: Planes, count: Count, more: np.ndarray) -> np.ndarray:
        """Count the errors of the queue and of `more`, and take each better one in their order."""
        waiting = np.concatenate([S.queue[: S.counts["waiting"]], more])
        S.counts["waiting"] = 0
        if not len(waiting):
            return np.empty(0, np.int64)
        counted = count(waiting)
        for planes, errors in zip(waiting, counted, strict=True):
            self._offer(planes, errors.item())
        return counted

    def _offer(self, planes: np.ndarray, errors: float) -> None:
        if self.errors is None or errors < self.errors:
            self.planes, self.errors = planes.copy(), errors


class LongestStreak(Pocket):
    """Return the planes with the longest run of right looks: the pocket of a stream, where nothing can be counted."""

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        if waiting := S.counts["waiting"]:
            self.planes = S.queue[waiting - 1].copy()
            S.counts["waiting"] = 0
        return S

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        streak = S.counts["looks"] - S.counts["streak_from"]
        longer = self.planes is None or streak > S.counts["longest"]
        return S.present[None] if longer or self.planes is None else self.planes[None]
