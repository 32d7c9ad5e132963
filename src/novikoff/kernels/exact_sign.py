"""Compute the exact sign of a sum of products, and the bounds that make it rarely necessary.  (compiled)

u = 2^-53; a score has n = d + 1 terms (the bias is one of them); s = Σ w_j x_j exactly, ŝ as computed in any order,
fused or not.

    first bound     |ŝ − s| ≤ γ_n |w||x| + n 2^-1074          γ_n ≤ 1.01 n u
    second bound    |ŝ − s| ≤ γ_n Σ|w_j x_j| + n 2^-1074
    whole numbers   all w_j, x_j whole and Σ|w_j x_j| < 2^53  ⇒  ŝ = s
    exact sum       a product of two doubles is a 106-bit integer times a power of two: four 32-bit digits of it are
                    added to int64 limbs whose unit is 2^-2148; one carry sweep gives the sign

136 limbs hold every finite product; 2^30 products may be added before a limb could overflow.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernels.mark import EXACT, FAST, kernel

TINY = 2.0**-1000
BIG = 2.0**1000  # |w|^2 and |x|^2 stay below: no product and no sum can overflow
LIMBS = 136
UNIT = -2148  # the lowest bit of limb 0 is 2^UNIT
LOW32 = np.uint64(0xFFFFFFFF)
H32 = np.uint64(32)
MANTISSA = np.int64((1 << 52) - 1)
HIDDEN = np.int64(1 << 52)


@kernel(EXACT)
def put(acc, a, b):
    """Add a·b to acc, exactly."""
    ia = np.float64(a).view(np.int64)
    ib = np.float64(b).view(np.int64)
    ea = (ia >> 52) & 0x7FF
    eb = (ib >> 52) & 0x7FF
    ma = ia & MANTISSA
    mb = ib & MANTISSA
    if ea != 0:
        ma |= HIDDEN
    else:
        ea = np.int64(1)
    if eb != 0:
        mb |= HIDDEN
    else:
        eb = np.int64(1)
    if ma == 0 or mb == 0:
        return
    al, ah = np.uint64(ma) & LOW32, np.uint64(ma) >> H32
    bl, bh = np.uint64(mb) & LOW32, np.uint64(mb) >> H32
    p0 = al * bl
    p1 = al * bh + ah * bl
    p2 = ah * bh
    t = (p0 >> H32) + (p1 & LOW32)
    d0 = p0 & LOW32
    d1 = t & LOW32
    t = (t >> H32) + (p1 >> H32) + (p2 & LOW32)
    d2 = t & LOW32
    d3 = (t >> H32) + (p2 >> H32)
    shift = ea + eb - 2
    k = shift >> 5
    r = np.uint64(shift & 31)
    v0, v1, v2, v3 = d0 << r, d1 << r, d2 << r, d3 << r
    sign = np.int64(-1) if (ia ^ ib) < 0 else np.int64(1)
    acc[k] += sign * np.int64(v0 & LOW32)
    acc[k + 1] += sign * np.int64((v0 >> H32) + (v1 & LOW32))
    acc[k + 2] += sign * np.int64((v1 >> H32) + (v2 & LOW32))
    acc[k + 3] += sign * np.int64((v2 >> H32) + (v3 & LOW32))
    acc[k + 4] += sign * np.int64(v3 >> H32)


@kernel(EXACT)
def sign_of(acc):
    """Return the sign of the limbs: −1, 0 or 1."""
    carry = np.int64(0)
    digits = np.int64(0)
    for k in range(acc.size):
        t = acc[k] + carry
        digits |= t & np.int64(0xFFFFFFFF)
        carry = t >> 32
    if carry < 0:
        return -1
    return 1 if (digits | carry) != 0 else 0


@kernel(EXACT)
def value_of(acc):
    """Return the nearest double to the limbs; 0 only if they are 0. Overwrites the limbs."""
    sign = sign_of(acc)
    if sign == 0:
        return 0.0
    carry = np.int64(0)
    for k in range(acc.size):
        t = sign * acc[k] + carry
        acc[k] = t & np.int64(0xFFFFFFFF)
        carry = t >> 32
    top = acc.size - 1
    while acc[top] == 0:
        top -= 1
    sticky = np.int64(0)
    for k in range(max(0, top - 2)):
        sticky |= acc[k]
    low = np.uint64(acc[top - 2]) if top >= 2 else np.uint64(0)
    mid = np.uint64(acc[top - 1]) if top >= 1 else np.uint64(0)
    m = (np.uint64(acc[top]) << H32) | mid
    up = np.uint64(0)
    while (m << up) >> np.uint64(63) == np.uint64(0):
        up += np.uint64(1)
    rest = (low << up) & LOW32
    m = (m << up) | ((low << up) >> H32)
    if rest != np.uint64(0) or sticky != 0:
        m |= np.uint64(1)  # 11 bits are dropped below: a 1 here only says "more follows"
    value = math.ldexp(np.float64(m), int(32 * (top - 1) + UNIT - np.int64(up)))
    return sign * max(value, 5e-324)


@kernel(EXACT)
def clear(acc):
    for k in range(acc.size):
        acc[k] = 0


@kernel(EXACT)
def reach(n, W2, R2):
    """Return a bound on |rounded sum of n products − ⟨w, x⟩|, given |w|² ≤ W2 and |x|² ≤ R2."""
    return (n + 10) * 2.0**-53 * (np.sqrt(W2) * np.sqrt(R2)) * 1.01 + (n + 10) * 2.0**-1070


@kernel(EXACT)
def unit32(W2, R2):
    """Return a unit: a float32 sum of n products of float32 roundings has an error of at most (n + 16) units.

    |s32 − s| ≤ 1.01 (n+16) 2^-24 |w||x| + √n 2^-148 (|w| + |x|) + (n+16) 2^-146; inf where float32 could overflow.
    """
    wn, rn = np.sqrt(W2), np.sqrt(R2)
    if not (wn < 2.0**100 and rn < 2.0**100 and wn * rn < 2.0**100):
        return np.inf
    return 2.0**-24 * (wn * rn) * 1.01 + 2.0**-148 * (wn + rn) + 2.0**-146


@kernel(EXACT)
def doubt(n, W2, R2, single):
    """Return a bound on the error of a fast score of n terms; single: whether it is a sum in float32."""
    return (n + 16) * unit32(W2, R2) if single else reach(n, W2, R2)


@kernel(FAST)
def norm2(w, b):
    """Return an upper bound of |w|² + b²."""
    q = b * b
    for j in range(w.size):
        q += w[j] * w[j]
    return q * 1.01 + TINY


@kernel(EXACT)
def first_difference(w, ref):
    """Return the first coordinate in which two vectors differ, or −1."""
    for j in range(w.size):
        if w[j] != ref[j]:
            return j
    return -1


@kernel(EXACT)
def sure(n, s, a, f):
    """Return the sign of the score if the second bound determines it (1, −1, 0), else 2.

    s: rounded score; a: Σ|terms|; f: 0 if all numbers are whole.
    """
    if abs(s) > (n + 10) * 2.0**-53 * a * 1.01 + (n + 10) * 2.0**-1070 and a < np.inf:
        return 1 if s > 0.0 else -1
    if f == 0.0 and a < 2.0**53 * 0.99:
        return 1 if s > 0.0 else -1 if s < 0.0 else 0
    return 2
