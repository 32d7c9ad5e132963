"""Compute why no plane separates the points: the hulls of the two classes meet.

    Σ λ_i y_i (x_i, 1) = 0, λ > 0    ⇔    Σ₊ μ_i x_i = Σ₋ μ_i x_i,  Σ₊ μ_i = Σ₋ μ_i = 1        μ_i = λ_i / Σ₊ λ

By the last coordinate both classes have the same sum of weights; divided by it they are two convex combinations
of one point. Without a bias there is no last coordinate: the two cones meet, or points sum to the origin itself.

From the notes: C4 (a criterion for "not linearly separable"), Z12 (the contradiction), T2 (without a bias: a point at
the origin, two colours on one ray).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.exact.integer_rows import digits
from novikoff.separate.proof_points import ProofPoints


@dataclass(frozen=True)
class Side:
    """Rows of one class with integer weights `counts`; divided by `total` they are the weights of a combination.

    rows: their numbers in the user's file or frame, from 0. indices: their positions among the points of the verdict.
    """

    label: Any
    rows: tuple[int, ...]
    indices: tuple[int, ...]
    counts: tuple[int, ...]
    total: int

    @cached_property
    def weights(self) -> tuple[Fraction, ...]:
        """count / total: Σ weight·x is the common point."""
        return tuple(Fraction(count, self.total) for count in self.counts)


@dataclass(frozen=True)
class Obstruction:
    """At most d + 2 rows (d + 1 without a bias) that no plane separates.

    how: "hulls" (with a bias: the weights of each side sum to 1), "cones" (without one: the weights are those of the
    verdict), "same point" (one point with both labels), "origin" (a point there, without a bias), "ray" (two points on
    one ray from the origin with different labels), "opposite" (of one label on opposite rays).
    """

    how: str
    positive: Side
    negative: Side
    source: ProofPoints = field(repr=False)

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows of both sides, numbered from 0 as in the user's file or frame."""
        return tuple(sorted(self.positive.rows + self.negative.rows))

    @property
    def indices(self) -> tuple[int, ...]:
        """The same rows, counted among the points of the verdict."""
        return tuple(sorted(self.positive.indices + self.negative.indices))

    @cached_property
    def point(self) -> tuple[Fraction, ...]:
        """The point that both combinations are equal to; its numbers are as long as the weights."""
        side = self.positive if self.positive.rows else self.negative
        return combination(side.counts, side.total, self.source.exact(side.indices))

    def to_dict(self, numbers: bool = True) -> dict[str, Any]:
        """Return plain values for JSON: exact numbers as texts, rows from 0; without `numbers` only labels and rows."""
        info: dict[str, Any] = {"how": self.how}
        for name, side in (("positive", self.positive), ("negative", self.negative)):
            info[name] = {"label": plain_label(side.label), "rows": list(side.rows)}
            info[name]["weights"] = [written(v) for v in side.weights] if numbers else None
        return info | {"point": [written(v) for v in self.point] if numbers else None}


def obstruction(verdict: Any, source: ProofPoints) -> Obstruction:
    """Return the obstruction that the support of a verdict is."""
    support = list(zip(verdict.support, verdict.indices, verdict.weights, strict=True))
    signs = source.problem.y[np.array(verdict.indices, np.int64)].tolist()
    negative, positive = ([row for row, own in zip(support, signs, strict=True) if own == sign] for sign in (-1, 1))
    total = sum(weight for *_, weight in positive) if verdict.fit_intercept else 1
    how = _how(source, verdict.indices, len(positive), verdict.fit_intercept)
    sides = [_side(label, rows, total) for label, rows in zip(source.classes, (negative, positive), strict=True)]
    return Obstruction(how, sides[1], sides[0], source)


def _side(label: Any, rows: list[tuple[int, int, int]], total: int) -> Side:
    numbers, indices, counts = (tuple(row[k] for row in rows) for k in range(3))
    return Side(label, numbers, indices, counts, total)


def _how(source: ProofPoints, rows: Sequence[int], positive: int, fit_intercept: bool) -> str:
    """Return the kind of an obstruction: the simplest description of rows that have a positive relation."""
    if len(rows) == 2 and positive == 1:
        one, two = source.exact(rows)
        if one == two:
            return "same point"
    if fit_intercept:
        return "hulls"
    if len(rows) == 2:
        return "ray" if positive == 1 else "opposite"
    return "origin" if len(rows) == 1 else "cones"


def combination(counts: Sequence[int], total: int, X: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Return Σ count·x / total, column by column over a common denominator."""
    out = []
    for column in zip(*X, strict=True):
        common = math.lcm(*(v.denominator for v in column))
        whole = sum(k * v.numerator * (common // v.denominator) for k, v in zip(counts, column, strict=True))
        out.append(Fraction(whole, total * common))
    return tuple(out)


def written(value: Fraction) -> str:
    """Format p or p/q."""
    top = digits(value.numerator)
    return top if value.denominator == 1 else f"{top}/{digits(value.denominator)}"


def plain_label(label: Any) -> Any:
    """Return a label as a JSON value."""
    return label if label is None or isinstance(label, str | bool | int | float) else str(label)
