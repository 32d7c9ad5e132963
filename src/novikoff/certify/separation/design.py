"""Convert a table or a formula to points with named columns, and find the intercept.

If an intercept is requested, a constant column is the intercept (statsmodels' `add_constant`, a design matrix of patsy
or formulaic), and none is added; it keeps its place and its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.certify.numbers.signed_rows import Signed
from novikoff.data.frames import is_frame, names_of
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import row_names_of
from novikoff.errors import InputError

INTERCEPT = "(Intercept)"  # as R calls it
FEW = 100  # rows checked first for constant columns


@dataclass(frozen=True)
class Design:
    """Points, the names of their columns in the order they are reported, and the places of these in a padded row.

    order: the places in the order in which columns are kept: the intercept first.
    """

    problem: Problem
    names: tuple[str, ...]
    places: tuple[int, ...]
    notes: tuple[str, ...] = ()
    order: tuple[int, ...] = ()


def design_of(X: Any, names: Sequence[str] | None, fit_intercept: bool, used: np.ndarray | None = None) -> Design:
    """Return the design of a table; used: the rows that take part, all if None."""
    X = getattr(X, "__wrapped__", X)  # formulaic's matrices are wrapped frames
    problem = unlabelled(X, fit_intercept=False)
    found = _names(X, names, problem.d)
    if used is not None:
        problem = problem.part(used)
    columns = tuple(range(problem.d))
    if not fit_intercept:
        return Design(problem, found, columns, order=columns)
    at = _constant(problem)
    if at is None:
        _check_once((INTERCEPT, *found))
        places = (problem.d, *columns)
        return Design(replace(problem, pad=1.0), (INTERCEPT, *found), places, order=places)
    note = f"column {found[at]!r} is constant: it is the intercept, and none was added"
    return Design(problem, found, columns, (note,), (at, *columns[:at], *columns[at + 1 :]))


def _names(X: Any, names: Sequence[str] | None, d: int) -> tuple[str, ...]:
    if names is None:
        known = names_of(X) or getattr(getattr(X, "design_info", None), "column_names", None)
        found = tuple(known) if known else tuple(f"x{j + 1}" for j in range(d))
    elif isinstance(names, str):
        raise InputError(f"names: found {names!r}; a list of names, one for each column, was expected")
    else:
        found = tuple(str(name) for name in names)
    if len(found) != d:
        raise InputError(f"names: found {len(found)}, but X has {d} column{'s' if d != 1 else ''}; give one for each")
    _check_once(found)
    return found


def _check_once(names: tuple[str, ...]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise InputError(f"names: {twice!r} occurs more than once; give every column a name of its own")


def _constant(problem: Problem) -> int | None:
    """Return the first column with one number, not 0, in all rows."""
    padded = Signed(replace(problem, pad=1.0))
    Z = padded.floats(np.unique(np.linspace(0, problem.n - 1, FEW).astype(np.int64)))[:, :-1]
    for j in np.flatnonzero((Z[0] == Z).all(axis=0) & (Z[0] != 0)).tolist():
        value = Fraction(float(Z[0, j]))
        plane = [0] * problem.d + [-value.numerator]
        plane[j] = value.denominator
        if not padded.margins(plane).any():
            return int(j)
    return None


def by_formula(formula: str, data: Any) -> tuple[Any, Any]:
    """Return the right and the left side of a formula as a frame and a response."""
    try:
        import formulaic
    except ImportError:
        raise InputError(
            f"X: a formula, {formula!r}, needs the package formulaic: pip install 'novikoff[formula]'; "
            "or give a table of numbers"
        ) from None
    if not is_frame(data):
        raise InputError(f"y: found {type(data).__name__}; with a formula, expected the data frame it refers to")
    frame = data if type(data).__module__.partition(".")[0] == "pandas" else data.to_pandas()
    try:
        parsed = formulaic.Formula(formula)
        left, right = (str(term) for term in parsed.lhs), parsed.rhs
    except AttributeError:
        raise InputError(f"X: the formula {formula!r} has no response; write it as 'y ~ x1 + x2'") from None
    except Exception as error:
        raise _refused(formula, error) from None
    _check_present(formula, parsed, frame)
    terms = list(left)
    try:
        design = right.get_model_matrix(frame, na_action="raise")
        if len(terms) == 1 and terms[0] in frame.columns:
            return design.__wrapped__, frame[terms[0]].to_numpy()
        response = parsed.lhs.get_model_matrix(frame, na_action="raise")
    except Exception as error:
        raise _refused(formula, error) from None
    if response.shape[1] > 2:
        raise InputError(f"X: the response of {formula!r} has {response.shape[1]} columns; one was expected")
    return design.__wrapped__, np.asarray(response)[:, -1]


def _check_present(formula: str, parsed: Any, frame: Any) -> None:
    """Raise InputError for a missing value of a variable; it names the row."""
    for name in sorted(str(v) for v in parsed.required_variables):
        if name not in frame.columns:
            raise InputError(f"X: {formula!r} refers to {name!r}, which is not a column of the data frame")
        missing = np.flatnonzero(frame[name].isna().to_numpy())
        if missing.size:
            more = f" (and in {missing.size - 1:,} more)" if missing.size > 1 else ""
            names = row_names_of(frame)
            row = missing[0] + 1 if names is None else names(int(missing[0]))
            raise InputError(f"column {name!r}: it is missing in row {row}{more}; drop these rows, or fill them in")


def _refused(formula: str, error: Exception) -> InputError:
    return InputError(f"X: the formula {formula!r} cannot be used ({' '.join(str(error).split())[:200]})")
