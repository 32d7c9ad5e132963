"""An operation on partitions for widest planes: the lowest rows of each hull.

    s_i = y_i(w·x_i + b)      a hull: the rows of one sign, or all rows with their signs (sign 0)

No array has an entry for each row of all partitions: only the lowest rows are returned.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from novikoff.data.problem import Problem
from novikoff.exact.signed_rows import Signed, worst


class LowRows(NamedTuple):
    """Rows of a hull in ascending order, and their scores."""

    rows: np.ndarray
    scores: np.ndarray


def lowest_of_hulls(
    points: Signed, plane: Sequence[int], most: Mapping[int, int], inside: Mapping[int, np.ndarray]
) -> tuple[dict[int, LowRows], dict[int, float]]:
    """Return the rows of each hull with the least scores, and the least score of given rows of each hull.

    most: how many rows of each sign. inside: given rows of each sign, in ascending order.
    """
    parts, low = list(points.scan(plane, partial(_lowest, most, inside), counted=True)), dict[int, LowRows]()
    for sign, many in most.items():
        rows = np.concatenate([first + part[sign][0].rows for first, part in parts])
        low[sign] = LowRows(*worst(rows, np.concatenate([part[sign][0].scores for _, part in parts]), many))
    return low, {sign: min(part[sign][1] for _, part in parts) for sign in most}


def _lowest(
    most: Mapping[int, int], inside: Mapping[int, np.ndarray], part: Problem, m: np.ndarray
) -> dict[int, tuple[LowRows, float]]:
    """Return of each hull the rows of a partition with the least scores, and the least score of the given rows."""
    first, found = part.number(0), {}
    for sign, many in most.items():
        mine = np.flatnonzero(part.y == sign) if sign else np.arange(part.n)
        lo, hi = np.searchsorted(inside[sign], [first, first + part.n])
        known = m[inside[sign][lo:hi] - first]
        found[sign] = LowRows(*worst(mine, m[mine], many)), float(known.min(initial=np.inf))
    return found
