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
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz_mat

from novikoff.data.problem import Problem
from novikoff.exact.integer_rows import common_rows, whole
from novikoff.exact.signed_rows import RowMargins, Signed

HALF = 62  # binary digits of the low one of two matrices
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
    table, signs = IntegerTable(points.floats(rows)), points.problem.y[rows].tolist()
    shares, total = _shares(list(weights.values()), signs, two)
    x = table.mixed(shares)[: points.problem.d if two else None]
    distance2 = _times(sum(v * v for v in x), 2 * table.power) / (total * total)
    points.between()
    return Evidence(least_scores(points, plane, _minima(table.scores(plane), signs, table.power)), distance2)


def least_scores(points: Signed, plane: Sequence[int], least: Sequence[Fraction | None] = (None, None)) -> Minima:
    """Return the least score of the rows of each sign. least: that of some rows."""
    rows = [points.rows_of_sign(sign, np.zeros(1, np.int64)) for t, sign in zip(least, SIGNS, strict=True)
            if t is None and points.count_of_sign(sign)]  # fmt: skip
    lower = np.concatenate([np.zeros(0, np.int64), *rows])
    while True:
        if lower.size:
            table, signs = IntegerTable(points.floats(lower)), points.problem.y[lower].tolist()
            new = _minima(table.scores(plane), signs, table.power)
            least = [q if p is None else p if q is None else min(p, q) for p, q in zip(least, new, strict=True)]
        known = {sign: t for t, sign in zip(least, SIGNS, strict=True) if t is not None}
        below = below_margin(points, plane, known).lowest
        lower = np.array([row for score, row in below.values() if score < 0], np.int64)
        if not lower.size:
            return list(least)


class IntegerTable:
    """Rows of doubles as integers times 2^power: one FLINT matrix, or a high and a low one."""

    def __init__(self, Z: np.ndarray) -> None:
        parts, exponents = np.frexp(Z)
        digits = np.ldexp(parts, 53).astype(np.int64)
        there = digits != 0
        powers = exponents[there].astype(np.int64)
        self.power = (int(powers.min()) if powers.size else 0) - 53
        shifts = np.where(there, exponents - (self.power + 53), 0).astype(np.int64)
        widest = int(shifts.max(initial=0))
        if widest <= 10:
            self.matrices = [_matrix(digits << shifts)]
        elif widest <= HALF:
            high = digits >> (HALF - shifts)
            self.matrices = [_matrix((digits - (high << (HALF - shifts))) << shifts), _matrix(high)]
        else:
            rows, self.power = common_rows(Z)
            self.matrices = [fmpz_mat(rows)]

    def mixed(self, weights: Sequence[int]) -> list[int]:
        """Return Σ weight·row."""
        return self._added([fmpz_mat([list(weights)]) * matrix for matrix in self.matrices])

    def scores(self, plane: Sequence[int]) -> list[int]:
        """Return ⟨plane, row⟩ of each row."""
        column = fmpz_mat(len(plane), 1, list(plane))
        return self._added([matrix * column for matrix in self.matrices])

    def _added(self, products: list[Any]) -> list[int]:
        low, *high = ([int(v) for v in product.entries()] for product in products)
        return [a + (b << HALF) for a, b in zip(low, high[0], strict=True)] if high else low


def _matrix(numbers: np.ndarray) -> Any:
    return fmpz_mat(len(numbers), numbers.shape[1], numbers.ravel().tolist())


def _shares(weights: list[int], signs: list[int], two: bool) -> tuple[list[int], int]:
    """Return the weights scaled to one sum for all rows, or to the same sum for each sign; and this sum."""
    if not two:
        return weights, sum(weights)
    p, q = (sum(m for m, sign in zip(weights, signs, strict=True) if sign == side) for side in SIGNS)
    if p == q:
        return weights, p
    common = math.lcm(p, q)
    return [m * (common // (p if sign > 0 else q)) for m, sign in zip(weights, signs, strict=True)], common


def _times(value: int, power: int) -> Fraction:
    return Fraction(value << power) if power >= 0 else Fraction(value, 1 << -power)


def _minima(scores: Sequence[int], signs: Sequence[int], power: int) -> Minima:
    """Return the least score of each sign, times 2^power."""
    of = [min((s for s, sign in zip(scores, signs, strict=True) if sign == side), default=None) for side in SIGNS]
    return [None if least is None else _times(least, power) for least in of]


class BelowMargin:
    """Operation on a partition: the lowest row of each sign under a plane of this sign, and the rows on these planes.

    planes: (w, b − sign·t), in integers. The result is (whether rows had to be sorted, ({sign: (score, row)}, rows)).
    """

    def __init__(self, points: Signed, planes: Mapping[int, Sequence[int]]) -> None:
        self.ops = {sign: RowMargins(points, plane) for sign, plane in planes.items()}

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        first, lowest, on, tidied = part.number(0), {}, [], False
        for sign, op in self.ops.items():
            mine = np.flatnonzero(part.y == sign)
            if mine.size:
                sorted_rows, m = op(part)
                tidied |= sorted_rows
                at = int(mine[np.argmin(m[mine])])
                lowest[sign] = float(m[at]), at + first
                on.append(mine[m[mine] == 0] + first)
        return tidied, (lowest, np.sort(np.concatenate(on)))


class Below(NamedTuple):
    """lowest: the least score minus the margin of each sign that occurs, and its first row. touching: rows at 0."""

    lowest: dict[int, tuple[float, int]]
    touching: np.ndarray


def below_margin(points: Signed, plane: Sequence[Fraction | int], least: Mapping[int, Fraction]) -> Below:
    """Return the lowest row of each sign, and the rows that are on the planes (w, b − sign·least).

    plane: (w, b), b only with a bias. The signs of scores are exact.
    """
    padded = points if points.pad else Signed(replace(points.problem, pad=1.0), points.engine)
    padded.between = points.between
    w, b = (plane[:-1], plane[-1]) if points.pad else (plane, 0)
    planes = {sign: whole([*w, b - sign * t]) for sign, t in least.items()}
    lowest: dict[int, tuple[float, int]] = {}
    touching = []
    for _, (low, on) in padded.scan(BelowMargin(padded, planes), counted=True):
        for sign, pair in low.items():
            lowest[sign] = min(lowest.get(sign, pair), pair)
        touching.append(on)
    return Below(lowest, np.concatenate(touching))
