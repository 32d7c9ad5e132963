"""Kernels of `interval_proof`: scale the square matrix, invert it if it is small, bound the solution.  (compiled)"""

from __future__ import annotations

import numpy as np

from novikoff.exact.rescale_kernels import exponent, power_of_two
from novikoff.kernels.mark import EXACT, kernel

UNIT = 2.0**-53
SMALLEST = 2.0**-900  # smaller numbers are not used: products of two would underflow


@kernel(EXACT)
def proved(Z):
    """Return whether few rows, D + 1 of D doubles, surely have rank D and a relation with positive weights only."""
    k = Z.shape[0]
    B = np.ones((k, k))
    R = np.zeros((k, k))
    if not (scaled(Z, B) and inverse(B.copy(), R)):
        return False
    P = np.zeros((k, k))
    for i in range(k):
        for t in range(k):
            for j in range(k):
                P[i, j] += R[i, t] * B[t, j]
    return enclosed(B, R, P)


@kernel(EXACT)
def scaled(Z, B):
    """Set B = [Zᵀ; 1ᵀ], scaled by powers of two, which changes no sign of λ; return False if that may round."""
    k, D = Z.shape
    for i in range(k):
        for j in range(D):
            B[j, i] = Z[i, j]
    size = np.empty(k)
    for _ in range(2):
        for j in range(D):
            largest = 0.0
            for i in range(k):
                largest = max(largest, abs(B[j, i]))
            if not (largest > 0.0) or not times(B, j, power_of_two(-exponent(largest))):
                return False
        size[:] = 0.0
        for j in range(D):
            for i in range(k):
                size[i] = max(size[i], abs(B[j, i]))
        for i in range(k):
            if not (size[i] > 0.0):
                return False
            size[i] = power_of_two(-exponent(size[i]))
        for j in range(D):
            if not times(B, j, size):
                return False
    return True


@kernel(EXACT)
def times(B, j, factor):
    """Multiply a row by powers of two; return False if a number gets too small."""
    factors = np.ones(B.shape[1]) * factor
    small = 0
    for i in range(B.shape[1]):
        before = B[j, i]
        B[j, i] = before * factors[i]
        small += before != 0.0 and not (abs(B[j, i]) >= SMALLEST)
    return small == 0


@kernel(EXACT)
def inverse(M, R):
    """Set R ≈ M⁻¹ by Gauss–Jordan with partial pivoting, overwriting M; return False if there is none."""
    k = M.shape[0]
    for i in range(k):
        R[i, i] = 1.0
    for p in range(k):
        best = p
        for i in range(p + 1, k):
            if abs(M[i, p]) > abs(M[best, p]):
                best = i
        if not (abs(M[best, p]) > 0.0):
            return False
        for j in range(k):
            M[p, j], M[best, j] = M[best, j], M[p, j]
            R[p, j], R[best, j] = R[best, j], R[p, j]
        f = 1.0 / M[p, p]
        for j in range(k):
            M[p, j] *= f
            R[p, j] *= f
        for i in range(k):
            f = M[i, p]
            if i != p and f != 0.0:
                for j in range(k):
                    M[i, j] -= f * M[p, j]
                    R[i, j] -= f * R[p, j]
    return True


@kernel(EXACT)
def enclosed(B, R, P):
    """Return whether the solution is surely positive; R is any matrix, P the rounded product RB."""
    k = B.shape[0]
    g = 1.01 * (k + 8) * UNIT  # ≥ γ of any sum here
    up = 1.0 + 4.0 * g  # makes a rounded sum of what is ≥ 0 an upper bound
    sums = np.zeros(k)
    for i in range(k):
        for j in range(k):
            sums[i] += abs(B[i, j])
    eps = np.zeros(k)
    beta = 0.0
    for i in range(k):
        error = 0.0
        size = 0.0
        for j in range(k):
            error += abs(P[i, j] - (1.0 if i == j else 0.0))
            size += abs(R[i, j]) * sums[j]
        eps[i] = (error + g * (size + 1.0)) * up
        if not (eps[i] < 0.5):
            return False
        beta = max(beta, eps[i])
    x = R[:, k - 1].copy()
    r = np.empty(k)
    for step in range(2):
        for i in range(k):
            e = 1.0 if i == k - 1 else 0.0
            s = 0.0
            size = e
            for j in range(k):
                s += B[i, j] * x[j]
                size += abs(B[i, j]) * abs(x[j])
            r[i] = e - s if step == 0 else (abs(e - s) + g * size) * up + SMALLEST
        if step == 0:  # one step of refinement, then the bounds of what is left
            for i in range(k):
                for j in range(k):
                    x[i] += R[i, j] * r[j]
    q = np.zeros(k)
    worst = 0.0
    for i in range(k):
        for j in range(k):
            q[i] += abs(R[i, j]) * r[j]
        q[i] *= up
        worst = max(worst, q[i])
    doubtful = 0
    for i in range(k):
        doubtful += not (x[i] > (q[i] + eps[i] * (worst / (1.0 - beta))) * up + SMALLEST)
    return doubtful == 0
