"""What each parameter may be, as scikit-learn's tools ask for it.

The checks and their words are ours (perceptron/choices.py: the argument, what was found, what was expected). A refused
parameter is also scikit-learn's `InvalidParameterError`, and its sentence stands behind ours, so that programs which
look for either find it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper, wraps
from numbers import Integral, Real
from types import MethodType
from typing import Any

import numpy as np
from sklearn.utils._param_validation import Interval, InvalidParameterError, StrOptions, validate_parameter_constraints

from novikoff.errors import InputError
from novikoff.perceptron import KEEPS, ORDERS, RULES, SCHEMES


class ParameterError(InputError, InvalidParameterError):
    """A parameter of an estimator that cannot be used."""


class NotAvailableError(InputError, AttributeError):
    """A method that an estimator does not have with its present choices, and why."""


class where_it_can:  # noqa: N801 (a decorator)
    """A method that is there only where the choices allow it: `_check_for_NAME` raises NotAvailableError where they do not.

    So `hasattr` says no, as scikit-learn's tools expect, and a call says why.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: Any, kind: type | None = None) -> Any:
        if estimator is None:
            return self._method
        getattr(estimator, f"_check_for_{self._method.__name__}")()
        return MethodType(self._method, estimator)


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
    "C": [_above_0()],
    "threshold": [_above_0()],
    "schedule": [StrOptions({"constant"}), callable],
    "known_margin": [_above_0(), None],
    "class_weight": [StrOptions({"balanced"}), dict, None],
    "warm_start": ["boolean"],
    "random_state": [_from(Integral, 0), np.random.RandomState, None],
    "tie": [StrOptions({"negative", "positive"})],
    "verbose": ["verbose"],
    "engine": [None],
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
        validate_parameter_constraints(PERCEPTRON, one, caller_name=type(estimator).__name__)
    except InvalidParameterError as error:
        return str(error)
    return ""
