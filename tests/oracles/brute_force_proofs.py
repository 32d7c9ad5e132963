"""Small problems with proofs made by brute force: nothing of novikoff.

Every relation Σ λ·z = 0 with λ > 0 is a sum of circuits (those on as few rows as can be), so the held rows are the
union of all circuits; the others can be separated, by a perceptron in the space where the held rows are zero.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations
from typing import Any

from oracles.judge_of_proofs import Rows, digest, number

Vector = list[Fraction]
VALUES = {
    "signs": ["-1", "0", "1"],
    "grid": ["-2", "-1", "0", "1", "2", "3"],
    "tenths": ["0.1", "0.2", "0.3", "-0.1", "0.6", "0", "1"],
    "far": ["1e9", "1000000000.001", "1e-9", "-1e9", "0"],
    "binary": ["0.5", "-0.25", "1.75", "0", "3e-300", "-1e300"],
}


def problem(random: random.Random) -> tuple[Rows, bool]:
    """Labelled rows as texts, and whether planes have a bias."""
    values = VALUES[random.choice(list(VALUES))]
    n, d = random.randint(2, 6), random.randint(1, 3)
    rows = [(random.choice("01"), [random.choice(values) for _ in range(d)]) for _ in range(n)]
    return rows, random.random() < 0.7


def null_space(rows: list[Vector], width: int) -> list[Vector]:
    """A basis of all v with row·v = 0 for every row."""
    pivots: dict[int, Vector] = {}
    for row in rows:
        for p, own in pivots.items():
            row = [a - row[p] * b for a, b in zip(row, own, strict=True)]
        p = next((j for j, a in enumerate(row) if a), None)
        if p is not None:
            row = [a / row[p] for a in row]
            pivots = {q: [a - own[p] * b for a, b in zip(own, row, strict=True)] for q, own in pivots.items()}
            pivots[p] = row
    basis = []
    for free in set(range(width)) - set(pivots):
        v = [Fraction(j == free) for j in range(width)]
        for p, own in pivots.items():
            v[p] = -own[free]
        basis.append(v)
    return basis


def circuits(Z: list[Vector]) -> list[dict[int, Fraction]]:
    """All sets of rows with weights > 0 that sum to zero, none containing another."""
    found: list[dict[int, Fraction]] = []
    for size in range(1, min(len(Z), len(Z[0]) + 1) + 1):
        for rows in combinations(range(len(Z)), size):
            if any(set(old) <= set(rows) for old in found):
                continue
            relations = null_space([list(column) for column in zip(*(Z[i] for i in rows), strict=True)], size)
            if len(relations) == 1:
                for sign in (1, -1):
                    if all(sign * weight > 0 for weight in relations[0]):
                        found.append({i: sign * weight for i, weight in zip(rows, relations[0], strict=True)})
    return found


def whole(values: list[Fraction]) -> list[str]:
    scale = math.lcm(*(value.denominator for value in values)) if values else 1
    return [str(int(value * scale)) for value in values]


def signed(rows: Rows, positive: str, bias: bool) -> list[Vector]:
    out = []
    for label, texts in rows:
        x = [number(text) for text in texts] + [Fraction(1)] * bias
        out.append([value if label == positive else -value for value in x])
    return out


def separator(S: list[Vector], basis: list[Vector]) -> Vector:
    """A vector of the basis' span with product > 0 with every row of S, by the perceptron rule."""
    Q = [[sum((a * b for a, b in zip(z, v, strict=True)), Fraction(0)) for v in basis] for z in S]
    Q = [[value / max(map(abs, q)) for value in q] for q in Q]
    c, limit = [Fraction(0)] * len(basis), 400
    while limit:
        q = next((q for q in Q if sum((a * b for a, b in zip(c, q, strict=True)), Fraction(0)) <= 0), None)
        if q is None:
            return [sum((a * v[j] for a, v in zip(c, basis, strict=True)), Fraction(0)) for j in range(len(basis[0]))]
        c, limit = [a + b for a, b in zip(c, q, strict=True)], limit - 1
    raise RuntimeError("no separator in time")


def certificate(rows: Rows, bias: bool, strict_only: bool = False) -> dict[str, Any]:
    """A certificate of the true kind; RuntimeError where the plane takes too long."""
    labels = sorted({label for label, _ in rows})
    positive, negative = labels[-1], labels[0] if len(labels) == 2 else None
    Z = signed(rows, positive, bias)
    loops, d = circuits(Z), len(rows[0][1])
    held = sorted({i for loop in loops for i in loop})
    S = [i for i in range(len(Z)) if i not in held]
    kind = "complete" if not held else "overlap" if not S else "quasi-complete"
    record: dict[str, Any] = {
        "format": "novikoff-certificate/1",
        "claim": "not separable" if held and strict_only else kind,
        "data": {"digest": digest(rows), "n": len(rows), "d": d, "positive": positive, "negative": negative,
                 "bias": bias, "numbers": "binary64"},
        "w": None, "b": None, "support": None, "weights": None, "held": None, "held_weights": None,
    }  # fmt: skip
    if held:
        least = min(loops, key=len)
        record |= {"support": list(least), "weights": whole(list(least.values()))}
    if held and strict_only:
        return record
    if S:
        v = whole(separator([Z[i] for i in S], null_space([Z[i] for i in held], len(Z[0]))))
        record |= {"w": v[:d], "b": v[d] if bias else None}
    if held:
        total = {i: sum((loop.get(i, Fraction(0)) for loop in loops), Fraction(0)) for i in held}
        record |= {"held": held, "held_weights": whole(list(total.values()))}
    return record


def true_kind(rows: Rows, bias: bool, positive: str) -> str:
    """By circuits alone."""
    Z = signed(rows, positive, bias)
    held = {i for loop in circuits(Z) for i in loop}
    return "complete" if not held else "overlap" if len(held) == len(Z) else "quasi-complete"
