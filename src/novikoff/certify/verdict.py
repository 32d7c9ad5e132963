"""The answer to "separable or not", with its proof."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from novikoff.certify.engine import strict_by_floats
from novikoff.certify.exact import Circuit
from novikoff.certify.facial import COMPLETE, Faces, Points, staged
from novikoff.certify.whole import relation_holds
from novikoff.errors import InputError, UndecidedError

UNDECIDED = "undecided"


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
    weights: tuple[int, ...] = ()
    _plane: tuple[int, ...] | None = field(default=None, repr=False)
    _points: Points | None = field(default=None, repr=False)
    _faces: Faces | None = field(default=None, repr=False)

    def __bool__(self) -> bool:
        if self.separable is None:
            raise UndecidedError(f"decide: {self.how}; nothing is claimed. Give more time with max_time")
        return self.separable

    @property
    def kind(self) -> str:
        """`complete` (separable), `quasi-complete`, `overlap`, or `undecided`."""
        if self.separable is None:
            return UNDECIDED
        return COMPLETE if self.separable else self._three_way().kind

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
    def separated(self) -> np.ndarray:
        """The numbers (from 0) of the rows that some plane separates while none is on its wrong side."""
        if self.separable:
            return np.arange(self.n)
        return self._three_way().separated

    @property
    def held(self) -> tuple[int, ...]:
        """Rows, at most twice the rank, that with `held_weights` sum to zero and span every row not separated."""
        return () if self.separable else tuple(self._three_way().held)

    @property
    def held_weights(self) -> tuple[int, ...]:
        """Positive whole numbers."""
        return () if self.separable else tuple(self._three_way().weights)

    def check(self, X: Any, y: Any) -> bool:
        """Whether the proof holds for these points, every sign and every sum taken exactly."""
        from novikoff.certify.decide import points_of

        self.__bool__()
        points = points_of(X, y, self.fit_intercept, self.numbers)
        if (points.n, points.D) != (self.n, self.d + self.fit_intercept):
            return False
        if self.separable:
            return bool((points.margins(self._plane or ()) > 0).all())
        return _sums_to_zero(points, self.support, self.weights)

    def _direction(self) -> tuple[int, ...] | None:
        if self.separable:
            return self._plane
        found = None if self.separable is None else self._three_way().w
        return None if found is None else tuple(found)

    def _three_way(self) -> Faces:
        if self._faces is None:
            if self.separable is None or self._points is None:
                raise UndecidedError(f"decide: {self.how}; nothing is claimed. Give more time with max_time")
            if not _sums_to_zero(self._points, self.support, self.weights):
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


def _sums_to_zero(points: Points, rows: Sequence[int], weights: Sequence[int]) -> bool:
    """Whether Σ weight·z over these rows is exactly zero, all weights positive."""
    if len(rows) == 0 or len(set(rows)) != len(rows) or len(rows) != len(weights) or max(rows) >= points.n:
        return False
    Z, powers = points.whole(list(rows))
    least = min(powers)
    return relation_holds([int(m) << (e - least) for m, e in zip(weights, powers, strict=True)], Z)
