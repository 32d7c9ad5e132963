"""The widest plane of a few rows, by the dual active-set method of Goldfarb and Idnani (1983).  (compiled)

    min |w|²   subject to   ⟨w, a_i⟩ ≥ 1      for the rows a_i of A

Active rows S are kept with their factors A_S = LQ, L lower triangular, Q with orthonormal rows: w = Qᵀ L⁻¹ 1. In this
scale nothing cancels when the margin is tiny, as it does in the nearest point of the hull. The row farthest on the
wrong side joins; rows whose multiplier u falls to 0 leave. It ends with a w that separates, or with a row that depends
on S with the wrong signs: then S and that row sum to zero with weights ≥ 0 (Farkas), as far as floats can see.

Floats only point at the answer. What comes out of here is a candidate, proved elsewhere.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernel import FAST, kernel

CIRCUIT, SEPARATED, LIMIT, STUCK = range(4)  # how a run ended
DEPENDENT = 1e-13  # a row this near to the span of the active ones, for its length, is taken to lie in it


@kernel(FAST)
def run(A, S, u, k, L, Q, w, most):
    """Go on from k active rows S with multipliers u, at most so many rounds: (how it ended, k, rounds).

    With CIRCUIT, S[:k] and u[:k] are the rows and their weights.
    """
    n, D = A.shape
    c = np.empty(D + 2)
    r = np.empty(D + 2)
    v = np.empty(D + 2)
    z = np.empty(D)
    plane(L, Q, w, v, k, D)
    active = np.zeros(n, np.uint8)
    for i in range(k):
        active[S[i]] = 1
    for rounds in range(most):
        j, m = worst(A, w)
        if m > 0.0:
            return SEPARATED, k, rounds
        if active[j] == 1:
            return STUCK, k, rounds
        size = np.sqrt(dot(A[j], A[j], D))
        uj = 0.0
        left = 0
        project(Q, A[j], c, z, k, D)
        while True:
            rho = np.sqrt(dot(z, z, D))
            solve_upper(L, c, r, k)
            q, t1 = first_to_leave(u, r, k)
            dependent = rho <= DEPENDENT * size
            if dependent and q < 0:
                for i in range(k):
                    u[i] = max(-r[i], 0.0)
                u[k] = 1.0
                S[k] = j
                return CIRCUIT, k + 1, rounds
            t2 = np.inf if dependent else (1.0 - m) / (rho * rho)
            t = min(t1, t2)
            if not (t < np.inf):
                return STUCK, k, rounds
            for i in range(k):
                u[i] -= t * r[i]
            uj += t
            if not dependent:
                m += t * rho * rho
            if t2 <= t1:
                if k == D:
                    return STUCK, k, rounds
                for i in range(k):
                    L[k, i] = c[i]
                L[k, k] = rho
                for i in range(D):
                    Q[k, i] = z[i] / rho
                S[k] = j
                u[k] = uj
                active[j] = 1
                if left == 0:
                    v[k] = (1.0 - dot(c, v, k)) / rho
                    for i in range(D):
                        w[i] += v[k] * Q[k, i]
                k += 1
                if left > 0:
                    plane(L, Q, w, v, k, D)
                break
            active[S[q]] = 0
            leave(S, u, L, Q, c, z, q, k, D)
            left += 1
            k -= 1
    return LIMIT, k, most


@kernel(FAST)
def worst(A, w):
    """The row with the smallest ⟨w, a⟩, and that number."""
    n, D = A.shape
    j = 0
    least = np.inf
    for i in range(n):
        s = 0.0
        for p in range(D):
            s += A[i, p] * w[p]
        if s < least:
            j = i
            least = s
    return j, least


@kernel(FAST)
def dot(a, b, D):
    s = 0.0
    for p in range(D):
        s += a[p] * b[p]
    return s


@kernel(FAST)
def project(Q, a, c, z, k, D):
    """a = Qᵀc + z with z orthogonal to Q's first k rows: Gram and Schmidt, and again where much was cancelled."""
    for p in range(D):
        z[p] = a[p]
    for i in range(k):
        c[i] = 0.0
    before = dot(z, z, D)
    for _ in range(2):
        for i in range(k):
            s = dot(Q[i], z, D)
            c[i] += s
            for p in range(D):
                z[p] -= s * Q[i, p]
        after = dot(z, z, D)
        if after > 0.01 * before:
            break


@kernel(FAST)
def solve_upper(L, c, r, k):
    """Lᵀ r = c."""
    for i in range(k):
        r[i] = c[i]
    for t in range(k):
        i = k - 1 - t
        s = r[i] / L[i, i]
        r[i] = s
        for p in range(i):
            r[p] -= s * L[i, p]


@kernel(FAST)
def first_to_leave(u, r, k):
    """The active row whose multiplier is the first to reach 0 on the way −r, and when; −1 if none does."""
    q = -1
    least = np.inf
    for i in range(k):
        if r[i] > 0.0:
            t = u[i] / r[i]
            if t < least:
                q = i
                least = t
    return q, least


@kernel(FAST)
def plane(L, Q, w, v, k, D):
    """v = L⁻¹ 1 and w = Qᵀ v."""
    for p in range(D):
        w[p] = 0.0
    for i in range(k):
        s = (1.0 - dot(L[i], v, i)) / L[i, i]
        v[i] = s
        for p in range(D):
            w[p] += s * Q[i, p]


@kernel(FAST)
def leave(S, u, L, Q, c, z, q, k, D):
    """Take active row q out; Givens rotations make L lower triangular again, and Q, c and z go with them."""
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
        a, b = c[i], c[i + 1]
        c[i] = g * a + s * b
        c[i + 1] = g * b - s * a
    s = c[k - 1]
    for p in range(D):
        z[p] += s * Q[k - 1, p]
