"""Find the widest plane of a few rows by the dual active-set method of Goldfarb and Idnani (1983).  (compiled)

    min |w|²   subject to   ⟨w, a_i⟩ ≥ 1      for the rows a_i of A

Active rows S are stored with their factors A_S = LQ, L lower triangular, Q with orthonormal rows: w = Qᵀ L⁻¹ 1. In this
scale there is no cancellation when the margin is tiny, as there is in the nearest point of the hull. The row farthest
on the wrong side joins; rows whose multiplier u falls to 0 leave. It ends with a w that separates, or with a row that
depends on S with the wrong signs: then S and that row sum to zero with weights ≥ 0 (Farkas), up to rounding.

Any row on the wrong side may join. A scan of all rows keeps a list of the worst of them, and the next rows to join come
from the list while one of them is on the wrong side: few scans of all rows, and hardly more rounds.

The result is a candidate, proved elsewhere. Every sum has a defined order, so that each CPU, compiled or not, finds the
same one.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.mark import EXACT, kernel, lane_dot

CIRCUIT, SEPARATED, LIMIT, STUCK, DRIFTED = range(5)  # how a run ended
DEPENDENT = 1e-13  # a row this near to the span of the active ones, relative to its length, counts as dependent
LISTED, SHARE = 8, 32  # size of the list: LISTED + columns/SHARE


@kernel(EXACT)
def run(A, S, u, k, L, Q, w, drift, most):
    """Continue from k active rows S with multipliers u for at most `most` rounds: (how it ended, k, rounds).

    With CIRCUIT, S[:k] and u[:k] are the rows and their weights. DRIFTED: before the first round an active row was not
    within `drift` of 1.
    """
    D = A.shape[1]
    if drift < np.inf and drifted(A, S, k, w, drift):
        return DRIFTED, k, 0
    c = np.empty(D + 2)
    r = np.empty(D + 2)
    v = np.empty(D + 2)
    z = np.empty(D)
    plane(L, Q, w, v, k, D)
    near = np.empty(LISTED + D // SHARE, np.int64)
    m_near = np.empty(near.size)
    listed = 0
    for rounds in range(most):
        j, m = least(A, near, listed, w)
        if not (m <= 0.0) or is_active(S, k, j):
            plane(L, Q, w, v, k, D)
            listed = worst(A, w, near, m_near)
            j, m = near[0], m_near[0]
            if m > 0.0 and lane_dot(w, w, D) < np.inf:
                return SEPARATED, k, rounds
            if not (m <= 0.0) or is_active(S, k, j):
                return STUCK, k, rounds
        ended, k, m = enter(j, A, j, m, S, u, k, L, Q, c, r, v, z, w)
        if ended != LIMIT:
            return ended, k, rounds
    return LIMIT, k, most


@kernel(EXACT)
def enter(name, A, j, m, S, u, k, L, Q, c, r, v, z, w):
    """Make row A[j], with ⟨w, a⟩ = m < 1, active under the given name; others may leave.

    Return (LIMIT if it is active, else CIRCUIT or STUCK, k, m). With CIRCUIT, S[:k] and u[:k] are rows and weights
    whose sum is 0.
    """
    D = w.size
    size = np.sqrt(lane_dot(A[j], A[j], D))
    uj = 0.0
    project(Q, A, j, c, z, k, D)
    while True:
        rho = np.sqrt(lane_dot(z, z, D))
        solve_upper(L, c, r, k)
        q, t1 = first_to_leave(u, r, k)
        dependent = rho <= DEPENDENT * size
        if dependent and q < 0:
            for i in range(k):
                u[i] = max(-r[i], 0.0)
            u[k] = 1.0
            S[k] = name
            return CIRCUIT, k + 1, m
        t2 = np.inf if dependent else (1.0 - m) / (rho * rho)
        t = min(t1, t2)
        if not (t < np.inf):
            return STUCK, k, m
        for i in range(k):
            u[i] -= t * r[i]
        uj += t
        if not dependent:
            m += t * rho * rho
        if t2 <= t1:
            if k == D:
                return STUCK, k, m
            for i in range(k):
                L[k, i] = c[i]
            L[k, k] = rho
            v[k] = (1.0 - lane_dot(c, v, k)) / rho
            for i in range(D):
                Q[k, i] = z[i] / rho
                w[i] += v[k] * Q[k, i]
            S[k] = name
            u[k] = uj
            return LIMIT, k + 1, m
        leave(S, u, L, Q, c, v, q, k, D)
        k -= 1
        for i in range(D):
            z[i] += c[k] * Q[k, i]
            w[i] -= v[k] * Q[k, i]


@kernel(EXACT)
def is_active(S, k, name):
    """Return whether a row is one of the k active ones."""
    found = 0
    for i in range(k):
        found += S[i] == name
    return found > 0


@kernel(EXACT)
def refresh(A, S, u, k, L, Q, w):
    """Compute the factors of the active rows again, without the rounding errors of many rotations; return how many.

    Rows that depend on those before them leave, and rows whose multiplier is not positive.
    """
    D = A.shape[1]
    c = np.empty(D + 2)
    v = np.empty(D + 2)
    z = np.empty(D)
    while True:
        kept = 0
        for i in range(k):
            project(Q, A, S[i], c, z, kept, D)
            rho = np.sqrt(lane_dot(z, z, D))
            if rho <= DEPENDENT * np.sqrt(lane_dot(A[S[i]], A[S[i]], D)):
                continue
            S[kept] = S[i]
            for p in range(kept):
                L[kept, p] = c[p]
            L[kept, kept] = rho
            for p in range(D):
                Q[kept, p] = z[p] / rho
            kept += 1
        k = kept
        plane(L, Q, w, v, k, D)
        solve_upper(L, v, u, k)
        q = 0
        for i in range(1, k):
            if u[i] < u[q]:
                q = i
        if k == 0 or u[q] > 0.0:
            return k
        for i in range(q, k - 1):
            S[i] = S[i + 1]
        k -= 1


@kernel(EXACT)
def drifted(A, S, k, w, drift):
    """Return how many active rows are not within `drift` of 1 under w."""
    many = 0
    for i in range(k):
        many += not (abs(lane_dot(A[S[i]], w, w.size) - 1.0) < drift)
    return many


@kernel(EXACT)
def least(A, near, listed, w):
    """Return the listed row with the smallest ⟨w, a⟩, and that number."""
    j = 0
    m = np.inf
    for p in range(listed):
        s = lane_dot(A[near[p]], w, w.size)
        if s < m:
            j = near[p]
            m = s
    return j, m


@kernel(EXACT)
def worst(A, w, near, m):
    """List the rows with the smallest ⟨w, a⟩, and these numbers, in ascending order; return how many there are."""
    listed = 0
    m[0] = np.nan  # if every number is
    near[0] = 0
    for i in range(A.shape[0]):
        s = lane_dot(A[i], w, w.size)
        if listed < near.size:
            p = listed
            listed += 1
        elif s < m[listed - 1]:
            p = listed - 1
        else:
            continue
        while p > 0 and m[p - 1] > s:
            m[p] = m[p - 1]
            near[p] = near[p - 1]
            p -= 1
        m[p] = s
        near[p] = i
    return listed


@kernel(EXACT)
def project(Q, A, j, c, z, k, D):
    """Split a = Qᵀc + z with z orthogonal to Q's first k rows: Gram–Schmidt, repeated after large cancellation."""
    for p in range(D):
        z[p] = A[j, p]
    for i in range(k):
        c[i] = 0.0
    before = lane_dot(z, z, D)
    for _ in range(2):
        for i in range(0, k - 3, 4):
            s0 = lane_dot(Q[i], z, D)
            s1 = lane_dot(Q[i + 1], z, D)
            s2 = lane_dot(Q[i + 2], z, D)
            s3 = lane_dot(Q[i + 3], z, D)
            c[i] += s0
            c[i + 1] += s1
            c[i + 2] += s2
            c[i + 3] += s3
            for p in range(D):
                z[p] -= s0 * Q[i, p] + s1 * Q[i + 1, p] + s2 * Q[i + 2, p] + s3 * Q[i + 3, p]
        for i in range(k - k % 4, k):
            s = lane_dot(Q[i], z, D)
            c[i] += s
            for p in range(D):
                z[p] -= s * Q[i, p]
        after = lane_dot(z, z, D)
        if after > 0.5 * before:
            break


