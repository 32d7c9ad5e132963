"""Find columns that are independent only by rounding, x3 = 0.1·x1 + 0.2·x2, and answers that hold only by rounding.

The exact answer is about the stored numbers. If columns are collinear up to rounding, the last digits decide it: the
same table standardised may have another answer. A note says so, with the condition number (columns scaled to length 1).

The same if a proof depends on rounding: the held rows z, Σ m·z = 0, span less up to rounding than they do exactly
(singular values of the rows m·z) and the other rows do not compensate, or separated rows are nearly on the plane.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np

from novikoff.certify.numbers.signed_rows import Signed

AT_ONCE = 1 << 20  # numbers
CLEAR = 1e-10  # an eigenvalue of the columns' products above this: a condition below 1e5
CONDITION = 1e13  # from here on the last digits decide
ROUNDED = 1e-12  # less than this of the largest is rounding
MOST = 1 << 32  # steps of the search for singular values
PART = 1e-6  # of the largest coefficient: less takes no part in the relation


def collinear(table: Signed, columns: Sequence[int], between: Callable[[], None]) -> tuple[float, list[int]] | None:
    """Return the condition number and the columns of an approximate relation; None if there is none."""
    if len(columns) < 2:
        return None
    where = np.asarray(columns)
    blocks = [np.arange(lo, min(lo + _step(table), table.n)) for lo in range(0, table.n, _step(table))]
    largest = np.max([np.abs(table.floats(rows)[:, where]).max(axis=0) for rows in blocks], axis=0)
    scale = 1 / np.where(largest > 0, largest, 1.0)
    products = np.zeros((len(where), len(where)))
    for rows in blocks:
        between()
        A = table.floats(rows)[:, where] * scale
        products += A.T @ A
    lengths = np.sqrt(np.diag(products))
    if np.linalg.eigvalsh(products / np.outer(lengths, lengths))[0] > CLEAR:
        return None
    R: np.ndarray = np.zeros((0, len(where)))
    for rows in blocks:
        between()
        R = np.asarray(np.linalg.qr(np.vstack([R, table.floats(rows)[:, where] * (scale / lengths)]), mode="r"))
    _, sizes, directions = np.linalg.svd(R)
    condition = float(sizes[0] / sizes[-1]) if sizes[-1] > 0 else np.inf
    if condition < CONDITION:
        return None
    part = np.abs(directions[-1])
    return condition, [columns[j] for j in np.flatnonzero(part > PART * part.max()).tolist()]


def held_by_rounding(
    table: Signed, columns: Sequence[int], held: Mapping[int, int], rank: int, rows: np.ndarray, signs: np.ndarray
) -> bool:
    """Return whether rows with these signs, none of them separated, are held only by the last digits of the numbers.

    held: rows with positive weights that are a proof; they span `rank` dimensions.
    """
    if not held or not rank or (len(held) + rows.size) * len(columns) ** 2 > MOST:
        return False
    A = table.floats(np.array(list(held)))[:, np.asarray(columns)]
    if _short(A):
        return False
    largest, most = _largest(A), max(held.values())
    A = A / largest * np.array([float(Fraction(m, most)) for m in held.values()])[:, None]
    _, sizes, directions = np.linalg.svd(A)
    if sizes[rank - 1] > ROUNDED * sizes[0]:
        return False
    Z = table.floats(rows)[:, np.asarray(columns)] / largest * signs[:, None]
    P = Z @ directions[np.count_nonzero(sizes > ROUNDED * sizes[0]) :].T
    P = P[np.abs(P).max(axis=1) > ROUNDED * np.abs(Z).max(axis=1)]  # outside the span up to rounding
    return bool(P.size) and not _sums_to_zero(P)


def _sums_to_zero(P: np.ndarray) -> bool:
    """Return whether the rows, each with a weight of at least 1, sum to zero: no direction separates any of them."""
    from scipy.optimize import nnls

    try:
        _, left = nnls(P.T, -P.sum(axis=0))
    except RuntimeError:  # not converged
        return False
    return bool(left <= ROUNDED * np.abs(P).sum())


def apart_by_rounding(table: Signed, columns: Sequence[int], rows: np.ndarray, w: Sequence[int]) -> bool:
    """Return whether some row that the plane w separates is off the plane only by the last digits."""
    most = max(map(abs, w))
    plane = np.array([float(Fraction(v, most)) for v in w])
    for lo in range(0, rows.size, _step(table)):
        A = table.floats(rows[lo : lo + _step(table)])[:, np.asarray(columns)]
        near = np.abs(A @ plane) < ROUNDED * (np.abs(A) @ np.abs(plane))
        if near.any() and not _short(A[near]):
            return True
    return False


def _short(A: np.ndarray) -> bool:
    """Return whether all numbers have few digits: whole numbers, halves, quarters; these were not rounded."""
    with np.errstate(over="ignore", under="ignore"):
        return bool((A.astype(np.float32) == A).all())


def _largest(A: np.ndarray) -> np.ndarray:
    """Return the largest absolute number of each column, 1 for a column of zeros."""
    largest = np.abs(A).max(axis=0)
    return np.where(largest > 0, largest, 1.0)


def _step(table: Signed) -> int:
    return max(1, AT_ONCE // table.D)
