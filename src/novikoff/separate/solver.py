"""Find a strict separator or a circuit of integer rows: in floats, then proved in integers.

The active-set method runs on floats; its plane is rounded to few digits and checked in integers, and the null
space gives the exact relation of its support. Where floats are not precise enough, `wolfe.strict` continues from their
support. So the answer is always exact.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from flint import fmpz_mat

from novikoff.exact.deadline import Clock, WorkIsUpError
from novikoff.exact.integer_rows import primitive
from novikoff.exact.rescale import ROUNDINGS, Frame, rounded
from novikoff.kernels.compile import kernel_of
from novikoff.separate import active_set
from novikoff.separate.wolfe import Circuit, Separator, strict

ROUNDS = 64  # between two checks of the deadline
NEAR = 1e-9  # a row this near to a span, relative to its length, is skipped
DRIFT = 1e-6  # how far from 1 the active rows may be before their factors are computed again


class ActiveSet:
    """The active set of some rows: k rows S with multipliers u, factors L and Q, and the plane w.

    Rows may be added between two runs. The clock is called, and the work counted, every few rounds.
    """

    def __init__(self, D: int, clock: Clock | None = None) -> None:
        self.clock = Clock(None) if clock is None else clock
        self.k, self.S, self.u = 0, np.zeros(D + 2, np.int64), np.zeros(D + 2)
        self.L, self.Q, self.w = np.zeros((0, 0)), np.zeros((0, D)), np.zeros(D)

    def make_room(self, most: int) -> None:
        """Extend the factors to so many active rows."""
        if len(self.L) < most:
            L, Q, k = np.zeros((most, most)), np.zeros((most, self.w.size)), min(self.k, len(self.L))
            L[:k, :k], Q[:k] = self.L[:k, :k], self.Q[:k]
            self.L, self.Q = L, Q

    @property
    def support(self) -> list[int]:
        return list(self.S[: self.k].tolist())

    @property
    def weights(self) -> list[float]:
        return list(self.u[: self.k].tolist())

    def run(self, A: np.ndarray) -> int:
        """Run the method and return how it ended: CIRCUIT, SEPARATED, LIMIT or STUCK.

        Where the precision is too low, the factors are computed again, as long as that helps.
        """
        self.make_room(min(A.shape) + 1)
        kernel, most = kernel_of(active_set.run, active_set, A.size * A.shape[1]), 20 * (A.shape[1] + 10)
        made, drift = ROUNDS, DRIFT
        for _ in range(0, most, ROUNDS):
            self.clock()
            at_once = ROUNDS  # fewer where little work is left
            if self.clock.work is not None:
                at_once = min(ROUNDS, (self.clock.work - self.clock.spent) // self._work_of_a_round(A, ROUNDS))
                if at_once < 1:
                    raise WorkIsUpError
            ended, self.k, rounds = kernel(A, self.S, self.u, self.k, self.L, self.Q, self.w, drift, at_once)
            self.clock.spend(min(rounds, ROUNDS) * self._work_of_a_round(A))
            made, drift = made + rounds, np.inf
            if ended == active_set.DRIFTED:
                self.refresh(A)
            elif ended == active_set.STUCK and made:
                made = 0
                self.refresh(A)
            elif ended != active_set.LIMIT:
                break
        return int(ended)

    def _work_of_a_round(self, A: np.ndarray, more: int = 0) -> int:
        """Return the numbers read in a round: some of the rows, and the factors of the active ones, and `more`."""
        return int((len(A) // 16 + 2 * min(self.k + more, *A.shape) + 8) * A.shape[1])

    def refresh(self, A: np.ndarray) -> None:
        """Compute the factors again from the active rows."""
        self.make_room(min(A.shape) + 1)
        self.clock.spend(2 * A.shape[1] * self.k * self.k)
        again = kernel_of(active_set.refresh, active_set, A.shape[1] * self.k * self.k)
        self.k = int(again(A, self.S, self.u, self.k, self.L, self.Q, self.w))


def circuit_of(Z: Sequence[Sequence[int]], names: Sequence[int] | None = None) -> Circuit | None:
    """Return the circuit that these integer rows are, or one among them, by their names; None if there is none."""
    names = range(len(Z)) if names is None else names
    basis, size = fmpz_mat([list(z) for z in Z]).transpose().nullspace()
    if size > 1:
        found = strict(Z)
        return Circuit([names[i] for i in found.rows], found.weights) if isinstance(found, Circuit) else None
    weights = [basis[i, 0] for i in range(len(Z))] if size else []
    if weights and max(weights) <= 0:
        weights = [-v for v in weights]
    if not weights or min(weights) < 0:
        return None
    return Circuit([n for n, v in zip(names, weights, strict=True) if v], primitive([v for v in weights if v]))


class _FloatSearch:
    """The same answers as `wolfe.strict` about integer rows, found in floats and proved in integers."""

    def __init__(self, Z: Sequence[Sequence[int]], clock: Clock) -> None:
        self.Z, self.clock, self.frame = Z, clock, Frame(floats_of(Z), 0)

    def answer(self, rows: np.ndarray, exactly: bool) -> Separator | Circuit | None:
        """Return the answer about some of the rows; None if floats have none, where it need not be exact."""
        engine = ActiveSet(len(self.Z[0]), self.clock)
        ended = engine.run(self.frame.A[rows])
        if ended == active_set.SEPARATED and exactly:
            matrix = fmpz_mat([list(self.Z[i]) for i in rows])
            for digits in ROUNDINGS:
                w = self.frame.back(rounded(engine.w, digits))
                if min((matrix * fmpz_mat([[v] for v in w])).entries()) > 0:
                    return Separator(w)
        names = rows[engine.support].tolist()
        found = circuit_of([self.Z[i] for i in names], names) if ended == active_set.CIRCUIT else None
        return found or (strict(self.Z, names, engine.weights, self.clock) if exactly else None)


def circuits_or_separator(Z: Sequence[Sequence[int]], clock: Clock) -> Separator | list[Circuit]:
    """Return a separator of integer rows, or circuits among them.

    Each is independent of the earlier ones: its k rows have the rank k − 1, also modulo the span of theirs. So all of
    them together have at most 2·rank rows.
    """
    search = _FloatSearch(Z, clock)
    left, there = search.frame.A.copy(), np.ones(len(Z), bool)
    size, circuits = np.sqrt(np.einsum("ij,ij->i", left, left)), list[Circuit]()
    while there.any():
        found = search.answer(np.flatnonzero(there), exactly=not circuits)
        if not isinstance(found, Circuit):
            return found if found is not None and not circuits else circuits
        there[found.rows] = False
        _, s, V = np.linalg.svd(left[found.rows], full_matrices=False)
        V = V[s > NEAR * max(float(s[0]), NEAR)]
        if len(V) == len(found.rows) - 1 or not circuits:
            circuits.append(found)
            left -= (left @ V.T) @ V
            there &= np.sqrt(np.einsum("ij,ij->i", left, left)) > NEAR * size
    return circuits


def floats_of(Z: Sequence[Sequence[int]]) -> np.ndarray:
    """Return integer rows as floats, rounded, each up to a power of two."""
    shifts = [max(max(abs(v).bit_length() for v in z) - 400, 0) for z in Z]
    return np.array([[float(v >> s) for v in z] for z, s in zip(Z, shifts, strict=True)])
