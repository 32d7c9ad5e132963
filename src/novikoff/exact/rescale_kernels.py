"""Kernels of `rescale`: signed rows, the columns of a frame, opposite rows, planes of few digits.  (compiled)"""

from __future__ import annotations

import math

import numpy as np

from novikoff.kernels.exact_sign import BIG
from novikoff.kernels.mark import EXACT, kernel, lane_dot

FINE = 3  # binary digits of the centre below the spread of its column
LOWEST = -1000  # scales are 2^1000 at most
ROUNDINGS = (12, 24, 36, 53)  # digits of the planes tried
MARGIN = 0.75  # of the unrounded plane's, which a rounded one must have
HALF_ROOT = 0.7071067811865476  # √½


@kernel(EXACT)
def signed_rows(X, y, which, pad, Z):
    """Set Z[r] = y·(x, 1) of row which[r], the 1 only with pad; return whether all rows are finite, not too large."""
    fine = True
    d = X.shape[1]
    for r in range(which.size):
        i = which[r]
        sign = np.float64(y[i])
        q = 0.0
        for j in range(d):
            x = np.float64(X[i, j])
            Z[r, j] = sign * x
            q += x * x
        if pad:
            Z[r, d] = sign
        if not (q < BIG / 2):
            fine = False
    return fine


@kernel(EXACT)
def frame_of(Z, pad, powers, centre, A):
    """Compute the frame of signed rows, and these rows in it."""
    columns(Z, pad, powers, centre)
    framed(Z, pad, powers, centre, A)


@kernel(EXACT)
def columns(Z, pad, powers, centre):
    """Compute the frame of signed rows: the spread of each column to the nearest power of two, and its centre."""
    n, d = Z.shape[0], powers.size
    low = np.full(d, np.inf)
    high = np.full(d, -np.inf)
    for i in range(n):
        sign = Z[i, d] if pad else 1.0
        for j in range(d):
            x = sign * Z[i, j]
            low[j] = min(low[j], x)
            high[j] = max(high[j], x)
    unit = np.empty(d)  # x·unit: its squares stay in range
    for j in range(d):
        scale = max(abs(low[j]), abs(high[j]))
        unit[j] = power_of_two(-exponent(scale))
    mean = np.zeros(d)
    if pad:
        for i in range(n):
            for j in range(d):
                mean[j] += Z[i, d] * Z[i, j] * unit[j]
        for j in range(d):
            mean[j] /= n
    square = np.zeros(d)
    for i in range(n):
        sign = Z[i, d] if pad else 1.0
        for j in range(d):
            x = sign * Z[i, j] * unit[j] - mean[j]
            square[j] += x * x
    for j in range(d):
        spread = np.sqrt(square[j] / n) / unit[j]
        powers[j] = 0
        if spread > 0.0 and spread < np.inf and (not pad or low[j] < high[j]):
            powers[j] = max(nearest_power(spread), LOWEST)
        centre[j] = 0.0
        if pad:
            whole = mean[j] / unit[j]
            step = power_of_two(powers[j] - FINE)
            near = np.rint(whole / step) * step
            centre[j] = low[j] if low[j] == high[j] else near if abs(near) < np.inf else whole


@kernel(EXACT)
def framed(Z, pad, powers, centre, A):
    """Set A = the rows in the frame, each of length about 1."""
    n, d = Z.shape[0], powers.size
    scale = np.empty(d)
    for j in range(d):
        scale[j] = power_of_two(-powers[j])
    for i in range(n):
        sign = Z[i, d] if pad else 0.0
        size = abs(sign)
        for j in range(d):
            a = (Z[i, j] - sign * centre[j]) * scale[j]
            A[i, j] = a
            size = max(size, abs(a))
        if pad:
            A[i, d] = sign
        if size < np.inf:
            shrink = power_of_two(-exponent(size))
            for j in range(A.shape[1]):
                A[i, j] *= shrink


@kernel(EXACT)
def opposite(Z, pair):
    """Find a row that is zero (pair = that row, twice), or two rows on opposite rays; return whether there is one.

    Rows on one line through the origin have the same hash; a hash table holds one row for each ray.
    """
    n, D = Z.shape
    room = 4
    while room < 2 * n:
        room *= 2
    table = np.full(room, -1)
    sizes = np.zeros(n)
    mark = np.zeros(n)
    bits = mark.view(np.int64)
    way = np.cos(np.arange(1.0, D + 1.0))
    ray = np.empty(D)
    for i in range(n):
        for j in range(D):
            sizes[i] = max(sizes[i], abs(Z[i, j]))
        if sizes[i] == 0.0:
            pair[0], pair[1] = i, i
            return True
        divided(Z, i, sizes[i], ray)
        mark[i] = abs(lane_dot(ray, way, D))
        at = (bits[i] ^ (bits[i] >> 23) ^ (bits[i] >> 41)) & (room - 1)
        known = False
        while table[at] >= 0 and not known:
            e = table[at]
            if bits[e] == bits[i]:
                if on_ray(Z, sizes, e, i, -1.0, D):
                    pair[0], pair[1] = e, i
                    return True
                known = on_ray(Z, sizes, e, i, 1.0, D)
            at = (at + 1) & (room - 1)
        if not known:
            table[at] = i
    return False


@kernel(EXACT)
def divided(Z, i, size, ray):
    """Set ray = Z[i] / size: the same doubles for every row on the ray."""
    for j in range(ray.size):
        ray[j] = Z[i, j] / size


@kernel(EXACT)
def on_ray(Z, sizes, e, i, side, D):
    """Return whether rows e and i, divided by their largest numbers, are the same doubles up to the given sign."""
    other = 0
    for j in range(D):
        other += Z[e, j] / sizes[e] != side * (Z[i, j] / sizes[i])
    return other == 0


@kernel(EXACT)
def short(A, w, g):
    """Set g = a multiple of w rounded to integers of few digits, whose least margin on the rows is hardly smaller."""
    D = w.size
    top = 0.0
    for p in range(D):
        top = max(top, abs(w[p]))
    best = least_margin(A, w) / top
    for digits in ROUNDINGS:
        size = 0.0
        scale = power_of_two(digits - exponent(top))
        for p in range(D):
            g[p] = np.rint(w[p] * scale)
            size = max(size, abs(g[p]))
        if least_margin(A, g) > MARGIN * best * size:
            break


@kernel(EXACT)
def least_margin(A, w):
    """Return the least ⟨w, a⟩ of all rows."""
    least = np.inf
    for i in range(A.shape[0]):
        s = lane_dot(A[i], w, w.size)
        if s < least:
            least = s
    return least


@kernel(EXACT)
def exponent(x):
    """Return the exponent of the power of two above |x|; 0 for 0 and for numbers that are not finite."""
    return math.frexp(x)[1] if x != 0.0 and abs(x) < np.inf else 0


@kernel(EXACT)
def nearest_power(x):
    """Return the e with 2^(e − ½) ≤ x < 2^(e + ½), nearly."""
    part, e = math.frexp(x)
    return e if part >= HALF_ROOT else e - 1


@kernel(EXACT)
def power_of_two(e):
    """Return 2^e, at most 2^1000; rows whose squares are in range never need less than 2^(−1000)."""
    return math.ldexp(1.0, int(min(max(e, -1074), -LOWEST)))
