"""The signed rows of a problem as a decision reads them: some as floats, some as whole numbers, all against a plane.

    z_i = y_i·(x_i, 1)        the 1 only with a bias; D numbers

One pass over all rows answers for one plane: `margins`. Any storage can be read, block by block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.certify import framing
from novikoff.certify.machine import kernel_of
from novikoff.certify.margins import margins
from novikoff.certify.whole import BITS, Row, whole_rows
from novikoff.errors import InputError
from novikoff.perceptron.slides import count
from novikoff.points.labels import demand_labels, labels_of
from novikoff.points.problem import Problem, problem_of, unlabelled
from novikoff.sides import dense32, scores
from novikoff.sides.judge import Judge

NOTHING = np.zeros(1, np.float32)
LOWEST = -1000  # chunks of a plane whose largest number is about 1 go down to 2^LOWEST


class Signed:
    """Binary64 points: n rows of D numbers."""

    def __init__(self, problem: Problem) -> None:
        self.judge = Judge(problem)
        self.pad = int(problem.pad)
        self.n, self.D = problem.n, problem.d + self.pad
        self.rows_read = 0

    @property
    def problem(self) -> Problem:
        return self.judge.problem

    def floats(self, which: np.ndarray) -> np.ndarray:
        """Some of the rows, dense; InputError for what is not finite or too large."""
        p, numbers = self.problem, which
        if p.sparse or p.in_blocks:
            p, numbers = p.part(which), np.arange(len(which))
        if p.sparse:
            judge = Judge(p)
            judge.survey()
            p = replace(p, rows=judge.problem.matrix().toarray())
        Z = np.empty((len(which), self.D))
        if not kernel_of(framing.signed_rows, framing, Z.size)(p.rows, p.y, numbers, self.pad, Z):
            Judge(self.problem.part(which)).survey()
        self.rows_read = max(self.rows_read, len(which))
        return Z

    def whole(self, which: Sequence[int] | np.ndarray) -> tuple[list[Row], list[int]]:
        """Some of the rows as whole numbers, and the powers of two that make them the rows again."""
        return whole_rows(self.floats(np.asarray(which, np.int64)))

    def margins(self, plane: Sequence[int]) -> np.ndarray:
        """⟨plane, z_i⟩ of every row, up to one positive factor: the sign is exact, and 0 only at a tie."""
        C, rest, share = chunks_of(plane if self.pad else [*plane, 0])
        out = np.empty(self.n)
        self._pass(C, rest, share, out, 0)
        self.rows_read = self.n
        left = np.flatnonzero(np.isnan(out)) if share >= 1.0 else ()
        for i, row in zip(left, self.whole(left)[0] if len(left) else [], strict=True):
            score = sum(a * int(w) for a, w in zip(row, plane, strict=True))
            out[i] = (score > 0) - (score < 0)
        return out

    def _pass(self, C: np.ndarray, rest: float, share: float, out: np.ndarray, start: int) -> None:
        p = self.problem
        v = NOTHING
        if self.judge.verbs is dense32:
            with np.errstate(over="ignore"):
                v = C[0, :-1].astype(np.float32)
        for rows, at, lo, hi in p.pieces(start):
            look = kernel_of(margins, self.judge.verbs, p.stored)
            status, row = look(rows, p.y[at:], lo, hi, C, v, rest, share, p.pad, out[at:])
            if status != scores.FINE:
                self.judge.mend(status, at + row)
                return self._pass(C, rest, share, out, at + row)


def points_of(X: Any, y: Any, fit_intercept: bool) -> Signed:
    """The signed rows; labels of one class are all positive."""
    labels = labels_of(y)
    if _same(labels):
        problem = unlabelled(X, fit_intercept=fit_intercept)
        if labels.size != problem.n:
            raise InputError(
                f"X and y: {count(problem.n, 'row')} and {count(labels.size, 'label')}; give one label for each row"
            )
        return Signed(problem)
    return Signed(problem_of(X, labels, fit_intercept=fit_intercept)[0])


def _same(labels: np.ndarray) -> bool:
    """Whether only one label occurs; InputError if it is none."""
    first = labels[0]
    if first is None:
        raise InputError("y: found None, a missing label; drop the rows without a label, or give them one")
    if labels.dtype.kind not in "biufUS" and not isinstance(first, str | int | float):
        return False
    if labels[-1] != first or np.count_nonzero(labels == first) < labels.size:
        return False
    demand_labels(labels)
    return True


def chunks_of(plane: Sequence[int]) -> tuple[np.ndarray, float, float]:
    """Doubles C[0] + C[1] + … that sum to a multiple of the plane; bounds of what C[0] leaves: its length, its share.

    A share of 1 or more: the plane has more digits than doubles can hold.
    """
    left = [int(v) for v in plane]
    top = max(v.bit_length() for v in left)
    if top <= BITS:
        return np.array([left], np.float64), 0.0, 0.0
    chunks = []
    while any(left):
        chunk = [_cut(v, top) for v in left]
        if not any(digits for digits, _ in chunk):
            break
        chunks.append([math.ldexp(digits, extra - top) for digits, extra in chunk])
        left = [v - (digits << extra) for v, (digits, extra) in zip(left, chunk, strict=True)]
    C = np.array(chunks)
    if len(C) == 1 and not any(left):
        return C, 0.0, 0.0
    rest = math.sqrt(len(left)) * 2.0**-52 * float(np.abs(C[0]).max())
    told = not any(left) and not C[1:, C[0] == 0].any()
    return C, rest, 2.0**-52 if told else 1.0


def _cut(v: int, top: int) -> tuple[int, int]:
    """The first 53 binary digits of v, and how many follow; nothing below 2^(top + LOWEST)."""
    extra = max(v.bit_length() - BITS, 0)
    digits = v >> extra if v >= 0 else -(-v >> extra)
    return (digits, extra) if extra - top >= LOWEST else (0, 0)
