"""Find the nearest points of two hulls, by the plane between them.  (compiled)

    min |w|²   subject to   ⟨w, p_i − q_j⟩ ≥ 1      for all rows p_i of P and q_j of N

is solved by the active-set method of `active_set` with pairs as constraints: the worst is the lowest p with the
highest q. The hulls are 1/|w| apart, w = Σ u_ij (p_i − q_j), and Σ u_ij = |w|². One row of zeros as N makes it the
distance of P's hull from the origin.

The result is a candidate, proved elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import EXACT, kernel
from novikoff.separate.active_set import (
    CIRCUIT,
    LIMIT,
    SEPARATED,
    STUCK,
    enter,
    is_active,
    plane,
    solve_upper,
    worst,
)

WIDEST, MEETING = SEPARATED, CIRCUIT  # how a run ended, besides LIMIT and STUCK
PAIR = 1 << 31  # a pair (i, j) is the number i·PAIR + j


@kernel(EXACT)
def run(P, N, S, u, k, L, Q, w, tolerance, most):
    """Continue from k active pairs S with multipliers u for at most `most` rounds: (how it ended, k).

    WIDEST: no pair is below 1 − tolerance. MEETING: the hulls meet in floating point, and S[:k] and u[:k] are pairs and
    weights whose sum is 0. STUCK: the precision is too low to continue. u[:k] is computed again after WIDEST and STUCK.
    After LIMIT the next call continues the same run.
    """
    D = P.shape[1]
    c = np.empty(D + 2)
    r = np.empty(D + 2)
    v = np.empty(D + 2)
    z = np.empty(D)
    a = np.empty((1, D))
    near = np.empty(1, np.int64)
    least = np.empty(1)
    far = np.empty(1, np.int64)
    most_under = np.empty(1)
    minus = np.empty(D)
    ended = LIMIT
    plane(L, Q, w, v, k, D)
    for _ in range(most):
        worst(P, w, near, least)
        i, low = near[0], least[0]
        for p in range(D):
            minus[p] = -w[p]
        worst(N, minus, far, most_under)
        j, high = far[0], -most_under[0]
        m = low - high
        pair = i * PAIR + j
        if m >= 1.0 - tolerance:
            ended = WIDEST
            break
        if is_active(S, k, pair):
            ended = STUCK
            break
        for p in range(D):
            a[0, p] = P[i, p] - N[j, p]
        ended, k, m = enter(pair, a, 0, m, S, u, k, L, Q, c, r, v, z, w)
        if ended == MEETING and m > 0.0:  # a relation of weights ≥ 0 would make m < 0
            ended, k = STUCK, k - 1
        if ended != LIMIT:
            break
        plane(L, Q, w, v, k, D)
    if ended in (WIDEST, STUCK):
        plane(L, Q, w, v, k, D)
        solve_upper(L, v, u, k)
    return ended, k
