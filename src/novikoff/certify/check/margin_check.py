"""Check a margin exactly: what a plane and weights prove about γ², recomputed in rationals from the rows.

z = y·(x, 1), or y·x without a bias; v = (w, b) any plane, λ > 0 weights of some rows.

    padded       min ⟨v, z⟩ / |v|        ≤  γ  ≤  |Σ λ z| / Σ λ
    geometric    (p + q) / 2|w|          ≤  γ  ≤  |Σ λ⁺x / Σ λ⁺ − Σ λ⁻x / Σ λ⁻| / 2

p and q are the least ⟨v, z⟩ of the positive and of the negative rows; adding (q − p)/2 to b makes both (p + q)/2.

The minima of all rows are exact. One product in floats, with a bound of its rounding errors, finds the rows that can be
the lowest; these few are computed in integers. Nothing of the search for the plane is used here.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from flint import fmpz_mat

from novikoff.certify.check.row_blocks import dense_rows, row_blocks, tidy
from novikoff.certify.check.verify import CertificateError
from novikoff.certify.numbers.integer_rows import common_rows
from novikoff.data.problem import Problem
from novikoff.engines.engine import SERIAL, Engine

FEW = 8  # rows up to which no bounds of single rows are computed
HALF = 62  # binary digits of the low one of two matrices
ROWS = 1 << 18  # numbers converted to integers at a time
SIGNS = (1, -1)
NONE = np.zeros(0, np.int64)

Minima = list[Fraction | None]  # of the positive rows, of the negative ones; None where there are none


class Evidence(NamedTuple):
    """What a plane and weights prove."""

    least: Minima  # ⟨v, z⟩ of the lowest row of each sign
    distance2: Fraction  # |Σ λ z / Σ λ|², or the squared distance of the two mixtures

    @property
    def lowest(self) -> Fraction:
        """The least ⟨v, z⟩ of all rows."""
        return min(t for t in self.least if t is not None)


def evidence(
    points: Problem,
    plane: Sequence[int],
    weights: Mapping[int, int],
    two: bool,
    engine: Engine = SERIAL,
    between: Callable[[], None] = lambda: None,
) -> Evidence:
    """Return the exact minima of ⟨plane, z⟩, and the exact squared length of the weighted mean of rows.

    plane: integers, the bias last if there is one. weights: positive integers of rows. two: use the means of the two
    classes rather than one of all rows. between: called between two steps, the longest of which is one integer product
    with at most ROWS numbers of the points, or with the rows that have weights; it may raise.
    """
    between()
    rows = np.fromiter(weights, np.int64, len(weights))
    some = points.part(rows)
    table, signs = IntegerTable(dense_rows(some)), some.y.tolist()
    shares, total = _shares(list(weights.values()), signs, two)
    x = table.mixed(shares)[: points.d if two else None]
    distance2 = _times(sum(v * v for v in x), 2 * table.power) / (total * total)
    between()
    least = _minima(table.scores(plane), signs, table.power)
    counted = replace(points, origin=None)  # numbers of the user's file need not all be different
    for part in engine.map(Lowest(plane, points.d, least, {int(i) for i in weights}, between), counted):
        between()
        least = _lower(least, part)
    return Evidence(least, distance2)


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
    if not p or not q:
        raise CertificateError("geometric: weights of rows of both classes were expected")
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


def _lower(a: Minima, b: Minima) -> Minima:
    """Return the lower one of each sign."""
    return [p if q is None else q if p is None else min(p, q) for p, q in zip(a, b, strict=True)]


class Lowest:
    """Operation on a partition: the exact least ⟨v, z⟩ of either sign, of rows below those that are known.

    |fl(Σ v_j·x_j) − Σ v_j·x_j|  ≤  (2d + 16)·2⁻⁵³·Σ |v_j|·|x_j|  + underflow         v rounded, any order of summation

    known: the numbers of rows whose least scores are `least`. between: called between blocks of rows, except in another
    process, which does not have its deadline.
    """

    def __init__(
        self,
        plane: Sequence[int],
        d: int,
        least: Minima,
        known: set[int],
        between: Callable[[], None],
    ) -> None:
        self.between: Callable[[], None] | None = between
        top = max(v.bit_length() for v in plane)
        self.plane, self.unit, self.known = [int(v) for v in plane], 1 << top, known
        v = np.array([w / self.unit for w in self.plane])
        self.w, self.b = v[:d], float(v[d]) if v.size > d else 0.0
        self.size = math.sqrt(float(self.w @ self.w)) * (1.0 + 2.0**-40)
        self.least, self.whole = least, top <= 53
        self.slack, self.tiny = (2 * d + 16) * 2.0**-53, 2.0**-1000 * (d + 1)

    def __call__(self, part: Problem) -> Minima:
        part, least = tidy(part), self.least
        with np.errstate(all="ignore"):
            for start, rows in row_blocks(part):
                self._pause()
                least = self._of(part, start, rows, least)
        return least

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"between": None}

    def _pause(self) -> None:
        if self.between is not None:
            self.between()

    def _of(self, part: Problem, start: int, rows: Any, least: Minima) -> Minima:
        """Return the least scores after some more rows."""
        signs = part.y[start : start + rows.shape[0]]
        numbers = rows.ravel() if isinstance(rows, np.ndarray) else rows.data
        longest = math.sqrt(float(np.einsum("i,i->", numbers, numbers))) + 2.0**-500  # squares below 2^-1074 are lost
        far = (self.size * longest + abs(self.b)) * self.slack + self.tiny * (1.0 + longest)
        sums = np.einsum("ij,j->i", rows, self.w) if isinstance(rows, np.ndarray) else rows @ self.w
        sums += self.b  # einsum: without the threads of a library, which are slow on a busy machine
        sums *= signs
        for k, sign in enumerate(SIGNS):
            mine = np.flatnonzero(signs == sign) if least[k] is None else NONE
            if mine.size:
                first = mine[[int(np.argmin(sums[mine]))]]
                least = [*least[:k], self._exactly(part, start + first)[k], *least[k + 1 :]]
        limits = np.where(signs > 0, self._float(least[0]), self._float(least[1]))
        near = np.flatnonzero(~(sums - far >= limits))
        if near.size > FEW + 2 * len(self.known):
            near = near[~(sums[near] - self._doubt(rows[near]) >= limits[near])]
        below = [i for i in (near + start).tolist() if part.number(i) not in self.known]
        if below:
            least = _lower(least, self._exactly(part, np.array(below)))
        return least

    def _float(self, least: Fraction | None) -> float:
        """Return the least score in the units of the sums, rounded up."""
        if least is None:
            return math.inf
        exact = least / self.unit
        try:
            near = exact.numerator / exact.denominator
        except OverflowError:
            return math.inf
        return near if Fraction(near) >= exact else math.nextafter(near, math.inf)

    def _doubt(self, rows: Any) -> np.ndarray:
        """Return a bound on the error of each row's sum."""
        sizes = np.asarray(abs(rows) @ abs(self.w) + abs(self.b))
        lengths = np.asarray(abs(rows).sum(axis=1)).ravel()
        doubt: np.ndarray = sizes * self.slack + self.tiny * (1.0 + lengths)
        if self.whole:
            numbers = rows if isinstance(rows, np.ndarray) else rows.toarray()
            doubt[(numbers == np.rint(numbers)).all(axis=1) & (sizes * self.unit < 2.0**53)] = 0.0
        return doubt

    def _exactly(self, part: Problem, which: np.ndarray) -> Minima:
        """Return the least scores of some rows of a partition, in integers."""
        least: Minima = [None, None]
        step = max(1, ROWS // len(self.plane))
        for a in range(0, which.size, step):
            self._pause()
            some = which[a : a + step]
            table = IntegerTable(dense_rows(part.part(some)))
            least = _lower(least, _minima(table.scores(self.plane), part.y[some].tolist(), table.power))
        return least