@kernel(EXACT)
def solve_upper(L, c, r, k):
    """Solve Lᵀ r = c."""
    for i in range(k):
        r[i] = c[i]
    for t in range(k):
        i = k - 1 - t
        s = r[i] / L[i, i]
        r[i] = s
        for p in range(i):
            r[p] -= s * L[i, p]


@kernel(EXACT)
def first_to_leave(u, r, k):
    """Return the active row whose multiplier first reaches 0 in direction −r, and the step; −1 if none does."""
    q = -1
    least = np.inf
    for i in range(k):
        if r[i] > 0.0:
            t = u[i] / r[i]
            if t < least:
                q = i
                least = t
    return q, least


@kernel(EXACT)
def plane(L, Q, w, v, k, D):
    """Set v = L⁻¹ 1 and w = Qᵀ v."""
    for p in range(D):
        w[p] = 0.0
    for i in range(k):
        s = (1.0 - lane_dot(L[i], v, i)) / L[i, i]
        v[i] = s
        for p in range(D):
            w[p] += s * Q[i, p]


@kernel(EXACT)
def leave(S, u, L, Q, c, v, q, k, D):
    """Remove active row q; Givens rotations make L lower triangular again, and are applied to Q, c and v, too.

    The last row of Q, and the last entries of c and v, are free then.
    """
    for i in range(q, k - 1):
        u[i] = u[i + 1]
        S[i] = S[i + 1]
        for p in range(i + 2):
            L[i, p] = L[i + 1, p]
    for i in range(q, k - 1):
        h = np.sqrt(L[i, i] * L[i, i] + L[i, i + 1] * L[i, i + 1])
        g = L[i, i] / h
        s = L[i, i + 1] / h
        for p in range(i, k - 1):
            a, b = L[p, i], L[p, i + 1]
            L[p, i] = g * a + s * b
            L[p, i + 1] = g * b - s * a
        for p in range(D):
            a, b = Q[i, p], Q[i + 1, p]
            Q[i, p] = g * a + s * b
            Q[i + 1, p] = g * b - s * a
        for x in (c, v):
            a, b = x[i], x[i + 1]
            x[i] = g * a + s * b
            x[i + 1] = g * b - s * a
