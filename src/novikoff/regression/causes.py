"""Find columns that separate rows alone: "All 12 rows with NV = 1 have HG = 1."

A column x, of both signs, is cut at a value: above it (or below) all rows are on one side, and no row is on the wrong
side of the cut. Then ± this column, with the intercept, is a separating direction, and its coefficient is not finite.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from novikoff.exact.signed_rows import Signed
from novikoff.regression.response_families import Sides

AT_ONCE = 1 << 20  # numbers
MOST = 1 << 32  # numbers of a table that is searched


class OneSided(NamedTuple):
    """The rows whose value in a column is =, ≥ or ≤ a number, and whether x or −x is the row of all of them in Z."""

    place: int
    sign: str
    value: float
    rows: int
    positive: bool

    def sentence(self, column: str, label: str | None, sides: Sides) -> str:
        """Format it. label: the name of the response, if it has one."""
        rows, have, are = (f"All {self.rows:,} rows", "have", "are") if self.rows > 1 else ("The only row", "has", "is")
        value = f"{self.value:.0f}" if self.value.is_integer() and abs(self.value) < 1e15 else repr(self.value)
        said = f"{have} {'successes' if self.positive else 'failures'} only"
        if sides.kind == "poisson":
            said = f"{have} {label or 'y'} = 0"
        elif sides.classes is not None:
            one = sides.classes[self.positive]
            said = f"{have} {label} = {one}" if label else f"{are} of class {one}"
        return f"{rows} with {column} {self.sign} {value} {said}."


def one_sided(table: Signed, places: Sequence[int], plus: np.ndarray, minus: np.ndarray, most: int) -> list[OneSided]:
    """Return what the first columns that separate rows alone say, at most this many.

    plus, minus: for each row x whether x, and whether −x, is a row of Z.
    """
    if not places or not (plus.any() and minus.any()) or table.n * table.D > MOST:
        return []
    where = np.asarray(places)
    step = max(1, AT_ONCE // table.D)
    blocks = [np.arange(lo, min(lo + step, table.n)) for lo in range(0, table.n, step)]
    of = {True: plus, False: minus}
    low, high = ({side: np.full(len(where), limit) for side in of} for limit in (np.inf, -np.inf))
    for rows in blocks:
        A = table.floats(rows)[:, where]
        for side, signs in of.items():
            low[side] = np.minimum(low[side], A[signs[rows]].min(axis=0, initial=np.inf))
            high[side] = np.maximum(high[side], A[signs[rows]].max(axis=0, initial=-np.inf))
    found: list[OneSided] = []
    for k, place in enumerate(places):
        for side in (True, False):
            if high[not side][k] <= low[side][k] and len(found) < most:
                x = np.concatenate([table.floats(rows)[:, place] for rows in blocks])
                found += _cut(place, x, high[not side][k], low[side][k], side)
    return found


def _cut(place: int, x: np.ndarray, top: float, bottom: float, side: bool) -> list[OneSided]:
    """Return the rows above top, the largest of the other side, and those below bottom, the least of this side."""
    made = []
    for chosen, sign, positive in ((x > top, "≥", side), (x < bottom, "≤", not side)):
        if chosen.any():
            value = x[chosen].min() if sign == "≥" else x[chosen].max()
            same = bool((x[chosen] == value).all())
            made.append(OneSided(place, "=" if same else sign, float(value), int(chosen.sum()), positive))
    return made
