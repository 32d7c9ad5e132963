"""Compute sides, scores, distances and angular margins of points for a given plane, and its perceptron loss.

From the notes: C2 C3 (the half-space model), S8 (the margin δ^μ of every example, also divided by |x|), Z10a (Zhang,
the perceptron loss; divided by n as there).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.labelled_points import Labelled
from novikoff.data.problem import Problem, problem_of
from novikoff.errors import InputError
from novikoff.scoring.scorer import Scorer


class Margins(NamedTuple):
    """One entry per point; distances and angular margins are positive for points on their own side."""

    sides: np.ndarray  # −1, 0 or 1: the exact sign of w·x + b
    scores: np.ndarray  # w·x + b
    distances: np.ndarray  # y·(w·x + b)/|w|: how far the point is from the plane, on its own side
    angular: np.ndarray  # y·⟨(w, b), (x, 1)⟩/(|(w, b)||(x, 1)|): the same seen from the origin of the padded space


def margins(X: Points, y: Labels | None = None, w: ArrayLike | None = None, b: float | None = None) -> Margins:
    """Return the position of each point relative to a plane.

    distance  y·(w·x + b)/|w|        angular  y·⟨W, Z⟩/(|W||Z|),  W = (w, b), Z = (x, 1)

    Convention: b = None means a plane through the origin, and nothing is padded. The class that sorts last is positive.

    Parameters
    ----------
    X, y : points (n, d), dense or sparse, and their labels of two classes; of points of `read` y is left out, and the
        plane is given by name: margins(points, w=w, b=b)
    w : (d,) numbers, the plane's normal vector
    b : the plane's offset

    Examples
    --------
    >>> import novikoff as nv
    >>> m = nv.margins([[3.0, 4.0], [-1.0, 0.0]], [1, -1], w=[1, 1], b=1)
    >>> m.sides.tolist(), m.scores.tolist(), m.distances.round(3).tolist()
    ([1, 0], [8.0, 0.0], [5.657, -0.0])
    """
    if isinstance(X, Labelled) and y is not None:
        raise InputError("points already have labels; give the plane by name, as in margins(points, w=w, b=b)", "y")
    problem, _ = problem_of(X, y, fit_intercept=b is not None)
    plane = plane_of_numbers(w, b, problem.d)
    if not plane[:-1].any():
        raise InputError("w: all zero, so there is no plane; at least one weight must differ from 0")
    scorer = Scorer(problem)
    plane, power = _near_one(plane)
    scores = scorer.scores(plane[:-1], float(plane[-1]))
    signed = problem.y * scores
    padded = _lengths(scorer.problem)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        angular = signed / (_length(plane) * padded)
        shown, distances = np.ldexp(scores, power), signed / _length(plane[:-1])
    return Margins(np.sign(scores).astype(np.int8), shown, distances, angular)


def plane_of_numbers(w: Any, b: float | None, d: int) -> np.ndarray:
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


def _near_one(plane: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the plane scaled by a power of two so that no sum overflows or underflows, and that power."""
    _, power = np.frexp(np.abs(plane).max())
    if abs(int(power)) < 500:
        return plane, 0
    return np.ldexp(plane, -int(power)), int(power)


def _length(vector: np.ndarray) -> float:
    """Return |v|, without overflow or underflow in between."""
    largest = float(np.abs(vector).max())
    return largest * float(np.linalg.norm(vector / largest))


def _lengths(problem: Problem) -> np.ndarray:
    """Return |(x, pad)| of each point, without underflow in between."""
    lengths: np.ndarray = np.sqrt(
        np.concatenate([_squares(replace(problem, rows=rows)) for rows, *_ in problem.pieces()])
    )
    for row in np.flatnonzero(lengths < 1e-140):
        numbers = problem.part(slice(int(row), int(row) + 1)).rows[0]
        lengths[row] = math.hypot(*np.asarray(numbers, np.float64).ravel().tolist(), problem.pad)
    return lengths


def _squares(problem: Problem) -> np.ndarray:
    if not problem.sparse:
        squares = np.einsum("ij,ij->i", problem.rows, problem.rows, dtype=np.float64)
    else:
        squares = problem.matrix().astype(np.float64).power(2).sum(axis=1)
    return np.asarray(squares).ravel() + problem.pad**2


def perceptron_loss(X: Points, y: Labels | None = None, w: ArrayLike | None = None, b: float | None = None) -> float:
    """Return the perceptron loss of one plane: the mean of what points on the wrong side lack.

    L(w, b) = (1/n)·Σ −min(y·(w·x + b), 0)

    Convention: which points are on the wrong side is decided exactly; their scores are sums in binary64, whose error is
    at most about d·2⁻⁵² times Σ|w_j·x_j| + |b|. b = None means a plane through the origin. The class that sorts last is
    positive.

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
    plane = plane_of_numbers(w, b, problem.d)
    if not plane.any():
        return 0.0
    signed = Scorer(problem).scores(plane[:-1], float(plane[-1])) * problem.y
    return math.fsum(-signed[signed < 0]) / problem.n
