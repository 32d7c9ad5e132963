"""Find columns that separate rows alone: "All 12 rows with NV = 1 have HG = 1."

A column x, of both signs, is cut at a value: above it (or below) all rows are on one side, and no row is on the wrong
side of the cut. Then ± this column, with the intercept, is a separating direction, and its coefficient is not finite.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from novikoff.exact.signed_rows import Signed
from novikoff.regression.response_families import Sides

MOST = 1 << 32  # numbers of a table that is searched


def causes(table: Signed, names: Mapping[int, str], label: str | None, sides: Sides) -> Iterator[str]:
    """Yield a sentence for each column, by its place, that separates rows alone.

    sides: of the rows of the table, each of which is x. label: the name of the response, if it has one.
    """
    if not names or not (sides.plus.any() and sides.minus.any()) or table.n * table.D > MOST:
        return
    places, first = np.array(list(names)), 0
    limits = np.full((2, 2, places.size), -np.inf)  # the largest x and −x of the rows of each side
    for Z in table.blocks():
        for side, there in enumerate((sides.minus, sides.plus)):
            A = Z[there[first : first + len(Z)]][:, places]
            limits[side] = np.maximum(limits[side], [(sign * A).max(axis=0, initial=-np.inf) for sign in (1, -1)])
        first += len(Z)
    for k, (place, name) in enumerate(names.items()):
        for side in (1, 0):
            top, bottom = limits[1 - side, 0, k], -limits[side, 1, k]  # x of the other side, and of this one
            if top <= bottom:
                x = np.concatenate([Z[:, place] for Z in table.blocks()])
                for chosen, sign, positive in ((x > top, "≥", side), (x < bottom, "≤", 1 - side)):
                    if chosen.any():
                        yield _sentence(name, sign, x[chosen], bool(positive), label, sides)


def _sentence(column: str, sign: str, x: np.ndarray, positive: bool, label: str | None, sides: Sides) -> str:
    """Format which rows are on one side, the values x of the column in them at or beyond one value."""
    value = float(x.min() if sign == "≥" else x.max())
    rows, have, are = (f"All {x.size:,} rows", "have", "are") if x.size > 1 else ("The only row", "has", "is")
    shown = f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else repr(value)
    said = f"{have} {'successes' if positive else 'failures'} only"
    if sides.family == "poisson":
        said = f"{have} {label or 'y'} = 0"
    elif sides.classes:
        one = sides.classes[positive]
        said = f"{have} {label} = {one}" if label else f"{are} of class {one}"
    return f"{rows} with {column} {'=' if (x == value).all() else sign} {shown} {said}."
