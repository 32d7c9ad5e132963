"""The keeps: which weights a run returns."""

from __future__ import annotations

from novikoff.perceptron.keeps.keep import Average, Last, SeparatingOrAverage
from novikoff.perceptron.keeps.pocket import LongestStreak, Pocket
from novikoff.perceptron.keeps.vote import Vote


def keep_of(name: str, once: bool) -> Last:
    """Return a new keep of that name; once: for rows that are shown once and dropped."""
    if name == "pocket":
        return LongestStreak() if once else Pocket()
    if name == "vote":
        return Vote()
    if name == "auto":
        return Average() if once else SeparatingOrAverage()
    return Average() if name == "average" else Last()
