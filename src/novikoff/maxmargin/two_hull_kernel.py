"""The nearest points of two hulls, seen from the plane between them.  (compiled)

    min |w|²   subject to   ⟨w, p_i − q_j⟩ ≥ 1      for all rows p_i of P and q_j of N

is the active-set method of `active_set` with its constraints looked up in pairs: the worst is the lowest p with
the highest q. The hulls are 1/|w| apart, w = Σ u_ij (p_i − q_j), and Σ u_ij = |w|². One row of zeros as N makes it the
distance of P's hull from the origin.

Floats only point at the answer. What comes out of here is a candidate, proved elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.certify.solve.active_set import (
    DEPENDENT,
    first_to_leave,
    leave,
    plane,
    project,
    solve_upper,
    worst,
)
from novikoff.kernels.mark import EXACT, kernel, lane_dot

WIDEST, MEETING, LIMIT, STUCK = range(4)  # how a run ended
PAIR = 1 << 31  # a pair (i, j) is the number i·PAIR + j


@kernel(EXACT)
def run(P, N, S, u, k, L, Q, w, tolerance, most):
    """Go on from k active pairs S with multipliers u, at most so many rounds: (how it ended, k).

    WIDEST: no pair is below 1 − tolerance. MEETING: the hulls meet, as floats see it. STUCK: floats see no further.
    u[:k] is solved for anew after WIDEST and STUCK. After LIMIT the next call goes on as if there had been none.
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
        if active(S, k, pair):
            ended = STUCK
            break
        for p in range(D):
            a[0, p] = P[i, p] - N[j, p]
        ended, k = enter(pair, a, m, S, u, k, L, Q, c, r, v, z, D)
        if ended != LIMIT:
            break
        plane(L, Q, w, v, k, D)
    if ended in (WIDEST, STUCK):
        plane(L, Q, w, v, k, D)
        solve_upper(L, v, u, k)
    return ended, k


@kernel(EXACT)
def enter(pair, a, m, S, u, k, L, Q, c, r, v, z, D):
    """Make the pair of difference a[0], now at m < 1, active; others may leave: (LIMIT if it did, else why not, k).

    With MEETING, S[:k] and u[:k] are pairs and weights whose sum is 0.
    """
    size = np.sqrt(lane_dot(a[0], a[0], D))
    ua = 0.0
    project(Q, a, 0, c, z, k, D)
    while True:
        rho = np.sqrt(lane_dot(z, z, D))
        solve_upper(L, c, r, k)
        q, t1 = first_to_leave(u, r, k)
        dependent = rho <= DEPENDENT * size
        if dependent and q < 0:
            if m > 0.0:  # a relation of weights ≥ 0 would make m < 0
                return STUCK, k
            for s in range(k):
                u[s] = max(-r[s], 0.0)
            u[k] = 1.0
            S[k] = pair
            return MEETING, k + 1
        t2 = np.inf if dependent else (1.0 - m) / (rho * rho)
        t = min(t1, t2)
        if not (t < np.inf):
            return STUCK, k
        for s in range(k):
            u[s] -= t * r[s]
        ua += t
        if not dependent:
            m += t * rho * rho
        if t2 <= t1:
            if k == D:
                return STUCK, k
            for s in range(k):
                L[k, s] = c[s]
            L[k, k] = rho
            for p in range(D):
                Q[k, p] = z[p] / rho
            S[k] = pair
            u[k] = ua
            return LIMIT, k + 1
        leave(S, u, L, Q, c, v, q, k, D)
        k -= 1
        for p in range(D):
            z[p] += c[k] * Q[k, p]


@kernel(EXACT)
def active(S, k, pair):
    for s in range(k):
        if S[s] == pair:
            return True
    return False
