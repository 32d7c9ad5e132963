"""What each parameter may be, as scikit-learn's tools ask for it; and its kinds of errors and warnings.

The checks and their words are ours (`argument_checks`: the argument, what was found, what was expected). A refused
parameter is also scikit-learn's `InvalidParameterError`, and its sentence stands behind ours, so that programs which
look for either find it.
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
from novikoff.perceptron import KEEPS, ORDERS, PAIRS, RULES, SCHEDULES, SCHEMES


class ParameterError(InputError, InvalidParameterError):
    """A parameter of an estimator that cannot be used."""


class NotSeparatedWarning(NotSeparated, ConvergenceWarning):
    """The run ended before every point was on its own side: which rule ended it, and what is left."""


def _from(kind: type, low: int) -> Any:
    return Interval(kind, low, None, closed="left")


def _above_0(most: int | None = None) -> Any:
    return Interval(Real, 0, most, closed="neither")


PERCEPTRON: dict[str, list[Any]] = {
    "rule": [StrOptions(set(RULES))],
    "keep": [StrOptions(set(KEEPS))],
    "order": [StrOptions(set(ORDERS))],
    "eta0": [_above_0()],
    "fit_intercept": ["boolean"],
    "max_iter": [_from(Integral, 1), None],
    "max_updates": [_from(Integral, 0), None],
    "max_time": [_above_0(), None],
    "train_patience": [_from(Integral, 1), StrOptions({"auto"}), None],
    "early_stopping": ["boolean"],
    "validation_fraction": [_above_0(1)],
    "valid_patience": [_from(Integral, 1)],
    "multi_class": [StrOptions(set(SCHEMES))],
    "ovo": [StrOptions(set(PAIRS))],
    "C": [_above_0()],
    "threshold": [_above_0()],
    "schedule": [StrOptions(set(SCHEDULES)), callable],
    "known_margin": [_above_0(), None],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "warm_start": ["boolean"],
    "random_state": [_from(Integral, 0), np.random.RandomState, None],
    "tie": [StrOptions({"negative", "positive"})],
    "verbose": ["verbose"],
    "engine": [Engine, None],
}


def in_scikit_learns_words(check: Callable[[Any], None]) -> Callable[[Any], None]:
    """A method that checks parameters and raises InputError "name: found …", made to speak to scikit-learn too."""

    @wraps(check)
    def checked(self: Any) -> None:
        try:
            check(self)
        except InputError as error:
            name = str(error).partition(":")[0]
            raise ParameterError(f"{error}. {_their_words(self, name)}".strip()) from None

    return checked


def _their_words(estimator: Any, name: str) -> str:
    """scikit-learn's sentence about the parameter; nothing where only we refuse it."""
    try:
        one = {name: getattr(estimator, name, None)}
        validate_parameter_constraints(estimator._parameter_constraints, one, caller_name=type(estimator).__name__)
    except InvalidParameterError as error:
        return str(error)
    return ""
