"""Shorten a separating plane: integer weights of few bits that still separate the points, verified exactly.

    round(c·w/max|w|),  c = 1, 2, 3, …        the first that separates; then single weights are moved toward zero

The result is the shortest plane found, not the shortest possible one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

MOST = 4096  # multiples c that are tried one by one; then only powers of two


def short_plane(signed: Sequence[Sequence[int]], plane: Sequence[int]) -> tuple[int, ...]:
    """Return integer weights of few bits with ⟨w, z⟩ > 0 on every row z; raise ValueError unless the plane has it."""
    from flint import fmpz_mat

    Z = fmpz_mat([list(row) for row in signed])
    if not separates(Z, list(plane)):
        raise ValueError("the plane does not separate the rows")
    return _reduced(Z, _rounded(Z, list(plane)))


def separates(Z: Any, w: Sequence[int]) -> bool:
    """Return whether ⟨w, z⟩ > 0 on every row, exactly."""
    from flint import fmpz_mat

    return all(v > 0 for v in (Z * fmpz_mat([[v] for v in w])).entries())


def _rounded(Z: Any, plane: list[int]) -> list[int]:
    """Return the first of the rounded multiples that separates; the plane itself if none is shorter."""
    largest = max(abs(v) for v in plane)
    c, before = 1, None
    while c < largest:
        w = [(2 * c * v + largest) // (2 * largest) for v in plane]  # rounded to the nearest integer
        if w != before and separates(Z, w):
            return w
        before = w
        c = c + 1 if c < MOST else 2 * c
    return plane


def _reduced(Z: Any, w: list[int]) -> tuple[int, ...]:
    """Move the largest weights toward zero, by halving steps, as long as the plane separates."""
    moved = True
    while moved:
        moved = False
        for j in sorted(range(len(w)), key=lambda j: -abs(w[j])):
            step = abs(w[j])
            while step:
                shorter = [*w[:j], w[j] - (step if w[j] > 0 else -step), *w[j + 1 :]]
                if abs(shorter[j]) < abs(w[j]) and separates(Z, shorter):
                    w, moved = shorter, True
                    step = min(step, abs(w[j]))
                else:
                    step //= 2
    return tuple(w)
