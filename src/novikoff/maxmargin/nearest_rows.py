"""An operation on partitions for widest planes: the lowest rows of each hull.

    s_i = y_i(w·x_i + b)      a hull: the rows of one sign, or all rows with their signs (sign 0)

No array has an entry for each row of all partitions: only the lowest rows are returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.exact.signed_rows import RowMargins, Signed, worst


class LowRows(NamedTuple):
    """Rows of a hull in ascending order, and their scores."""

    rows: np.ndarray
    scores: np.ndarray


class LowestOfHulls(RowMargins):
    """Operation on a partition: of each hull the rows with the least scores, and the least score of given rows.

    most: how many rows of each sign. inside: given rows of each sign, in ascending order.
    """

    def __init__(
        self, points: Signed, plane: Sequence[int], most: Mapping[int, int], inside: Mapping[int, np.ndarray]
    ) -> None:
        super().__init__(points, plane)
        self.most, self.inside = dict(most), dict(inside)

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        tidied, m = super().__call__(part)
        first, found = part.number(0), {}
        for sign, most in self.most.items():
            mine = np.flatnonzero(part.y == sign) if sign else np.arange(part.n)
            low = worst(mine, m[mine], most)
            lo, hi = np.searchsorted(self.inside[sign], [first, first + part.n])
            known = m[self.inside[sign][lo:hi] - first]
            found[sign] = LowRows(low[0] + first, low[1]), float(known.min(initial=np.inf))
        return tidied, found


def lowest_of_hulls(
    points: Signed, plane: Sequence[int], most: Mapping[int, int], inside: Mapping[int, np.ndarray]
) -> tuple[dict[int, LowRows], dict[int, float]]:
    """Return the rows of each hull with the least scores, and the least score of given rows of each hull."""
    parts = [found for _, found in points.scan(LowestOfHulls(points, plane, most, inside), counted=True)]
    low = {}
    for sign, many in most.items():
        rows, scores = (np.concatenate([part[sign][0][k] for part in parts]) for k in (0, 1))
        low[sign] = LowRows(*worst(rows, scores, many))
    return low, {sign: min(part[sign][1] for part in parts) for sign in most}
