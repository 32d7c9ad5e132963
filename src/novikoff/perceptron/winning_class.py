"""Find the class that several planes give a point, and whether it wins alone.

    one-vs-one by votes    decision = votes + s/(|s| + 1)/3,  s the summed scores: a vote is more than any s can make up

From the notes: Z15 Z15a. Signs and comparisons are exact; `scheme` says who wins.
"""

from __future__ import annotations

import numpy as np

from novikoff.perceptron.scheme import Scheme
from novikoff.scoring.scorer import Scorer, weighed


def winners(scorer: Scorer, planes: np.ndarray, scheme: Scheme) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """(votes where pairs vote, the class of each point, whether no other class is equal to it), exactly.

    Without votes the last one is not needed, and not computed.
    """
    each = scheme.class_planes(planes)
    if not scheme.votes:
        number = scorer.classes(each)
        return None, number, np.zeros(0, bool)
    votes = scorer.pair_votes(planes, scheme.pairs, scheme.classes)
    number, alone = scorer.highest_of(each, votes == votes.max(axis=1, keepdims=True))
    return votes, number, alone


def lost_of_many(scorer: Scorer, planes: np.ndarray, scheme: Scheme) -> np.ndarray:
    """By class: how many of its points do not get it, alone and exactly; `scorer.problem.y` holds class numbers."""
    y = scorer.problem.y
    if not scheme.votes:
        return scorer.lost(scheme.class_planes(planes))
    _, number, alone = winners(scorer, planes, scheme)
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
    """Return how many points no class wins alone, exactly: each is lost. `scorer.problem.y` holds class numbers."""
    if scheme.votes:
        return int(np.count_nonzero(~winners(scorer, planes, scheme)[2]))
    each, y = scheme.class_planes(planes), scorer.problem.y
    called = scorer.classes(each)
    elsewhere = called != y  # the others that are lost have their own class for the first of equals
    choice = elsewhere[:, None] | (np.arange(scheme.classes) == called[:, None])
    shared = np.count_nonzero(~scorer.highest_of(each, choice)[1])
    return int(scorer.lost(each).sum() - np.count_nonzero(elsewhere) + shared)


def squashed(scores: np.ndarray) -> np.ndarray:
    """Scores in their order between −1/3 and 1/3."""
    return np.asarray(scores / (np.abs(scores) + 1.0) / 3.0)


def winner_highest(scores: np.ndarray, number: np.ndarray) -> np.ndarray:
    """Scores whose argmax is the class that won exactly, after rounding, too; equal scores stay equal."""
    rows = np.flatnonzero(scores.argmax(axis=1) != number)
    scores[rows, number[rows]] = np.nextafter(scores[rows].max(axis=1), np.inf)
    return scores
