"""Checks of parameters that must fit each other, and methods that exist only with some parameters.

`parameter_table` checks each parameter on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from novikoff.errors import InputError
from novikoff.estimators.parameter_table import PERCEPTRON, ParameterTable


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


Reasons = tuple[tuple[str, bool, str], ...]  # parameter, whether its value is refused, and why


def refuse(estimator: Any, reasons: Reasons, kind: type[InputError] = InputError, found: str = "") -> None:
    """Raise an error for the first parameter whose value is refused; found: what comes before the value."""
    for name, refused, why in reasons:
        if refused:
            raise kind(f"{found}{getattr(estimator, name)!r}{why}", name)


class Parameters(ParameterTable):
    """The parameters of a perceptron; `novikoff.Perceptron` documents each of them."""

    def _parameters(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in PERCEPTRON}

    def check_parameters(self) -> None:
        super().check_parameters()
        batch, mix, cluster = self.order == "batch", self.mix, getattr(self.engine, "kind", None) == "dask"
        equal_steps = self.rule == "perceptron" and self.class_weight is None and self.schedule == "constant"
        refuse(self, (
            ("known_margin", self.known_margin is not None and not equal_steps, ", but the bound (R/γ)² is for equal "
             "steps: rule='perceptron', schedule='constant' and no class weights"),
            ("rule", batch and self.rule != "perceptron", " with order='batch', which adds the mean of all mistakes; "
             "use rule='perceptron', or order='cyclic'"),
            ("keep", batch and self.keep == "vote", " with order='batch', whose weights change once a pass; use "
             "'average' or 'pocket', or order='cyclic'"),
            ("partitions", not mix and self.partitions is not None, " without mix=True, which alone uses it; add it"),
            ("rule", mix and self.rule != "perceptron", " with mix=True, which averages runs of rule='perceptron'; use "
             "that rule"),
            ("keep", mix and self.keep == "vote", " with mix=True, which has one vector for each round; use 'average' "
             "or 'pocket'"),
            ("order", mix and self.order not in ("auto", "cyclic", "shuffle"), " with mix=True, whose partitions are "
             "looked at in the order 'auto', 'cyclic' or 'shuffle'; use one of these"),
            ("schedule", mix and self.schedule != "constant", " with mix=True, whose partitions count their updates "
             "apart; use 'constant'"),
            ("engine", cluster and not mix, " is used by fit only with mix=True (parameter mixing), and training is "
             "sequential without it: use engine('threads'), or None"),
        ))  # fmt: skip

    def _check_for_many(self, classes: int, validated: bool = False) -> None:
        """Raise InputError for parameters that more than two classes do not support."""
        if classes < 3:
            return
        two, joint = f" is for two classes, found {classes}", self.multi_class == "joint"
        refuse(self, (
            ("order", self.order in ("first", "batch"), f"{two}; use 'cyclic' or 'shuffle'"),
            ("schedule", self.schedule != "constant", f"{two}; use 'constant'"),
            ("known_margin", self.known_margin is not None, two),
            ("keep", self.keep == "vote", f"{two}; use 'average'"),
            ("rule", joint and self.rule != "perceptron", " with multi_class='joint'; use rule='perceptron', or 'ova' "
             "or 'ovo'"),
            ("keep", joint and self.keep == "pocket", " with multi_class='joint'; use keep='average', or 'ova' or "
             "'ovo'"),
            ("multi_class", joint and (self.early_stopping or validated), " with validation points; use 'ova' or "
             "'ovo'"),
        ))  # fmt: skip

    def _check_for_partial_fit(self) -> None:
        """Raise NotAvailableError for parameters that a stream does not support."""
        once = " with partial_fit, which looks at every row once; leave it None"
        refuse(self, (
            ("keep", self.keep == "vote", " with partial_fit; voting needs the rows again, which a stream drops; use "
             "'average'"),
            ("early_stopping", self.early_stopping, " with partial_fit; a stream has no passes after which to "
             "validate; hold out points yourself"),
            ("order", self.order not in ("auto", "cyclic"), " with partial_fit; the rows of a stream are learned in "
             "their order, 'cyclic'"),
            ("mix", self.mix, " with partial_fit; the rows of a stream come one after the other, and have no "
             "partitions"),
            ("class_weight", isinstance(self.class_weight, str), " with partial_fit; the classes of a stream are not "
             "counted beforehand; give the weights as a dict"),
            ("max_updates", self.max_updates is not None, once),
            ("max_time", self.max_time is not None, once),
        ), NotAvailableError)  # fmt: skip
