"""Exceptions of the library."""

from __future__ import annotations

from typing import Any


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

    argument: the name of the argument that is wrong; the message then begins with it.

    Examples
    --------
    >>> import novikoff as nv
    >>> try:
    ...     nv.decide([[1.0], [float("nan")]], [0, 1])
    ... except nv.InputError as error:
    ...     print(str(error).partition(",")[0])
    Input X contains NaN: row 2 (1 counted from 0)
    """

    def __init__(self, message: str = "", argument: str | None = None) -> None:
        super().__init__(message if argument is None else f"{argument}: {message}")
        self.argument = argument

    def with_message(self, message: str) -> InputError:
        """Return an error about the same argument with another message."""
        error = InputError(message)
        error.argument = self.argument
        return error


class PlacedError(InputError):
    """An error about a row of a file: it names the file and the row's number there, which nothing changes any more."""


class NumberedRowError(InputError):
    """An error about a row, by its number (from 0); before, after: the message around `row N`."""

    def __init__(self, before: str, row: int, after: str) -> None:
        super().__init__(f"{before}{counted(row)}{after}")
        self.before, self.row, self.after = before, row, after

    def at(self, file: str, row: int) -> PlacedError:
        """Return the error with the file, and the number (from 0) of the row there."""
        before = self.before.removeprefix("X: ").removeprefix("Input X ")
        return PlacedError(f"{file}: {before}row {row + 1:,}{self.after}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.before, self.row, self.after)


class ManyClassesError(InputError):
    """More than two classes, where two were expected."""


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
