"""P(w) − D(a) of a soft margin in exact numbers: fractions for hinge and squared hinge, intervals for the logistic one.

Slow and plain: every sum is exact, and a dual point is first checked to be one.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

BITS = 300


def exact(x: float) -> Fraction:
    """The number that binary64 stores."""
    return Fraction(float(x))


def margins(X: np.ndarray, y: np.ndarray, w: np.ndarray) -> list[Fraction]:
    """y·(w·x + b) of each row; the bias is the last of w."""
    W = [exact(v) for v in w]
    return [
        int(sign) * (sum((exact(v) * u for v, u in zip(row, W, strict=False)), Fraction(0)) + W[-1])
        for row, sign in zip(X, y, strict=True)
    ]


def combination(X: np.ndarray, y: np.ndarray, a: list[Fraction]) -> list[Fraction]:
    """Σ a_i y_i (x_i, 1)."""
    v = [Fraction(0)] * (X.shape[1] + 1)
    for row, sign, multiplier in zip(X, y, a, strict=True):
        f = multiplier * int(sign)
        for j, x in enumerate([*row, 1.0]):
            v[j] += f * exact(x)
    return v


def dual_point(a: np.ndarray, y: np.ndarray, row: int, free: bool) -> list[Fraction]:
    """The multipliers of a proof: with a free bias, `row` takes the rest of their signed sum."""
    found = [exact(v) for v in a]
    if free:
        rest = sum((v * int(sign) for v, sign in zip(found, y, strict=True)), Fraction(0))
        found[row] -= int(y[row]) * rest
    return found


def is_feasible(
    X: np.ndarray, y: np.ndarray, c: np.ndarray, a: list[Fraction], loss: str, free: bool, l1: bool
) -> bool:
    """Whether the multipliers are a point of the dual problem."""
    tops = [None if loss == "squared_hinge" and cost > 0 else exact(cost) for cost in c]
    v = combination(X, y, a)
    inside = all(t >= 0 and (top is None or t <= top) for t, top in zip(a, tops, strict=True))
    return inside and not (free and v[-1] != 0) and not (l1 and max(map(abs, v[:-1] if free else v)) > 1)


def ball(x: Fraction) -> Any:
    """An interval that contains the number."""
    return arb(fmpq(x.numerator, x.denominator))


def logistic_loss(m: Fraction) -> Any:
    """log(1 + exp(−m)) as an interval."""
    return (-ball(m)).exp().log1p() if m > 0 else ball(m).exp().log1p() - ball(m)


def entropy(s: Fraction) -> Any:
    """−s log s − (1 − s) log(1 − s) as an interval."""
    return sum((-ball(t) * ball(t).log() for t in (s, 1 - s) if t > 0), arb(0))


def primal(X: np.ndarray, y: np.ndarray, c: np.ndarray, w: np.ndarray, loss: str, free: bool, l1: bool) -> Any:
    """P(w): a fraction, or an interval for the logistic loss."""
    used = [exact(v) for v in (w[:-1] if free else w)]
    size = sum(map(abs, used), Fraction(0)) if l1 else sum((v * v for v in used), Fraction(0)) / 2
    rows = list(zip(map(exact, c), margins(X, y, w), strict=True))
    if loss == "logistic":
        return ball(size) + sum((ball(cost) * logistic_loss(m) for cost, m in rows), arb(0))
    power = 2 if loss == "squared_hinge" else 1
    return size + sum((cost * max(Fraction(0), 1 - m) ** power for cost, m in rows), Fraction(0))


def dual(X: np.ndarray, y: np.ndarray, c: np.ndarray, a: list[Fraction], loss: str, free: bool, l1: bool) -> Any:
    """D(a): for a point of the dual problem a lower bound of the minimum."""
    v = combination(X, y, a)
    size = Fraction(0) if l1 else sum((t * t for t in (v[:-1] if free else v)), Fraction(0)) / 2
    rows = [(exact(cost), t) for cost, t in zip(c, a, strict=True) if cost > 0]
    if loss == "logistic":
        return sum((ball(cost) * entropy(t / cost) for cost, t in rows), arb(0)) - ball(size)
    if loss == "squared_hinge":
        return sum((t - t * t / (4 * cost) for cost, t in rows), Fraction(0)) - size
    return sum((t for _, t in rows), Fraction(0)) - size


def is_above(bound: float, P: Any, D: Any) -> bool:
    """Whether bound ≥ P − D, certainly."""
    if isinstance(P, Fraction) and isinstance(D, Fraction):
        return exact(bound) >= P - D
    return bool(arb(bound) >= P - D)


class precisely:  # noqa: N801 (a context)
    """Compute intervals with BITS bits."""

    def __enter__(self) -> None:
        self.before, ctx.prec = ctx.prec, BITS

    def __exit__(self, *_: object) -> None:
        ctx.prec = self.before
