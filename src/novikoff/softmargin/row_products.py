"""The rows of a problem with a column of ones behind them, and their products with vectors.

Dense rows in C order and compressed sparse rows are read as they are, in their own type; rows in Fortran order are
copied to C order. Sums are binary64.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from novikoff.data.contiguous_blocks import Blocks
from novikoff.data.dask_rows import DaskRows, needed_in_memory
from novikoff.data.problem import Problem
from novikoff.kernels import dense, sparse
from novikoff.kernels.compile import kernel_of
from novikoff.scoring.scorer import Scorer
from novikoff.softmargin import row_kernels

BLOCK = 1 << 19  # numbers of the rows that are scaled at once for a Hessian


def products_of(problem: Problem) -> RowProducts:
    """Return the products of checked rows: finite, and with rising columns."""
    if isinstance(problem.rows, DaskRows):
        raise needed_in_memory(problem.name, "a soft margin")
    scorer = Scorer(problem)
    scorer.survey()
    rows = scorer.problem.rows
    if isinstance(rows, Blocks):
        rows = scorer.problem.part(slice(0, problem.n)).rows
    return RowProducts(rows, problem.d)


class RowProducts:
    """n rows of D = d + 1 numbers, the last of which is 1."""

    def __init__(self, rows: Any, d: int) -> None:
        """rows: an array (n, d) in C order, or (values, columns, starts) with columns rising in each row."""
        self.rows, self.sparse = rows, isinstance(rows, tuple)
        self.n, self.D = len(rows[2]) - 1 if self.sparse else len(rows), d + 1
        self.stored = int(rows[0].size if self.sparse else rows.size)
        self.verbs = sparse if self.sparse else dense

    @property
    def density(self) -> float:
        """Stored numbers of all numbers."""
        return self.stored / max(1, self.n * (self.D - 1))

    @property
    def is_single(self) -> bool:
        """Whether float32 holds every number."""
        dtype = (self.rows[0] if self.sparse else self.rows).dtype
        return bool(dtype.itemsize <= 2 or dtype == np.float32)

    def _run(self, function: Callable[..., None], *arguments: Any) -> None:
        kernel_of(function, self.verbs, self.stored)(self.rows, *arguments)

    def scores(self, w: np.ndarray) -> np.ndarray:
        """Return w·x + b of each row; the bias is the last of w."""
        out = np.empty(self.n)
        self._run(row_kernels.scores, w, out)
        return out

    def combination(self, factors: np.ndarray) -> np.ndarray:
        """Return Σ f_i·(x_i, 1)."""
        out = np.empty(self.D)
        self._run(row_kernels.combination, factors, out)
        return out

    def curvature_times(self, h: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return Σ h_i·⟨(x_i, 1), p⟩·(x_i, 1)."""
        out = np.empty(self.D)
        self._run(row_kernels.curvature_times, h, p, out)
        return out

    def curvature_diagonal(self, h: np.ndarray) -> np.ndarray:
        """Return Σ h_i·x_ij² of each column."""
        if not self.sparse:
            return np.append(np.einsum("i,ij,ij->j", h, self.rows, self.rows, dtype=np.float64), h.sum())
        values, columns, starts = self.rows
        squares = np.square(values, dtype=np.float64), columns, starts
        return RowProducts(squares, self.D - 1).combination(h)

    @cached_property
    def squared_norms(self) -> np.ndarray:
        """|x|² + 1 of each row."""
        out = np.empty(self.n)
        self._run(row_kernels.squared_norms, out)
        return out

    def hessian(self, h: np.ndarray, diagonal: np.ndarray, single: bool) -> np.ndarray:
        """Return the lower triangle, as LAPACK reads it, of diag(diagonal) + Σ h_i·(x_i, 1)(x_i, 1)'.

        single: add the products in float32; only a solver that corrects itself may use it.
        """
        if self.sparse:
            upper = np.empty((self.D, self.D))
            self._run(row_kernels.sparse_hessian, h, upper)
            H = upper.T
        else:
            H = self._dense_hessian(h, np.dtype(np.float32 if single else np.float64))
        H[np.diag_indices(self.D)] += diagonal
        return H

    def _dense_hessian(self, h: np.ndarray, dtype: np.dtype) -> np.ndarray:
        from scipy.linalg import blas

        syrk: Any = blas.ssyrk if dtype == np.float32 else blas.dsyrk
        root, curved = np.sqrt(h), np.flatnonzero(h)
        H = np.zeros((self.D, self.D), dtype, order="F")
        at_once = min(max(64, BLOCK // self.D), max(1, curved.size))
        block = np.empty((at_once, self.D), dtype)
        for lo in range(0, curved.size, at_once):
            which = curved[lo : lo + at_once]
            part = block[: which.size]
            self._run(row_kernels.scaled_rows, which, root, part)
            H = syrk(1.0, part.T, beta=1.0, c=H, overwrite_c=1, lower=1)
        return H.astype(np.float64, order="F", copy=False)

    def gram(self, which: np.ndarray, with_bias: bool) -> np.ndarray:
        """Return ⟨x_i, x_j⟩ of some rows, + 1 with a bias, both triangles."""
        if self.sparse:
            rows, G = self.select(which), np.empty((which.size, which.size))
            rows._run(row_kernels.sparse_gram, 1.0 if with_bias else 0.0, 0, np.zeros(self.D), G)
            return G
        G = np.full((which.size, which.size), 1.0 if with_bias else 0.0)
        wide = max(16, BLOCK // max(1, which.size))
        for lo in range(0, self.D - 1, wide):
            part = self.rows[which, lo : lo + wide].astype(np.float64)
            G += part @ part.T
        return G

    def select(self, which: np.ndarray) -> RowProducts:
        """Return the products of some rows, which are copied."""
        if not self.sparse:
            return RowProducts(np.ascontiguousarray(self.rows[which]), self.D - 1)
        values, columns, starts = self.rows
        sizes = starts[which + 1] - starts[which]
        ends = np.concatenate([np.zeros(1, starts.dtype), np.cumsum(sizes, dtype=starts.dtype)])
        places = np.arange(ends[-1]) + np.repeat(starts[which] - ends[:-1], sizes)
        return RowProducts((values[places], columns[places], ends), self.D - 1)

    @cached_property
    def compressed(self) -> RowProducts:
        """Return dense rows as compressed sparse rows in their own type."""
        from scipy.sparse import csr_array

        found = csr_array(self.rows)
        return RowProducts((found.data, found.indices, found.indptr), self.D - 1)
