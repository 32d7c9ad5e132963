"""Convert what `separation` takes to a table and a response: arrays, points, a formula, or a statsmodels model."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.data.frames import names_of
from novikoff.data.labelled_points import unpacked_in_memory
from novikoff.data.plain_files import similar
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import row_names_of
from novikoff.errors import InputError
from novikoff.regression.design import factors_of, split_reference
from novikoff.regression.formulas import by_formula, response_of
from novikoff.regression.regression_models import is_regression_model, regression_model
from novikoff.regression.response_families import Sides, sides_of

SHOWN = 8  # columns in a message


class SeparationInput:
    """The arguments of `separation`, as points with named columns and a response.

    points: all rows, without the column of counts and without an intercept. label: the name of the response, if known.
    trials: the place of the column of counts in the data of a certificate, or None. levels: the names of columns of
    reference levels.
    """

    def __init__(
        self,
        X: Any,
        y: Any,
        names: Any,
        family: str,
        counts: Any,
        fit_intercept: bool,
        response: str,
        reference: Any,
    ) -> None:
        label, origin, self.notes = getattr(X, "label", None), None, tuple[str, ...]()
        if isinstance(X, str):
            label, fit_intercept = response_of(X), False
            frame, (X, y, self.notes) = y, by_formula(X, y, counts)
            counts = _of_frame(counts, frame) if isinstance(counts, str) else counts
        row_names = row_names_of(getattr(X, "__wrapped__", X))
        if is_regression_model(X):
            if y is not None or counts is not None or names is not None:
                raise InputError("y, counts, names: a statsmodels model has them; give the model alone")
            label, fit_intercept = getattr(getattr(X, "model", X), "endog_names", None), False
            X, y, names, family, counts, response, row_names, origin = regression_model(X)
        self.reference, self.levels = split_reference(reference, factors_of(X), label)
        label = getattr(y, "name", None) if label is None else label
        self.label = label if isinstance(label, str) else None
        X = getattr(X, "__wrapped__", X)  # formulaic's matrices are wrapped frames
        rows, y = unpacked_in_memory(X, y, "separation")
        if names is None:  # `names` of labelled points, or those of a frame or of patsy's matrix
            known = getattr(X, "names", None) if X is not rows else names_of(X)
            names = known or getattr(getattr(X, "design_info", None), "column_names", None)
        points = unlabelled(X, fit_intercept=False)
        points = replace(points, named=row_names, origin=points.origin if origin is None else origin)
        self.family, self.fit_intercept, self.response, self.y = family, fit_intercept, response, _one_column(y)
        self.trials: int | None = None if counts is None else points.d
        if isinstance(counts, str) or type(counts) is int:
            names, counts, points = self._split(points, list(names or ()), counts)
        self.points, self.counts, self.names = points, counts, _checked(names, points.d)

    def _split(self, points: Problem, known: list[str], column: str | int) -> tuple[list[str] | None, Any, Problem]:
        """Return the numbers of trials in a column, given by name or by number from 0, and the table without it."""
        names = known or [f"x{j + 1}" for j in range(points.d)]
        at = names.index(column) if isinstance(column, str) and column in names else column
        if isinstance(at, str) or not 0 <= at < len(names):
            near = similar(column, names)
            raise InputError(f"counts: {column!r} is no column of X{near}; its columns are {', '.join(names[:SHOWN])}")
        if points.sparse:
            raise InputError("counts: a column of a sparse matrix; give the numbers of trials as an array")
        if points.d == 1:
            raise InputError(f"counts: no other column than {names[at]!r} is left")
        self.trials, matrix = at, _in_memory(points).matrix()
        left = replace(points, rows=np.delete(matrix, at, axis=1), d=points.d - 1)
        return [*known[:at], *known[at + 1 :]] or None, matrix[:, at], left

    def sides(self, positive: Any) -> Sides:
        """Return the signs of the rows."""
        return sides_of(self.points, self.y, self.family, self.counts, self.response, positive, self.reference)

    def table(self) -> Problem:
        """Return all rows as a certificate is about them: with the numbers of trials, if there are any, as a column."""
        points = self.points
        if self.trials is None:
            return points
        matrix, column = _in_memory(points).matrix(), np.asarray(self.counts, np.float64)
        if not points.sparse:
            return unlabelled(np.insert(np.asarray(matrix, np.float64), self.trials, column, 1), fit_intercept=False)
        from scipy.sparse import csr_array, hstack

        whole = csr_array(hstack([matrix, csr_array(column[:, None])], format="csr"))
        return unlabelled(whole, fit_intercept=False)


def _in_memory(points: Problem) -> Problem:
    return points.part(np.arange(points.n)) if points.in_blocks else points


def _checked(names: Any, d: int) -> tuple[str, ...]:
    """Return a name for each column."""
    if isinstance(names, str):
        raise InputError(f"names: found {names!r}; a list of names, one for each column, was expected")
    found = tuple(map(str, names)) if names is not None and len(names) else tuple(f"x{j + 1}" for j in range(d))
    if len(found) != d:
        raise InputError(f"names: found {len(found)}, but X has {d} column{'s' if d != 1 else ''}; give one for each")
    return found


def _one_column(y: Any) -> Any:
    """Return a response of one column, as patsy and data frames have it, as an array of one dimension."""
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) != 2:
        return y
    if shape[1] != 1:
        raise InputError(
            f"found {shape[1]} columns; one was expected: give the labels themselves, or the number of successes "
            "as y and the number of trials as counts",
            "y",
        )
    return np.asarray(y)[:, 0]


def _of_frame(counts: str, frame: Any) -> Any:
    """Return a column of the frame."""
    try:
        return frame[counts]
    except KeyError:
        near = similar(counts, names_of(frame) or ())
        raise InputError(f"counts: {counts!r} is no column of the data frame{near}") from None
