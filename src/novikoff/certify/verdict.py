"""The answer to "separable or not", with its proof."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.certify.engine import circuit_of, strict_by_floats
from novikoff.certify.exact import Circuit
from novikoff.certify.facial import COMPLETE, OVERLAP, Faces, staged
from novikoff.certify.interval import positive_relation
from novikoff.certify.signed import Signed, points_of
from novikoff.certify.whole import of_rows, relation_holds, whole_rows
from novikoff.errors import InputError, UndecidedError
from novikoff.points.problem import Problem

UNDECIDED = "undecided"


class Relation:
    """Rows that sum to zero with positive weights: found before, or when asked for."""

    def __init__(self, Z: np.ndarray, weights: Sequence[int] | None) -> None:
        self.Z, self._weights = Z, weights

    @property
    def spans(self) -> bool:
        """Whether a circuit of so many rows has full rank: nothing but 0 is orthogonal to it."""
        k, D = self.Z.shape
        return bool(k == D + 1)

    @property
    def weights(self) -> tuple[int, ...]:
        if self._weights is None:
            rows, powers = whole_rows(self.Z[:, self.Z.any(axis=0)])
            found = circuit_of(rows)
            if found is None or len(found.rows) != len(rows):
                raise ArithmeticError("a relation that was proved to be positive is not")  # cannot happen
            self._weights = of_rows(found.weights, powers)
        return tuple(self._weights)

    def holds(self, Z: np.ndarray) -> bool:
        """Whether rows are related by positive weights: these ones, where they are known."""
        if Z.shape != self.Z.shape:
            return False
        if self._weights is None and np.array_equal(Z, self.Z) and positive_relation(Z):
            return True
        rows, powers = whole_rows(Z)
        least = min(powers)
        return relation_holds([m << (e - least) for m, e in zip(self.weights, powers, strict=True)], rows)


@dataclass(eq=False)
class Verdict:
    """Separable or not, proved.

    separable: ⟨(w, b), (x, 1)⟩ > 0 on the class that sorts last and < 0 on the other, in whole numbers.
    not separable: Σ weights_i·y_i·(x_i, 1) = 0 over the rows `support`, all weights positive whole numbers.

    The rows and weights of the three-way proof, `held`, and the kind are found when first asked for, from the points as
    they are then.
    """

    separable: bool | None  # None: undecided
    n: int
    d: int
    fit_intercept: bool
    rows_read: int
    how: str  # what settled it
    numbers: str = "binary64"
    support: tuple[int, ...] = ()
    _relation: Relation | None = field(default=None, repr=False)
    _plane: tuple[int, ...] | None = field(default=None, repr=False)
    _points: Signed | None = field(default=None, repr=False)
    _faces: Faces | None = field(default=None, repr=False)
    _source: tuple[Problem, np.ndarray] | None = field(default=None, repr=False)  # the points, and their labels

    def __bool__(self) -> bool:
        if self.separable is None:
            raise UndecidedError(f"decide: {self.how}; nothing is claimed. Give more time with max_time")
        return self.separable

    @property
    def kind(self) -> str:
        """`complete` (separable), `quasi-complete`, `overlap`, or `undecided`."""
        if self.separable is None:
            return UNDECIDED
        if self.separable:
            return COMPLETE
        return OVERLAP if self._spans else self._three_way().kind

    @property
    def w(self) -> tuple[int, ...] | None:
        """The plane's weights, whole numbers; of quasi-complete points: of the plane that separates what can be."""
        plane = self._direction()
        return None if plane is None else plane[: self.d]

    @property
    def b(self) -> int | None:
        """The plane's bias, a whole number; 0 without one."""
        plane = self._direction()
        return None if plane is None else plane[self.d] if self.fit_intercept else 0

    @property
    def weights(self) -> tuple[int, ...]:
        """Positive whole numbers, one for each row of `support`."""
        return () if self._relation is None else self._relation.weights

    @property
    def separated(self) -> np.ndarray:
        """The numbers (from 0) of the rows that some plane separates while none is on its wrong side."""
        if self.separable:
            return np.arange(self.n)
        return np.zeros(0, np.int64) if self._spans else self._three_way().separated

    @property
    def held(self) -> tuple[int, ...]:
        """Rows, at most twice the rank, that with `held_weights` sum to zero and span every row not separated."""
        if self.separable or self._spans:
            return self.support
        return tuple(self._three_way().held)

    @property
    def held_weights(self) -> tuple[int, ...]:
        """Positive whole numbers."""
        if self.separable or self._spans:
            return self.weights
        return tuple(self._three_way().weights)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the proof as a certificate that `novikoff.verify`, or its checker alone, can check against the data.

        The digest of the data is made now, from the points as they are.
        """
        from novikoff.certify.proof import Proof
        from novikoff.points.digest import digest_of

        self.__bool__()
        if self._source is None:
            raise InputError("save: this verdict does not hold its points; decide again, and save then")
        problem, labels = self._source
        Proof.of(self, np.unique(labels).tolist(), digest_of(problem, labels)).save(path)

    def check(self, X: Any, y: Any) -> bool:
        """Whether the proof holds for these points, every sign and every sum taken exactly."""
        self.__bool__()
        points = points_of(X, y, self.fit_intercept, self.numbers)
        if (points.n, points.D) != (self.n, self.d + self.fit_intercept):
            return False
        if self.separable:
            return bool((points.margins(self._plane or ()) > 0).all())
        return self._relation is not None and self._relation.holds(points.floats(np.array(self.support)))

    @property
    def _spans(self) -> bool:
        """Whether the proof of the strict claim is that of overlap, too."""
        return self._relation is not None and self._relation.spans

    def _direction(self) -> tuple[int, ...] | None:
        if self.separable:
            return self._plane
        found = None if self.separable is None or self._spans else self._three_way().w
        return None if found is None else tuple(found)

    def _three_way(self) -> Faces:
        if self._faces is None:
            if self._relation is None or self._points is None:
                raise UndecidedError(f"decide: {self.how}; nothing is claimed. Give more time with max_time")
            if not np.array_equal(self._points.floats(np.array(self.support)), self._relation.Z):
                raise InputError("X: the points were changed after decide; ask for kind before changing them")
            first = Circuit(list(self.support), list(self.weights))
            self._faces = staged(self._points, first, strict_by_floats)
            self._points = None
        return self._faces

    def __repr__(self) -> str:
        if self.separable is None:
            return f"Verdict(undecided: {self.how})"
        word = "separable" if self.separable else f"not separable, {len(self.support)} rows prove it"
        return f"Verdict({word}; {self.how})"
