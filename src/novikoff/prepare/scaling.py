"""Keep numeric columns unchanged, or scale them by their mean and standard deviation.

    x ← (x − mean)/deviation     or, without centring, x ← x/deviation: zeros stay zeros

Mean and deviation are those of the training rows, exact up to one rounding (`moments`). A constant column has deviation
0: it is centred, and divided by 1. Each result is one subtraction and one division in binary64, for dense and sparse
rows alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.prepare.moments import Moments
from novikoff.prepare.step import Step
from novikoff.records.record_reader import Fields


class Unscaled(Step):
    """Numbers unchanged."""

    def look(self, X: Any) -> None:
        """Do nothing: there is nothing to fit."""

    def settle(self, names: Sequence[str]) -> dict[str, Any]:
        return {}

    def apply(self, X: Any) -> Any:
        return X


class Scale(Unscaled):
    """Scale each column to variance 1, and with `centre` to mean 0.

    centre=None: dense numbers are centred, sparse ones are not (that would fill every zero); the choice is stored, so
    later rows are treated the same way in either storage.
    """

    kind, option, learns = "scale", "scale=True", True

    def __init__(self, centre: bool | None = None) -> None:
        if centre is not None and not isinstance(centre, bool):
            raise InputError(f"scale=True: centre={centre!r}, expected True, False or None")
        self.centre = centre
        self.mean = self.deviation = np.zeros(0)
        self._moments: Moments | None = None

    def look(self, X: Any) -> None:
        """Update the moments with some training rows."""
        if self._moments is None:
            self._moments = Moments(X.shape[1])
            self.centre = not hasattr(X, "indptr") if self.centre is None else self.centre
        self._moments.look(X)

    def settle(self, names: Sequence[str]) -> dict[str, Any]:
        assert self._moments is not None
        variance = self._moments.variance(names)
        self.mean = self._moments.mean() if self.centre else np.zeros(len(variance))
        self.deviation = np.where(variance == 0, 1.0, np.sqrt(variance))
        self._moments = None
        return {"centred": self.centre, "constant_columns": int((variance == 0).sum())}

    def apply(self, X: Any) -> Any:
        if self.centre:
            return ((X.toarray() if hasattr(X, "indptr") else X) - self.mean) / self.deviation
        if not hasattr(X, "indptr"):
            return X / self.deviation
        from scipy.sparse import csr_matrix

        return csr_matrix((X.data / self.deviation[X.indices], X.indices, X.indptr), shape=X.shape)

    def record(self) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
        return {"centre": self.centre}, {"mean": self.mean, "deviation": self.deviation}

    @classmethod
    def from_record(cls, fields: Fields, d: int) -> Scale:
        step = cls(fields.truth("centre"))
        step.mean, step.deviation = fields.array("mean", (d,)), fields.array("deviation", (d,))
        if (step.deviation <= 0).any():
            fields.refuse("deviation", float(step.deviation.min()), "an array of numbers above 0")
        if not step.centre and step.mean.any():
            fields.refuse("mean", "numbers", "an array of zeros, since nothing is centred,")
        return step
