"""Describe parameters to scikit-learn, and raise its kinds of errors and warnings.

The checks are ours (`argument_checks`: the argument, what was found, what was expected). A rejected parameter raises an
error that is both an `InputError` and scikit-learn's `InvalidParameterError`, with a message in scikit-learn's form.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions

from novikoff.engines.engine import Engine
from novikoff.errors import InputError
from novikoff.estimators import allowed_values as values
from novikoff.estimators.messages import NotSeparated
from novikoff.estimators.parameter_table import parameters_of
from novikoff.perceptron import SCHEDULES


class ParameterError(InputError, InvalidParameterError):
    """A parameter of an estimator that cannot be used; `plain` is the message in our form."""

    plain: str | None = None


class NotSeparatedWarning(NotSeparated, ConvergenceWarning):
    """The run ended before every point was on its own side: which rule ended it, and what is left.

    Examples
    --------
    >>> import warnings
    >>> import novikoff as nv
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     clf = nv.Perceptron().fit(*nv.example("xor"))
    >>> said[0].category.__name__, str(said[0].message).partition(":")[0]
    ('NotSeparatedWarning', 'cycle')
    """


def constraints_of(kind: type) -> dict[str, list[Any]]:
    """Return the `_parameter_constraints` of an estimator class."""
    return {name: _constraints(info.allowed) for name, info in parameters_of(kind).items()}


def _constraints(allowed: values.Allowed) -> list[Any]:
    match allowed:
        case values.OneOf(words):
            return [StrOptions(set(words))]
        case values.Integer(low, word):
            return [Interval(Integral, low, None, closed="left"), *([StrOptions({word})] if word else []), None]
        case values.Positive(none, word):
            number: list[Any] = [Interval(Real, 0, None, closed="neither")]
            return [*number, *([None] if none else []), *([StrOptions({word})] if word else [])]
    return _OTHERS[allowed]


_OTHERS: dict[values.Allowed, list[Any]] = {
    values.TRUTH: ["boolean"],
    values.SHARE: [Interval(Real, 0, 1, closed="neither")],
    values.VERBOSITY: ["verbose"],
    values.SCHEDULE: [StrOptions(set(SCHEDULES)), callable],
    values.CLASS_WEIGHTS: [StrOptions({"balanced"}), dict, None],
    values.SEED: [Interval(Integral, 0, None, closed="left"), np.random.RandomState, None],
    values.ENGINE: [Engine, None],
}


def in_scikit_learns_words(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """Decorate a method that checks parameters: its InputError "name: found …" becomes scikit-learn's error."""

    @wraps(check)
    def checked(self: Any) -> None:
        try:
            check(self)
        except InputError as error:
            refused = ParameterError(_sentence(str(error), type(self).__name__))
            refused.argument, refused.plain = str(error).partition(":")[0], str(error)
            raise refused from None

    return checked


def _sentence(message: str, estimator: str) -> str:
    """Return the message in the form of scikit-learn's if it is "name: found …; … was expected"; else as it is.

    Examples
    --------
    >>> _sentence("bias: found 3; 'free' or 'padded' was expected", "MaxMargin")
    "The 'bias' parameter of MaxMargin must be 'free' or 'padded'. Got 3 instead."
    """
    found = _FOUND.fullmatch(message)
    if found is None:
        return message
    name, value, expected, more = found.groups()
    return f"The {name!r} parameter of {estimator} must be {expected.rstrip(',')}{more}. Got {value} instead."


_FOUND = re.compile(r"(\w+): found (.*); (.*) was expected(.*)", re.DOTALL)
