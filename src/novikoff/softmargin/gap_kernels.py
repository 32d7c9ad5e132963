"""Sums whose rounding errors are bounded, and upper bounds of Fenchel–Young terms.  (compiled)

    margin of row i     m + r ± e·t,   t ≥ Σ|terms|; r = 0 in plain precision
    column j of v       v + r ± e·A,   v = Σ a_i y_i x_i, A ≥ Σ a_i|x_ij|

In plain precision t and A are made of lengths (Cauchy and Schwarz), in doubled precision they are the sums. With k
terms, plain sums in any order, fused or not, have e = γ_k = k·u/(1 − k·u) (Higham, Accuracy and Stability of
Numerical Algorithms, section 3.1); doubled sums (`two_sum`, `two_product`; Ogita, Rump and Oishi 2005, Dot2) have an
error of second order, and the second word r is returned. `gap` supplies the factors e.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernels.mark import EXACT, kernel
from novikoff.softmargin.losses import HINGE, LOGISTIC

ULP = 2.0**-53
TINY = 1e-300  # more than all underflows of one sum
SPLIT = 134217729.0  # 2^27 + 1


@kernel(EXACT, inside=True)
def two_sum(a, b):
    """Return a + b, rounded, and its exact error."""
    s = a + b
    z = s - a
    return s, (a - (s - z)) + (b - z)


@kernel(EXACT, inside=True)
def two_product(a, b):
    """Return a·b, rounded, and its exact error (Dekker); without overflow for |a|, |b| < 2^500."""
    p = a * b
    t = SPLIT * a
    ah = t - (t - a)
    al = a - ah
    t = SPLIT * b
    bh = t - (t - b)
    bl = b - bh
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


@kernel(EXACT)
def doubled_sums(R, y, w, a, m, r, t, v, q, A):
    """Set m + r and t of each row, and v + q and A of each column, in doubled precision; R: compressed sparse rows."""
    val, col, ptr = R
    d = w.shape[0] - 1
    for j in range(d + 1):
        v[j] = 0.0
        q[j] = 0.0
        A[j] = 0.0
    for i in range(m.shape[0]):
        lo, hi = np.uint64(ptr[i]), np.uint64(ptr[i + 1])
        s = w[d]
        rest = 0.0
        total = abs(w[d])
        f = a[i] * y[i]
        for k in range(lo, hi):
            x = np.float64(val[k])
            c = np.uint32(col[k])
            p, pe = two_product(w[c], x)
            s, se = two_sum(s, p)
            rest += pe + se
            total += abs(p)
            if f != 0.0:
                p, pe = two_product(f, x)
                v[c], se = two_sum(v[c], p)
                q[c] += pe + se
                A[c] += abs(p)
        v[d], se = two_sum(v[d], f)
        q[d] += se
        A[d] += abs(f)
        m[i] = y[i] * s
        r[i] = y[i] * rest
        t[i] = total


@kernel(EXACT, inside=True)
def _squared_hinge(z, a, c):
    """Return an upper bound of the term of the squared hinge at 1 − m = z."""
    if z > 0.0:
        p = 2.0 * c * z
        r = abs(p - a) + 8.0 * ULP * max(p, a)
        return r * (r / (4.0 * c))  # r² could be too small for binary64
    return a * (a / (4.0 * c)) - a * z


@kernel(EXACT, inside=True)
def _logistic(m, a, c):
    """Return an upper bound of KL(s‖p), s = a/c and p = −ℓ'(m), for exp and log good to 4 units in the last place.

    By symmetry p ≤ ½: else both are subtracted from 1.   KL ≤ (s − p)²/(p(1 − p)),
    KL ≤ ½(s − p)²/min(p(1 − p), s(1 − s)),   KL ≤ exp(−|m|) + s(|m| + log s)
    """
    E = math.exp(-abs(m))
    p = E / (1.0 + E)
    s = a / c
    rest = (c - a) / c
    if m <= 0.0:
        s, rest = rest, s
    q = abs(s - p) + 32.0 * ULP * max(s, p)
    pq = p / (1.0 + E)
    least = min(pq, s * rest)
    f = E * (1.0 + 16.0 * ULP)
    if s > 0.0:
        g = math.log(s)
        f += s * (abs(m) + g) + 16.0 * ULP * s * (abs(m) + abs(g))
    f = max(f, 0.0)
    if pq > TINY:
        f = min(f, q * (q / pq))
    if least > TINY:
        f = min(f, 0.5 * q * (q / least))
    return f * (1.0 + 128.0 * ULP), q


@kernel(EXACT, inside=True)
def term_above(loss, m, r, e, a, c):
    """Return an upper bound of c·ℓ + c·ℓ*(−a/c) + a·(margin) for every margin in m + r ± e.

    The term is convex in the margin, so hinge and squared hinge take the larger of both ends. The logistic one has the
    slope a − c·p and a second derivative of at most c/4.
    """
    if c == 0.0:
        return 0.0
    if loss == LOGISTIC:
        e += 4.0 * ULP * abs(m)
        f, q = _logistic(m + r, a, c)
        f += e * q + 0.125 * e * e
        return c * f * (1.0 + 16.0 * ULP) + TINY
    z = (1.0 - m) - r
    wide = e + 8.0 * ULP * abs(z)
    low, high = z - wide, z + wide
    if loss == HINGE:
        f = 0.0
        if high > 0.0:
            f = (c - a) * high
        if low < 0.0:
            f = max(f, -a * low)
    else:
        f = max(_squared_hinge(low, a, c), _squared_hinge(high, a, c))
    return f * (1.0 + 16.0 * ULP) + TINY


@kernel(EXACT)
def terms_above(loss, m, r, e, a, c, out):
    """Set out[i] to the upper bound of each row's Fenchel–Young term."""
    for i in range(m.shape[0]):
        out[i] = term_above(loss, m[i], r[i], e[i], a[i], c[i])
