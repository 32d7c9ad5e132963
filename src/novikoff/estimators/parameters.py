"""The parameters of a perceptron with their defaults, checked once on entry.

Error messages follow arguments/argument_checks.py: the argument, what was found, what was expected.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from numbers import Real
from types import MethodType
from typing import Any

from novikoff.arguments import argument_checks
from novikoff.arguments.argument_checks import one_of, positive, truth, whole
from novikoff.engines.engine import engine_of
from novikoff.errors import InputError
from novikoff.perceptron import KEEPS, ORDERS, PAIRS, RULES, SCHEMES
from novikoff.perceptron.schedules import schedule_of

# choices that a warm start cannot change
FIXED_BY_A_RUN = (
    "rule",
    "keep",
    "order",
    "eta0",
    "fit_intercept",
    "multi_class",
    "ovo",
    "schedule",
    "C",
    "threshold",
    "class_weight",
    "known_margin",
)


class NotAvailableError(InputError, AttributeError):
    """A method that is not available with the present parameters; the message says why."""


class where_it_can:  # noqa: N801 (a decorator)
    """Make a method available only if the parameters allow it: otherwise `_check_for_NAME` raises NotAvailableError.

    So `hasattr` is False, as scikit-learn's tools expect, and a call explains why.
    """

    def __init__(self, method: Callable[..., Any]) -> None:
        self._method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: Any, kind: type | None = None) -> Any:
        if estimator is None:
            return self._method
        getattr(estimator, f"_check_for_{self._method.__name__}")()
        return MethodType(self._method, estimator)


class Parameters:
    """The parameters of a perceptron; `novikoff.Perceptron` documents each of them."""

    def __init__(
        self,
        *,
        rule: str = "perceptron",
        keep: str = "pocket",
        order: str = "cyclic",
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int | None = 10_000,
        max_updates: int | None = None,
        max_time: float | None = None,
        train_patience: int | str | None = "auto",
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        valid_patience: int = 5,
        multi_class: str = "ova",
        ovo: str = "vote",
        C: float = 1.0,
        threshold: float = 1.0,
        schedule: Any = "constant",
        known_margin: float | None = None,
        class_weight: Any = None,
        warm_start: bool = False,
        random_state: Any = None,
        tie: str = "negative",
        verbose: int = 0,
        engine: Any = None,
    ) -> None:
        self.rule = rule
        self.keep = keep
        self.order = order
        self.eta0 = eta0
        self.fit_intercept = fit_intercept
        self.max_iter = max_iter
        self.max_updates = max_updates
        self.max_time = max_time
        self.train_patience = train_patience
        self.early_stopping = early_stopping
        self.validation_fraction = validation_fraction
        self.valid_patience = valid_patience
        self.multi_class = multi_class
        self.ovo = ovo
        self.C = C
        self.threshold = threshold
        self.schedule = schedule
        self.known_margin = known_margin
        self.class_weight = class_weight
        self.warm_start = warm_start
        self.random_state = random_state
        self.tie = tie
        self.verbose = verbose
        self.engine = engine

    def _parameters(self) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in NAMES}

    def _check_parameters(self) -> None:
        one_of("rule", self.rule, RULES)
        one_of("keep", self.keep, KEEPS)
        one_of("order", self.order, ORDERS)
        one_of("tie", self.tie, ("negative", "positive"))
        one_of("multi_class", self.multi_class, SCHEMES)
        one_of("ovo", self.ovo, PAIRS)
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
        schedule_of(self.schedule)
        argument_checks.weights(self.class_weight)
        argument_checks.seed(self.random_state)

    def _check_known_margin(self) -> None:
        positive("known_margin", self.known_margin)
        if self.rule != "perceptron" or self.class_weight is not None or self.schedule != "constant":
            raise InputError(
                f"known_margin: {self.known_margin!r}, but the bound (R/γ)² is for equal steps: rule='perceptron', "
                "schedule='constant' and no class weights"
            )

    def _check_for_many(self, scheme: str, classes: int, X_valid: Any) -> None:
        """Raise for parameters that more than two classes do not support."""
        if classes < 3:
            return
        if self.order in ("first", "worst"):
            raise InputError(f"order: {self.order!r} is for two classes, found {classes}; use 'cyclic' or 'shuffle'")
        if self.schedule != "constant":
            raise InputError(f"schedule: is for two classes, found {classes}; use 'constant'")
        if self.known_margin is not None:
            raise InputError(f"known_margin: {self.known_margin!r} is for two classes, found {classes}")
        if scheme == "joint" and self.rule != "perceptron":
            raise InputError(f"rule: {self.rule!r} with multi_class='joint'; use rule='perceptron', or 'ova' or 'ovo'")
        if self.keep == "vote" and (self.early_stopping or X_valid is not None):
            raise InputError("keep: 'vote' with validation points is for two classes; use 'average' or 'pocket'")

    def _check_for_partial_fit(self) -> None:
        """Raise for parameters that a stream does not support."""
        info = {
            "keep": ("vote", "the votes need the rows again, and a stream drops them; use 'average'"),
            "early_stopping": (True, "a stream has no passes after which to validate; hold out points yourself"),
        }
        for name, (value, reason) in info.items():
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


NAMES = tuple(sorted(Parameters.__init__.__kwdefaults__ or ()))
