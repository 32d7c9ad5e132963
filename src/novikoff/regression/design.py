"""Convert a table to points with named columns, and find the intercept and the reference levels of factors.

If an intercept is requested, a constant column is the intercept (statsmodels' `add_constant`, a design matrix of patsy
or formulaic), and none is added; it keeps its place and its name.

Of columns that depend on each other the first are kept, in an order with the intercept first and the reference level of
each factor last: with an intercept the reference level of every factor is aliased, without one that of every factor but
the first, as R has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from novikoff.data.problem import Problem
from novikoff.errors import InputError
from novikoff.exact.signed_rows import Signed

INTERCEPT = "(Intercept)"  # as R calls it
SHOWN = 8  # levels in a message


@dataclass(frozen=True)
class Design:
    """Points, the names of their columns in the order they are reported, and the places of these in a padded row.

    order: the places in the order in which columns are kept: the intercept first, reference levels last.
    rows: for each row its place in the table of all rows. against: of rows stacked by class, the place of the other
    class. references: the names of the columns of reference levels.
    """

    problem: Problem
    names: tuple[str, ...]
    places: tuple[int, ...]
    order: tuple[int, ...]
    rows: np.ndarray
    against: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int64))
    references: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def design_of(points: Problem, names: Sequence[str], fit_intercept: bool, used: np.ndarray, levels: Any) -> Design:
    """Return the design of the used rows of a table; levels: the names of columns of reference levels."""
    problem = points if used.size == points.n else points.part(used)
    at = _constant(problem) if fit_intercept else None
    added = fit_intercept and at is None
    every = (*([INTERCEPT] if added else []), *names)
    _check_once(every)
    places = (*([problem.d] if added else []), *range(problem.d))
    notes = () if at is None else (f"column {names[at]!r} is constant: it is the intercept, and none was added",)
    place = dict(zip(every, places, strict=True))
    last = [place[name] for name in levels if name in place]
    first = [] if at is None else [at]
    order = (*(first), *(j for j in places if j not in (*first, *last)), *(j for j in last if j not in first))
    references = tuple(name for name in levels if name in place)
    return Design(replace(problem, pad=float(added)), every, places, order, used, references=references, notes=notes)


def _check_once(names: tuple[str, ...]) -> None:
    if len(set(names)) < len(names):
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise InputError(f"names: {twice!r} occurs more than once; give every column a name of its own")


def _constant(problem: Problem) -> int | None:
    """Return the first column with one number, not 0, in all rows."""
    table = Signed(problem)
    first = table.floats([0])[0]
    there = first != 0
    for Z in table.blocks():
        there &= (first == Z).all(axis=0)
        if not there.any():
            return None
    return int(np.argmax(there))


# ---- factors -------------------------------------------------------------------------------------------------------

Factors = Mapping[str, Sequence[str]]  # the levels of each column of categories


def factors_of(points: Any) -> Factors:
    """Return the factors of points that were read and prepared: their one-hot columns are named factor=level."""
    known = getattr(points, "factors", None)
    if known is not None:
        return dict(known)
    made = getattr(points, "preparation", None)
    return {name: step.categories for name, step in made.columns.categories.items()} if made is not None else {}


def split_reference(reference: Any, factors: Factors, response: Any) -> tuple[Any, list[str]]:
    """Return the reference class or None, and the column of the reference level of every factor: by default its first.

    reference: a class; or {factor or response: level or class}. response: the name of the response, if known.
    """
    levels, chosen = {name: known[0] for name, known in factors.items() if known}, None
    if not isinstance(reference, Mapping):
        chosen, reference = reference, {}
    for name, level in reference.items():
        if name in factors:
            if str(level) not in factors[name]:
                shown = ", ".join(factors[name][:SHOWN]) + (", …" if len(factors[name]) > SHOWN else "")
                raise InputError(f"{level!r} is not a level of {name}; its levels are {shown}", "reference")
            levels[name] = str(level)
        elif response is not None and name == response:
            chosen = level
        elif not factors and response is not None:
            raise InputError(
                f"in a formula the reference level of {name!r} is written as C({name}, "
                f"contr.treatment({str(level)!r}))",
                "reference",
            )
        else:
            known = ", ".join([*factors, *([] if response is None else [str(response)])])
            raise InputError(
                f"{name!r} is neither a factor nor the response ({known or 'there are none'})", "reference"
            )
    return chosen, [f"{name}={level}" for name, level in levels.items()]
