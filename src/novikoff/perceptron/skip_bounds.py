"""Find points that are certainly classified correctly, by angles, so that a pass can skip them.

Let r be any vector (a snapshot of w, or of its way), z = y·(x, pad), φ the angle of z and r, θ that of w and r.

    θ < 90°  and  cos φ > sin θ   ⇒   φ < 90° − θ   ⇒   the angle of z and w is at most φ + θ < 90°   ⇒   ⟨w, z⟩ > 0

(angles obey the triangle inequality on the sphere). So a look at z would find it right, exactly, and change nothing.
τ ≤ cos φ is kept for every row; a bound of sin θ is followed from update to update. All of it is rounded the safe way,
u = 2^-53, n = d + 2 for the number of terms and some to spare:

    cosine   τ = (ŝ − e) / (|z| |r|),  ŝ within e of ⟨r, z⟩, |z| and |r| from above; as float32, one step lower
    length   |w + ηz|² ≤ |w|² + 2 min(0, η(ŝ + e)) + η²|z|² + 2^-48 (|w|² + η²|z|²),  since ⟨w, z⟩ ≤ 0 at a mistake and
             the rounded update is off by at most u(|w| + 2η|z|)
    drift    ⟨r, w + ηz⟩ = ⟨r, w⟩ + η⟨r, z⟩, off by e' ≤ e + |r| ((n + 10) u η|z| + 2^-50 (|w'| + η|z|)): the rounded
             score, the rounded update, the rounded addition
    sine     c = (⟨r, w⟩ − e') / (|r||w|) ≤ cos θ;   sin θ ≤ √(1 − c²) if c > 0, else nothing is said

Squares and scores below 2^-1000 are covered by the absolute terms, which only make the bounds wider. A row of zeros has
no cosine above 0 and is always looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from novikoff.kernels.dense import doubt, first_look, with_both
from novikoff.kernels.exact_sign import TINY, reach
from novikoff.kernels.mark import EXACT, FAST, kernel

# places in Angles.num: r's bias; RR ≥ |r|², W2R ≥ |w|², |RW − ⟨r, w⟩| ≤ OFF; SINE ≥ sin θ
NUM = range(7)
RB, RR, W2R, RW, OFF, SINE, LIMIT = NUM
# places in Angles.cnt: rows on the list; looks made since the snapshot
CNT = range(2)
LISTED, LOOKED = CNT
UNKNOWN = 2.0  # a sine above all cosines: the angle may reach 90°


class Angles(NamedTuple):
    """A snapshot, and the angle of every row with it: 8 bytes a row."""

    rows: Any  # those with τ ≤ LIMIT, in rising order, int32; room for one more than there are
    tau: Any  # cosines from below, float32
    r: Any  # the snapshot
    path: Any  # Σ (w, b) over updates of this pass, and how many they are
    num: Any  # floats by place
    cnt: Any  # whole numbers by place


@kernel(EXACT)
def above(q, d):
    """|x|² is at most this if its rounded sum of d + 1 squares is q."""
    return q * (1.0 + (d + 12) * 2.0**-52) + TINY


@kernel(EXACT)
def sine_above(rw, off, rr, w2):
    """≥ sin θ, or UNKNOWN."""
    low = rw - off
    if not (low > 0.0):
        return UNKNOWN
    c = low / (np.sqrt(rr) * np.sqrt(w2)) * (1.0 - 2.0**-49)
    return np.sqrt(max(0.0, 1.0 - c * c) + 2.0**-50) * (1.0 + 2.0**-50)


@kernel(EXACT)
def cosine_below(s, off, rr, z2):
    """≤ cos φ in float32, for a score within `off` of ⟨r, z⟩; −1 where it is not above 2^-30."""
    c = (s - off) / (np.sqrt(rr) * np.sqrt(z2)) * (1.0 - 2.0**-22)
    return np.float32(c) if c > 2.0**-30 else np.float32(-1.0)


@kernel(FAST)
def inner(w, b, r, rb):
    """⟨(w, b), (r, rb)⟩, rounded."""
    s = b * rb
    for j in range(w.size):
        s += w[j] * r[j]
    return s


@kernel(FAST)
def snapshot(A, y, positive, v, pad, w, b, limit, angles):
    """The cosine of every row with r (v: r in float32), and the list for a sine up to `limit`."""
    rows, tau, r, _, num, cnt = angles
    d = w.size
    begin(w, b, r, num)
    rb, rr = num[RB], num[RR]
    for i in range(y.size):
        s, q = first_look(A, i, r, v)
        side = 1.0 if y[i] == positive else -1.0
        z2 = above(q + pad * pad, d)
        tau[i] = cosine_below(side * (s + rb * pad), doubt(d + 2, rr, z2), rr, z2)
    cnt[LOOKED] = 0
    relist(tau, rows, max(limit, num[SINE]), num, cnt)


@kernel(EXACT)
def begin(w, b, r, num):
    """The angle of w and r as they are."""
    rb = num[RB]
    num[RR] = above(inner(r, rb, r, rb), w.size)
    num[W2R] = above(inner(w, b, w, b), w.size)
    num[RW] = inner(w, b, r, rb)
    num[OFF] = reach(w.size + 2, num[RR], num[W2R]) + TINY
    num[SINE] = sine_above(num[RW], num[OFF], num[RR], num[W2R])


@kernel(EXACT)
def follow(A, i, w, b, pad, side, rate, m, angles):
    """Follow the angle and the path of w through the m-th update, which row i is about to make."""
    drift(A, i, w, b, pad, side, rate, angles.r, angles.num)
    trace(w, b, m, angles.path)


@kernel(EXACT)
def drift(A, i, w, b, pad, side, rate, r, num):
    """Follow |w|², ⟨r, w⟩ and sin θ through the update w + rate·z that row i is about to make, ⟨w, z⟩ ≤ 0."""
    d = w.size
    rr, w2 = num[RR], num[W2R]
    s, t, q = with_both(A, i, w, r)
    s = side * (s + b * pad)
    t = side * (t + num[RB] * pad)
    z2 = above(q + pad * pad, d)
    z = rate * np.sqrt(z2)
    grown = w2 + z * z
    w2 = (grown + 2.0 * min(0.0, rate * (s + reach(d + 2, w2, z2)))) + 2.0**-48 * grown + TINY
    more = rate * reach(d + 2, rr, z2) + 2.0**-50 * 1.01 * np.sqrt(rr) * (np.sqrt(w2) + z) + TINY
    num[W2R] = w2
    num[RW] += rate * t
    num[OFF] = (num[OFF] + more) * (1.0 + 2.0**-50)
    num[SINE] = sine_above(num[RW], num[OFF], rr, w2)


@kernel(EXACT)
def trace(w, b, m, path):
    """Add (w, b) to the path: at every update if there are few columns, at some if there are many."""
    d = w.size
    if m % (1 + d // 64) == 0:
        for j in range(d):
            path[j] += w[j]
        path[d] += b
        path[d + 1] += 1.0


@kernel(EXACT)
def relist(tau, rows, limit, num, cnt):
    """List the rows that may be wrong while sin θ ≤ limit."""
    k = 0
    for i in range(tau.size):
        rows[k] = i
        k += 1 if tau[i] <= limit else 0
    num[LIMIT] = limit
    cnt[LISTED] = k
