"""The losses of the soft margin: values, slopes, conjugates and Fenchel–Young terms.  (compiled)

    hinge           ℓ(m) = max(0, 1 − m)         −ℓ*(−s) = s                            0 ≤ s ≤ 1
    squared hinge   ℓ(m) = max(0, 1 − m)²        −ℓ*(−s) = s − s²/4                     0 ≤ s
    logistic        ℓ(m) = log(1 + exp(−m))      −ℓ*(−s) = −s log s − (1−s) log(1−s)    0 ≤ s ≤ 1

    Fenchel–Young:  c·ℓ(m) + c·ℓ*(−a/c) + a·m ≥ 0   for every margin m and multiplier a = c·s; it is 0 where s = −ℓ'(m)

From the notes: Z10 (the losses), Z13 (hinge and soft margin). m = y·(w·x + b) is a row's margin, c its cost, a its
multiplier. The perceptron loss max(0, −m) is not here: it is homogeneous, so with a penalty its only optimum is w = 0;
with a threshold t it is t times the hinge loss of m/t.
"""

from __future__ import annotations

import math

from novikoff.kernels.mark import EXACT, kernel
from novikoff.softmargin import LOSS_NAMES

HINGE, SQUARED_HINGE, LOGISTIC = 0, 1, 2
LOSSES = dict(zip(LOSS_NAMES, (HINGE, SQUARED_HINGE, LOGISTIC), strict=True))
LEAST = 1e-300  # multipliers of the logistic loss stay above it


@kernel(EXACT, inside=True)
def value(loss, m):
    """Return ℓ(m)."""
    if loss == LOGISTIC:
        return math.log1p(math.exp(-m)) if m > 0.0 else math.log1p(math.exp(m)) - m
    z = 1.0 - m
    if z <= 0.0:
        return 0.0
    return z if loss == HINGE else z * z


@kernel(EXACT, inside=True)
def slope(loss, m):
    """Return −ℓ'(m); at the kink of the hinge 0."""
    if loss == LOGISTIC:
        e = math.exp(-abs(m))
        return e / (1.0 + e) if m > 0.0 else 1.0 / (1.0 + e)
    z = 1.0 - m
    if z <= 0.0:
        return 0.0
    return 1.0 if loss == HINGE else 2.0 * z


@kernel(EXACT, inside=True)
def curvature(loss, m):
    """Return ℓ''(m), 0 for the hinge; the squared hinge has the generalized derivative 2 below its kink."""
    if loss == LOGISTIC:
        e = math.exp(-abs(m))
        return e / ((1.0 + e) * (1.0 + e))
    return 2.0 if loss == SQUARED_HINGE and m < 1.0 else 0.0


@kernel(EXACT, inside=True)
def conjugate(loss, s):
    """Return −ℓ*(−s)."""
    if loss == HINGE:
        return s
    if loss == SQUARED_HINGE:
        return s - 0.25 * s * s
    t = 1.0 - s
    total = 0.0
    if s > 0.0:
        total -= s * math.log(s)
    if t > 0.0:
        total -= t * math.log(t)
    return total


@kernel(EXACT, inside=True)
def fenchel_young(loss, m, a, c):
    """Return about c·ℓ(m) + c·ℓ*(−a/c) + a·m, in a form without cancellation; for the logistic loss a bound of it.

    logistic:  c·KL(s‖p) ≤ c·(s − p)²/(p(1 − p)),  s = a/c,  p = −ℓ'(m)
    """
    if c == 0.0:
        return 0.0
    z = 1.0 - m
    if loss == HINGE:
        return (c - a) * z if z > 0.0 else -a * z
    if loss == SQUARED_HINGE:
        if z > 0.0:
            r = 2.0 * c * z - a
            return r * r / (4.0 * c)
        return a * a / (4.0 * c) - a * z
    e = math.exp(-abs(m))
    p = e / (1.0 + e)
    s = a / c if m > 0.0 else (c - a) / c
    if s == p:
        return 0.0
    least = min(p / (1.0 + e), s * (1.0 - s))
    return c * min((s - p) * (s - p) / max(p / (1.0 + e), LEAST), 0.5 * (s - p) * (s - p) / max(least, LEAST))
