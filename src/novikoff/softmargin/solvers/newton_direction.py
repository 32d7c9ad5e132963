"""Newton's direction of a smooth soft-margin objective, in the cheapest of four ways.

(N + X' diag(h) X)·p = −g,    N = the identity, with 0 for a free bias

few rows with h > 0      (diag(1/h) + K)·z = X_W g, K = X_W X_W' of these rows W;   p = −g + X_W' z   (Woodbury);
                         free bias:  z₁ of the right side 1, β = (−g_b + z₁·X_W g)/Σz₁,  p = −g + X_W'(z − β z₁)
D ≤ 2500                 Cholesky's factors of the matrix
dense, many rows         conjugate gradients, preconditioned by the matrix of 4·D rows drawn in proportion to h
else                     conjugate gradients, preconditioned by the diagonal
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.linalg import lapack

from novikoff.softmargin.row_products import RowProducts

LARGEST_FACTOR = 2500  # rows of a dense matrix that is factored
FEW_SPARSE = 600  # rows whose Gram matrix is cheaper than conjugate gradients, for sparse rows
MOST_CG = 250
ENOUGH_CG = 20  # with more steps the sampled preconditioner is dropped
CG_GAP, SPARSE_CG_GAP = 0.05, 0.2  # relative residual at which conjugate gradients end


@dataclass(eq=False)
class Directions:
    """Solves for directions; remembers whether sampled preconditioners work.

    gram: products of all rows with each other, if they are known. single: form the matrix in float32.
    """

    products: RowProducts
    free: bool
    single: bool
    gram: np.ndarray | None = None
    sampled: bool = True

    def __call__(self, h: np.ndarray, g: np.ndarray, curved: int) -> np.ndarray:
        """Return p; curved: the number of rows with h > 0."""
        p, D = self.products, self.products.D
        few = LARGEST_FACTOR if not p.sparse else FEW_SPARSE
        if self.gram is not None:
            return self._from_rows(h, g)
        if self._can_sample(h, curved):
            return self._conjugate_gradients(h, g, self._sampled_inverse(h))
        if curved < 0.8 * D and curved <= few:
            return self._from_rows(h, g)
        if D <= LARGEST_FACTOR:
            return self._from_columns(h, g)
        inverse = 1.0 / (self._penalty() + p.curvature_diagonal(h) + 1e-12)
        return self._conjugate_gradients(h, g, lambda r: inverse * r)

    def _penalty(self) -> np.ndarray:
        """Return the diagonal of N."""
        penalty = np.ones(self.products.D)
        penalty[-1] = 0.0 if self.free else 1.0
        return penalty

    def _can_sample(self, h: np.ndarray, curved: int) -> bool:
        p = self.products
        if p.sparse or not self.sampled or p.D <= 200 or curved <= 12 * p.D:
            return False
        return bool(h.sum() ** 2 > 3 * p.D * (h @ h))

    def _from_columns(self, h: np.ndarray, g: np.ndarray) -> np.ndarray:
        penalty = self._penalty()
        H = self.products.hessian(h, penalty, self.single)
        mean = float(np.trace(H)) / len(H)
        extra = 0.0
        while True:
            factor, info = lapack.dpotrf(H, lower=1, clean=0)
            if info == 0 or not np.isfinite(mean):
                return np.asarray(-lapack.dpotrs(factor, g, lower=1)[0])
            H[np.diag_indices(len(H))] += max(1e-12 * mean, 9.0 * extra)
            extra = max(1e-12 * mean, 10.0 * extra)

    def _from_rows(self, h: np.ndarray, g: np.ndarray) -> np.ndarray:
        p, which = self.products, np.flatnonzero(h)
        if not which.size:
            return -g
        K = p.gram(which, not self.free) if self.gram is None else self.gram[np.ix_(which, which)]
        K[np.diag_indices(which.size)] += 1.0 / h[which]
        known = g.copy()
        known[-1] = 0.0 if self.free else known[-1]
        sides = np.ones((which.size, 2), order="F")
        sides[:, 0] = p.scores(known)[which]
        factor, info = lapack.dpotrf(K, lower=1, clean=0, overwrite_a=0)
        while info != 0 and np.isfinite(K.trace()):
            K[np.diag_indices(which.size)] *= 1.0 + 1e-8
            factor, info = lapack.dpotrf(K, lower=1, clean=0, overwrite_a=0)
        z = lapack.dpotrs(factor, sides, lower=1)[0]
        full = np.zeros(p.n)
        if not self.free:
            full[which] = z[:, 0]
            return np.asarray(p.combination(full) - g)
        beta = (float(z[:, 1] @ sides[:, 0]) - g[-1]) / float(z[:, 1].sum())
        full[which] = z[:, 0] - beta * z[:, 1]
        direction = p.combination(full) - g
        direction[-1] = beta
        return np.asarray(direction)

    def _sampled_inverse(self, h: np.ndarray) -> Callable[[np.ndarray], np.ndarray]:
        """Return the inverse of the matrix of 4·D rows, drawn systematically in proportion to h."""
        p, k = self.products, 4 * self.products.D
        sums = np.cumsum(h)
        places = (np.arange(k) + np.random.default_rng(k).random(k)) * (sums[-1] / k)
        drawn = np.minimum(np.searchsorted(sums, places), p.n - 1)
        counts = np.bincount(drawn, minlength=p.n) * (sums[-1] / k)
        H = p.hessian(counts, self._penalty() + (1e-9 * sums[-1] if self.free else 0.0), p.is_single)
        factor, info = lapack.dpotrf(H, lower=1, clean=0)
        if info != 0:
            return lambda r: r
        return lambda r: np.asarray(lapack.dpotrs(factor, r, lower=1)[0])

    def _conjugate_gradients(
        self, h: np.ndarray, g: np.ndarray, inverse: Callable[[np.ndarray], np.ndarray]
    ) -> np.ndarray:
        products, penalty = self.products, self._penalty()
        p, r = np.zeros(products.D), -g
        z = inverse(r)
        s, rz = z, float(r @ z)
        gap = SPARSE_CG_GAP if products.sparse else CG_GAP
        end, steps = gap * gap * rz, 0
        while rz > end and steps < MOST_CG:
            Hs = penalty * s + products.curvature_times(h, s)
            along = float(s @ Hs)
            if not along > 0.0:
                break
            p = p + (rz / along) * s
            r = r - (rz / along) * Hs
            z = inverse(r)
            before, rz = rz, float(r @ z)
            s, steps = z + (rz / before) * s, steps + 1
        if steps > ENOUGH_CG:
            self.sampled = False
        return p if steps else z
