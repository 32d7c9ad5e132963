"""Find columns that are independent only by rounding, x3 = 0.1·x1 + 0.2·x2.

The exact answer is about the stored numbers. If columns are collinear up to rounding, the last digits decide it: the
same table standardised may have another answer. A note says so, with the condition number (columns scaled to length 1).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from novikoff.exact.signed_rows import Signed

CLEAR = 1e-10  # an eigenvalue of the columns' products above this: a condition below 1e5
CONDITION = 1e13  # from here on the last digits decide
PART = 1e-6  # of the largest coefficient: less takes no part in the relation


def collinear(table: Signed, columns: Sequence[int], between: Callable[[], None]) -> tuple[float, list[int]] | None:
    """Return the condition number and the columns of an approximate relation; None if there is none."""
    if len(columns) < 2:
        return None
    where = np.asarray(columns)
    largest = np.max([np.abs(Z[:, where]).max(axis=0) for Z in table.blocks()], axis=0)
    scale, products = 1 / np.where(largest > 0, largest, 1.0), np.zeros((len(where), len(where)))
    for Z in table.blocks():
        between()
        A = Z[:, where] * scale
        products += A.T @ A
    lengths = np.sqrt(np.diag(products))
    if np.linalg.eigvalsh(products / np.outer(lengths, lengths))[0] > CLEAR:
        return None
    R: np.ndarray = np.zeros((0, len(where)))
    for Z in table.blocks():
        between()
        R = np.asarray(np.linalg.qr(np.vstack([R, Z[:, where] * (scale / lengths)]), mode="r"))
    _, sizes, directions = np.linalg.svd(R)
    condition = float(sizes[0] / sizes[-1]) if sizes[-1] > 0 else np.inf
    if condition < CONDITION:
        return None
    part = np.abs(directions[-1])
    return condition, [columns[j] for j in np.flatnonzero(part > PART * part.max()).tolist()]
