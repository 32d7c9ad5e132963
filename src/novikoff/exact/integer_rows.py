"""Convert rows of binary64 numbers to integers times powers of two.

    row of doubles  z = r·2^e        r integers with no common factor 2

A row may be multiplied by any positive number: no sign of ⟨w, z⟩ changes. So a decision needs only the r. A relation
Σ μ_i r_i = 0 is the relation Σ λ_i z_i = 0 with λ_i = μ_i·2^(−e_i). A plane, too, is integers up to a factor.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from flint import fmpz, fmpz_mat

Row = list[int]
BITS = 53
SHORT = 600  # digits that Python always writes by itself
LOWEST = -1000  # chunks of a plane whose largest number is about 1 go down to 2^LOWEST


def whole_rows(Z: np.ndarray) -> tuple[list[Row], list[int]]:
    """Return (r, e) with Z[i] = r[i]·2^e[i] for every row of finite numbers."""
    parts, powers = np.frexp(np.asarray(Z, np.float64))
    digits = np.ldexp(parts, BITS).astype(np.int64)
    low = digits & -digits  # the lowest bit that is set
    drop = np.where(digits == 0, 0, np.frexp(low.astype(np.float64))[1] - 1)
    digits >>= drop
    powers = powers.astype(np.int64) - BITS + drop
    far = np.iinfo(np.int64).max
    lowest = np.where(digits == 0, far, powers).min(axis=1, initial=far)
    lowest[lowest == far] = 0
    shifts = np.where(digits == 0, 0, powers - lowest[:, None])
    if (shifts < 63 - BITS).all():
        return (digits << shifts).tolist(), lowest.tolist()
    rows = [
        [d << s for d, s in zip(ds, ss, strict=True)] for ds, ss in zip(digits.tolist(), shifts.tolist(), strict=True)
    ]
    return rows, lowest.tolist()


def common_rows(Z: np.ndarray) -> tuple[list[Row], int]:
    """Return (r, e) with Z = r·2^e, r integers."""
    rows, powers = whole_rows(Z)
    low = min(powers, default=0)
    return [[v << (e - low) for v in r] for r, e in zip(rows, powers, strict=True)], low


def whole(values: Iterable[Any]) -> tuple[int, ...]:
    """Return numbers times the smallest positive number that makes them integers: floats, fractions or integers.

    Examples
    --------
    >>> whole([4.0, -0.5, 1])
    (8, -1, 2)
    >>> whole([6, 1.5]), whole([0, 0])
    ((4, 1), (0, 0))
    """
    ratios = [value.as_integer_ratio() for value in values]
    scale = math.lcm(*(int(q) for _, q in ratios))
    integers = [int(p) * (scale // int(q)) for p, q in ratios]
    divisor = math.gcd(*integers) or 1
    return tuple(v // divisor for v in integers)


def digits(value: Any) -> str:
    """Return the decimal digits of an integer of any length (Python refuses to write long ones)."""
    value = int(value)
    if value.bit_length() <= 3 * SHORT:
        return str(value)
    return str(fmpz(value))


def primitive(numbers: Sequence[Any]) -> list[int]:
    """Return integers divided by their greatest common divisor."""
    whole = [int(v) for v in numbers]
    common = math.gcd(*whole)
    return [v // common for v in whole] if common > 1 else whole


def identity(D: int) -> Any:
    """Return the identity matrix of integers."""
    return fmpz_mat([[int(i == j) for j in range(D)] for i in range(D)])


def short_basis(vectors: Sequence[Sequence[Any]]) -> Any:
    """Return short integer vectors, as columns, that span the same space as independent ones (LLL)."""
    return fmpz_mat([primitive(v) for v in vectors]).lll().transpose()


def of_rows(weights: Sequence[Any], powers: Sequence[int]) -> list[int]:
    """Convert weights of the rows r to weights of the rows r·2^e: positive integers without a common factor."""
    most = max(powers)
    return primitive([int(m) << (most - e) for m, e in zip(weights, powers, strict=True)])


def relation_holds(weights: Sequence[Any], rows: Sequence[Sequence[Any]]) -> bool:
    """Return whether all weights are positive and Σ weight·row is exactly zero."""
    if not weights or min(weights) <= 0:
        return False
    return bool((fmpz_mat([[fmpz(m) for m in weights]]) * fmpz_mat([list(r) for r in rows])).is_zero())


def chunks_of(plane: Sequence[int]) -> tuple[np.ndarray, float, float]:
    """Return doubles C[0] + C[1] + … that sum to a multiple of the plane, and bounds of the rest after C[0].

    The bounds: of its length, and of its share of C[0] by coordinate; 1 or more if doubles cannot represent the plane.
    """
    left = [int(v) for v in plane]
    top = max(v.bit_length() for v in left)
    if top <= BITS:
        return np.array([left], np.float64), 0.0, 0.0
    chunks = []
    while any(left):
        chunk = [_cut(v, top) for v in left]
        if not any(digits for digits, _ in chunk):
            break
        chunks.append([math.ldexp(digits, extra - top) for digits, extra in chunk])
        left = [v - (digits << extra) for v, (digits, extra) in zip(left, chunk, strict=True)]
    C = np.array(chunks)
    if len(C) == 1 and not any(left):
        return C, 0.0, 0.0
    rest = math.sqrt(len(left)) * 2.0**-52 * float(np.abs(C[0]).max())
    info = not any(left) and not C[1:, C[0] == 0].any()
    return C, rest, 2.0**-52 if info else 1.0


def _cut(v: int, top: int) -> tuple[int, int]:
    """Return the first 53 binary digits of v, and how many follow; 0 below 2^(top + LOWEST)."""
    extra = max(v.bit_length() - BITS, 0)
    digits = v >> extra if v >= 0 else -(-v >> extra)
    return (digits, extra) if extra - top >= LOWEST else (0, 0)
