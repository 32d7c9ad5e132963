"""Operations on partitions for widest planes: the lowest rows of each hull, and the rows nearer than a margin.

    s_i = y_i(w·x_i + b)      a hull: the rows of one sign, or all rows with their signs (sign 0)

No array has an entry for each row of all partitions: only the lowest rows, and those that touch, are returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from novikoff.certify.numbers.signed_rows import RowMargins, Signed, worst
from novikoff.data.problem import Problem


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


class BelowMargin:
    """Operation on a partition: the lowest row of each sign under a plane of this sign, and the rows on these planes.

    planes: (w, b − sign·t), in integers. The result is (whether rows had to be sorted, ({sign: (score, row)}, rows)).
    """

    def __init__(self, points: Signed, planes: Mapping[int, Sequence[int]]) -> None:
        self.ops = {sign: RowMargins(points, plane) for sign, plane in planes.items()}

    def __call__(self, part: Problem) -> tuple[bool, Any]:
        first, lowest, on, tidied = part.number(0), {}, [], False
        for sign, op in self.ops.items():
            mine = np.flatnonzero(part.y == sign)
            if mine.size:
                sorted_rows, m = op(part)
                tidied |= sorted_rows
                at = int(mine[np.argmin(m[mine])])
                lowest[sign] = float(m[at]), at + first
                on.append(mine[m[mine] == 0] + first)
        return tidied, (lowest, np.sort(np.concatenate(on)))


class Below(NamedTuple):
    """lowest: the least score minus the margin of each sign that occurs, and its first row. touching: rows at 0."""

    lowest: dict[int, tuple[float, int]]
    touching: np.ndarray


def below_margin(points: Signed, planes: Mapping[int, Sequence[int]]) -> Below:
    """Return the lowest row of each sign, and the rows that are on the planes; the signs of scores are exact."""
    lowest: dict[int, tuple[float, int]] = {}
    touching = []
    for _, (low, on) in points.scan(BelowMargin(points, planes), counted=True):
        for sign, pair in low.items():
            lowest[sign] = min(lowest.get(sign, pair), pair)
        touching.append(on)
    return Below(lowest, np.concatenate(touching))
