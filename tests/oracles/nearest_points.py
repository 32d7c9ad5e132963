"""The nearest points of two hulls by brute force, in fractions.

For every choice of some rows of P and some of N that are affinely independent, the nearest points of their two affine
hulls solve linear equations. Where all weights are ≥ 0 these points lie in the hulls, so their distance is one that
occurs; and the smallest distance of the hulls is among them (Carathéodory). So the smallest of them is the answer.

Imports nothing from the package it judges. For tiny problems only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Point = tuple[Fraction, ...]


def padded2(X: Sequence[Sequence[Any]], signs: Sequence[int], fit_intercept: bool = True) -> Fraction:
    """γ² of the signed (padded) rows: the squared distance of their hull from the origin; 0 if not separable."""
    rows = [
        tuple(Fraction(int(y)) * Fraction(v) for v in (*x, *([1] if fit_intercept else [])))
        for x, y in zip(X, signs, strict=True)
    ]
    return distance2(rows, [tuple(Fraction(0) for _ in rows[0])])


def geometric2(X: Sequence[Sequence[Any]], signs: Sequence[int]) -> Fraction:
    """γ² of the free bias: a quarter of the squared distance of the two classes' hulls."""
    sides = [[tuple(Fraction(v) for v in x) for x, y in zip(X, signs, strict=True) if y == s] for s in (1, -1)]
    return distance2(*sides) / 4


def distance2(P: Sequence[Point], N: Sequence[Point]) -> Fraction:
    """The squared distance of two hulls."""
    return min(_square(x) for x in _candidates(P, N))


def nearest_to_origin(rows: Sequence[Sequence[Fraction]]) -> Point:
    """The point of the hull of the rows that is nearest to the origin: the normal of the widest plane."""
    return min(_candidates([tuple(row) for row in rows], [tuple(Fraction(0) for _ in rows[0])]), key=_square)


def _square(x: Point) -> Fraction:
    return sum((v * v for v in x), Fraction(0))


def _candidates(P: Sequence[Point], N: Sequence[Point]) -> Iterator[Point]:
    most = len(P[0]) + 2
    for a in range(1, most):
        for b in range(1, most + 1 - a):
            for left in combinations(P, a):
                for right in combinations(N, b):
                    found = _nearest(left, right)
                    if found is not None:
                        yield found


def _nearest(P: Sequence[Point], N: Sequence[Point]) -> Point | None:
    """The way between the nearest points of two affine hulls, if they are inside the hulls, at one place."""
    signed = [*P, *(tuple(-v for v in q) for q in N)]  # x = Σ weight·signed
    k, a = len(signed), len(P)
    gram = [[sum((u * v for u, v in zip(p, q, strict=True)), Fraction(0)) for q in signed] for p in signed]
    one, zero = Fraction(1), Fraction(0)
    table = [[*row, one if i < a else zero, zero if i < a else one, zero] for i, row in enumerate(gram)]
    table.append([*(one if i < a else zero for i in range(k)), zero, zero, one])
    table.append([*(zero if i < a else one for i in range(k)), zero, zero, one])
    weights = _solve(table)
    if weights is None or min(weights[:k]) < 0:
        return None
    return tuple(sum((m * p[j] for m, p in zip(weights, signed, strict=False)), zero) for j in range(len(signed[0])))


def _solve(table: list[list[Fraction]]) -> list[Fraction] | None:
    """Gauss and Jordan; None if singular."""
    n = len(table)
    for c in range(n):
        pivot = next((r for r in range(c, n) if table[r][c]), None)
        if pivot is None:
            return None
        table[c], table[pivot] = table[pivot], table[c]
        table[c] = [v / table[c][c] for v in table[c]]
        for r in range(n):
            if r != c and table[r][c]:
                f = table[r][c]
                table[r] = [v - f * u for v, u in zip(table[r], table[c], strict=True)]
    return [row[-1] for row in table]
