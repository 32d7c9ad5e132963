"""Stack the rows of a multinomial logit: each class against the reference, jointly.

    log P(k | x) − log P(reference | x) = ⟨b_k, x⟩         k ≠ reference, and b_reference = 0
    z_ic = x_i ⊗ (e_y − e_c)    for the class y of row i and every other class c;    e_reference = 0

The likelihood of row i rises with every ⟨b, z_ic⟩ and has its supremum where all are infinite. So the estimates exist
unless some b has ⟨b, z_ic⟩ ≥ 0 for all i and c, and > 0 for one (Albert and Anderson 1984): the question for two
classes, about n·(K − 1) rows with (K − 1)·D columns. A row z_ic that is separated means P(c | x_i) → 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from novikoff.data.problem import unlabelled
from novikoff.regression.design import Design
from novikoff.scoring.scorer import Scorer


def stacked(design: Design, codes: np.ndarray, classes: tuple[object, ...]) -> Design:
    """Return the design of the rows z_ic, ordered by row and then by class; codes: the place of each row's class.

    The first class is the reference.
    """
    from scipy.sparse import csr_array, hstack, kron, vstack

    problem, K = design.problem, len(classes)
    scorer = Scorer(problem.part(np.arange(problem.n)) if problem.in_blocks else problem)
    scorer.survey()  # errors name the user's rows
    A = csr_array(scorer.problem.matrix(), dtype=np.float64)
    if problem.pad:
        A = csr_array(hstack([A, csr_array(np.ones((problem.n, 1)))], format="csr"))
    unit = np.eye(K)[:, 1:]  # e_k
    blocks, rows, against = [], [], []
    for y, c in np.argwhere(~np.eye(K, dtype=bool)).tolist():
        here = np.flatnonzero(codes == y)
        blocks.append(kron((unit[y] - unit[c])[None], A[here], format="csr"))
        rows.append(here)
        against.append(np.full(here.size, c))
    of, other = np.concatenate(rows), np.concatenate(against)
    order = np.lexsort((other, of))
    table = csr_array(vstack(blocks, format="csr")[order])
    table.eliminate_zeros()
    parts = [k * A.shape[1] for k in range(K - 1)]
    return replace(
        design,
        problem=unlabelled(table, fit_intercept=False),
        names=tuple(f"{c}: {name}" for c in classes[1:] for name in design.names),
        places=tuple(first + j for first in parts for j in design.places),
        order=tuple(first + j for first in parts for j in design.order),
        rows=design.rows[of[order]],
        against=other[order],
        references=(),
    )
