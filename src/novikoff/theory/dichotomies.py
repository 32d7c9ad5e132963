"""Count the linearly separable dichotomies of given points exactly.

    C(X, x) = C(X) + D(X, x)        D: the dichotomies of X by planes through the further point x

Cover's recursion holds for any points: a dichotomy of X extends to both labels of x exactly if a plane through x makes
it. Planes through x are planes of the points projected along x, in one dimension less, so that the recursion ends in
two dimensions, where the distinct directions are counted. All arithmetic is on integers.

From the notes: S5a (the dichotomies of your own points), S5b (Cover's D, planes through one further point).
"""

from __future__ import annotations

from typing import Any

from numpy.typing import ArrayLike

from novikoff.arguments import argument_checks
from novikoff.arguments.signature_types import Points
from novikoff.data.exact_points import exact_rows
from novikoff.errors import InputError, UndecidedError
from novikoff.exact.deadline import Clock, TimeIsUpError
from novikoff.exact.integer_rows import primitive, whole
from novikoff.theory.given_points import numbers_in_memory

Row = tuple[int, ...]
MOST = 100_000  # numbers of X


def count_dichotomies(
    X: Points, fit_intercept: bool = True, through: ArrayLike | None = None, max_time: float | None = None
) -> int:
    """Return how many labellings of these points a plane separates strictly.

    C(X ∪ {x}) = C(X) + D(X, x),        D(X, x) = count_dichotomies(X, through=x)

    Convention: equal to `cover_count` exactly if the points are in general position, otherwise less.

    Parameters
    ----------
    X : points (n, d): any numbers, taken exactly
    fit_intercept : whether the planes have a bias
    through : a further point (d numbers) that the planes pass through
    max_time : seconds after which UndecidedError is raised; the work grows like n^(N−2), N = d + 1 with a bias

    Examples
    --------
    >>> import novikoff as nv
    >>> square = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> nv.count_dichotomies(square), nv.count_dichotomies(square[:3]), nv.count_dichotomies(square[:3], through=[1, 1])
    (14, 8, 6)
    """
    rows, through_row = _rows_of(X, fit_intercept, through, max_time)
    try:
        if through_row is not None:
            rows = _projected(rows, through_row)
        return _count(rows, Clock(max_time))
    except TimeIsUpError:
        raise UndecidedError(f"the dichotomies were not counted within {max_time:g} seconds; give more time with "
                             "max_time, or use fewer points or columns") from None  # fmt: skip


def _rows_of(X: Any, fit_intercept: bool, through: Any, max_time: Any) -> tuple[list[Row], Row | None]:
    """Return the points as integer rows, the bias last, and the further point; each row up to a positive factor."""
    argument_checks.truth("fit_intercept", fit_intercept)
    if max_time is not None:
        argument_checks.positive("max_time", max_time)
    rows = exact_rows(numbers_in_memory(X, None, "a count of dichotomies")[0], bool(fit_intercept))
    if len(rows) * len(rows[0]) > MOST:
        raise InputError(f"found {len(rows):,} rows of {len(rows[0]):,} numbers; at most {MOST:,} numbers were "
                         "expected, as the work grows with a power of the number of points", "X")  # fmt: skip
    further = None
    if through is not None:
        further = exact_rows([through], bool(fit_intercept))[0]
        if len(further) != len(rows[0]):
            wanted = len(rows[0]) - bool(fit_intercept)
            raise InputError(f"found {len(further) - bool(fit_intercept)} numbers; {wanted} were expected, one for "
                             "each column of X", "through")  # fmt: skip
        if not any(further):
            raise InputError("found the origin; every plane without a bias passes through it", "through")
    return [whole(row) for row in rows], None if further is None else whole(further)


def _count(rows: list[Row], clock: Clock) -> int:
    """Return the number of dichotomies by planes through the origin; 0 if a row is zero."""
    lines = {_direction(row) for row in rows}  # equal or opposite rows have one sign: count each line once
    if None in lines:
        return 0
    return _regions(sorted(lines), clock)


def _regions(lines: list[Any], clock: Clock) -> int:
    """Return Cover's recursion over distinct lines through the origin."""
    if len(lines[0]) == 1 or len(lines) == 1:
        return 2
    if len(lines[0]) == 2:
        return 2 * len(lines)
    clock()
    total = 2  # of the first line
    for k in range(1, len(lines)):
        below = {_direction(row) for row in _projected(lines[:k], lines[k])}
        total += _regions(sorted(below), clock)
    return total


def _projected(rows: list[Row], along: Row) -> list[Row]:
    """Return the rows projected along a nonzero one: row − (row_c/along_c)·along without column c, times one > 0."""
    c = max(range(len(along)), key=lambda j: abs(along[j]))
    size, sign = abs(along[c]), 1 if along[c] > 0 else -1
    kept = [j for j in range(len(along)) if j != c]
    return [tuple(size * row[j] - sign * row[c] * along[j] for j in kept) for row in rows]


def _direction(row: Row) -> Row | None:
    """Return the line of a row: no common factor, first nonzero number positive; None for a zero row."""
    first = next((v for v in row if v), 0)
    if not first:
        return None
    short = primitive(row)
    return tuple(short) if first > 0 else tuple(-v for v in short)
