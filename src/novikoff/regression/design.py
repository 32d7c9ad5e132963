"""Convert a table or a formula to points with named columns, and find the intercept.

If an intercept is requested, a constant column is the intercept (statsmodels' `add_constant`, a design matrix of patsy
or formulaic), and none is added; it keeps its place and its name.

Of columns that depend on each other the first are kept, in an order with the intercept first and the reference level of
each factor last: with an intercept the reference level of every factor is aliased, without one that of every factor but
the first, as R has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from novikoff.data.frames import names_of
from novikoff.data.problem import Problem, unlabelled
from novikoff.errors import InputError
from novikoff.exact.signed_rows import Signed

INTERCEPT = "(Intercept)"  # as R calls it
FEW = 100  # rows checked first for constant columns
SHOWN = 8  # levels in a message


@dataclass(frozen=True)
class Design:
    """Points, the names of their columns in the order they are reported, and the places of these in a padded row.

    order: the places in the order in which columns are kept: the intercept first, reference levels last.
    references: the names of the columns of reference levels.
    """

    problem: Problem
    names: tuple[str, ...]
    places: tuple[int, ...]
    notes: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    references: tuple[str, ...] = ()

    def with_references(self, names: Sequence[str]) -> Design:
        """Return the design whose columns of reference levels, given by name, are kept only after all others."""
        place = dict(zip(self.names, self.places, strict=True))
        last = [place[name] for name in names if name in place]
        order = (*(j for j in self.order if j not in last), *last)
        return replace(self, order=order, references=tuple(name for name in names if name in place))


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


# ---- factors -------------------------------------------------------------------------------------------------------

Factors = Mapping[str, Sequence[str]]  # the levels of each column of categories


def factors_of(points: Any) -> Factors:
    """Return the factors of points that were read and prepared: their one-hot columns are named factor=level."""
    known = getattr(points, "factors", None)
    if known is not None:
        return dict(known)
    made = getattr(points, "preparation", None)
    return {name: step.categories for name, step in made.columns.categories.items()} if made is not None else {}


def split_reference(reference: Any, factors: Factors, response: Any) -> tuple[Any, dict[str, str]]:
    """Return the reference class or None, and the reference level of every factor: the first, unless one is given.

    reference: a class; or {factor or response: level or class}. response: the name of the response, if known.
    """
    levels = {name: known[0] for name, known in factors.items() if known}
    if not isinstance(reference, Mapping):
        return reference, levels
    chosen = None
    for name, level in reference.items():
        if name in factors:
            if str(level) not in factors[name]:
                shown = ", ".join(factors[name][:SHOWN]) + (", …" if len(factors[name]) > SHOWN else "")
                raise InputError(f"{level!r} is not a level of {name}; its levels are {shown}", "reference")
            levels[name] = str(level)
        elif response is not None and name == response:
            chosen = level
        else:
            if not factors and response is not None:
                raise InputError(
                    f"in a formula the reference level of {name!r} is written as C({name}, "
                    f"contr.treatment({str(level)!r}))",
                    "reference",
                )
            known = ", ".join([*factors, *([] if response is None else [str(response)])])
            raise InputError(
                f"{name!r} is neither a factor nor the response ({known or 'there are none'})",
                "reference",
            )
    return chosen, levels
