"""Stack the rows of a multinomial logit: each class against the reference, jointly.

    log P(k | x) − log P(reference | x) = ⟨b_k, x⟩         k ≠ reference, and b_reference = 0
    z_ic = x_i ⊗ (e_y − e_c)    for the class y of row i and every other class c;    e_reference = 0

The likelihood of row i rises with every ⟨b, z_ic⟩ and has its supremum where all are infinite. So the estimates exist
unless some b has ⟨b, z_ic⟩ ≥ 0 for all i and c, and > 0 for one (Albert and Anderson 1984): the question for two
classes, about n·(K − 1) rows with (K − 1)·D columns. A row z_ic that is separated means P(c | x_i) → 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from novikoff.data.problem import Problem, unlabelled
from novikoff.regression.design import Design
from novikoff.scoring.scorer import Scorer


@dataclass(frozen=True)
class Stacked:
    """The stacked design; for each of its rows, the row of the table and the place of the other class."""

    design: Design
    rows: np.ndarray
    against: np.ndarray


def stacked(design: Design, codes: np.ndarray, classes: tuple[Any, ...]) -> Stacked:
    """Return the rows z_ic of a design, ordered by row and then by class; codes: the place of each row's class.

    The first class is the reference.
    """
    from scipy.sparse import csr_array, hstack, vstack

    A, K = _padded(design.problem), len(classes)
    D = A.shape[1]
    blocks, rows, against = [], [], []
    for y in range(K):
        here = np.flatnonzero(codes == y)
        for c in range(K) if here.size else ():
            if c == y:
                continue
            part = A[here]
            zero = csr_array((here.size, D))
            blocks.append(hstack([part if k == y else -part if k == c else zero for k in range(1, K)], format="csr"))
            rows.append(here)
            against.append(np.full(here.size, c))
    of, other = np.concatenate(rows), np.concatenate(against)
    order = np.lexsort((other, of))
    table = csr_array(vstack(blocks, format="csr")[order])
    table.eliminate_zeros()
    places = [k * D + j for k in range(K - 1) for j in design.places]
    made = Design(
        unlabelled(table, fit_intercept=False),
        tuple(f"{c}: {name}" for c in classes[1:] for name in design.names),
        tuple(places),
        design.notes,
        tuple(k * D + j for k in range(K - 1) for j in design.order),
    )
    return Stacked(made, of[order], other[order])


def _padded(problem: Problem) -> Any:
    """Return the rows as a sparse matrix of doubles, with a column of ones if the problem has a bias."""
    from scipy.sparse import csr_array, hstack

    judge = Scorer(problem.part(np.arange(problem.n)) if problem.in_blocks else problem)
    judge.survey()  # errors name the user's rows
    A = csr_array(judge.problem.matrix(), dtype=np.float64)
    if not problem.pad:
        return A
    return csr_array(hstack([A, csr_array(np.ones((problem.n, 1)))], format="csr"))
