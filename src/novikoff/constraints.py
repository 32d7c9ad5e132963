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
from novikoff.perceptron import KEEPS, ORDERS, RULES, SCHEMES, choices
from novikoff.perceptron.choices import one_of, positive, truth, whole
from novikoff.spread.engine import Engine, engine_of


class ParameterError(InputError, InvalidParameterError):
    """A parameter of an estimator that cannot be used."""


class NotAvailableError(InputError, AttributeError):
    """A method that an estimator does not have with its present choices, and why."""


class where_it_can:  # noqa: N801 (a decorator)
    """A method that is there only where the choices allow it: where not, `_check_for_NAME` raises NotAvailableError.

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


class Checked:
    """The choices of a perceptron, checked once at the door."""

    rule: str
    keep: str
    order: str
    tie: str
    multi_class: str
    early_stopping: bool
    validation_fraction: float
    train_patience: Any
    max_time: float | None
    known_margin: float | None
    class_weight: Any
    schedule: Any
    random_state: Any
    verbose: Any
    engine: Any

    @in_scikit_learns_words
    def _check_parameters(self) -> None:
        one_of("rule", self.rule, RULES)
        one_of("keep", self.keep, KEEPS)
        one_of("order", self.order, ORDERS)
        one_of("tie", self.tie, ("negative", "positive"))
        one_of("multi_class", self.multi_class, SCHEMES)
        engine_of(self.engine)
        if self.known_margin is not None:
            self._check_known_margin()
        for name, low in (("max_iter", 1), ("max_updates", 0), ("valid_patience", 1)):
            whole(name, getattr(self, name), low)
        if self.train_patience != "auto":
            whole("train_patience", self.train_patience, 1)
        for name in ("fit_intercept", "early_stopping", "warm_start"):
            truth(name, getattr(self, name))
        whole("verbose", int(self.verbose) if isinstance(self.verbose, bool) else self.verbose, 0, optional=False)
        for name in ("eta0", "C", "threshold"):
            positive(name, getattr(self, name))
        if self.max_time is not None:
            positive("max_time", self.max_time)
        if not (isinstance(self.validation_fraction, Real) and 0 < float(self.validation_fraction) < 1):
            raise InputError(
                f"validation_fraction: found {self.validation_fraction!r}; a number between 0 and 1 was expected"
            )
        if self.schedule != "constant" and not callable(self.schedule):
            raise InputError(
                f'schedule: found {self.schedule!r}; "constant" or a function of the update number was expected'
            )
        choices.weights(self.class_weight)
        choices.seed(self.random_state)

    def _check_known_margin(self) -> None:
        positive("known_margin", self.known_margin)
        if self.rule != "perceptron" or self.class_weight is not None or self.schedule != "constant":
            raise InputError(
                f"known_margin: {self.known_margin!r}, but the bound (R/γ)² is for rule='perceptron' with equal steps; "
                "leave rule, class_weight and schedule as they are, or known_margin None"
            )

    def _check_for_many(self, scheme: str, classes: int, X_valid: Any) -> None:
        """What more than two classes do not have yet, or cannot have."""
        if classes < 3:
            return
        if self.order in ("first", "worst"):
            raise InputError(f"order: {self.order!r} is for two classes, found {classes}; use 'cyclic' or 'shuffle'")
        if self.schedule != "constant":
            raise InputError(f"schedule: a function is for two classes, found {classes}; use 'constant'")
        if self.known_margin is not None:
            raise InputError(f"known_margin: {self.known_margin!r} is for two classes, found {classes}")
        if scheme == "joint" and self.rule != "perceptron":
            raise InputError(f"rule: {self.rule!r} with multi_class='joint'; use rule='perceptron', or 'ova' or 'ovo'")
        if self.keep == "vote" and (self.early_stopping or X_valid is not None):
            raise InputError("keep: 'vote' with validation points is for two classes; use 'average' or 'pocket'")

    def _check_for_partial_fit(self) -> None:
        """What a stream cannot have."""
        told = {
            "keep": ("vote", "the votes need the rows again, and a stream drops them; use 'average'"),
            "early_stopping": (True, "a stream has no pass after which to count; keep points aside yourself"),
        }
        for name, (value, reason) in told.items():
            if getattr(self, name) == value:
                raise NotAvailableError(f"{name}: {value!r} with partial_fit; {reason}")
        if self.order in ORDERS[1:]:
            raise NotAvailableError(
                f"order: {self.order!r} with partial_fit; a stream is shown in its own order, 'cyclic'"
            )
        for name in ("max_updates", "max_time"):
            if getattr(self, name) is not None:
                raise NotAvailableError(
                    f"{name}: {getattr(self, name)!r} with partial_fit, which looks at every row once; leave it None"
                )
