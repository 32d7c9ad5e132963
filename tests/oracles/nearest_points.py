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

from flint import fmpq, fmpq_mat

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
    return square(min(_candidates(P, N), key=square))


def nearest_to_origin(rows: Sequence[Sequence[Fraction]]) -> Point:
    """The point of the hull of the rows that is nearest to the origin: the normal of the widest plane."""
    return min(_candidates([tuple(row) for row in rows], [tuple(Fraction(0) for _ in rows[0])]), key=square)


def square(x: Point) -> Fraction:
    return sum((v * v for v in x), Fraction(0))


def _candidates(P: Sequence[Point], N: Sequence[Point]) -> Iterator[Point]:
    P, N, most = list(dict.fromkeys(P)), list(dict.fromkeys(N)), len(P[0]) + 2
    for a in range(1, most):
        for b in range(1, most + 1 - a):
            for left in combinations(P, a):
                for right in combinations(N, b):
                    found = _nearest(left, right)
                    if found is not None:
                        yield found


def _nearest(P: Sequence[Point], N: Sequence[Point]) -> Point | None:
    """The way between the nearest points of two affine hulls, if they are inside the hulls, at one place."""
    signed = fmpq_mat([[fmpq(v.numerator, v.denominator) for v in p] for p in (*P, *(tuple(-v for v in q) for q in N))])
    k, a = len(P) + len(N), len(P)
    gram = signed * signed.transpose()
    sides = [[int(i < a), int(i >= a)] for i in range(k)]  # the weights of each hull sum to 1
    table = [[*gram.tolist()[i], *sides[i]] for i in range(k)]
    table += [[*(side[m] for side in sides), 0, 0] for m in (0, 1)]
    try:
        found = fmpq_mat(table).solve(fmpq_mat(k + 2, 1, [0] * k + [1, 1]))
    except ZeroDivisionError:
        return None
    weights = fmpq_mat(1, k, [found[i, 0] for i in range(k)])
    if any(weights[0, i] < 0 for i in range(k)):
        return None
    x = weights * signed
    return tuple(Fraction(int(x[0, j].p), int(x[0, j].q)) for j in range(x.ncols()))
