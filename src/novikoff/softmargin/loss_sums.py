"""Sums of losses over the rows, and minima of such sums along a line.  (compiled)

m: margins; c: costs; a: multipliers; q: margins of a direction p, so that w + t·p has the margins m + t·q. For the
hinge the solvers minimize a smooth bound, with centres a0 and a width μ (the proximal point method on the dual):

    hinge of (a0, μ):  max over 0 ≤ a ≤ c of  a(1 − m) − μ/2·(a − a0)²     reached at  a = clip(a0 + (1 − m)/μ, 0, c)
"""

from __future__ import annotations

import math

from novikoff.kernels.mark import EXACT, kernel
from novikoff.softmargin.losses import HINGE, LOGISTIC, conjugate, curvature, fenchel_young, slope, value

STEPS = 60  # most steps of a line search
BISECTIONS = 25


@kernel(EXACT)
def dual_point(loss, m, c, a0, mu, a, h):
    """Set a and h, multiplier and curvature of each row at its margin; return
    (Σ c·ℓ(m), Σ −c·ℓ*(−a/c), Σ Fenchel–Young terms, the number of rows with h > 0).
    """
    P = 0.0
    D = 0.0
    F = 0.0
    curved = 0
    for i in range(m.shape[0]):
        ci = c[i]
        mi = m[i]
        if ci == 0.0:
            a[i] = 0.0
            h[i] = 0.0
            continue
        P += ci * value(loss, mi)
        if loss == HINGE:
            z = a0[i] + (1.0 - mi) / mu
            if z <= 0.0:
                a[i] = 0.0
                h[i] = 0.0
            elif z >= ci:
                a[i] = ci
                h[i] = 0.0
            else:
                a[i] = z
                h[i] = 1.0 / mu
            D += a[i]
            F += fenchel_young(loss, mi, a[i], ci)
        else:
            s = slope(loss, mi)
            a[i] = ci * s
            h[i] = ci * curvature(loss, mi)
            D += ci * conjugate(loss, s)
        if h[i] > 0.0:
            curved += 1
    return P, D, F, curved


@kernel(EXACT)
def primal_sum(loss, m, c):
    """Return Σ c·ℓ(m)."""
    total = 0.0
    for i in range(m.shape[0]):
        if c[i] > 0.0:
            total += c[i] * value(loss, m[i])
    return total


@kernel(EXACT)
def dual_sum(loss, a, c):
    """Return Σ −c·ℓ*(−a/c)."""
    total = 0.0
    for i in range(a.shape[0]):
        if c[i] > 0.0:
            total += c[i] * conjugate(loss, a[i] / c[i])
    return total


@kernel(EXACT)
def fenchel_young_sum(loss, m, a, c):
    """Return the sum of the Fenchel–Young terms."""
    total = 0.0
    for i in range(m.shape[0]):
        total += fenchel_young(loss, m[i], a[i], c[i])
    return total


@kernel(EXACT)
def line_minimum(loss, m, q, c, a0, mu, wp, pp):
    """Return t > 0 with the least ½|w + t·p|² + Σ c·ℓ(m + t·q), by Newton's method on the derivative inside a bracket.

    wp = ⟨w, p⟩, pp = |p|², both of the penalized weights; the hinge is that of (a0, μ).
    """
    t = 1.0
    lo = 0.0
    hi = math.inf
    for k in range(STEPS):
        g = wp + t * pp
        H = pp
        for i in range(m.shape[0]):
            ci = c[i]
            z = m[i] + t * q[i]
            if loss == HINGE:
                u = a0[i] + (1.0 - z) / mu
                if u > 0.0:
                    if u >= ci:
                        g -= ci * q[i]
                    else:
                        g -= u * q[i]
                        H += q[i] * q[i] / mu
            else:
                g -= ci * slope(loss, z) * q[i]
                H += ci * curvature(loss, z) * q[i] * q[i]
        if g < 0.0:
            lo = t
        else:
            hi = t
        new = t - g / H if H > 0.0 else 2.0 * t
        if not (new > lo):
            new = lo + 0.1 * (min(hi, 2.0 * lo + 1.0) - lo)
        if new >= hi:
            new = 0.5 * (lo + hi)
        near = abs(new - t)
        if (k > 0 and near <= 1e-3 * abs(new)) or (k == 0 and loss == LOGISTIC and near < 0.1):
            return new
        t = new
    return t


@kernel(EXACT)
def segment_minimum(loss, m0, m1, c, wp, pp):
    """Return t in [0, 1] with the least ½|w + t·p|² + Σ c·ℓ(m0 + t·(m1 − m0)), by bisection on the slope."""
    lo = 0.0
    hi = 1.0
    for _ in range(BISECTIONS):
        t = 0.5 * (lo + hi)
        g = wp + t * pp
        for i in range(m0.shape[0]):
            q = m1[i] - m0[i]
            if c[i] > 0.0:
                g -= c[i] * slope(loss, m0[i] + t * q) * q
        if g < 0.0:
            lo = t
        else:
            hi = t
    return 0.5 * (lo + hi)
