"""Check rows, count errors and compute scores for one set of points; every sign is exact.

It knows which row operations the storage uses (`dense`, `sparse`) and how the kernels run: interpreted while
the work is tiny, so the lecture examples never wait for the compiler, and compiled after that. Both give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from types import ModuleType
from typing import Any, NoReturn

import numpy as np

from novikoff.data.contiguous_blocks import WIDE
from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.kernels import dense, row_signs, sparse
from novikoff.kernels.compile import kernel_by_size, kernel_of

ONE_BY_ONE = 1_000_000  # up to this many numbers planes are counted one by one: one kernel less to compile
AT_ONCE = 1 << 22  # sides of some rows under some planes
FILTERED = WIDE  # from this many columns on float32 pays as a filter
HELD_BY_FLOAT32 = (np.float32, np.int8, np.uint8)


class Scorer:
    """Exact answers about planes and one set of points."""

    def __init__(self, problem: Problem, factors: tuple[float, ...] = (1.0, 1.0), filtered: bool = True) -> None:
        self.problem = problem
        self.factors = factors  # weight of an error of the negative, the positive class
        held = not problem.sparse and problem.d >= FILTERED and problem.dtype in HELD_BY_FLOAT32
        self.single = filtered and held  # whether scores are float32 sums, of which only the sign is exact
        self.R2 = 0.0  # upper bound of |x|² + pad² of every checked row
        self.tidied = False  # whether unsorted rows were found and sorted

    @property
    def verbs(self) -> ModuleType:
        """The module of the row operations."""
        return sparse if self.problem.sparse else dense

    def kernel(self, function: Callable[..., Any], numbers: int) -> Callable[..., Any]:
        """Return the kernel for these rows, whose results are the same compiled and interpreted."""
        return kernel_of(function, self.verbs, numbers, same_bits=True)

    def survey(self, start: int = 0) -> None:
        """Check rows from `start` on; raise InputError for values that are not finite or too large."""
        p = self.problem
        for rows, at, lo, hi in p.pieces(start):
            look = self.kernel(row_signs.survey, p.stored)
            status, row, self.R2 = look(rows, lo, hi, p.d, self.R2, p.pad)
            if status != row_signs.FINE:
                self.mend(status, at + row)
                return self.survey(at + row)

    def radius2(self) -> float:
        """Return max |x|² + pad² of checked rows, rounded up: the same bits on every machine and from every storage."""
        p, most = self.problem, 0.0
        for rows, _, lo, hi in p.pieces():
            most = float(self.kernel(row_signs.longest, p.stored)(rows, lo, hi, p.pad, most))
        return most

    def mend(self, status: int, row: int) -> None:
        """Sort unsorted rows; raise for other faults."""
        if status != row_signs.NOT_TIDY:
            raise_fault(self.problem, status, row)
        self.problem, self.tidied = self.problem.tidied(), True

    def errors(self, planes: np.ndarray) -> np.ndarray:
        """Return how many points (weighted by class) each plane (w, b) has on the wrong side or on the plane."""
        return weighed(self.side_errors(planes), self.factors)

    def side_errors(self, planes: np.ndarray) -> np.ndarray:
        """Return how many negative, positive points each plane (w, b) has on the wrong side or on the plane.

        One pass for all planes.
        """
        p = self.problem
        errors = np.zeros((len(planes), 2), np.int64)
        if len(planes) == 1 or p.stored * len(planes) < ONE_BY_ONE:
            for rows, at, lo, hi in p.pieces():
                count = self.kernel(row_signs.count_errors, p.stored * len(planes))
                y = p.y[at + lo : at + hi]
                for plane, counted in zip(planes, errors, strict=True):
                    count(rows, y, plane[:-1], self.fast(plane[:-1]), float(plane[-1]), p.pad, self.R2, counted)
        else:
            for here, signs in self.signs(planes):
                y = p.y[here]
                wrong = signs * y <= 0
                errors[:, 0] += np.count_nonzero(wrong & (y < 0), axis=1)
                errors[:, 1] += np.count_nonzero(wrong & (y > 0), axis=1)
        return errors

    def votes(self, planes: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Return Σ weight·side of each point over the planes (w, b), as integers."""
        votes = np.zeros(self.problem.n, np.int64)
        for here, signs in self.signs(planes):
            votes[here] = weights @ signs
        return votes

    def scores(self, w: np.ndarray, b: float) -> np.ndarray:
        """Return ⟨w, x⟩ + b of each point, with the exact sign and 0 only at a tie; rows need no check before."""
        out = np.empty(self.problem.n)
        self._score(w, self.fast(w), b, out, 0)
        return out

    def _score(self, w: np.ndarray, v: np.ndarray, b: float, out: np.ndarray, start: int) -> None:
        p = self.problem
        for rows, at, lo, hi in p.pieces(start):
            give = kernel_by_size(row_signs.row_scores, self.verbs, p.stored)
            status, row = give(rows, lo, hi, w, v, b, p.pad, out[at:])
            if status != row_signs.FINE:
                self.mend(status, at + row)
                return self._score(w, v, b, out, at + row)

    def signs(self, planes: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Yield (some of the points, the exact side of each under each plane (w, b): (planes, points) of −1, 0, 1)."""
        for scan, here in self._under(planes, row_signs.signs):
            sides = np.empty((len(planes), here.stop - here.start), np.int8)
            scan(sides)
            yield here, sides

    def highest(self, planes: np.ndarray, allowed: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return (the class with the highest exact score, the first of equal ones; whether no other is equal).

        planes: one (w, b) per class; allowed (points, classes): only these; None: all.
        """
        winner, alone = np.empty(self.problem.n, np.int32), np.empty(self.problem.n, bool)
        every = np.ones((1, len(planes)), bool)
        for find, here in self._under(planes, row_signs.highest):
            find(every if allowed is None else allowed[here], winner[here], alone[here])
        return winner, alone

    def highest_of(self, planes: np.ndarray, allowed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same; points with a single allowed class are not scored."""
        winner, alone = np.argmax(allowed, axis=1).astype(np.int32), np.ones(len(allowed), bool)
        several = np.flatnonzero(allowed.sum(axis=1) > 1)
        if several.size:
            part = Scorer(self.problem.part(several))
            part.R2 = self.R2
            winner[several], alone[several] = part.highest(planes, allowed[several])
        return winner, alone

    def _under(self, planes: np.ndarray, function: Callable[..., Any]) -> Iterator[tuple[Callable[..., Any], slice]]:
        """Yield (the kernel for some rows under these planes, the slice of its rows), block by block."""
        p, fast, step = self.problem, self._float32_planes(planes[:, :-1]), max(1, AT_ONCE // len(planes))
        scan = self.kernel(function, p.stored * len(planes))
        for rows, at, lo, end in p.pieces():
            for first in range(lo, end, step):
                hi = min(first + step, end)
                yield partial(scan, rows, first, hi, planes, fast, p.pad, self.R2), slice(at + first, at + hi)

    def sums_to_zero(self, times: np.ndarray) -> bool:
        """Return whether Σ times_i·y_i·(x_i, pad) is exactly zero: then no plane separates the points (Gordan)."""
        from scipy.sparse import csc_matrix

        p = self.problem
        used = np.flatnonzero(times)
        if p.pad and int(times[used].astype(np.int64) @ p.y[used].astype(np.int64)) != 0:
            return False
        part = csc_matrix(p.part(used).matrix())
        test = self.kernel(row_signs.sums_to_zero, part.nnz)
        starts = np.unique(part.indptr)  # of the columns that are not empty
        return bool(test(part.data, part.indices, starts, times[used], p.y[used]))

    def _float32_planes(self, planes: np.ndarray) -> np.ndarray:
        """Return weights (d, planes) in float32 for `score_rows`.

        Dense rows: those of a plane are adjacent, for an even number of planes. Sparse rows: those of a column are.
        """
        if self.verbs is sparse:
            return side_by_side(planes, np.float32)
        weights = aligned((len(planes) + len(planes) % 2, planes.shape[1]))
        with np.errstate(over="ignore"):
            weights[: len(planes)] = planes
        return weights.T

    def fast(self, w: np.ndarray) -> np.ndarray:
        """Return the weights for fast scores: these, or their float32 copy."""
        with np.errstate(over="ignore"):
            return w.astype(np.float32) if self.single else w


def weighed(counts: np.ndarray, factors: tuple[float, ...]) -> np.ndarray:
    """Return Σ count·factor over the classes, for each row of counts: integer without factors, else rounded once."""
    if set(factors) == {1.0}:
        return np.asarray(counts.sum(axis=1))
    return np.array([float(sum(c * Fraction(f) for c, f in zip(row, factors, strict=True))) for row in counts.tolist()])


def side_by_side(planes: np.ndarray, dtype: Any = np.float64) -> np.ndarray:
    """Return planes (K, d) as weights (d, K), those of a column adjacent, with zeros up to a multiple of 32 bytes."""
    K, d = planes.shape
    lanes = 32 // np.dtype(dtype).itemsize
    weights = aligned((d, -(-K // lanes) * lanes), dtype)
    with np.errstate(over="ignore"):
        weights[:, :K] = planes.T
    return weights


def aligned(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    """Return zeros aligned to a cache line: loads across two lines cost twice."""
    size, line = int(np.prod(shape)), 64 // np.dtype(dtype).itemsize
    room = np.zeros(size + line, dtype)
    start = -(room.ctypes.data // room.itemsize) % line
    return np.asarray(room[start : start + size].reshape(shape))


def raise_fault(problem: Problem, status: int, row: int) -> NoReturn:
    """Raise InputError for a row that is not finite, or too large, or whose update would make the weights too large."""
    place, rows = problem.place(row), problem.part(slice(row, row + 1)).rows
    values, numbers = rows[:2] if problem.sparse else (rows[0], np.arange(problem.d))
    if status == row_signs.NOT_FINITE:
        at = int(np.flatnonzero(~np.isfinite(values))[0])
        what = "NaN" if np.isnan(values[at]) else "infinity"
        raise problem.row_error(
            f"contains {what}: ",
            row,
            f", column {int(numbers[at]) + 1} (counted from 1); drop such rows or fill them in before fitting"
            f"{', as novikoff.auto does' if what == 'NaN' else ''}",
            f"Input {problem.name} ",
        )
    size = float(np.max(np.abs(values), initial=0.0))
    if size < 2.0**499:
        raise InputError(
            f"with these steps the weights would pass 2^500 at row {place} of {problem.name} (largest number "
            f"{size:.3g}), and sums could overflow; use smaller steps, or scale the data",
            "eta0, schedule, class_weight, coef_init",
        )
    raise problem.row_error(
        "numbers too large at ",
        row,
        f" (largest {size:.3g}): points and weights must stay below 2^500 so that no sum can overflow; scale the data, "
        "e.g. divide by its largest absolute value",
        f"{problem.name}: ",
    )
