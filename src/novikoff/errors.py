"""Exceptions of the library."""

from __future__ import annotations

import os
from typing import Any

PLACES = ("line", "byte", "column")


def counted(row: int) -> str:
    """Return how a message in Python names a row: its number from 1, and from 0 as results have it.

    Examples
    --------
    >>> counted(2)
    'row 3 (2 counted from 0)'
    """
    return f"row {row + 1} ({row} counted from 0)"


class InputError(ValueError):
    """Input that cannot be used: the argument, what was found, what was expected, and the way out.

    argument: the name of the argument that is wrong; the message then begins with it. message: without that name.
    file, line, byte, column, name, found, expected: where a file is wrong (all count from 1; column: its number or its
    name; name: that of a numbered column), what was found there and what was expected; the message is made of these.

    Examples
    --------
    >>> import novikoff as nv
    >>> try:
    ...     nv.decide([[1.0], [float("nan")]], [0, 1])
    ... except nv.InputError as error:
    ...     print(str(error).partition(",")[0])
    Input X contains NaN: row 2 (1 counted from 0)
    >>> error = nv.InputError(file="a.csv", line=7, column=2, found="'x'", expected="a number was expected")
    >>> str(error), error.line
    ("a.csv, line 7, column 2: found 'x'; a number was expected", 7)
    """

    def __init__(
        self,
        message: str = "",
        argument: str | None = None,
        *,
        file: str | os.PathLike[str] | None = None,
        line: int | None = None,
        byte: int | None = None,
        column: int | str | None = None,
        name: str | None = None,
        found: str | None = None,
        expected: str | None = None,
    ) -> None:
        self.argument, self.line, self.byte, self.column = argument, line, byte, column
        self.file, self.name, self.found, self.expected = None if file is None else str(file), name, found, expected
        if self.file is not None:
            places = [f"{key} {place!r}" for key, place in zip(PLACES, (line, byte, column), strict=True) if place]
            places += [] if name is None else [f"{places.pop()} ({name!r})"]
            message = f"{', '.join([self.file, *places])}: {message or f'found {found}; {expected}'}"
        self.message = message
        super().__init__(message if argument is None else f"{argument}: {message}")


class NumberedRowError(InputError):
    """An error about a row: before, after: the message around `row N`. row: its number from 0; file: where it is.

    about: how the message begins as long as there is no file to name.
    """

    def __init__(self, before: str, row: int, after: str, file: str | None = None, about: str = "") -> None:
        numbered = counted(row) if file is None else f"row {row + 1:,}"
        super().__init__((about if file is None else f"{file}: ") + before + numbered + after)
        self.before, self.row, self.after, self.file, self.about = before, row, after, file, about

    def at(self, file: str, row: int) -> NumberedRowError:
        """Return the error with the file, and the number (from 0) of the row there."""
        return NumberedRowError(self.before, row, self.after, file)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.before, self.row, self.after, self.file, self.about)


class ManyClassesError(InputError):
    """More than two classes, where two were expected."""


class MeasuredLabelsError(InputError):
    """Labels that are measurements, where classes were expected."""


class InputTypeError(InputError, TypeError):
    """Input of a type that holds no numbers."""


class UnknownCategoryWarning(UserWarning):
    """Rows to predict have categories that no training row had; they count as none of the known ones.

    Examples
    --------
    >>> import warnings
    >>> import novikoff as nv
    >>> import pandas as pd
    >>> trained = pd.DataFrame({"colour": ["red", "red", "blue", "blue"], "kind": ["a", "a", "b", "b"]})
    >>> model = nv.auto(trained, label="kind")
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     _ = model.predict(pd.DataFrame({"colour": ["green"]}))
    >>> said[0].category.__name__
    'UnknownCategoryWarning'
    """


class WorkerError(RuntimeError):
    """A worker process of an engine ended without an answer.

    Examples
    --------
    >>> import novikoff as nv
    >>> issubclass(nv.WorkerError, RuntimeError)
    True
    """


class UndecidedError(RuntimeError):
    """A result was requested that was not found within the time limit.

    Examples
    --------
    >>> import numpy as np
    >>> import novikoff as nv
    >>> X = np.random.default_rng(0).normal(size=(2000, 100))
    >>> v = nv.decide(X, X[:, 0] + X[:, 1] ** 3 > 0, max_time=1e-9)
    >>> v.kind
    'undecided'
    >>> try:
    ...     bool(v)
    ... except nv.UndecidedError:
    ...     print("more time is needed")
    more time is needed
    """


class NotSeparableError(ValueError):
    """A margin was requested, but no plane separates the points; `verdict` contains the proof.

    Examples
    --------
    >>> import novikoff as nv
    >>> try:
    ...     nv.MaxMargin().fit(*nv.example("xor"))
    ... except nv.NotSeparableError as error:
    ...     print(error.verdict.kind, error.verdict.weights)
    overlap (1, 1, 1, 1)
    """

    def __init__(self, message: str, verdict: object = None) -> None:
        super().__init__(message)
        self.verdict: Any = verdict

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.verdict)
