"""Separable or not by brute force: every circuit of the signed rows, in whole numbers.

Rows z_1, …, z_n. A circuit is a smallest linearly dependent set of rows; its one relation Σ λ_i z_i = 0 is positive
when all λ_i can be taken > 0. By the theorem of Gordan, Stiemke and Tucker every row is either

    held        in some positive circuit, and then ⟨w, z_i⟩ = 0 for every w with Zw ≥ 0, or
    separated   and one w with Zw ≥ 0 has ⟨w, z_i⟩ > 0 for all of these rows together.

Imports nothing from the package it judges. Each circuit is met once: a set of independent rows in rising order, and one
later row that depends on them. For tiny problems only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from typing import Any

Row = tuple[int, ...]


def answer(X: Sequence[Sequence[Any]], signs: Sequence[int], fit_intercept: bool = True) -> tuple[str, list[int]]:
    """(kind, the separated rows) of points with signs ±1."""
    held = held_rows(signed_rows(X, signs, fit_intercept))
    separated = [i for i in range(len(signs)) if i not in held]
    return "complete" if not held else "quasi-complete" if separated else "overlap", separated


def signed_rows(X: Sequence[Sequence[Any]], signs: Sequence[int], fit_intercept: bool) -> list[Row]:
    """y·(x, 1), each multiplied by a positive number that makes it whole."""
    rows = []
    for x, y in zip(X, signs, strict=True):
        z = [int(y) * Fraction(v) for v in x] + ([Fraction(int(y))] if fit_intercept else [])
        common = 1
        for v in z:
            common *= v.denominator // gcd(common, v.denominator)
        rows.append(tuple(int(v * common) for v in z))
    return rows


def held_rows(rows: Sequence[Row]) -> set[int]:
    """The rows in some positive circuit."""
    held: set[int] = set()
    for circuit in positive_circuits(rows):
        held |= circuit
    return held


def positive_circuits(rows: Sequence[Row]) -> Iterator[set[int]]:
    """The sets of rows of all positive circuits."""
    yield from _grow(rows, [], [], 0)


Reduced = tuple[int, list[int], dict[int, int]]  # pivot column, row of the echelon form, how it is made of the rows


def echelon(rows: Sequence[Row]) -> list[Reduced]:
    """An echelon form of the rows' span."""
    basis: list[Reduced] = []
    for i, row in enumerate(rows):
        z, made = _reduce(list(row), {i: 1}, basis)
        pivot = next((j for j, v in enumerate(z) if v), None)
        if pivot is not None:
            basis.append((pivot, z, made))
    return basis


def in_span(basis: list[Reduced], row: Row) -> bool:
    """Whether the row depends on those of the echelon form."""
    return not any(_reduce(list(row), {}, basis)[0])


def _grow(rows: Sequence[Row], chosen: list[int], echelon: list[Reduced], start: int) -> Iterator[set[int]]:
    for i in range(start, len(rows)):
        z, made = _reduce(list(rows[i]), {i: 1}, echelon)
        pivot = next((j for j, v in enumerate(z) if v), None)
        if pivot is not None:
            yield from _grow(rows, [*chosen, i], [*echelon, (pivot, z, made)], i + 1)
        elif min(made.values()) > 0 or max(made.values()) < 0:
            yield set(made)


def _reduce(z: list[int], made: dict[int, int], echelon: list[Reduced]) -> tuple[list[int], dict[int, int]]:
    """The row with zeros in all pivot columns, and what it is made of."""
    for pivot, other, parts in echelon:
        a, b = z[pivot], other[pivot]
        if a == 0:
            continue
        z = [b * v - a * u for v, u in zip(z, other, strict=True)]
        keys = made.keys() | parts.keys()
        made = {k: b * made.get(k, 0) - a * parts.get(k, 0) for k in keys}
        made = {k: v for k, v in made.items() if v}
        common = gcd(*z, *made.values()) if made else gcd(*z)
        if common > 1:
            z, made = [v // common for v in z], {k: v // common for k, v in made.items()}
    return z, made
