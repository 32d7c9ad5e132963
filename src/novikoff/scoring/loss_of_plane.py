"""Compute the perceptron loss of a given plane: exact decisions, and a sum of scores.

From the notes: Z10a (Zhang, the perceptron loss; divided by n as there).
"""

from __future__ import annotations

import math

from numpy.typing import ArrayLike

from novikoff.arguments.signature_types import Labels, Points
from novikoff.data.labelled_points import Labelled
from novikoff.data.problem import problem_of
from novikoff.errors import InputError
from novikoff.scoring.plane_margins import plane_of_numbers
from novikoff.scoring.scorer import Scorer


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
