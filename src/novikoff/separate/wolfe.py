"""Find a strict separator or a positive circuit, in integers: the primitive of every verdict.

Given integer rows z_1, …, z_n, exactly one of these exists (Gordan 1873):

    a separator     w with ⟨w, z_i⟩ > 0 for all i
    a circuit       at most D + 1 rows and λ > 0 with Σ λ_i z_i = 0, no smaller set of them having such a relation

Wolfe's method (1976) in rational numbers finds it. It keeps a corral: affinely independent rows P whose nearest point
to the origin, x = Σ μ_i p_i with Σ μ_i = 1, lies inside their hull (μ > 0). If x = 0, the corral is a circuit. If
⟨x, z_i⟩ > 0 for all i, x separates. Else a row with ⟨x, z_j⟩ ≤ 0 < |x|² joins, and rows leave until the corral is one
again.

It always ends: |x|² decreases strictly from corral to corral, so none occurs twice, and there are finitely many. No
rule against cycling is needed, since nothing is rounded.

From the notes: C4, Z12 (a relation with positive weights: no plane separates the points).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from flint import fmpq, fmpz, fmpz_mat

from novikoff.exact.integer_rows import primitive


class Separator(NamedTuple):
    """⟨w, z⟩ > 0 for every row."""

    w: list[int]


class Circuit(NamedTuple):
    """Rows and positive weights with Σ weight·row = 0; the rows have this relation and no other."""

    rows: list[int]
    weights: list[int]


def by_row(rows: Sequence[int], weights: Sequence[Any]) -> tuple[list[int], list[Any]]:
    """Return rows and their weights, sorted by row."""
    order = sorted(range(len(rows)), key=rows.__getitem__)
    return [rows[i] for i in order], [weights[i] for i in order]


def strict(
    Z: Sequence[Sequence[int]],
    start: Sequence[int] = (),
    weights: Sequence[float] = (),
    between: Callable[[], None] = lambda: None,
) -> Separator | Circuit:
    """Return a separator of the integer rows Z, or a circuit of them.

    start, weights: rows of an approximate answer, and their weights; `between` is called before every exact solution,
    and may raise.
    """
    rows = fmpz_mat([list(z) for z in Z])
    corral = Corral(Z, *_beginning(Z, start, weights))
    sizes = np.array([max(float(min(max(map(abs, z)), 1 << 1000)), 1e-300) for z in Z])
    while True:
        corral.settle(between)
        x = corral.point()
        if x.is_zero():
            return Circuit(corral.names, primitive(corral.whole_weights()))
        scores = (rows * x.transpose()).entries()
        if min(scores) > 0:
            return Separator(primitive(x.entries()))
        corral.join(_worst(scores, sizes))


def _beginning(
    Z: Sequence[Sequence[int]], start: Sequence[int], weights: Sequence[float]
) -> tuple[list[int], list[Any]]:
    """Return the first corral: rows and weights that sum to 1."""
    used = [(i, float(m)) for i, m in zip(start, weights, strict=True) if m > 0 and np.isfinite(m)]
    if not used:
        return [min(range(len(Z)), key=lambda i: sum(v * v for v in Z[i]))], [fmpq(1)]
    exact = [fmpq(*m.as_integer_ratio()) for _, m in used]
    total = sum(exact, fmpq(0))
    return [i for i, _ in used], [m / total for m in exact]


def _worst(scores: list[Any], sizes: np.ndarray) -> int:
    """Return the row farthest on the wrong side, relative to its size."""
    largest = max(abs(v) for v in scores)
    shift = max(int(largest).bit_length() - 900, 0)
    wrong = [i for i, v in enumerate(scores) if v <= 0]
    return min(wrong, key=lambda i: float(int(scores[i]) >> shift) / sizes[i])


class Corral:
    """Rows, and weights > 0 that sum to 1."""

    def __init__(self, Z: Sequence[Sequence[int]], names: list[int], weights: list[Any]) -> None:
        self.Z, self.names, self.weights = Z, names, weights

    def join(self, row: int) -> None:
        self.names.append(row)
        self.weights.append(fmpq(0))

    def settle(self, between: Callable[[], None] = lambda: None) -> None:
        """Move to the point of the rows' affine hull nearest to the origin; rows whose weight falls to 0 leave.

        between: called before every exact solution; it may raise.
        """
        while True:
            between()
            nearest = self._nearest()
            if nearest is None:
                self._go(self._dependency())
            elif min(nearest) > 0:
                self.weights = nearest
                return
            else:
                self._go([m - old for m, old in zip(nearest, self.weights, strict=True)], fmpq(1))

    def _nearest(self) -> list[Any] | None:
        """Return μ of the nearest point: PPᵀμ = s·1, Σμ = 1; None if the rows are affinely dependent."""
        P = fmpz_mat([list(self.Z[i]) for i in self.names])
        k = len(self.names)
        G = (P * P.transpose()).tolist()
        system = fmpz_mat([[*g, fmpz(1)] for g in G] + [[fmpz(1)] * k + [fmpz(0)]])
        try:
            solved = system.solve(fmpz_mat([[0]] * k + [[1]]))
        except ZeroDivisionError:
            return None
        return [solved[i, 0] for i in range(k)]

    def _dependency(self) -> list[Any]:
        """Return δ ≠ 0 with Σ δ_i p_i = 0 and Σ δ_i = 0."""
        padded = fmpz_mat([[*self.Z[i], 1] for i in self.names]).transpose()
        basis, _ = padded.nullspace()
        return [fmpq(basis[i, 0]) for i in range(len(self.names))]

    def _go(self, way: list[Any], most: Any = None) -> None:
        """Move in a direction until a weight is 0, at most `most` times it; rows whose weight decreases to 0 leave."""
        step = min(-old / v for old, v in zip(self.weights, way, strict=True) if v < 0)
        if most is not None and step > most:
            step = most
        new = [old + step * v for old, v in zip(self.weights, way, strict=True)]
        keep = [i for i, m in enumerate(new) if m > 0 or (m == 0 and way[i] > 0)]
        self.names, self.weights = [self.names[i] for i in keep], [new[i] for i in keep]

    def whole_weights(self) -> list[Any]:
        common = fmpz(1)
        for m in self.weights:
            common = common.lcm(m.q)
        return [m.p * (common // m.q) for m in self.weights]

    def point(self) -> Any:
        """Return a positive multiple of x, in integers."""
        return fmpz_mat([self.whole_weights()]) * fmpz_mat([list(self.Z[i]) for i in self.names])
