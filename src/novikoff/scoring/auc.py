"""Compute the exact AUC of any number of scores in constant memory, with an external sort.

    AUC = Σ over positives of (negatives below + ½·negatives equal) / (P·N)

Up to `ROOM` scores stay in memory. More are written as sorted runs to an unnamed temporary file, which disappears with
the process; then all runs are merged, some scores of each at a time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from typing import Any, BinaryIO

import numpy as np

from novikoff.errors import InputError

ROOM = 1 << 18  # scores in memory: 2 MB
LEAST = 1 << 9  # of a run that are merged at a time


class Ranked:
    """Scores of class 0 (negative) and 1 (positive), added as they arrive."""

    def __init__(self) -> None:
        self.waiting: tuple[list[np.ndarray], list[np.ndarray]] = [], []
        self.room = ROOM
        self.runs: list[tuple[int, int, int]] = []  # in the file: class, size, offset
        self.file: BinaryIO | None = None

    def add(self, scores: np.ndarray, truth: np.ndarray) -> None:
        """Add some scores and their classes."""
        for k, parts in enumerate(self.waiting):
            parts.append(np.asarray(scores, np.float64)[truth == k])
        self.room -= len(scores)
        if self.room < 0:
            self._write()

    def area(self) -> float | None:
        """Return the fraction of pairs (one of each class) whose positive has the higher score; equal scores count
        half.
        """
        runs = [_SortedScores(k, size, self.file, start) for k, size, start in self.runs]
        runs += [_SortedScores(k, scores.size, scores) for k, scores in self._sorted()]
        P, N = (sum(run.size for run in runs if run.k == k) for k in (1, 0))
        if not P or not N:
            return None
        return _twice_the_pairs(_merged(runs)) / (2 * P * N)

    def _sorted(self) -> Iterator[tuple[int, np.ndarray]]:
        for k, parts in enumerate(self.waiting):
            if parts:
                scores = np.concatenate(parts)
                scores.sort()
                yield k, scores

    def _write(self) -> None:
        """Write the scores in memory to the file as sorted runs."""
        try:
            if self.file is None:
                self.file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 (closed by `close`)
            for k, scores in self._sorted():
                start, left = self.file.tell(), scores.view(np.uint8).data
                while left:
                    left = left[self.file.write(left) :]
                self.runs.append((k, scores.size, start))
        except OSError as error:
            raise InputError(
                f"evaluate: the scores, 8 bytes a row, cannot be written to {tempfile.gettempdir()} "
                f"({error.strerror}); free some space there, or use a folder on another disk: TMPDIR=FOLDER"
            ) from error
        self.waiting, self.room = ([], []), ROOM

    def close(self) -> None:
        """Close the file."""
        if self.file is not None:
            self.file.close()
            self.file = None


class _SortedScores:
    """Sorted scores of one class, in memory or from an offset in a file; `head` holds the next ones."""

    def __init__(self, k: int, size: int, home: Any, start: int = 0) -> None:
        self.k, self.size, self.home, self.start = k, size, home, start
        self.head, self.read = np.empty(0), 0

    @property
    def is_over(self) -> bool:
        return self.read == self.size

    def fill(self, many: int) -> None:
        """Load the next scores into the head, if there are any left."""
        if self.head.size or self.is_over:
            return
        end = min(self.read + many, self.size)
        if isinstance(self.home, np.ndarray):
            self.head = self.home[self.read : end]
        else:
            self.home.seek(self.start + 8 * self.read)
            self.head = np.fromfile(self.home, np.float64, end - self.read)
        self.read = end

    def take(self, bound: float) -> np.ndarray:
        """Remove and return the scores of the head up to a bound."""
        cut = int(np.searchsorted(self.head, bound, "right"))
        taken, self.head = self.head[:cut], self.head[cut:]
        return taken


def _merged(runs: list[_SortedScores]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield (negative, positive) scores in increasing order, in parts; equal values may span two parts."""
    many = max(LEAST, ROOM // max(1, len(runs)))
    while True:
        for run in runs:
            run.fill(many)
        runs = [run for run in runs if run.head.size]
        if not runs:
            return
        bound = min((run.head[-1] for run in runs if not run.is_over), default=np.inf)
        parts: tuple[list[np.ndarray], list[np.ndarray]] = [np.empty(0)], [np.empty(0)]
        for run in runs:
            parts[run.k].append(run.take(bound))
        yield np.sort(np.concatenate(parts[0])), np.sort(np.concatenate(parts[1]))


def _twice_the_pairs(parts: Iterator[tuple[np.ndarray, np.ndarray]]) -> int:
    """Count 2 for each pair whose positive is higher, 1 for each equal pair."""
    twice = below = 0
    last, at_last = np.nan, (0, 0)  # the highest value so far, and its count in each class
    for negative, positive in parts:
        twice += 2 * below * positive.size
        twice += sum(int(np.searchsorted(negative, positive, side).sum()) for side in ("left", "right"))
        again = _many(negative, last), _many(positive, last)
        twice += again[0] * at_last[1] - again[1] * at_last[0]
        below += negative.size
        highest = max(part[-1] for part in (negative, positive) if part.size)
        if highest == last:
            at_last = at_last[0] + again[0], at_last[1] + again[1]
        else:
            last, at_last = highest, (_many(negative, highest), _many(positive, highest))
    return twice


def _many(rising: np.ndarray, value: float) -> int:
    """Count the occurrences of a value."""
    first, end = (int(np.searchsorted(rising, value, side)) for side in ("left", "right"))
    return end - first
