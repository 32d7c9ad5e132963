"""Prove that D + 1 rows have a positive relation by bounds of every rounding error, without long integers.

    B = [Z_Sᵀ; 1ᵀ], square       Bλ = (0, …, 0, 1)ᵀ       R an approximate inverse, E = I − RB

If ‖E‖∞ ≤ β < 1, B is regular: the rows have rank D, and λ is the only solution. For any λ' with residual r = e − Bλ',

    |λ − λ'| ≤ q + ε·max(q)/(1 − β),     q ≥ |R||r|,  ε_i ≥ Σ_j |E_ij|

(Krawczyk; Rump). If λ' exceeds this in every coordinate, λ > 0: the rows are a circuit, no plane separates them, and
the points overlap, since only w = 0 is orthogonal to all of them. Products of matrices are sums of k products in any
order, fused or not: |fl(AB) − AB| ≤ γ_k|A||B| (Higham). False is not a claim.
"""

from __future__ import annotations

import numpy as np

from novikoff.kernels.compile import kernel_of
from novikoff.separate import interval_kernels

FEW = 24  # rows up to which the inverse is computed without LAPACK


def positive_relation(Z: np.ndarray, reproducible: bool = False) -> bool:
    """Return whether D + 1 rows of D doubles are proved to have rank D and a relation with positive weights only.

    reproducible: without LAPACK, so that the answer is the same on every machine.
    """
    k, D = Z.shape
    if k != D + 1:
        return False
    if k <= FEW or reproducible:
        return bool(kernel_of(interval_kernels.proved, interval_kernels, Z.size * k)(Z))
    B = np.ones((k, k))
    if not kernel_of(interval_kernels.scaled, interval_kernels, Z.size)(Z, B):
        return False
    R = _inverse(B)
    return bool(np.isfinite(R).all()) and bool(
        kernel_of(interval_kernels.enclosed, interval_kernels, Z.size)(B, R, R @ B)
    )


def _inverse(B: np.ndarray) -> np.ndarray:
    """Return an approximate inverse of B; not finite if there is none."""
    from scipy.linalg import lapack

    factors, pivots, fault = lapack.dgetrf(B.T)  # of the transposed: rows are columns there, nothing is copied
    if fault:
        return np.full_like(B, np.nan)
    return np.ascontiguousarray(lapack.dgetri(factors, pivots, overwrite_lu=True)[0].T)
