"""Transform whole rows: products of pairs of columns, and rows of unit length.

    poly2      (x_1, …, x_d)  →  x_1, …, x_d, x_1², x_1·x_2, …, x_1·x_d, x_2², …, x_d²      d + d·(d+1)/2 columns
    normalise  x  →  x/‖x‖;  a row of zeros stays

XOR is not separable; with x_1·x_2 beside x_1 and x_2 it is. Products match scikit-learn's PolynomialFeatures. Norms
match its `normalize` on sparse rows, squares summed from left to right: zeros add nothing, so dense and sparse storage
of the same numbers give the same bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np

from novikoff.errors import InputError, NumberedRowError
from novikoff.prepare.raw_columns import Names
from novikoff.prepare.step import Step

COLUMNS = 20_000_000  # of products: 6,323 columns before
NUMBERS = 1 << 30  # of a dense result: 8 GiB
SAFE = 1e-150, 1e150  # range of a row's largest number in which its square is finite and not 0
AT_ONCE = 1 << 20


class Products(Step):
    """Every column, every square, every product of two columns."""

    kind, on, option, learns = "products", "rows", "features='poly2'", False

    def width(self, d: int) -> int:
        """Return the number of output columns."""
        wide = d + d * (d + 1) // 2
        if wide > COLUMNS:
            raise InputError(
                f"{self.option}: {d:,} columns would become {wide:,}, more than {COLUMNS:,}; "
                "choose fewer columns, hash text to fewer (hash_bits=12), or leave out the products"
            )
        return wide

    def apply(self, X: Any) -> Any:
        from scipy.sparse import csr_matrix
        from sklearn.preprocessing import PolynomialFeatures

        n, d = X.shape
        sparse, wide = hasattr(X, "indptr"), self.width(d)
        if not sparse and n * wide > NUMBERS:
            raise InputError(
                f"{self.option}: {n:,} rows of {wide:,} products are {n * wide * 8 / 2**30:.0f} GiB; "
                "give fewer rows at a time, or choose fewer columns"
            )
        X = X.astype(np.float64)
        made = PolynomialFeatures(2, include_bias=False).fit_transform(X)
        return csr_matrix(made) if sparse else made

    def names(self, names: Sequence[str]) -> Names:
        """Return names such as x1·x2 and x1²."""
        d = len(names)

        def name(j: int) -> str:
            if j < d:
                return names[j]
            a, b = pair(j - d, d)
            return f"{names[a]}²" if a == b else f"{names[a]}·{names[b]}"

        return Names(self.width(d), name)


def pair(k: int, d: int) -> tuple[int, int]:
    """Return the k-th pair a ≤ b of d columns, in the order (0,0), (0,1), …, (0,d−1), (1,1), …

    Examples
    --------
    >>> [pair(k, 3) for k in range(6)]
    [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)]
    """
    left = d * (d + 1) // 2 - 1 - k  # pairs after this one
    tail = (isqrt(8 * left + 1) - 1) // 2  # the largest t with t·(t+1)/2 ≤ left
    a = d - 1 - tail
    return a, d - 1 - (left - tail * (tail + 1) // 2)


class UnitRows(Step):
    """Scale each row to unit length."""

    kind, on, option, learns = "unit-rows", "rows", "normalize=True", False

    def apply(self, X: Any) -> Any:
        if hasattr(X, "indptr"):
            return _unit(X)
        from scipy.sparse import csr_matrix

        X, made = np.asarray(X), np.empty(X.shape)
        rows = max(1, AT_ONCE // max(1, X.shape[1]))
        for start in range(0, X.shape[0], rows):
            made[start : start + rows] = _unit(csr_matrix(X[start : start + rows].astype(np.float64)), start).toarray()
        return made

    def names(self, names: Sequence[str]) -> Sequence[str]:
        return names


def _unit(X: Any, first: int = 0) -> Any:
    from sklearn.preprocessing import normalize

    X = X.astype(np.float64)
    size = np.abs(X.data)
    if size.size and (size.max() > SAFE[1] or size[size > 0].min(initial=1.0) < SAFE[0]):
        largest = np.asarray(abs(X).max(axis=1).todense()).ravel()
        wrong = (largest > SAFE[1]) | ((largest > 0) & (largest < SAFE[0]))
        if wrong.any():
            row = int(np.argmax(wrong))
            raise NumberedRowError(
                "normalize=True, ",
                first + row,
                f": its largest number is {largest[row]:.3g}, and its square is outside binary64 (expected "
                f"{SAFE[0]:.0e} to {SAFE[1]:.0e}); scale the numbers first (scale=True)",
            )
    return normalize(X, copy=False)
