"""Check a margin exactly: what a plane and weights prove about γ², recomputed in rationals from the rows.

z = y·(x, 1), or y·x without a bias; v = (w, b) any plane, λ > 0 weights of some rows.

    padded       min ⟨v, z⟩ / |v|        ≤  γ  ≤  |Σ λ z| / Σ λ
    geometric    (p + q) / 2|w|          ≤  γ  ≤  |Σ λ⁺x / Σ λ⁺ − Σ λ⁻x / Σ λ⁻| / 2

p and q are the least ⟨v, z⟩ of the positive and of the negative rows; adding (q − p)/2 to b makes both (p + q)/2.

The minima of all rows are exact: t is the least ⟨v, z⟩ of the rows of a sign if none of them is on the wrong side of
the plane (w, b − sign·t), by the exact scores of `decide`; a row that is gives the next t.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from flint import fmpz_mat

from novikoff.data.problem import Problem
from novikoff.exact.integer_rows import common_rows, whole
from novikoff.exact.signed_rows import Signed

SIGNS = (1, -1)

Minima = list[Fraction | None]  # of the positive rows, of the negative ones; None where there are none


class Evidence(NamedTuple):
    """What a plane and weights prove."""

    least: Minima  # ⟨v, z⟩ of the lowest row of each sign
    distance2: Fraction  # |Σ λ z / Σ λ|², or the squared distance of the two mixtures

    @property
    def lowest(self) -> Fraction:
        """The least ⟨v, z⟩ of all rows."""
        return min(t for t in self.least if t is not None)


def evidence(points: Signed, plane: Sequence[int], weights: Mapping[int, int], two: bool) -> Evidence:
    """Return the exact minima of ⟨plane, z⟩, and the exact squared length of the weighted mean of rows.

    plane: integers, the bias last if there is one. weights: positive integers of rows. two: use the means of the two
    classes rather than one of all rows.
    """
    points.between()
    rows = np.fromiter(weights, np.int64, len(weights))
    signs, shares = points.problem.y[rows].tolist(), list(weights.values())
    total = sum(shares)
    if two:  # the same sum for each sign
        sums = {side: sum(m for m, sign in zip(shares, signs, strict=True) if sign == side) for side in SIGNS}
        total = math.lcm(*sums.values())
        shares = [m * (total // sums[sign]) for m, sign in zip(shares, signs, strict=True)]
    table, power = common_rows(points.floats(rows))
    x = (fmpz_mat([shares]) * fmpz_mat(table)).entries()[: points.problem.d if two else None]
    distance2 = Fraction(4) ** power * int(sum(v * v for v in x)) / (total * total)
    points.between()
    return Evidence(least_scores(points, plane, _minima(points, rows, plane)), distance2)


def least_scores(points: Signed, plane: Sequence[int], least: Sequence[Fraction | None] = (None, None)) -> Minima:
    """Return the least score of the rows of each sign. least: that of some rows."""
    first = np.zeros(1, np.int64)
    lower = [points.rows_of_sign(sign, first)[0] for t, sign in zip(least, SIGNS, strict=True)
             if t is None and points.count_of_sign(sign)]  # fmt: skip
    while True:
        if lower:
            new = _minima(points, np.array(lower), plane)
            least = [q if p is None else p if q is None else min(p, q) for p, q in zip(least, new, strict=True)]
        below = below_margin(points, plane, {s: t for t, s in zip(least, SIGNS, strict=True) if t is not None}).lowest
        lower = [row for score, row in below.values() if score < 0]
        if not lower:
            return list(least)


def _minima(points: Signed, rows: np.ndarray, plane: Sequence[int]) -> Minima:
    """Return the least score of some rows of each sign."""
    table, power = common_rows(points.floats(rows))
    scores = (fmpz_mat(table) * fmpz_mat(len(plane), 1, list(plane))).entries()
    of = [[int(s) for s, y in zip(scores, points.problem.y[rows], strict=True) if y == sign] for sign in SIGNS]
    return [Fraction(2) ** power * min(mine) if mine else None for mine in of]


class Below(NamedTuple):
    """lowest: the least score minus the margin of each sign that occurs, and its first row. touching: rows at 0."""

    lowest: dict[int, tuple[float, int]]
    touching: np.ndarray


def below_margin(points: Signed, plane: Sequence[Fraction | int], least: Mapping[int, Fraction]) -> Below:
    """Return the lowest row of each sign, and the rows that are on the planes (w, b − sign·least).

    plane: (w, b), b only with a bias. The signs of scores are exact.
    """
    padded = points if points.pad else Signed(replace(points.problem, pad=1.0), points.engine)
    w, b = (plane[:-1], plane[-1]) if points.pad else (plane, 0)
    lowest, touching = dict[int, tuple[float, int]](), [np.zeros(0, np.int64)]
    with padded.watched(points.between):
        for sign, t in least.items():
            for first, (low, on) in padded.scan(whole([*w, b - sign * t]), partial(_below, sign)):
                if low is not None:
                    pair = low[0], first + low[1]
                    lowest[sign] = min(lowest.get(sign, pair), pair)
                touching.append(first + on)
    return Below(lowest, np.sort(np.concatenate(touching)))


def _below(sign: int, part: Problem, m: np.ndarray) -> tuple[tuple[float, int] | None, np.ndarray]:
    """Return the least score of the rows of a sign with its row, if there is one, and the rows at 0."""
    mine = np.flatnonzero(part.y == sign)
    at = int(mine[np.argmin(m[mine])]) if mine.size else -1
    return (float(m[at]), at) if mine.size else None, mine[m[mine] == 0]
