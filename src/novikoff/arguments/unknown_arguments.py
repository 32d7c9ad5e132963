"""Explain parameters that an estimator or its `fit` does not have, and name the equivalent.

scikit-learn's contract holds: `__init__` names every parameter, `get_params` and `clone` read its signature. Names are
checked before `__init__` runs, and in `set_params`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from functools import cache, wraps
from typing import Any, NoReturn, ParamSpec, Self, TypeVar

from novikoff.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")


def _each(table: Mapping[str, str]) -> dict[str, str]:
    """Return the advice for each name; a key of the table is one name or several, separated by spaces."""
    return {name: advice for names, advice in table.items() for name in names.split()}


NO_ROW_WEIGHTS = (
    "the perceptron learns from one mistake after the other and minimizes no weighted sum of errors, so a row weight "
    "is not equivalent to copies of the row; novikoff.Perceptron(class_weight=…) weights the classes, and "
    "novikoff.SoftMargin minimizes a weighted sum of losses: its fit has sample_weight, and weight k equals k copies"
)
PERCEPTRON = _each({
    "max_seconds time_limit timeout": "max_time is the limit in seconds",
    "bias intercept": "fit_intercept says whether the plane has a bias",
    "shuffle": "order='shuffle' shows the rows in a new order in every pass",
    "eta learning_rate": "eta0 is the learning rate, schedule its decay",
    "tol": "train_patience=K ends a run after K passes without better weights, max_iter and max_time limit it",
    "n_iter_no_change patience": "train_patience=K (on a validation part: early_stopping=True, valid_patience=K)",
    "penalty alpha l1_ratio": "a perceptron has no penalty; novikoff.SoftMargin has one, and rule='pa1' with a smaller "
    "C takes shorter steps",
    "n_jobs workers": "engine=novikoff.engine('threads') parallelizes what can be parallelized; training is "
    "sequential, unless mix=True trains partitions of the rows in parallel",
    "epochs n_epochs n_iter max_passes": "max_iter is the maximum number of passes",
    "seed": "random_state is the seed",
    "average": "keep='average' returns the averaged weights",
    "loss": "rule is the update rule: perceptron, margin, pa, pa1, pa2",
    "solver": "the update rule is the parameter rule; there is no other solver",
    "kernel": "the model is linear; novikoff.prepare.Products adds products of pairs of columns",
    "sample_weight": NO_ROW_WEIGHTS,
})  # fmt: skip
MAX_MARGIN = _each({
    "tol": "the margin's bounds are as tight as floats allow; novikoff.margin(X, y, gap=…) allows wider ones",
    "n_jobs engine": "novikoff.margin(X, y, engine=novikoff.engine('threads')) works in parallel",
    "sample_weight": "the plane farthest from all points is the same for all weights of the rows; to leave a row out, "
    "remove it. novikoff.SoftMargin minimizes a weighted sum of losses: its fit has sample_weight",
    "C penalty loss class_weight": "MaxMargin separates all points, so errors have no cost; novikoff.SoftMargin has "
    "this parameter",
    "max_iter max_time": "fit runs until the margin is proved; novikoff.margin(X, y, max_time=…) has a time limit",
    "fit_intercept": "both bias='free' and 'padded' have one; novikoff.margin(X, y, fit_intercept=False) has none",
    "random_state": "nothing is drawn at random",
    "kernel": "the model is linear; novikoff.prepare.Products adds products of pairs of columns",
})  # fmt: skip
SOFT_MARGIN = _each({
    "tol": "gap is the proved gap, relative to the objective, at which fit ends",
    "alpha": "C multiplies the losses: C = 1/(alpha·n)",
    "l1_ratio": "penalty='l1' or 'l2'",
    "dual": "solver chooses the method; 'coordinates' works on the dual",
    "fit_intercept": "both bias='padded' and 'free' have one",
    "intercept_scaling": "bias='padded' penalizes the bias as a weight of a column of ones, bias='free' does not",
    "n_jobs engine": "one thread solves; several models can be fitted in several processes",
    "max_passes epochs n_epochs": "max_iter is the maximum number of steps of the solver",
    "max_seconds time_limit timeout": "max_time is the limit in seconds",
    "seed": "random_state is the seed",
    "warm_start": "C='auto' solves a path of C, each from the solution before",
    "kernel": "the model is linear; novikoff.prepare.Products adds products of pairs of columns",
    "sample_weight": "it is an argument of fit",
    "threshold": "loss='hinge' is the perceptron loss with a threshold, which scales w and C",
})  # fmt: skip


class KnownNames:
    """Estimator that rejects unknown parameters. _other_words: advice for names that other libraries use."""

    _other_words: dict[str, str]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Make `inspect.signature` of the class report `__init__`, not `__new__`."""
        super().__init_subclass__(**kwargs)
        own = inspect.signature(cls.__init__)
        cls.__signature__ = own.replace(parameters=list(own.parameters.values())[1:])  # type: ignore[attr-defined]

    def __new__(cls, *args: Any, **given: Any) -> Self:
        names = _names(cls)  # type: ignore[arg-type]
        if names is not None:
            if args:
                raise TypeError(
                    f"{cls.__name__}: parameters must be passed by name, as in {cls.__name__}({names[0]}=…)"
                )
            for name in given:
                if name not in names:
                    raise TypeError(f"{cls.__name__}: {unknown(name, names, cls._other_words)}")
        return super().__new__(cls)

    @property
    def predict_proba(self) -> NoReturn:
        """Raise AttributeError: the estimator has no probabilities."""
        raise AttributeError(_no_probabilities(type(self).__name__, "predict_proba"))

    @property
    def predict_log_proba(self) -> NoReturn:
        """Raise AttributeError: the estimator has no probabilities."""
        raise AttributeError(_no_probabilities(type(self).__name__, "predict_log_proba"))

    def set_params(self, **params: object) -> Self:
        """Set parameters by name; raise InputError for an unknown name."""
        names = _names(type(self))  # type: ignore[arg-type]
        for name in params:
            if names is not None and name.partition("__")[0] not in names:
                said = unknown(name, names, self._other_words)
                raise InputError(f"Invalid parameter {name!r} for estimator {type(self).__name__}: {said}")
        super().set_params(**params)  # type: ignore[misc]
        return self


