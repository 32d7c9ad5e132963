"""D + 1 rows with a positive relation, proved by bounding every rounding: no long whole numbers needed.

    B = [Z_Sᵀ; 1ᵀ], square       Bλ = (0, …, 0, 1)ᵀ       R an approximate inverse, E = I − RB

If ‖E‖∞ ≤ β < 1, B is regular: the rows have rank D, and λ is the only solution. For any λ' with residual r = e − Bλ',

    |λ − λ'| ≤ q + ε·max(q)/(1 − β),     q ≥ |R||r|,  ε_i ≥ Σ_j |E_ij|

(Krawczyk; Rump). If λ' exceeds this in every coordinate, λ > 0: the rows are a circuit, no plane separates them, and
the points overlap, for nothing but w = 0 is orthogonal to all of them. Products of matrices are taken to be sums of k
products in any order, fused or not: |fl(AB) − AB| ≤ γ_k|A||B| (Higham). A no is no claim.
"""

from __future__ import annotations

import numpy as np

UNIT = 2.0**-53
SMALLEST = 2.0**-900  # numbers below are not risked: products of two would underflow


def positive_relation(Z: np.ndarray) -> bool:
    """Whether D + 1 rows of D doubles are proved to have rank D and a relation with positive weights only."""
    k, D = Z.shape
    if k != D + 1:
        return False
    B = _square(Z)
    if B is None:
        return False
    with np.errstate(all="ignore"):
        try:
            R = np.linalg.inv(B)
        except np.linalg.LinAlgError:
            return False
        return bool(np.isfinite(R).all()) and _enclosed(B, R)


def _square(Z: np.ndarray) -> np.ndarray | None:
    """B with rows and columns scaled by powers of two, which changes no sign of λ; None where that would round."""
    A = Z
    for axis in (0, 1, 0, 1):
        size = np.abs(A).max(axis=axis, keepdims=True)
        if not (size > 0).all():
            return None
        A = np.ldexp(A, -np.frexp(size)[1])
    used = np.abs(A[A != 0])
    if used.min() < SMALLEST or np.count_nonzero(A) != np.count_nonzero(Z):
        return None
    return np.vstack([A.T, np.ones(len(A))])


def _enclosed(B: np.ndarray, R: np.ndarray) -> bool:
    """Whether the solution is surely positive."""
    k = len(B)
    g = 1.01 * (k + 8) * UNIT  # ≥ γ of any sum here
    up = 1.0 + 4.0 * g  # makes a rounded sum of what is ≥ 0 an upper bound
    e = np.zeros(k)
    e[-1] = 1.0
    x = R[:, -1]
    x = x + R @ (e - B @ x)
    aB, aR = np.abs(B), np.abs(R)
    r = (np.abs(e - B @ x) + g * (aB @ np.abs(x) + e)) * up + SMALLEST
    eps = (np.abs(np.eye(k) - R @ B).sum(axis=1) + g * (aR @ aB.sum(axis=1) + 1.0)) * up
    beta = float(eps.max())
    if not beta < 0.5:
        return False
    q = (aR @ r) * up
    return bool((x > (q + eps * (float(q.max()) / (1.0 - beta))) * up + SMALLEST).all())
