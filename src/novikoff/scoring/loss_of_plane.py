"""Compute the perceptron loss of a given plane: exact decisions, and a sum that is rounded once.

From the notes: Z10a (Zhang, the perceptron loss; divided by n as there).
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.labelled_points import Labelled
from novikoff.data.problem import Problem, problem_of
from novikoff.errors import InputError
from novikoff.scoring.scorer import Scorer

BITS = 53
HALF = 27  # bits of the lower part of a mantissa: sums of 2^35 parts fit into int64
BLOCK = 4096  # rows at a time


def perceptron_loss(X: Points, y: Labels | None = None, w: ArrayLike | None = None, b: float | None = None) -> float:
    """Return the perceptron loss of one plane: the mean of what points on the wrong side lack.

    L(w, b) = (1/n)·Σ −min(y·(w·x + b), 0)

    Convention: which points are on the wrong side is decided exactly, their sum is exact, and the quotient is rounded
    once. b = None means a plane through the origin. The class that sorts last is positive.

    Parameters
    ----------
    X, y : points (n, d), dense or sparse, and their labels of two classes; of points of `read` y is omitted
    w : (d,) numbers, the plane's normal vector; zeros have loss 0
    b : the plane's offset

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("xor")
    >>> nv.perceptron_loss(X, y, w=[1, 1], b=0), nv.perceptron_loss(X, y, w=[0.1, 0.1], b=0)
    (0.5, 0.05)
    """
    if isinstance(X, Labelled) and y is not None:
        raise InputError("points already have labels; give the plane by name, as in perceptron_loss(points, w=w, b=b)",
                         "y")  # fmt: skip
    problem, _ = problem_of(X, y, fit_intercept=b is not None)
    plane = _weights(w, b, problem.d)
    wrong = Scorer(problem).scores(plane[:-1], float(plane[-1])) * problem.y < 0 if plane.any() else np.zeros(0, bool)
    rows = np.flatnonzero(wrong)
    if not rows.size:
        return 0.0
    sums, signs = signed_sum(problem, rows)
    exact = sum((Fraction(float(v)) * s for v, s in zip(plane[:-1], sums, strict=True)), Fraction(0))
    return float(-(exact + Fraction(float(plane[-1])) * signs) / problem.n)


def signed_sum(problem: Problem, rows: np.ndarray) -> tuple[list[Fraction], int]:
    """Return Σ y·x of some rows, exactly, and Σ y."""
    sums = [Fraction(0)] * problem.d
    for start in range(0, rows.size, BLOCK):
        some = rows[start : start + BLOCK]
        part = problem.part(some)
        X = part.matrix().toarray() if part.sparse else np.asarray(part.rows)
        for j, total in enumerate(_exact_sums(np.asarray(X, np.float64) * part.y[:, None])):
            sums[j] += total
    return sums, int(problem.y[rows].sum())


def _exact_sums(X: np.ndarray) -> list[Fraction]:
    """Return the exact sum of each column: the mantissas are added by exponent, as two integers each."""
    parts, powers = np.frexp(X)
    whole = np.ldexp(parts, BITS).astype(np.int64)
    upper, lower = whole >> HALF, whole & ((1 << HALF) - 1)
    found = []
    for j in range(X.shape[1]):
        own, place = np.unique(powers[:, j], return_inverse=True)
        total = np.zeros((2, own.size), np.int64)
        np.add.at(total[0], place, upper[:, j])
        np.add.at(total[1], place, lower[:, j])
        low = int(own.min()) - BITS
        sums = zip(own.tolist(), total[0].tolist(), total[1].tolist(), strict=True)
        exact = sum(((high << HALF) + rest) << (power - BITS - low) for power, high, rest in sums)
        found.append(Fraction(exact << low) if low >= 0 else Fraction(exact, 1 << -low))
    return found


def _weights(w: Any, b: float | None, d: int) -> np.ndarray:
    """Return (w, b) as binary64; raise InputError unless these are d finite numbers and one."""
    try:
        offset = 0.0 if b is None else float(np.asarray(b, dtype=np.float64).reshape(()))
        plane = np.append(np.asarray(w, dtype=np.float64).ravel(), offset)
    except (TypeError, ValueError):
        raise InputError(f"found {w!r}, {b!r}; numbers were expected", "w, b") from None
    if plane.size != d + 1:
        raise InputError(f"found {plane.size - 1} numbers for points with {d} features; {d} were expected", "w")
    if not np.isfinite(plane).all():
        raise InputError("not finite; numbers were expected", "b" if np.isfinite(plane[:-1]).all() else "w")
    return plane