def _no_probabilities(estimator: str, method: str) -> str:
    return (
        f"{estimator} has no {method}: a plane gives scores (decision_function), not probabilities; "
        f"sklearn.calibration.CalibratedClassifierCV({estimator}()) converts them to probabilities"
    )


def unknown(name: str, names: tuple[str, ...], advice: Mapping[str, str]) -> str:
    """Return the error text for a parameter that is not among these."""
    if name in advice:
        return f"no parameter is called {name!r}; {advice[name]}"
    near = get_close_matches(name, names, 1)
    meant = f"did you mean {near[0]!r}?" if near else f"its parameters are {', '.join(sorted(names))}"
    return f"no parameter is called {name!r}; {meant}"


def known_arguments(method: Callable[P, R]) -> Callable[P, R]:
    """Decorate a method of an estimator: for an unknown argument, raise a TypeError that names the equivalent one."""
    names = tuple(inspect.signature(method).parameters)[1:]

    @wraps(method)
    def called(*args: P.args, **given: P.kwargs) -> R:
        for name in given:
            if name not in names:
                own = getattr(args[0], "_other_words", {})
                said = unknown(name, names, {"sample_weight": own.get("sample_weight", NO_ROW_WEIGHTS)})
                raise TypeError(f"{method.__name__}: {said}")
        return method(*args, **given)

    return called


@cache
def _names(cls: type) -> tuple[str, ...] | None:
    """Return the parameter names of `__init__`; None if it takes **kwargs or *args."""
    parameters = list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]
    if any(one.kind is not one.KEYWORD_ONLY for one in parameters):
        return None
    return tuple(one.name for one in parameters)
