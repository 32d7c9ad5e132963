"""Two slow references of parameter mixing (McDonald, Hall and Mann 2010): in fractions, and rounded as the program is.

    in fractions   as the paper states it: each of P partitions makes a pass from v with step η, and v becomes the mean
                   of the P results. Nothing is rounded, nothing is scaled
    rounded        the scaled form: V = P·v; local steps P·η in Python floats, one coordinate after the other; then
                   V_j ← V_j + (Σ_p (w_pj − V_j))/P, the partitions in their order. Decisions are exact

Nothing here is shared with the package, but the rows of a shuffled pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oracles.twins import whole

Rows = Callable[[int, int, int], Iterable[int]]  # (round, partition, its rows) → its rows in the order of the looks


def in_order(number: int, partition: int, size: int) -> Iterable[int]:
    return range(size)


@dataclass
class Mixed:
    """A run: weights with the bias last; of the reference in fractions v, of the rounded one V."""

    w: list[Any]
    updates: list[list[int]] = field(default_factory=list)  # by round and partition
    after: list[list[Any]] = field(default_factory=list)  # the weights after each round

    @property
    def separated(self) -> bool:
        return bool(self.updates) and not any(self.updates[-1])

    @property
    def total(self) -> int:
        return sum(map(sum, self.updates))


def cuts(n: int, partitions: int) -> list[tuple[int, int]]:
    return [(n * k // partitions, n * (k + 1) // partitions) for k in range(partitions)]


def in_fractions(
    X: Any, y: Sequence[int], partitions: int, rounds: int, *, start: Sequence[Any] = (), eta: Any = 1,
    bias: bool = True, order: Rows = in_order,
) -> Mixed:  # fmt: skip
    """The paper's form: v ← (1/P)·Σ_p (v after a pass over partition p)."""
    points = [[Fraction(v) * s for v in [*row, int(bias)]] for row, s in zip(X, y, strict=True)]
    run = Mixed([Fraction(v) for v in start] or [Fraction(0)] * len(points[0]))
    for number in range(rounds):
        ends, made = [], []
        for p, (lo, hi) in enumerate(cuts(len(points), partitions)):
            w, k = list(run.w), 0
            for i in order(number, p, hi - lo):
                z = points[lo + i]
                if sum(a * b for a, b in zip(w, z, strict=True)) <= 0:
                    w, k = [a + Fraction(eta) * b for a, b in zip(w, z, strict=True)], k + 1
            ends.append(w)
            made.append(k)
        run.w = [sum(column, Fraction(0)) / partitions for column in zip(*ends, strict=True)]
        run.updates.append(made)
        run.after.append(run.w)
        if not any(made):
            break
    return run


def rounded(
    X: Any, y: Sequence[int], partitions: int, rounds: int, *, start: Sequence[float] = (), eta: float = 1.0,
    bias: bool = True, order: Rows = in_order, factors: tuple[float, float] = (1.0, 1.0),
) -> Mixed:  # fmt: skip
    """The scaled form in binary64; from a start at zero with step 1, and η is multiplied in by the caller."""
    points = [[float(v) for v in [*row, int(bias)]] for row in X]
    exact, P = [whole(row) for row in points], float(partitions)
    from_zero = not any(start)
    run = Mixed([P * v + 0.0 for v in start] or [0.0] * len(points[0]))
    step = P * (1.0 if from_zero else eta)
    for number in range(rounds):
        ends, made = [], []
        for p, (lo, hi) in enumerate(cuts(len(points), partitions)):
            w, exact_w, k = list(run.w), whole(run.w), 0
            for i in order(number, p, hi - lo):
                row = lo + i
                if y[row] * sum(a * b for a, b in zip(exact_w, exact[row], strict=True)) <= 0:
                    g = step * factors[y[row] > 0] * y[row]
                    w = [a + g * v for a, v in zip(w, points[row], strict=True)]
                    exact_w, k = whole(w), k + 1
            ends.append(w)
            made.append(k)
        run.w = _mean(run.w, ends)
        run.updates.append(made)
        run.after.append(run.w)
        if not any(made):
            break
    return run


def _mean(V: list[float], ends: list[list[float]]) -> list[float]:
    """V + (Σ_p (w_p − V))/P in the order of the partitions; the result itself where there is one."""
    if len(ends) == 1:
        return ends[0]
    total = [0.0] * len(V)
    for w in ends:
        total = [t + (a - v) for t, a, v in zip(total, w, V, strict=True)]
    return [v + t / len(ends) for v, t in zip(V, total, strict=True)]
