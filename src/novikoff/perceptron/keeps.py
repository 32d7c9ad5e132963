"""The keeps: which weights a run returns, and validation points, on which the best of them are chosen.

    last      the present w
    pocket    the w with the fewest errors among those that were counted; on a stream that with the longest run
    average   the mean of w over all looks
    auto      of a plane that separates its points, its present w; of all others the average, which counts from pass 11
    vote      every w votes with the number of looks it lasted (Freund and Schapire 1999)

A keep makes the arrays that it needs (`state.Planes`: sums, queue or log); several planes are kept as one set.

From the notes: R7 (the pocket with ratchet; Gallant 1990), Z14 (validation error stops decreasing). docs/notes.md says
how our pocket differs from Gallant's text: a vector is counted when its run of right looks is the longest so far,
accepted or not, and at the end of each pass, and the pocket changes only when the exact count falls. The pocket never
influences w, so candidates wait in a queue and are counted together in one pass over the points. The vote stores no
vector: its log of updates names the rows that were added and the steps, and the same roundings give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.perceptron.orders import rows_of_pass
from novikoff.perceptron.pass_one import replay
from novikoff.perceptron.scheme import Scheme, errors_of
from novikoff.perceptron.state import LOG, NOTHING, STREAKS, SUMS, Planes
from novikoff.perceptron.stops import Best
from novikoff.scoring.scorer import Scorer

Count = Callable[[np.ndarray], np.ndarray]  # the errors of each set of planes (sets, planes, d + 1)


class Last:
    """Return the present w."""

    code = NOTHING
    errors: float | None = None  # of the planes in the pocket, where counted
    planes: np.ndarray | None = None  # in the pocket

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        """Return the arrays of `Planes` for this keep; most: looks of a stretch."""
        return {
            "sums": np.zeros((planes, 1)),
            "queue": np.zeros((1, planes, d + 1)),
            "log": np.zeros((1, 3), np.int64),
        }

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        """Empty what is full after a stretch of looks; count: None while there are rows that were never seen."""
        return S

    def end_of_pass(self, S: Planes, count: Count, separates: bool) -> float | None:
        """Update the keep after a pass; return the errors of the present planes where they are known."""
        return 0 if separates else None

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        """Return the sets of planes (w, b) to validate; the last one is what the keep returns.

        looks: of each plane, as far as the average counts them.
        """
        return S.present[None]

    def returned(self, S: Planes, looks: np.ndarray, separated: bool) -> np.ndarray:
        """Return (w, b) of each plane at the end of a run; separated: whether the present planes make no mistake."""
        return np.asarray(self.candidates(S, looks)[-1])


class Average(Last):
    """Return the mean of w over all looks:  w − u/c,  u = Σ step·(looks before)·y·x over the mistakes, c looks."""

    code = SUMS

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        return super().arrays(planes, d, most) | {"sums": np.zeros((planes, d))}

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        c = np.maximum(looks, 1).astype(np.float64)[:, None]
        return np.asarray(S.present - np.column_stack([S.sums, S.each["bias_sum"]]) / c)[None]


class SeparatingOrAverage(Average):
    """Return the present w of a plane that separates its points, of any other the average.

    Where no plane separates the points, the present w is only that of the last mistake; the average has fewer errors on
    new points (Freund and Schapire 1999). On validation points the averages compete.
    """

    def returned(self, S: Planes, looks: np.ndarray, separated: bool) -> np.ndarray:
        at_rest = (S.each["resting"] | separated)[:, None]
        return np.where(at_rest, S.present, super().returned(S, looks, separated))


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


AT_ONCE = 32


class Vote(Last):
    """Keep the log of all updates; the present w is returned beside the voters."""

    code = LOG

    def __init__(self) -> None:
        self.parts = [np.empty((0, 3), np.int64)]

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        return super().arrays(planes, d, most) | {"log": np.zeros((most, 3), np.int64)}

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        self.parts.append(S.log[: S.counts["waiting"]].copy())
        S.counts["waiting"] = 0
        return S

    def log(self) -> np.ndarray:
        """Return (row, look, bits of the signed step) of every update so far."""
        self.parts = [np.concatenate(self.parts)]
        return self.parts[0]


@dataclass(frozen=True)
class Voters:
    """The vectors present during looks after `since` up to `until`, beginning with `start`."""

    problem: Problem  # holds the rows that the log names
    log: np.ndarray  # (row, look, bits of the signed step) of each update
    start: np.ndarray  # (w, b) before the first of them
    since: int
    until: int

    def with_named_rows(self) -> Voters:
        """Return the same voters with a copy of the rows that the log names, instead of all rows."""
        named = np.unique(self.log[:, 0])
        log = np.column_stack([np.searchsorted(named, self.log[:, 0]), self.log[:, 1:]])
        return replace(self, problem=self.problem.part(named), log=log)

    def votes(self, scorer: Scorer) -> np.ndarray:
        """Return Σ weight·side over all vectors, for each point of the scorer."""
        total = np.zeros(scorer.problem.n, np.int64)
        for planes, weights in self._ballots():
            total += scorer.votes(planes, weights)
        return total

    def _ballots(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """Yield (planes, weights), a few vectors at a time."""
        w, b = self.start[:-1].copy(), float(self.start[-1])
        again = Scorer(self.problem)
        created = np.concatenate([[self.since + 1], self.log[:, 1], [self.until + 1]])
        for k in range(0, len(self.log) + 1, AT_ONCE):
            updates = self.log[k : k + AT_ONCE]
            planes = np.empty((min(AT_ONCE, len(self.log) + 1 - k), w.size + 1))
            make = again.kernel(replay, w.size * len(planes))
            b = make(self.problem.rows, updates, w, b, self.problem.pad, planes)
            yield planes, np.diff(created[k : k + len(planes) + 1])


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


def keep_of(name: str, once: bool) -> Last:
    """Return a new keep of that name; once: for rows that are shown once and dropped."""
    if name == "pocket":
        return LongestStreak() if once else Pocket()
    if name == "vote":
        return Vote()
    if name == "auto":
        return Average() if once else SeparatingOrAverage()
    return Average() if name == "average" else Last()
