"""Find which estimates are finite and which are not, coefficient by coefficient: the exact row-space rule.

    C = {w : ⟨w, z⟩ ≥ 0 for all rows z}     O: rows with ⟨w, z⟩ = 0 on all of C     separated rows S: the others

For columns that are independent:

    finite      w_j = 0 on all of C; that is, e_j lies in the span of O: estimable in the limiting model
    +inf        w_j ≥ 0 on all of C, and > 0 somewhere; that is (Farkas), e_j = Σ μ_i z_i with μ ≥ 0 on S, up to the
                span of O. The likelihood reaches its supremum only if ⟨b, z_i⟩ → ∞ on S with O bounded: so b_j → +∞
    -inf        w_j ≤ 0 likewise
    not-unique  both signs occur: b_j has no limit, the direction in which the likelihood rises is not unique

On the space N on which O vanishes, C has the inner point w, positive on all of S. So some c in C has ⟨c, g⟩ < 0 exactly
if the rows S and −g have a strict separator; else a circuit of them is the Farkas certificate. Each coefficient needs
at most one such decision, on a working set of rows, since w gives the possible sign; none is needed if a known c has
the other sign.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from flint import fmpz_mat

from novikoff.exact.deadline import Clock
from novikoff.exact.integer_rows import identity, of_rows
from novikoff.exact.rescale import ROUNDINGS, Frame, rounded
from novikoff.exact.subspace import Quotient
from novikoff.separate.active_set import CIRCUIT, SEPARATED
from novikoff.separate.interval_proof import positive_relation
from novikoff.separate.solver import ActiveSet, circuit_of, floats_of
from novikoff.separate.wolfe import Circuit, strict
from novikoff.separate.working_set import Final, draw_rows, few_rows, run_working_set, worst_rows

DOUBLINGS = 1 << 14  # of a multiple of an inner direction: numbers of 2^1024 and 2^-1074 need fewer
FINITE, PLUS, MINUS, NOT_UNIQUE, ALIASED, UNDECIDED = "finite", "+inf", "-inf", "not-unique", "aliased", "undecided"


class CoefficientLimits:
    """The limit of the coefficient of each independent column."""

    def __init__(self, separated: Quotient, w: Sequence[int], between: Clock) -> None:
        """separated: the rows S on the space on which O vanishes; w: of the columns, positive on all of S."""
        self.N = identity(len(separated.columns)) if separated.N is None else separated.N
        self.cone = Cone(separated, between)
        self.moves = [any(self.N[j, i] != 0 for i in range(self.N.ncols())) for j in range(self.N.nrows())]
        self.signs: list[set[int]] = [set() for _ in self.moves]  # of w_j, seen on C
        self.directions: list[list[int]] = []  # the w that were seen; the first is positive on all of S
        self.supports: dict[int, list[int]] = {}  # of infinite coefficients: rows of S
        self.info = [UNDECIDED if moves else FINITE for moves in self.moves]
        self._seen(w)

    def settle(self) -> None:
        """Determine the coefficients that are not known yet."""
        for j, known in enumerate(self.info):
            if known == UNDECIDED and self.info[j] == UNDECIDED:
                self._question(j)

    def _question(self, j: int) -> None:
        sign = next(iter(self.signs[j]))
        c = self.cone.leaves([sign * int(self.N[j, i]) for i in range(self.N.ncols())])
        if c is None:
            self.info[j] = PLUS if sign > 0 else MINUS
            self.supports[j] = self.cone.support
        else:
            self._seen([int(v) for v in (self.N * fmpz_mat([[v] for v in c])).entries()])

    def _seen(self, w: Sequence[int]) -> None:
        """Record w in C; an inner point with w_j = 0, or two with different signs, show both signs of w_j."""
        self.directions.append([int(v) for v in w])
        for j, v in enumerate(w):
            if self.moves[j]:
                self.signs[j] |= {-1, 1} if v == 0 and not self.signs[j] else {(v > 0) - (v < 0)} - {0}
                if len(self.signs[j]) == 2:
                    self.info[j] = NOT_UNIQUE

    # ---- for a certificate ----

    def relation_of(self, j: int) -> tuple[list[tuple[tuple[int, int], int]], int]:
        """Return signed rows of S with weights > 0, and a factor > 0: Σ weight·z = ±factor·e_j up to the span of O."""
        rows, sign, table = self.supports[j], 1 if self.info[j] == PLUS else -1, self.cone.rows
        Q, powers = table.whole(rows)
        away = [-sign * int(self.N[j, i]) for i in range(self.N.ncols())]
        found = circuit_of([*Q, away]) or strict([*Q, away])
        if not isinstance(found, Circuit) or len(Q) not in found.rows:
            raise ArithmeticError("an infinite coefficient has no relation")  # the rows were changed
        weights = of_rows(found.weights, [[*powers, 0][i] for i in found.rows])
        factor = weights.pop(found.rows.index(len(Q)))
        used = [rows[i] for i in found.rows if i < len(Q)]
        signed = zip(table.of[used].tolist(), table.signs[used].tolist(), strict=True)
        return list(zip(signed, weights, strict=True)), factor

    def directions_of(self, wanted: Sequence[int]) -> list[list[int]]:
        """Return vectors of C, the inner one first, that have both signs of the wanted coefficients."""
        made = [self.directions[0]]
        for j in wanted:
            for sign in (1, -1):
                if not any(w[j] * sign > 0 for w in made):
                    known = next((w for w in self.directions if w[j] * sign > 0), None)
                    made.append(self._near(j, sign) if known is None else known)
        return made

    def _near(self, j: int, sign: int) -> list[int]:
        """Return a vector of C near the inner one, where that has w_j = 0, with this sign of w_j."""
        w, rows = self.directions[0], self.cone.rows
        i = next(i for i in range(self.N.ncols()) if self.N[j, i] != 0)
        way = [sign * (1 if self.N[j, i] > 0 else -1) * int(self.N[k, i]) for k in range(self.N.nrows())]
        plain, times = replace(rows, N=None), 1
        for _ in range(DOUBLINGS):
            near = [times * a + b for a, b in zip(w, way, strict=True)]
            if (plain.margins(near) >= 0).all():
                return near
            times *= 2
        raise ArithmeticError("an inner direction is not inside")  # the rows were changed


class Cone:
    """The cone {Σ μ_i q_i, μ ≥ 0} of rows that some plane strictly separates, with a working set W of the rows.

    Floats separate W once; each question adds one more row.
    """

    def __init__(self, rows: Quotient, between: Clock, seed: int = 0) -> None:
        self.rows, self.between = rows, between
        self.W = draw_rows(rows.n, few_rows(rows.D), seed)
        self.support: list[int] = []  # rows of the last circuit
        self.Q = rows.whole(self.W)[0]
        self.frame = Frame(floats_of(self.Q), 0)
        self.A = self.frame.apply(floats_of(self.Q))
        self.engine = ActiveSet(rows.D, between)
        self.engine.run(self.A)

    def leaves(self, g: Sequence[int]) -> list[int] | None:
        """Return c with ⟨c, q⟩ ≥ 0 for all rows and ⟨c, g⟩ < 0; None if there is none: g is in the cone."""
        away = [-v for v in g]
        found: list[int] | None = run_working_set(
            partial(self._solutions, away), self._violators, self._join, self.between
        )
        return found

    def _solutions(self, away: list[int]) -> Iterator[list[int] | Final]:
        """Yield strict separators of W and one more row, by floats, then exactly; Final(None) for a circuit."""
        engine = copy.deepcopy(self.engine)
        ended = engine.run(np.vstack([self.A, self.frame.apply(floats_of([away]))]))
        if ended == CIRCUIT and self._proved(engine.support, away):
            self._record(engine.support)
            yield Final(None)
        if ended == SEPARATED and np.isfinite(engine.w).all():
            for digits in ROUNDINGS:
                c = self.frame.back(rounded(engine.w, digits))
                if sum(a * b for a, b in zip(c, away, strict=True)) > 0:
                    yield c
        found = strict([*self.Q, away], engine.support, engine.weights, self.between)
        if isinstance(found, Circuit):
            self._record(found.rows)
        yield Final(None) if isinstance(found, Circuit) else found.w

    def _record(self, support: Sequence[int]) -> None:
        """Keep the rows of a circuit; the row that was added is none of them."""
        self.support = [int(self.W[i]) for i in support if i < len(self.Q)]

    def _proved(self, support: list[int], away: list[int]) -> bool:
        """Return whether the rows of the support have a positive relation."""
        Z = [self.Q[i] if i < len(self.Q) else away for i in support]
        F = floats_of(Z)
        same = all(int(f) == v for z, row in zip(Z, F.tolist(), strict=True) for v, f in zip(z, row, strict=True))
        return (same and positive_relation(F)) or circuit_of(Z) is not None

    def _violators(self, c: list[int]) -> np.ndarray | None:
        """Return the worst rows on the wrong side that are not in W; None if no row is on the wrong side."""
        m = self.rows.margins(c)
        wrong = np.flatnonzero(m < 0)
        if not wrong.size:
            return None
        new = np.setdiff1d(wrong, self.W, assume_unique=True)
        return worst_rows(new, m, self.rows.D)

    def _join(self, new: np.ndarray) -> None:
        Q = self.rows.whole(new)[0]
        self.W, self.Q = np.concatenate([self.W, new]), [*self.Q, *Q]
        self.A = np.vstack([self.A, self.frame.apply(floats_of(Q))])
        self.engine.run(self.A)
