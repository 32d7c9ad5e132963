"""Which planes several classes have, which class they give a point, and whether it wins alone.

    ova     one-vs-all: a plane for each class against all others; the class with the highest score
    ovo     one-vs-one: a plane for each pair. vote: each pair gives one vote to the class on whose side the point is
            (by the exact sign; a point on the plane gives none), and the class with the most votes wins; of classes
            with as many votes the one with the highest sum of its pairs' scores. sum: the highest sum alone. The sum
            is the score under the sum of the planes, rounded once a coordinate; comparisons of those are exact. Of
            classes that are equal in all of this the first wins
    joint   one plane for each class, changed together (Kesler); the class with the highest score

From the notes: Z15 (c and c(c−1)/2 planes; argmax of scores, argmax of summed pairwise scores), Z15a (votes: where
every pair is separated, each point has all votes of its own class and no other class has as many). Signs and
comparisons are exact. The decision of one-vs-one by votes is votes + s/(|s| + 1)/3, s the summed scores: a vote is more
than any s can make up.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from novikoff.scoring.scorer import Scorer, weighed


@dataclass(frozen=True)
class Scheme:
    """Which planes there are, for so many classes."""

    name: str
    classes: int
    ovo: str = "vote"  # how one-vs-one decides

    @property
    def is_binary(self) -> bool:
        """Whether there are two classes, which have one plane whatever the name."""
        return self.classes == 2

    @property
    def is_joint(self) -> bool:
        """Whether the planes are changed together."""
        return self.name == "joint" and not self.is_binary

    @property
    def votes(self) -> bool:
        """Whether pairs vote."""
        return self.name == "ovo" and self.ovo == "vote"

    @property
    def planes(self) -> int:
        """How many planes are trained."""
        return len(self.pairs)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """(positive class, negative class) of each plane; −1 for all others."""
        if self.name == "ovo" or self.is_binary:
            return [(b, a) for a, b in itertools.combinations(range(self.classes), 2)]
        return [(k, -1) for k in range(self.classes)]

    def sides(self) -> np.ndarray:
        """Return the side (classes, planes) of each class: 1, −1, or 0 where its rows are not shown to the plane."""
        return np.array(
            [[1 if c == a else -1 if b in (c, -1) else 0 for a, b in self.pairs] for c in range(self.classes)], np.int8
        )

    def factors(self, weights: tuple[float, ...]) -> np.ndarray:
        """(negative, positive) factor of each plane's steps; one-vs-all weighs only the positive ones."""
        return np.array([[1.0 if b < 0 else weights[b], weights[a]] for a, b in self.pairs])

    def origins(self, added_class: int) -> list[tuple[int, float] | None]:
        """For each plane: (the plane it was before the class `added_class` was added, its sign); None for a new plane.

        Two classes had one plane between them, which is that of the last class and, mirrored, that of the first.
        """
        before = Scheme(self.name, self.classes - 1, self.ovo)
        was = [k - (k > added_class) for k in range(self.classes)]

        def of(a: int, b: int) -> tuple[int, float] | None:
            if added_class in (a, b):
                return None
            pair = (was[a], was[b] if b >= 0 else -1)
            return (0, 1.0 if was[a] == 1 else -1.0) if before.classes == 2 else (before.pairs.index(pair), 1.0)

        return [of(a, b) for a, b in self.pairs]

    def class_planes(self, each: np.ndarray) -> np.ndarray:
        """One plane (w, b) for each class from the trained ones: itself, or the sum over its pairs."""
        return each if self.name != "ovo" else self._sums(each)

    def class_votes(self, each: np.ndarray) -> np.ndarray:
        """One number for each class from the votes of the trained planes (points, planes)."""
        return each if self.name != "ovo" else self._sums(each.T).T

    def wins(self, tallies: np.ndarray) -> np.ndarray:
        """Votes (points, classes) of the pairs: tallies (points, pairs), of which only the sign counts."""
        won = np.zeros((len(tallies), self.classes), np.int64)
        for (positive, negative), tally in zip(self.pairs, tallies.T, strict=True):
            won[:, positive] += tally > 0
            won[:, negative] += tally < 0
        return won

    def _sums(self, each: np.ndarray) -> np.ndarray:
        total = np.zeros((self.classes, *each.shape[1:]), each.dtype)
        for (positive, negative), one in zip(self.pairs, each, strict=True):
            total[positive] += one
            total[negative] -= one
        return total


TWO_CLASSES = Scheme("ova", 2)


def winners(scorer: Scorer, planes: np.ndarray, scheme: Scheme) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """(votes where pairs vote, the class of each point, whether no other class is equal to it), exactly."""
    each = scheme.class_planes(planes)
    if not scheme.votes:
        return None, *scorer.highest(each)
    votes = np.zeros((scorer.problem.n, scheme.classes), np.int64)
    for here, sides in scorer.signs(planes):
        votes[here] = scheme.wins(sides.T)
    return votes, *scorer.highest_of(each, votes == votes.max(axis=1, keepdims=True))


def lost_of_many(scorer: Scorer, planes: np.ndarray, scheme: Scheme) -> np.ndarray:
    """By class: how many of its points do not get it, alone and exactly; `scorer.problem.y` holds class numbers."""
    y, (_, number, alone) = scorer.problem.y, winners(scorer, planes, scheme)
    return np.bincount(y[(number != y) | ~alone], minlength=scheme.classes)


def errors_of(scorer: Scorer, sets: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Return how many points (weighted by class) each set of planes does not give their own class, and no other."""
    return weighed(class_errors(scorer, sets, scheme), scorer.factors)


def class_errors(scorer: Scorer, sets: np.ndarray, scheme: Scheme) -> np.ndarray:
    """Return the same by class, not weighted: (sets, classes)."""
    if scheme.is_binary:
        return scorer.side_errors(sets[:, 0])
    return np.array([lost_of_many(scorer, planes, scheme) for planes in sets])


def ties_of_many(scorer: Scorer, planes: np.ndarray, scheme: Scheme) -> int:
    """Return how many points no class wins alone, exactly: each is lost."""
    return int(np.count_nonzero(~winners(scorer, planes, scheme)[2]))


def squashed(scores: np.ndarray) -> np.ndarray:
    """Scores in their order between −1/3 and 1/3."""
    return np.asarray(scores / (np.abs(scores) + 1.0) / 3.0)


def winner_highest(scores: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Scores whose argmax is the class that won exactly, after rounding, too; equal scores stay equal."""
    rows = np.flatnonzero(scores.argmax(axis=1) != number)
    scores[rows, number[rows]] = np.nextafter(scores[rows].max(axis=1), np.inf)
    return scores
