"""The rows of a multinomial logit in fractions, row by row: x ⊗ (e_y − e_c) for every class c other than y.

Imports nothing from the package it judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Pair = tuple[int, int]  # a row, and the place of the other class


def stacked_rows(
    table: Sequence[Sequence[Any]], codes: Sequence[int], K: int
) -> tuple[list[list[Fraction]], list[Pair]]:
    """table: rows x, the intercept's 1 among them; codes: the place of each row's class; class 0 is the reference."""
    rows, pairs = [], []
    for i, (x, y) in enumerate(zip(table, codes, strict=True)):
        for c in range(K):
            if c != y:
                rows.append([Fraction(v) * ((k == y) - (k == c)) for k in range(1, K) for v in x])
                pairs.append((i, c))
    return rows, pairs


def likelihood_ratio(b: Sequence[Fraction], x: Sequence[Fraction], y: int, c: int) -> Fraction:
    """log P(y | x) − log P(c | x) for the coefficients b of the classes 1, 2, …, one after the other."""
    D = len(x)
    score = [
        Fraction(0),
        *(sum((u * v for u, v in zip(b[k : k + D], x, strict=True)), Fraction(0)) for k in range(0, len(b), D)),
    ]
    return score[y] - score[c]
