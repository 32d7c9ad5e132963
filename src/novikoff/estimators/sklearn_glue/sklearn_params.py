"""Describe parameters to scikit-learn, and raise its kinds of errors and warnings.

The checks and messages are ours (`argument_checks`: the argument, what was found, what was expected). A rejected
parameter also raises scikit-learn's `InvalidParameterError`, and its sentence follows ours, so that programs that look
for either find it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from numbers import Integral, Real
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions, validate_parameter_constraints

from novikoff.engines.engine import Engine
from novikoff.errors import InputError
from novikoff.estimators.messages import NotSeparated
from novikoff.estimators.parameters import allowed_values as values
from novikoff.estimators.parameters.parameter_table import parameters_of
from novikoff.perceptron import SCHEDULES


class ParameterError(InputError, InvalidParameterError):
    """A parameter of an estimator that cannot be used."""


class NotSeparatedWarning(NotSeparated, ConvergenceWarning):
    """The run ended before every point was on its own side: which rule ended it, and what is left."""


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
    """Decorate a method that checks parameters: its InputError "name: found …" also becomes scikit-learn's error."""

    @wraps(check)
    def checked(self: Any) -> None:
        try:
            check(self)
        except InputError as error:
            name = str(error).partition(":")[0]
            raised = ParameterError(f"{error}. {_sentence(self, name)}".strip())
            raised.argument = error.argument
            raise raised from None

    return checked


def _sentence(estimator: Any, name: str) -> str:
    """Return scikit-learn's sentence about a parameter; empty if only we reject it."""
    try:
        one = {name: getattr(estimator, name, None)}
        validate_parameter_constraints(estimator._parameter_constraints, one, caller_name=type(estimator).__name__)
    except InvalidParameterError as error:
        return str(error)
    return ""
