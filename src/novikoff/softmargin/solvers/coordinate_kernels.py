"""Passes of dual coordinate ascent over dense and sparse rows.  (compiled)

w = Σ a_i y_i (x_i, 1) at all times; order: the rows of positive cost, of which the first `state[0]` are active. One
pass shuffles the active rows and changes one multiplier at a time. state = [active rows, upper and lower limit of the
projected gradient in the pass before], changed in place; the rows beyond the active ones were shrunk away: their
multiplier is at a bound and their gradient says that it stays there.
"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernels.dense import add_row, look, terms
from novikoff.kernels.mark import EXACT, FAST, kernel
from novikoff.softmargin.losses import LEAST, LOGISTIC, SQUARED_HINGE

SHRINK, KEEP = 1, 0


@kernel(EXACT, inside=True)
def next_random(seed):
    """Return the next number of Marsaglia's xorshift generator."""
    seed ^= seed << np.uint64(13)
    seed ^= seed >> np.uint64(7)
    seed ^= seed << np.uint64(17)
    return seed


@kernel(EXACT)
def shuffle(order, active, seed):
    """Shuffle the first rows of the order; return the next seed."""
    for s in range(active):
        seed = next_random(seed)
        r = s + np.int64(seed % np.uint64(active - s))
        k = order[r]
        order[r] = order[s]
        order[s] = k
    return seed


@kernel(EXACT, inside=True)
def logistic_multiplier(m, a, c, q):
    """Return the z in (0, c) with the least ½q(z − a)² + m(z − a) + z log z + (c − z) log(c − z); Newton's method."""
    z = a
    for _ in range(6):
        slope = m + q * (z - a) + math.log(z / (c - z))
        new = z - slope / (q + c / (z * (c - z)))
        if new <= 0.0:
            new = 0.1 * z
        elif new >= c:
            new = c - 0.1 * (c - z)
        near = abs(new - z) <= 1e-3 * min(z, c - z)
        z = new
        if near:
            break
    return min(max(z, LEAST), c * (1.0 - 1e-16))


@kernel(EXACT, inside=True)
def multiplier(loss, m, a, c, q, upper, lower):
    """Return (new multiplier, projected gradient, SHRINK or KEEP) of a row with margin m; q = |x|² + 1."""
    if loss == LOGISTIC:
        return logistic_multiplier(m, a, c, q), 0.0, KEEP
    top = c
    extra = 0.0
    if loss == SQUARED_HINGE:
        top = math.inf
        extra = 0.5 / c
    g = m - 1.0 + extra * a
    if a == 0.0:
        if g > upper:
            return a, 0.0, SHRINK
        if g >= 0.0:
            return a, 0.0, KEEP
    elif a == top:
        if g < lower:
            return a, 0.0, SHRINK
        if g <= 0.0:
            return a, 0.0, KEEP
    return min(max(a - g / (q + extra), 0.0), top), g, KEEP


@kernel(FAST)
def one_pass(loss, A, y, c, q, a, w, order, state, seed):
    """Do one pass; return (largest minus smallest projected gradient, numbers read, next seed)."""
    d = w.shape[0] - 1
    active = np.int64(state[0])
    seed = shuffle(order, active, seed)
    high = -np.inf
    low = np.inf
    read = 0
    s = 0
    while s < active:
        i = order[s]
        m = y[i] * (look(A, i, w) + w[d])
        read += terms(A, i)
        old = a[i]
        new, g, what = multiplier(loss, m, old, c[i], q[i], state[1], state[2])
        if what == SHRINK:
            active -= 1
            order[s] = order[active]
            order[active] = i
            continue
        high = max(high, g)
        low = min(low, g)
        if new != old:
            a[i] = new
            f = (new - old) * y[i]
            add_row(A, i, w, f)
            w[d] += f
        s += 1
    state[0] = active
    state[1] = high if high > 0.0 else np.inf
    state[2] = low if low < 0.0 else -np.inf
    return high - low, read, seed
