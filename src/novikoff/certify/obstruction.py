"""Why no plane separates the points: the hulls of the two classes meet.

    Σ λ_i y_i (x_i, 1) = 0, λ > 0    ⇔    Σ₊ μ_i x_i = Σ₋ μ_i x_i,  Σ₊ μ_i = Σ₋ μ_i = 1        μ_i = λ_i / Σ₊ λ

The last coordinate says that both classes have the same sum of weights; divided by it they are two convex combinations
of one point. Without a bias there is no last coordinate: the two cones meet, or points sum to the origin itself.

From the notes: C4 (a criterion for "not linearly separable"), Z12 (the contradiction), T2 (without a bias: a point at
the origin, two colours on one ray).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from novikoff.certify.proof import digits
from novikoff.certify.source import Source


@dataclass(frozen=True)
class Side:
    """Rows (from 0) of one class and what each counts: Σ weight·x is the common point."""

    label: Any
    rows: tuple[int, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class Obstruction:
    """At most d + 2 rows (d + 1 without a bias) that no plane separates.

    how: "hulls" (with a bias: the weights of each side sum to 1), "cones" (without one: the weights are those of the
    verdict), "same point" (one point with both labels), "origin" (a point there, without a bias), "ray" (two points on
    one ray from the origin with different labels), "opposite" (of one label on opposite rays).
    point: what both sides sum to.
    """

    how: str
    positive: Side
    negative: Side
    point: tuple[Fraction, ...]

    @property
    def rows(self) -> tuple[int, ...]:
        return tuple(sorted(self.positive.rows + self.negative.rows))

    def to_dict(self) -> dict[str, Any]:
        """Ready for JSON: exact numbers as texts, rows from 0."""
        sides = {"positive": self.positive, "negative": self.negative}
        told: dict[str, Any] = {
            name: {"label": plain_label(s.label), "rows": list(s.rows), "weights": [written(v) for v in s.weights]}
            for name, s in sides.items()
        }
        return {"how": self.how, **told, "point": [written(v) for v in self.point]}


def obstruction(verdict: Any, source: Source) -> Obstruction:
    """The obstruction that the support of a verdict is."""
    rows, weights = verdict.support, verdict.weights
    X, signs, labels = source.exact(rows), source.signs(), source.classes
    of = {sign: [k for k, i in enumerate(rows) if signs[i] == sign] for sign in (-1, 1)}
    total = sum(weights[k] for k in of[1]) if verdict.fit_intercept else 1
    negative, positive = (
        Side(label, tuple(rows[k] for k in of[s]), tuple(Fraction(weights[k], total) for k in of[s]))
        for label, s in zip(labels, (-1, 1), strict=True)
    )
    here = of[1] or of[-1]
    point = combination([Fraction(weights[k], total) for k in here], [X[k] for k in here])
    return Obstruction(_how(X, len(of[1]), verdict.fit_intercept), positive, negative, point)


def _how(X: Sequence[Sequence[Fraction]], positive: int, fit_intercept: bool) -> str:
    """What there is to see in rows that have a positive relation."""
    if len(X) == 2 and positive == 1 and X[0] == X[1]:
        return "same point"
    if fit_intercept:
        return "hulls"
    if len(X) == 2:
        return "ray" if positive == 1 else "opposite"
    return "origin" if len(X) == 1 else "cones"


def combination(weights: Sequence[Fraction], X: Sequence[Sequence[Fraction]]) -> tuple[Fraction, ...]:
    """Σ weight·x."""
    return tuple(sum((m * v for m, v in zip(weights, c, strict=True)), Fraction(0)) for c in zip(*X, strict=True))


def written(value: Fraction) -> str:
    """p or p/q."""
    top = digits(value.numerator)
    return top if value.denominator == 1 else f"{top}/{digits(value.denominator)}"


def plain_label(label: Any) -> Any:
    """A label as JSON has it."""
    return label if label is None or isinstance(label, str | bool | int | float) else str(label)
