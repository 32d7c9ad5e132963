"""Score dense rows in bulk with NumPy, for rows that are read once, without loading the compiler.

    ŝ = Σ w_j x_j + b, summed in any order      |ŝ − s| ≤ reach(d + 1, |w|², |x|²)      (`exact_sign`, first bound)

A score beyond its own bound has the exact sign. The others are computed again with Σ|w_j x_j| and the test for
integers; the few that are still undecided go to the kernels. `einsum` sums each row the same way, whichever rows are in
the block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.kernels import exact_sign, row_signs
from novikoff.kernels.compile import limits
from novikoff.kernels.exact_sign import BIG, TINY
from novikoff.scoring.scorer import Scorer, raise_fault

NUMBERS = 1 << 15  # at a time: rows and intermediate results stay in the cache
EXACT_SUMS = 30  # cost of an exact sum in the interpreter, in looks
reach: Callable[..., Any] = exact_sign.reach  # of each row at once


def scorer_of(problem: Problem, in_bulk: bool) -> Scorer:
    """Return the scorer of rows in memory; in_bulk: of rows that are read once, without the compiler."""
    many = problem.stored > limits.interpreted
    return Bulk(problem) if in_bulk and many and not problem.sparse else Scorer(problem, filtered=False)


class Bulk(Scorer):
    """Exact scores and classes of dense rows under planes."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, filtered=False)

    def survey(self, start: int = 0) -> None:
        for _, _, R2 in self._parts(start):
            self.R2 = max(self.R2, float(R2.max()))

    def scores(self, w: np.ndarray, b: float) -> np.ndarray:
        out = np.empty(self.problem.n)
        for X, at, R2 in self._parts():
            s, far = self._look(X, R2, w, b)
            unsure = np.flatnonzero(~(np.abs(s) > far))
            if unsure.size:
                s[unsure] = self._look_again(X[unsure], w, b, s[unsure])
            out[at : at + len(X)] = s
        return out

    def classes(self, planes: np.ndarray) -> np.ndarray:
        winner = np.empty(self.problem.n, np.int32)
        for X, at, R2 in self._parts():
            looks = np.array([self._look(X, R2, plane[:-1], float(plane[-1])) for plane in planes])
            best, row = np.argmax(looks[:, 0], axis=0), np.arange(len(X))
            least = looks[best, 0, row] - looks[best, 1, row]
            most = looks[:, 0] + looks[:, 1]
            most[best, row] = -np.inf
            winner[at : at + len(X)] = best
            unsure = np.flatnonzero(~(most.max(axis=0) < least))
            if unsure.size:
                winner[at + unsure] = self._compared(X[unsure], planes)
        return winner

    def pair_votes(self, planes: np.ndarray, pairs: list[tuple[int, int]], classes: int) -> np.ndarray:
        votes = np.zeros((self.problem.n, classes), np.int64)
        for plane, (positive, negative) in zip(planes, pairs, strict=True):
            s = self.scores(plane[:-1], float(plane[-1]))
            votes[:, positive] += s > 0.0
            votes[:, negative] += s < 0.0
        return votes

    def _parts(self, start: int = 0) -> Iterator[tuple[np.ndarray, int, np.ndarray]]:
        """Yield (rows, index of the first, a bound of |x|² + pad² of each) from a row on; raise InputError for
        faults.
        """
        p = self.problem
        step = max(1, NUMBERS // max(1, p.d))
        for rows, at, lo, hi in p.pieces(start):
            for first in range(lo, hi, step):
                X = rows[first : min(first + step, hi)].astype(np.float64, copy=False)
                with np.errstate(over="ignore", invalid="ignore"):
                    q = np.einsum("ij,ij->i", X, X)
                if not (q < BIG).all():
                    row = int(np.argmin(q < BIG))
                    finite = np.isfinite(X[row]).all()
                    raise_fault(p, row_signs.TOO_LARGE if finite else row_signs.NOT_FINITE, at + first + row)
                yield X, at + first, (q + p.pad * p.pad) * 1.01 + TINY

    def _look(self, X: np.ndarray, R2: np.ndarray, w: np.ndarray, b: float) -> tuple[np.ndarray, np.ndarray]:
        """Return the score of each row, and a bound on its error."""
        W2 = (float(np.einsum("j,j->", w, w)) + b * b) * 1.01 + TINY
        return np.einsum("ij,j->i", X, w) + b * self.problem.pad, reach(w.size + 1, W2, R2)

    def _look_again(self, X: np.ndarray, w: np.ndarray, b: float, s: np.ndarray) -> np.ndarray:
        """Return scores with the exact sign for rows whose first score is within its error bound."""
        pad = self.problem.pad
        a = np.einsum("ij,j->i", np.abs(X), np.abs(w)) + abs(b * pad)
        sure = np.abs(s) > reach(w.size + 2, 1.0, 1.0) * a + reach(w.size + 2, 0.0, 0.0)
        if (w == np.floor(w)).all() and b == np.floor(b):
            sure |= (np.floor(X) == X).all(axis=1) & (a < 2.0**53 * 0.99)
        left = np.flatnonzero(~sure)
        if left.size:
            made, v = np.empty(left.size), np.zeros(1, np.float32)
            give = self.kernel(row_signs.scores, EXACT_SUMS * left.size * w.size)
            give(X[left], 0, left.size, w, v, b, pad, made)
            s[left] = made
        return s + 0.0  # a tie is 0, not −0

    def _compared(self, X: np.ndarray, planes: np.ndarray) -> np.ndarray:
        """Return the class of rows whose two highest scores are close."""
        winner = np.empty(len(X), np.int32)
        decide = self.kernel(row_signs.classify, EXACT_SUMS * X.size * len(planes))
        decide(X, planes, self.for_tile(planes), self.problem.pad, self.R2, winner)
        return winner
