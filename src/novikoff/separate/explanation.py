"""Format a verdict in words: the plane as an equation, or the points that no plane separates and the contradiction.

Points are numbered from 1. Long numbers are rounded and marked ≈, long lists are cut; the verdict has all of it.

From the notes: Z12 (Zhang, "Proof: No Separating Hyperplane"), C4, T2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.format_numbers import SHOWN, WIDE, count, marked_once, short, sum_of, vector
from novikoff.data.plain_files import plane_of
from novikoff.data.positive_class import choice_in_words
from novikoff.errors import UndecidedError
from novikoff.separate.obstruction import Obstruction, Side
from novikoff.separate.proof_points import ProofPoints

Place = Callable[[int], int | str]
LONG_NUMBER = 10**6  # larger numbers are shown relative to the largest
LONG_LINE = 110
LONG_BITS = 2000


def explained(
    verdict: Any, source: ProofPoints, names: Sequence[str] | None, place: Place | None, weights: bool = True
) -> str:
    """Return the verdict and its proof as text."""
    if verdict.separable is None:
        return f"UNDECIDED  {verdict.how}: nothing is claimed about the {count(verdict.n, 'point')}."
    call = place or source.problem.called
    lines = _Explanation(verdict, source, names, lambda i: call(source.problem.number(i)))
    return "\n".join(lines.separable() if verdict.separable else lines.not_separable(weights))


class _Explanation:
    """The lines of an explanation; place: how a message refers to the i-th point."""

    def __init__(self, verdict: Any, source: ProofPoints, names: Sequence[str] | None, place: Place) -> None:
        self.v, self.source, self.place = verdict, source, place
        self.names = list(names) if names else [f"x{j}" for j in range(1, verdict.d + 1)]
        self.negative, self.positive = source.classes
        self.plane = plane_of(verdict.fit_intercept)

    # ---- separable

    def separable(self) -> list[str]:
        v = self.v
        if v.how == "one class only":
            only = self.positive if self.negative is None else self.negative
            all_points = every_one(v.n, "all")
            return [f"SEPARABLE  there is only one class, {only}: any plane far away has {all_points} on one side."]
        every = f"a {self.plane} has {every_one(v.n)} strictly on its own side (checked exactly)"
        return [f"SEPARABLE  {every}.", *self._plane(f"> 0 on {self.positive}", f"< 0 on {self.negative}")]

    def _plane(self, above: str, below: str) -> list[str]:
        """Format the plane as a sum, with its sign on each side."""
        sides = ", ".join(side for side in (above, below) if not side.endswith("on None"))
        if self.v.d > WIDE:
            used = sum(1 for a in self.v.w if a)
            score = f"w·x + b with {self.v.d:,} whole numbers, {used:,} of them not 0"
        else:
            score = _sum(_readable([*self.v.w, self.v.b]), [*self.names, ""])
        return [f"plane  {score}   {sides}"]

    # ---- not separable

    def not_separable(self, weights: bool) -> list[str]:
        try:
            kind = self.v.kind
        except UndecidedError:
            kind = None
        lines = [f"NOT SEPARABLE  {self._kind(kind)}"]
        if sides := choice_in_words((self.negative, self.positive)):
            lines.append(f"sides  {sides}")
        if kind == "quasi-complete":
            lines += self._halves()
        try:
            shown = weights and self.v.weights_bytes is None
            why = self.v.obstruction if shown or self.v.weights_known else None
        except UndecidedError:
            why = None
        return lines + (self._by_bounds() if why is None else self._why(why))

    def _by_bounds(self) -> list[str]:
        """Format a proof by intervals, where the weights are not known."""
        rows, those = self.v.indices, count(len(self.v.indices), "point")
        size = self.v.weights_bytes
        alone = (
            "which proof='rational' computes, in more time (max_time=)"
            if size is None
            else f"and a proof with weights would have about {size / 1e6:,.0f} MB, more than checkers read"
        )
        return [
            f"why    {self._points(rows)}: positive weights exist with which these {those}, each with its",
            "       sign, sum to zero (proved by bounds on every rounding error; the weights were not computed)",
            f"       a saved proof needs weights, {alone}",
        ]

    def _kind(self, kind: str | None) -> str:
        n = count(self.v.n, "point")
        return {
            None: f"no {self.plane} has {every_one(self.v.n)} strictly on its own side (its kind was not found out).",
            "overlap": f"overlap: no {self.plane} separates the {n}, nor some of them with the others on the plane.",
            "quasi-complete": f"quasi-complete: no {self.plane} separates the {n}, but one separates some of them "
            "with all others on the plane.",
        }[kind]

    def _halves(self) -> list[str]:
        """Format which points the plane of quasi-complete points separates, and which are on it."""
        apart = self.v.separated_indices.tolist()
        on = sorted(set(range(self.v.n)) - set(apart))
        return [
            *self._plane(f"≥ 0 on {self.positive}", f"≤ 0 on {self.negative}"),
            f"       separated: {len(apart):,} ({self._points(apart)})",
            f"       on it, with every such plane: {len(on):,} ({self._points(on)})",
        ]

    def _why(self, why: Obstruction) -> list[str]:
        rows = why.indices
        if why.how == "same point":
            return [f"why    {self._points(rows)} are the same point with different labels ({self._labels(why)})"]
        if why.how == "origin":
            return [f"why    {self._points(rows)} is at the origin, and every plane without a bias goes through it"]
        if why.how == "ray":
            return [f"why    {self._points(rows)} are on one ray from the origin with different labels "
                    f"({self._labels(why)}): {self._sum(why.positive)} = {self._sum(why.negative)}"]  # fmt: skip
        if why.how == "opposite":
            side = why.positive if why.positive.rows else why.negative
            zero = f"{self._sum(side)} = 0"
            return [f"why    {self._points(rows)} are both {side.label} and on opposite rays from the origin: {zero}"]
        return [*self._meeting(why), *self._contradiction(why)]

    def _labels(self, why: Obstruction) -> str:
        """Format the labels of two points, in the order of the points."""
        return " and ".join(str(self.positive if row in why.positive.indices else self.negative) for row in why.indices)

    def _meeting(self, why: Obstruction) -> list[str]:
        """Format the two combinations of points, and the point they are equal to."""
        if why.how == "hulls":
            what = "the convex hulls of the classes intersect: a point is a convex combination of points of each class"
        elif why.positive.rows and why.negative.rows:
            what = "the cones of the classes intersect: a vector is a positive combination of points of each class"
        else:
            what = "points of one class sum to the origin, with positive weights"
        point = f" = {vector(why.point)}" if self.v.d <= WIDE else ""
        sides = [side for side in (why.positive, why.negative) if side.rows]
        return [f"why    {what}", *(f"       class {s.label}:  {self._sum(s)}{self._spelled(s)}{point}" for s in sides)]

    def _spelled(self, side: Side) -> str:
        """Format the same sum with the points' coordinates, where it is short."""
        if self.v.d > WIDE or len(side.rows) > SHOWN:
            return ""
        info = f" = {_sum(side.weights, [vector(x) for x in self.source.exact(side.indices)])}"
        return info if len(info) <= LONG_LINE // 2 and "≈" not in info else ""

    def _sum(self, side: Side) -> str:
        names = [f"p{self.place(i)}" for i in side.indices[:SHOWN]]
        more = len(side.rows) - len(names)
        cut = f" + … ({more:,} more)" if more > 0 else ""
        return _sum([Fraction(k, side.total) for k in side.counts[:SHOWN]], names) + cut

    def _contradiction(self, why: Obstruction) -> list[str]:
        """Format the inequality that each point requires of a plane, and their sum, 0 > 0."""
        rows = why.indices
        if self.v.d > WIDE or len(rows) > SHOWN:
            return [
                f"       a {self.plane} with all these points on their own sides would have this point on both: there "
                "is none"
            ]
        of = dict(zip(self.v.indices, map(Fraction, self.v.weights), strict=True))
        if max(of.values()) > LONG_NUMBER:
            of = {
                i: m for side in (why.positive, why.negative) for i, m in zip(side.indices, side.weights, strict=True)
            }
        terms = [f"w{j}" for j in range(1, self.v.d + 1)] + ["b"] * self.v.fit_intercept
        X, signs = self.source.exact(rows), self.source.problem.y[np.array(rows, np.int64)]
        one = [Fraction(1)] * self.v.fit_intercept
        reflected = [[sign * v for v in [*x, *one]] for sign, x in zip(signs.tolist(), X, strict=True)]
        sums = [marked_once(sum_of(z, terms, shown) + " > 0") for z in reflected]
        times = marked_once(", ".join(shown(of[i]) for i in rows))
        return [
            f"       suppose a {self.plane} had each of these points on its own side:",
            *(f"         p{self.place(i)}:  {text}" for i, text in zip(rows, sums, strict=True)),
            f"       multiplied by {times} and added, the left sides sum to 0, but must be > 0: a contradiction",
        ]

    def _points(self, rows: Sequence[int]) -> str:
        """`point 3`, `points 3 and 17`, `points 1, 2, 3, … (1,234 more)`."""
        places = [self.place(int(i)) for i in rows[:SHOWN]]
        named = [place if isinstance(place, str) else f"{place:,}" for place in places]
        if len(rows) > SHOWN:
            return f"points {', '.join(named)}, … ({len(rows) - SHOWN:,} more)"
        if len(named) < 2:
            return f"point {named[0]}" if named else "no point"
        return f"points {', '.join(named[:-1])} and {named[-1]}"


def every_one(n: int, every: str = "every one of the") -> str:
    return "the one point" if n == 1 else f"{every} {n:,} points"


def shown(value: Fraction) -> str:
    """Format a number; a very long one is shortened before it is rounded."""
    bits = value.numerator.bit_length() + value.denominator.bit_length()
    if bits < LONG_BITS:
        return short(value)
    cut = max(min(value.numerator.bit_length(), value.denominator.bit_length()) - 200, 0)
    text = short(Fraction(value.numerator >> cut, value.denominator >> cut))
    return text if "≈" in text else f"≈{text}"


def _sum(weights: Sequence[Fraction], names: Sequence[str]) -> str:
    return marked_once(sum_of(weights, names, shown))


def _readable(plane: Sequence[int]) -> list[Fraction]:
    """Return the weights as they are, or divided by the largest where that is long: the same plane."""
    largest = max(map(abs, plane))
    return [Fraction(v, largest if largest > LONG_NUMBER else 1) for v in plane]
