"""Convert what `separation` takes to a table and a response: arrays, points, a formula, or a statsmodels model."""

from __future__ import annotations

from typing import Any

import numpy as np

from novikoff.data.frames import names_of
from novikoff.data.labelled_points import Labelled, unpacked_in_memory
from novikoff.data.plain_files import similar
from novikoff.data.problem import Problem, unlabelled
from novikoff.data.row_numbers import origin_of, place_of, row_names_of
from novikoff.data.storages import rows_of
from novikoff.errors import InputError
from novikoff.regression.design import factors_of, split_reference
from novikoff.regression.formulas import by_formula, response_of
from novikoff.regression.regression_models import is_regression_model, regression_model
from novikoff.regression.response_families import Choice, RowError, Sides, sides_of
from novikoff.regression.separation_proof import ResponseRecord


class SeparationInput:
    """The arguments of `separation`: a table, a formula, a model or points, as a table and a response."""

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
        self.names, self.family, self.counts, self.fit_intercept, self.response = (
            names, family, counts, fit_intercept, response,
        )  # fmt: skip
        label, self.named, self.origin = getattr(X, "label", None), None, None
        self.notes: tuple[str, ...] = ()
        if isinstance(X, str):
            label, self.counts, self.fit_intercept = response_of(X), _named(counts, y), False
            X, y, self.notes = by_formula(X, y, counts)
        elif is_regression_model(X):
            X, y, label = self._of_model(X, y)
        if self.names is None and isinstance(X, Labelled):
            self.names = getattr(X, "names", None)
        self.reference, levels = split_reference(reference, factors_of(X), label)
        label = getattr(y, "name", None) if label is None else label
        self.label = label if isinstance(label, str) else None
        self.levels = [f"{name}={level}" for name, level in levels.items()]
        X = getattr(X, "__wrapped__", X)
        self.named = self.named or row_names_of(X)
        self.origin = origin_of(X) if self.origin is None else self.origin
        self.X, y = unpacked_in_memory(X, y, "separation")
        self.y, self.n = _one_column(y), _rows(self.X)
        self.table, self.counts_name = self.X, "counts"
        self.counts_at: int | None = None
        if isinstance(self.counts, str) or type(self.counts) is int:
            self._split_counts(self.counts)

    def _of_model(self, model: Any, y: Any) -> tuple[Any, Any, Any]:
        """Take the table and the response of a statsmodels model."""
        if y is not None or self.counts is not None or self.names is not None:
            raise InputError("y, counts, names: a statsmodels model has them; give the model alone")
        found = regression_model(model)
        self.names, self.family, self.counts, self.response = found.names, found.family, found.counts, found.response
        self.fit_intercept, self.origin = False, found.numbering
        self.named = None if found.index is None else row_names_of(found.index.to_frame())
        return found.X, found.y, getattr(getattr(model, "model", model), "endog_names", None)

    def _split_counts(self, column: str | int) -> None:
        """Take the numbers of trials from a column of the table, given by name or by number from 0."""
        known, named = list(self.names or names_of(self.X) or ()), names_of(self.X) is not None
        table = self.X if named or hasattr(self.X, "shape") else np.asarray(self.X)
        names = known or [f"x{j + 1}" for j in range(table.shape[1])]
        at = names.index(column) if column in names else column
        if isinstance(at, str) or not 0 <= at < len(names):
            near = similar(column, names)
            raise InputError(f"counts: {column!r} is no column of X{near}; its columns are {', '.join(names[:8])}")
        if hasattr(table, "tocsr"):
            raise InputError("counts: a column of a sparse matrix; give the numbers of trials as an array")
        if len(names) == 1:
            raise InputError(f"counts: no other column than {names[at]!r} is left")
        if named:
            table = np.column_stack([np.asarray(table[name]) for name in names_of(table) or ()])
        self.table, self.counts_at, self.counts_name = np.asarray(table), int(at), names[at]
        self.X, self.counts = np.delete(self.table, at, axis=1), self.table[:, at]
        self.names = None if not known else [*names[:at], *names[at + 1 :]]

    def points(self) -> Problem:
        """Return all rows; numbers of trials that are not a column of the table are added as the last one."""
        if self.counts is None or self.counts_at is not None:
            return unlabelled(self.table, fit_intercept=False)
        problem = unlabelled(self.table, fit_intercept=False)
        matrix = (problem.part(np.arange(problem.n)) if problem.in_blocks else problem).matrix()
        column = np.asarray(self.counts, np.float64)[:, None]
        if not problem.sparse:
            return unlabelled(np.hstack([np.asarray(matrix, np.float64), column]), fit_intercept=False)
        from scipy.sparse import csr_array, hstack

        return unlabelled(csr_array(hstack([matrix, csr_array(column)], format="csr")), fit_intercept=False)

    def response_record(self, sides: Sides, d: int) -> ResponseRecord:
        """Return what a certificate says of the response; d: the columns of X."""
        at = None if self.counts is None else d if self.counts_at is None else self.counts_at
        labels = sides.kind in ("labels", "frequencies")
        return ResponseRecord("labels" if labels else sides.kind, (sides.classes or sides.only) if labels else None, at)

    def sides(self, positive: Any) -> tuple[Sides, Any]:
        """Return the signs of the rows, and the numbers of the rows in the user's file."""
        chosen = Choice(positive, self.reference)
        try:
            return sides_of(self.y, self.n, self.family, self.counts, self.response, chosen), self.origin
        except RowError as error:
            if self.origin is None and self.named is None:
                raise
            raise error.called(place_of(self.origin, self.named)) from None


def _one_column(y: Any) -> Any:
    """Return a response of one column, as patsy and data frames have it, as an array of one dimension."""
    shape: tuple[int, ...] = getattr(y, "shape", ())
    if len(shape) != 2:
        return y
    if shape[1] != 1:
        raise InputError(
            f"y: found {shape[1]} columns; one was expected: give the labels themselves, or the number of successes "
            "as y and the number of trials as counts"
        )
    return np.asarray(y)[:, 0]


def _named(counts: Any, frame: Any) -> Any:
    """Return the counts, given as such or by the name of a column of the frame."""
    if not isinstance(counts, str):
        return counts
    try:
        return frame[counts]
    except KeyError:
        near = similar(counts, names_of(frame) or ())
        raise InputError(f"counts: {counts!r} is no column of the data frame{near}") from None


def _rows(X: Any) -> int:
    rows = rows_of(X)
    return int((X if isinstance(rows, tuple) else rows).shape[0])
