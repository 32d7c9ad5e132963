"""Measure predictions: counts, rates and 95 % confidence intervals.

    accuracy, precision, recall    k of n: Wilson's score interval (Wilson 1927)
    AUC                            P(score of + > score of −) + ½·P(equal), with Newcombe's method 5 (2006):
                                   the θ with |θ − AUC| ≤ z·√V(θ),  V of Hanley and McNeil (1982)

Both intervals invert a test, so 0 of n and 1.0 get an interval too, and bounds never leave [0, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

Z = 1.959963984540054  # of 95 %


class Interval(NamedTuple):
    """Interval from lower to upper."""

    lower: float
    upper: float


@dataclass(frozen=True)
class Share:
    """k of n; the value is None if n is 0."""

    k: int
    n: int

    @property
    def value(self) -> float | None:
        return self.k / self.n if self.n else None

    @property
    def interval(self) -> Interval:
        return wilson(self.k, self.n)

    def plain(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"value": self.value, "interval": list(self.interval), "of": self.n}


@dataclass(frozen=True)
class Judged:
    """Results of an evaluation. confusion[i, j]: rows of class i predicted as class j."""

    classes: list[Any]
    confusion: np.ndarray
    auc: float | None = None  # with two classes that both occur
    auc_interval: Interval | None = None

    @property
    def n(self) -> int:
        return int(self.confusion.sum())

    @property
    def accuracy(self) -> Share:
        return Share(int(np.trace(self.confusion)), self.n)

    def precision(self, k: int) -> Share:
        """Rows predicted as class k that are of class k."""
        return Share(int(self.confusion[k, k]), int(self.confusion[:, k].sum()))

    def recall(self, k: int) -> Share:
        """Rows of class k that are predicted as class k."""
        return Share(int(self.confusion[k, k]), int(self.confusion[k].sum()))

    def missed(self, k: int) -> int:
        """R1a, underclassification: rows of class k predicted as another class."""
        return self.recall(k).n - self.recall(k).k

    def false_positives(self, k: int) -> int:
        """R1a, overclassification: rows of other classes predicted as class k."""
        return self.precision(k).n - self.precision(k).k


class PredictionCounts:
    """Count predictions as they arrive; for two classes also keep the scores, for the AUC."""

    def __init__(self, classes: list[Any]) -> None:
        self.classes = classes
        self.confusion = np.zeros((len(classes), len(classes)), np.int64)
        self.scores: tuple[list[np.ndarray], list[np.ndarray]] = [], []  # of the negative, the positive class

    def look(self, truth: np.ndarray, called: np.ndarray, scores: np.ndarray | None) -> None:
        """Add some rows: indices of their classes, of the predicted classes, and their scores."""
        many = len(self.classes)
        self.confusion += np.bincount(truth * many + called, minlength=many * many).reshape(many, many)
        if many == 2:
            for k, parts in enumerate(self.scores):
                parts.append(np.asarray(scores, np.float64)[truth == k])

    def judged(self) -> Judged:
        """Return the results."""
        area = auc(*(np.concatenate([np.empty(0), *parts]) for parts in self.scores))
        if area is None:
            return Judged(self.classes, self.confusion)
        counts = self.confusion.sum(axis=1).tolist()
        return Judged(self.classes, self.confusion, area, newcombe(area, counts[1], counts[0]))


def auc(negative: np.ndarray, positive: np.ndarray) -> float | None:
    """Return the AUC of the scores of two classes, exactly, rounded once; None unless both classes occur.

        AUC = Σ over positives of (negatives below + ½·negatives equal) / (P·N)

    Examples
    --------
    >>> auc(np.array([0.0, 1.0]), np.array([1.0, 2.0]))
    0.875
    """
    if not positive.size or not negative.size:
        return None
    rising = np.sort(negative)
    twice = sum(int(np.searchsorted(rising, positive, side).sum()) for side in ("left", "right"))
    return twice / (2 * positive.size * negative.size)


def wilson(k: int, n: int, z: float = Z) -> Interval:
    """Return the Wilson interval: the proportions p with |p − k/n| ≤ z·√(p(1−p)/n).

    Examples
    --------
    >>> [round(end, 4) for end in wilson(0, 10)], [round(end, 4) for end in wilson(81, 263)]
    ([0.0, 0.2775], [0.2553, 0.3662])
    """
    if n == 0:
        return Interval(0.0, 1.0)
    p = k / n
    middle, spread = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    below, above = (middle - spread) / (1 + z * z / n), (middle + spread) / (1 + z * z / n)
    return Interval(0.0 if k == 0 else max(0.0, below), 1.0 if k == n else min(1.0, above))


def newcombe(area: float, m: int, n: int, z: float = Z) -> Interval:
    """The areas θ with |θ − area| ≤ z·√V(θ), where k = (m + n)/2 − 1 and

    V(θ) = θ(1−θ)·(1 + k·(1−θ)/(2−θ) + k·θ/(1+θ))/(m·n)
    """
    k = (m + n) / 2 - 1

    def allowed(theta: float) -> bool:
        inner = 1 + k * (1 - theta) / (2 - theta) + k * theta / (1 + theta)
        return (theta - area) ** 2 <= z * z * theta * (1 - theta) * inner / (m * n)

    return Interval(_edge(area, 0.0, allowed), _edge(area, 1.0, allowed))


def _edge(inside: float, outside: float, allowed: Any) -> float:
    """Return the boundary of `allowed` between the two arguments: it holds just beside `inside`."""
    if inside == outside:
        return outside
    good, bad = inside, outside
    for _ in range(60):
        middle = (good + bad) / 2
        good, bad = (middle, bad) if allowed(middle) else (good, middle)
    return good
