"""Checks of parameters that must fit each other, and methods that exist only with some parameters.

`parameter_table` checks each parameter on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from types import MethodType
from typing import Any

from novikoff.data.dask_rows import is_dask
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


class Parameters(ParameterTable):
    """The parameters of a perceptron; `novikoff.Perceptron` documents each of them."""

    def _parameters(self) -> dict[str, Any]:
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in PERCEPTRON}

    def check_parameters(self) -> None:
        super().check_parameters()
        unequal_steps = self.rule != "perceptron" or self.class_weight is not None or self.schedule != "constant"
        if self.known_margin is not None and unequal_steps:
            raise InputError(
                f"{self.known_margin!r}, but the bound (R/γ)² is for equal steps: rule='perceptron', "
                "schedule='constant' and no class weights",
                "known_margin",
            )
        self._check_for_batch()
        self._check_for_mix()
        self._check_for_cluster()

    def _check_for_cluster(self) -> None:
        """Raise InputError for a cluster and a sequential run."""
        if getattr(self.engine, "kind", None) == "dask" and not self.mix:
            raise InputError(
                f"found {self.engine!r}; a cluster is used by fit only with mix=True (parameter mixing), and training "
                "is sequential without it: use engine('threads'), or None",
                "engine",
            )

    def _check_collection(self, X: Any) -> None:
        """Raise InputError for a dask collection and a sequential run."""
        if is_dask(X) and not self.mix:
            raise InputError(
                "X: found a dask collection, which fit trains on only with mix=True (parameter mixing); without it "
                "training is sequential: pass X.compute() and y.compute()"
            )

    def _check_for_batch(self) -> None:
        """Raise InputError for parameters that order "batch" does not support."""
        if self.order != "batch":
            return
        if self.rule != "perceptron":
            raise InputError(
                f"{self.rule!r} with order='batch', which adds the mean of all mistakes; use rule='perceptron', or "
                "order='cyclic'",
                "rule",
            )
        if self.keep == "vote":
            raise InputError(
                "'vote' with order='batch', whose weights change once a pass; use 'average' or 'pocket', or "
                "order='cyclic'",
                "keep",
            )

    def _check_for_mix(self) -> None:
        """Raise InputError for parameters that parameter mixing does not support."""
        if not self.mix:
            if self.partitions is not None:
                raise InputError(f"{self.partitions!r} without mix=True, which alone uses it; add it", "partitions")
            return
        reasons = (
            ("rule", self.rule != "perceptron", "which averages runs of rule='perceptron'; use that rule"),
            ("keep", self.keep == "vote", "which has one vector for each round; use 'average' or 'pocket'"),
            ("order", self.order not in ("auto", "cyclic", "shuffle"), "whose partitions are looked at in the order "
             "'auto', 'cyclic' or 'shuffle'; use one of these"),
            ("schedule", self.schedule != "constant", "whose partitions count their updates apart; use 'constant'"),
            ("warm_start", self.warm_start, "which does not continue an earlier fit; use coef_init"),
        )  # fmt: skip
        for name, refused, reason in reasons:
            if refused:
                raise InputError(f"{getattr(self, name)!r} with mix=True, {reason}", name)

    def _check_for_many(self, classes: int, validated: bool = False) -> None:
        """Raise InputError for parameters that more than two classes do not support."""
        if classes < 3:
            return
        if self.order in ("first", "batch"):
            raise InputError(f"{self.order!r} is for two classes, found {classes}; use 'cyclic' or 'shuffle'", "order")
        if self.schedule != "constant":
            raise InputError(f"is for two classes, found {classes}; use 'constant'", "schedule")
        if self.known_margin is not None:
            raise InputError(f"{self.known_margin!r} is for two classes, found {classes}", "known_margin")
        if self.keep == "vote":
            raise InputError(f"'vote' is for two classes, found {classes}; use 'average'", "keep")
        if self.multi_class != "joint":
            return
        if self.rule != "perceptron":
            raise InputError(
                f"{self.rule!r} with multi_class='joint'; use rule='perceptron', or 'ova' or 'ovo'", "rule"
            )
        if self.keep == "pocket":
            raise InputError("'pocket' with multi_class='joint'; use keep='average', or 'ova' or 'ovo'", "keep")
        if self.early_stopping or validated:
            raise InputError("'joint' with validation points; use 'ova' or 'ovo'", "multi_class")

    def _check_for_partial_fit(self) -> None:
        """Raise NotAvailableError for parameters that a stream does not support."""
        once = "which looks at every row once; leave it None"
        reasons = (
            ("keep", self.keep == "vote", "; voting needs the rows again, which a stream drops; use 'average'"),
            ("early_stopping", self.early_stopping, "; a stream has no passes after which to validate; hold out points "
             "yourself"),
            ("order", self.order not in ("auto", "cyclic"), "; the rows of a stream are learned in their order, "
             "'cyclic'"),
            ("mix", self.mix, "; the rows of a stream come one after the other, and have no partitions"),
            ("max_updates", self.max_updates is not None, f", {once}"),
            ("max_time", self.max_time is not None, f", {once}"),
        )  # fmt: skip
        for name, refused, reason in reasons:
            if refused:
                raise NotAvailableError(f"{name}: {getattr(self, name)!r} with partial_fit{reason}")
