"""Which weights a run returns, for one plane or several.

    last      the present w
    pocket    the w with the fewest errors among those that were counted; on a stream that with the longest run
    average   the mean of w over all looks
    auto      of a plane that separates its points, its present w; of all others the average, which counts from pass 11
    vote      every w votes with the number of looks it lasted

A keep makes the arrays that it needs (`state.Planes`: sums, queue or log); several planes are kept as one set.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from novikoff.perceptron.state import NOTHING, SUMS, Planes

Count = Callable[[np.ndarray], np.ndarray]  # the errors of each set of planes (sets, planes, d + 1)


class Last:
    """Return the present w."""

    code = NOTHING
    errors: float | None = None  # of the planes in the pocket, where counted
    planes: np.ndarray | None = None  # in the pocket

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        """Return the arrays of `Planes` for this keep; most: looks of a stretch."""
        return {
            "sums": np.zeros((planes, 1)),
            "queue": np.zeros((1, planes, d + 1)),
            "log": np.zeros((1, 3), np.int64),
        }

    def after_looks(self, S: Planes, count: Count | None) -> Planes:
        """Empty what is full after a stretch of looks; count: None while there are rows that were never seen."""
        return S

    def end_of_pass(self, S: Planes, count: Count, separates: bool) -> float | None:
        """Update the keep after a pass; return the errors of the present planes where they are known."""
        return 0 if separates else None

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        """Return the sets of planes (w, b) to validate; the last one is what the keep returns.

        looks: of each plane, as far as the average counts them.
        """
        return S.present[None]

    def returned(self, S: Planes, looks: np.ndarray, separated: bool) -> np.ndarray:
        """Return (w, b) of each plane at the end of a run; separated: whether the present planes make no mistake."""
        return np.asarray(self.candidates(S, looks)[-1])


class Average(Last):
    """Return the mean of w over all looks:  w − u/c,  u = Σ step·(looks before)·y·x over the mistakes, c looks."""

    code = SUMS

    def arrays(self, planes: int, d: int, most: int) -> dict[str, np.ndarray]:
        return super().arrays(planes, d, most) | {"sums": np.zeros((planes, d))}

    def candidates(self, S: Planes, looks: np.ndarray) -> np.ndarray:
        c = np.maximum(looks, 1).astype(np.float64)[:, None]
        return np.asarray(S.present - np.column_stack([S.sums, S.each["bias_sum"]]) / c)[None]


class SeparatingOrAverage(Average):
    """Return the present w of a plane that separates its points, of any other the average.

    Where no plane separates the points, the present w is only that of the last mistake; the average has fewer errors on
    new points (Freund and Schapire 1999). On validation points the averages compete.
    """

    def returned(self, S: Planes, looks: np.ndarray, separated: bool) -> np.ndarray:
        at_rest = (S.each["resting"] | separated)[:, None]
        return np.where(at_rest, S.present, super().returned(S, looks, separated))
