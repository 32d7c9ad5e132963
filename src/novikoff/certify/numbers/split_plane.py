"""A plane of whole numbers of any size as a sum of planes of doubles, the rounded one first."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from novikoff.certify.numbers.integer_rows import BITS

LOWEST = -1000  # chunks of a plane whose largest number is about 1 go down to 2^LOWEST


def chunks_of(plane: Sequence[int]) -> tuple[np.ndarray, float, float]:
    """Doubles C[0] + C[1] + … that sum to a multiple of the plane; bounds of what C[0] leaves: its length, its share.

    A share of 1 or more: the plane has more digits than doubles can hold.
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
    """The first 53 binary digits of v, and how many follow; nothing below 2^(top + LOWEST)."""
    extra = max(v.bit_length() - BITS, 0)
    digits = v >> extra if v >= 0 else -(-v >> extra)
    return (digits, extra) if extra - top >= LOWEST else (0, 0)
