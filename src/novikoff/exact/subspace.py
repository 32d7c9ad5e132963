"""Restrict a table to some signed rows and to the planes of a subspace.

    z_i = ±x_i           planes v = N c with c in R^D; columns that are not listed have the weight 0

The score of a row under c is its score under N c, so one pass over the table is enough, as for the table itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from flint import fmpz_mat

from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import Row
from novikoff.exact.signed_rows import Signed


@dataclass
class Quotient:
    """Rows `of` of the table with their signs; N: a basis, by columns, in the coordinates of `columns`; None: all."""

    table: Signed
    of: np.ndarray
    signs: np.ndarray
    columns: Sequence[int]
    N: Any = None
    between: Clock = field(default_factory=lambda: Clock(None))

    def __post_init__(self) -> None:
        self.n, self.D = int(self.of.size), len(self.columns) if self.N is None else int(self.N.ncols())

    def within(self, N: Any) -> Quotient:
        """Return the same rows for the planes of a smaller space, given by a basis in these coordinates."""
        return replace(self, N=N if self.N is None else self.N * N)

    def rows(self, which: np.ndarray) -> Quotient:
        """Return some of the rows."""
        return replace(self, of=self.of[which], signs=self.signs[which])

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]:
        """Return some of the rows as integers, and the exponents e with row = integers·2^e."""
        which = np.asarray(which, np.int64)
        Z, powers = self.table.whole(self.of[which])
        rows = [[s * z[j] for j in self.columns] for s, z in zip(self.signs[which].tolist(), Z, strict=True)]
        if self.N is not None and rows:
            rows = [[int(v) for v in z] for z in (fmpz_mat(rows) * self.N).tolist()]
        return rows, powers

    def margins(self, plane: Sequence[int]) -> np.ndarray:
        """Return the score of every row, up to one positive factor: the sign is exact, and 0 only at a tie."""
        self.between()
        return np.asarray(self.table.margins(self.plane(plane))[self.of] * self.signs)

    def plane(self, c: Sequence[int]) -> list[int]:
        """Convert a plane of these coordinates to one of the table."""
        inner = list(c) if self.N is None else (self.N * fmpz_mat([[v] for v in c])).entries()
        full = [0] * self.table.D
        for j, v in zip(self.columns, inner, strict=True):
            full[j] = int(v)
        return full
