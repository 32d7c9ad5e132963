"""Fit the soft-margin planes of two or more classes, for a C that is given or chosen on held-out rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from novikoff.perceptron.scheme import Scheme
from novikoff.softmargin.certified_fit import SoftPlane, fit_plane
from novikoff.softmargin.losses import LOGISTIC
from novikoff.softmargin.path import PathPoint, choose_cost, held_out_rows
from novikoff.softmargin.row_products import RowProducts
from novikoff.softmargin.soft_problem import Limits, SoftProblem

MOST_COPIED = 0.5  # share of the rows
SMALL = 1_000_000  # numbers of X, which are copied in any case


@dataclass(frozen=True, eq=False)
class SoftPlanes:
    """The planes of a fit, its C, and the path on which C was chosen."""

    planes: list[SoftPlane]
    C: float
    path: list[PathPoint] | None


def automatic_scheme(loss: int, classes: int, products: RowProducts) -> str:
    """Return "ovo" or "ova".

    The classes of a hinge are compared by scores that were fitted apart, and a class between two others has no good
    plane against both at once: pairs are more accurate. They have classes·(classes − 1)/2 planes. Probabilities are
    those of one-vs-all planes, so the logistic loss keeps those.
    """
    pairs = classes * (classes - 1) // 2
    return "ovo" if classes > 2 and loss != LOGISTIC and pairs * products.D <= products.stored else "ova"


@dataclass(frozen=True, eq=False)
class _Problems:
    """Makes the problem of each plane.

    One-vs-all planes share the rows. A pair of classes has a copy of its rows, or, if those are most of a large X, all
    rows, the others with the cost 0.
    """

    products: RowProducts
    numbers: np.ndarray
    weights: np.ndarray
    scheme: Scheme
    loss: int
    free: bool
    l1: bool

    def of(self, C: float, weights: np.ndarray) -> Iterator[SoftProblem]:
        """Yield the problem of each plane, each made when it is its turn."""
        return (self.plane(k, C, weights) for k in range(self.scheme.planes))

    def plane(self, k: int, C: float, weights: np.ndarray) -> SoftProblem:
        """Return the problem of plane k."""
        positive, negative = self.scheme.pairs[k]
        y, products, costs = np.where(self.numbers == positive, 1.0, -1.0), self.products, C * weights
        if negative >= 0 and not self.scheme.is_binary:
            rows = np.flatnonzero((self.numbers == positive) | (self.numbers == negative))
            if rows.size <= MOST_COPIED * len(y) or products.stored <= SMALL:
                y, products, costs = y[rows], products.select(rows), costs[rows]
            else:
                costs = np.where(np.isin(self.numbers, (positive, negative)), costs, 0.0)
        return SoftProblem(products, y, costs, self.loss, self.free, self.l1)


def fit_planes(
    products: RowProducts, numbers: np.ndarray, weights: np.ndarray, scheme: Scheme, *, loss: int, free: bool, l1: bool,
    C: float | None, gap: float, solver: str, max_steps: int | None, max_time: float | None, seed: int,
) -> SoftPlanes:  # fmt: skip
    """Return the planes; C None: the one of a path with the fewest errors on held-out rows."""
    problems = _Problems(products, numbers, weights, scheme, loss, free, l1)
    limits = Limits(gap, max_steps, max_time)
    path, starts = None, None
    if C is None:
        held = held_out_rows(numbers, weights, seed)
        kept = np.where(held, 0.0, weights)
        C, path, found = choose_cost(
            lambda cost: problems.of(cost, kept),
            lambda planes: _errors(products, numbers, weights, scheme, held, planes),
            limits, solver, seed,
        )  # fmt: skip
        starts = [plane.start for plane in found]
    planes = []
    for k, problem in enumerate(problems.of(C, weights)):
        planes.append(
            fit_plane(problem, limits.part(gap, max_steps), solver, None if starts is None else starts[k], seed)
        )
    return SoftPlanes(planes, C, path)


def _errors(
    products: RowProducts, numbers: np.ndarray, weights: np.ndarray, scheme: Scheme, held: np.ndarray,
    planes: Sequence[np.ndarray],
) -> float:  # fmt: skip
    """Return the weights of the held-out rows that do not get their class, in floating point."""
    scores = np.column_stack([products.scores(plane)[held] for plane in planes])
    if scheme.is_binary:
        found = (scores[:, 0] > 0.0).astype(np.intp)
    elif scheme.name == "ovo":
        wins, sums = scheme.wins(scores), scheme.class_votes(scores)
        found = np.argmax(wins + sums / (3.0 * (1.0 + np.abs(sums).max(axis=1, keepdims=True))), axis=1)
    else:
        found = np.argmax(scores, axis=1)
    return float(weights[held][found != numbers[held]].sum())
