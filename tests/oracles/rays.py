"""Separated rows and infinite coefficients by brute force: the extreme rays of the cone of directions, in fractions.

    C = {w : ⟨w, z⟩ ≥ 0 for all rows z}

Columns that depend on earlier ones are set aside; then C has no line in it and is the cone of its extreme rays. Each of
these is orthogonal to D − 1 independent rows, so all are met by trying every such set of rows, both ways. What holds on
all rays holds on C:  a row is separated where some ray has ⟨w, z⟩ > 0;  coefficient j is finite where all rays have
w_j = 0, +inf where all have w_j ≥ 0, −inf where all have w_j ≤ 0, and not-unique else.

Imports nothing from the package it judges. For tiny problems only.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Vector = list[Fraction]
Answer = tuple[str, list[int], list[str]]  # kind, separated rows of the table, what becomes of each coefficient


def answer(table: Sequence[Sequence[Any]], sides: Sequence[Sequence[int]]) -> Answer:
    """table: rows x, the intercept's 1 among them; sides: for each row the signs with which it is a row of Z."""
    X = [[Fraction(v) for v in x] for x in table]
    used = [x for x, signs in zip(X, sides, strict=True) if signs]
    kept = independent_columns(used)
    Z = [[s * x[j] for j in kept] for x, signs in zip(X, sides, strict=True) for s in signs]
    rays = extreme_rays(Z, len(kept))
    separated = [
        i
        for i, (x, signs) in enumerate(zip(X, sides, strict=True))
        if any(s * dot(w, [x[j] for j in kept]) > 0 for w in rays for s in signs)
    ]
    held = [z for z in Z if all(dot(w, z) == 0 for w in rays)]
    kind = "overlap" if not separated else "quasi-complete" if held else "complete"
    limits = ["aliased"] * len(X[0])
    for k, j in enumerate(kept):
        limits[j] = fate([w[k] for w in rays])
    return kind, separated, limits


def fate(values: Vector) -> str:
    """Of a coefficient with these values on the rays."""
    if not any(values):
        return "finite"
    if min(values) >= 0:
        return "+inf"
    return "-inf" if max(values) <= 0 else "not-unique"


def independent_columns(rows: list[Vector]) -> list[int]:
    """Columns that do not depend on earlier ones."""
    kept: list[int] = []
    for j in range(len(rows[0])):
        if rank([[x[k] for k in [*kept, j]] for x in rows]) > len(kept):
            kept.append(j)
    return kept


def extreme_rays(Z: list[Vector], D: int) -> list[Vector]:
    """At least all extreme rays of C; every one is in C."""
    found = []
    for some in combinations(Z, D - 1) if D else []:
        w = orthogonal(list(some), D)
        for ray in (w, [-v for v in w]) if w is not None else ():
            if all(dot(ray, z) >= 0 for z in Z):
                found.append(ray)
    return found


def orthogonal(rows: list[Vector], D: int) -> Vector | None:
    """The vector orthogonal to D − 1 independent rows; None if they are dependent."""
    reduced, pivots = echelon(rows)
    if len(pivots) < D - 1:
        return None
    free = next(j for j in range(D) if j not in pivots)
    w = [Fraction(0)] * D
    w[free] = Fraction(1)
    for row, pivot in zip(reduced, pivots, strict=True):
        w[pivot] = -row[free]
    return w


def rank(rows: list[Vector]) -> int:
    return len(echelon(rows)[1])


def echelon(rows: list[Vector]) -> tuple[list[Vector], list[int]]:
    """The reduced echelon form without zero rows, and its pivot columns."""
    rows, pivots = [list(r) for r in rows], []
    for j in range(len(rows[0]) if rows else 0):
        at = next((i for i in range(len(pivots), len(rows)) if rows[i][j]), None)
        if at is None:
            continue
        k = len(pivots)
        rows[k], rows[at] = rows[at], rows[k]
        rows[k] = [v / rows[k][j] for v in rows[k]]
        for i in range(len(rows)):
            if i != k and rows[i][j]:
                rows[i] = [a - rows[i][j] * b for a, b in zip(rows[i], rows[k], strict=True)]
        pivots.append(j)
    return rows[: len(pivots)], pivots


def dot(a: Vector, b: Vector) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True)), Fraction(0))
