"""Compute spans exactly: independent rows among many, the space they vanish on, columns that depend on others.

Rows that are independent modulo a prime are independent. They span all rows if every row has score 0 under each vector
of the space they vanish on; a row that has not is added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from flint import fmpz_mat, nmod_mat

from novikoff.exact.integer_rows import identity, primitive, short_basis
from novikoff.exact.signed_rows import Signed
from novikoff.exact.subspace import Quotient
from novikoff.separate.working_set import Final, draw_rows, few_rows, run_working_set

PRIME = 2**61 - 1


def spanning(points: Signed | Quotient, between: Callable[[], None] = lambda: None, seed: int = 0) -> list[int]:
    """Return independent rows that span all rows."""
    few = few_rows(points.D)
    W = draw_rows(points.n, few, seed)
    Z = points.whole(W)[0]
    T = [int(W[i]) for i in independent(Z)] if Z else []
    if W.size == points.n and len(T) in {points.n, points.D, fmpz_mat(Z).rank() if Z else 0}:
        return T

    def solutions() -> Iterator[Any]:
        yield Final(None) if len(T) >= points.D else kernel(points.whole(T)[0], points.D)

    def join(new: list[int]) -> None:
        every = [*T, *new]
        more = independent(points.whole(every)[0])
        T[:] = [every[i] for i in more] if len(more) > len(T) else every[: len(T) + 1]

    run_working_set(solutions, lambda N: _outside(points, N, between) or None, join)
    return sorted(T)


def _outside(points: Signed | Quotient, N: Any, between: Callable[[], None]) -> list[int]:
    """Return rows that do not vanish on N: one for each of its columns, if there is one."""
    new: list[int] = []
    for column in N.transpose().tolist():
        between()
        moved = points.margins([int(v) for v in column]) != 0
        if moved.any() and not any(moved[i] for i in new):
            new.append(int(np.argmax(moved)))
    return new


def independent(Z: Sequence[Sequence[int]]) -> list[int]:
    """Return rows, from the first on, that are independent modulo a prime."""
    reduced, rank = nmod_mat([[v % PRIME for v in z] for z in zip(*Z, strict=True)], PRIME).rref()
    return _leading(reduced, rank)


def _leading(reduced: Any, rank: int) -> list[int]:
    """Return the column of the first nonzero number of each row of an echelon form."""
    found, j = [], 0
    for i in range(rank):
        while reduced[i, j] == 0:
            j += 1
        found.append(j)
    return found


def kernel(Z: Sequence[Sequence[int]], D: int) -> Any:
    """Return a basis of short vectors, by columns, of the space on which integer rows vanish."""
    if not Z:
        return identity(D)
    basis, size = fmpz_mat([list(z) for z in Z]).nullspace()
    if not size:
        return fmpz_mat(D, 0)
    return short_basis(basis.transpose().tolist()[:size])


def independent_columns(
    points: Signed, order: Sequence[int], between: Callable[[], None] = lambda: None
) -> tuple[list[int], dict[int, dict[int, int]]]:
    """Return the columns, in this order, that do not depend on earlier ones; and of each other column its relation.

    As in R, of columns that depend on each other the first are kept, and the later ones are aliased. A relation has an
    integer for the column itself and for the kept columns that it depends on: Σ integer·column = 0.
    """
    T = spanning(points, between)
    if not T:
        return [], {j: {j: 1} for j in order}
    table, den, rank = fmpz_mat([[z[j] for j in order] for z in points.whole(T)[0]]).rref()
    kept = _leading(table, rank)
    aliased: dict[int, dict[int, int]] = {}
    for j in set(range(len(order))).difference(kept):
        found = {order[k]: int(table[i, j]) for i, k in enumerate(kept) if table[i, j] != 0} | {order[j]: -int(den)}
        aliased[order[j]] = dict(zip(found, primitive([*found.values()]), strict=True))
    return [order[j] for j in kept], aliased
