"""Rows that sum to zero with positive weights, known or proved to exist: the proof of "not separable"."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from novikoff.exact.deadline import Clock, elimination
from novikoff.exact.integer_rows import of_rows, relation_holds, whole_rows
from novikoff.separate.interval_proof import positive_relation
from novikoff.separate.solver import circuit_of


class Relation:
    """Rows that sum to zero with positive weights, which are given or computed when first used."""

    def __init__(self, Z: np.ndarray, weights: Sequence[int] | None) -> None:
        self.Z, self._weights = Z, weights

    @property
    def spans(self) -> bool:
        """Whether the rows have full rank: a circuit of D + 1 rows has, and only 0 is orthogonal to it."""
        k, D = self.Z.shape
        return bool(k == D + 1)

    @property
    def known(self) -> bool:
        """Whether the weights are computed."""
        return self._weights is not None

    @cached_property
    def digits(self) -> int:
        """Estimate of the decimal digits of all weights together, of a relation that spans, before they are known.

        A weight is a determinant of the k − 1 other rows in whole numbers: of random rows the product of their lengths
        times e^(−k/2), about; of rows that are nearly dependent less.
        """
        k, powers = len(self.Z), whole_rows(self.Z)[1]
        lengths = np.log10(np.linalg.norm(self.Z, axis=1)) - math.log10(2) * np.array(powers)
        return int(max(0.0, (k - 1) * float(lengths.sum()) - k * k * math.log10(math.e) / 2))

    def weights(self, clock: Clock) -> tuple[int, ...]:
        """Return the weights, positive integers."""
        if self._weights is None:
            rows, powers = whole_rows(self.Z[:, self.Z.any(axis=0)])
            clock.require(elimination(len(rows)))
            found = circuit_of(rows)
            if found is None or len(found.rows) != len(rows):
                raise ArithmeticError("a relation that was proved to be positive is not")  # cannot happen
            self._weights = of_rows(found.weights, powers)
        return tuple(self._weights)

    def holds(self, Z: np.ndarray, clock: Clock) -> bool:
        """Return whether the rows Z sum to zero with positive weights: these ones, if they are known."""
        if Z.shape != self.Z.shape:
            return False
        if self._weights is None and np.array_equal(Z, self.Z) and positive_relation(Z):
            return True
        rows, powers = whole_rows(Z)
        least = min(powers)
        return relation_holds([m << (e - least) for m, e in zip(self.weights(clock), powers, strict=True)], rows)
