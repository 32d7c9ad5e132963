"""Bound the error of a fitted model on new points, with the sizes taken from the model.

From the notes: T8 (Tao: training error 0, then a bound on the true error).
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from novikoff.arguments.signature_types import Labels, Model, Points
from novikoff.errors import InputError
from novikoff.theory.bits import encoding_bits
from novikoff.theory.generalization import GeneralizationBound, generalization_bound


def model_bounds(
    model: Model, X: Points, y: Labels, delta: float = 0.05, X_test: Points | None = None, y_test: Labels | None = None
) -> tuple[GeneralizationBound, ...]:
    """Return the bounds of `generalization_bound` for a fitted model of two classes.

    Convention: the bound by compression is given only for a run of the rule perceptron in cyclic order that began with
    the weights 0 and separated these points: the run is repeated, and must give the same weights.

    Parameters
    ----------
    model : a fitted estimator with one plane
    X, y : its training points, on which its errors are counted
    delta : the probability that a bound does not hold
    X_test, y_test : held-out points; their bound is added

    Examples
    --------
    >>> import novikoff as nv
    >>> X, y = nv.example("cornwell")
    >>> [bound.method for bound in nv.model_bounds(nv.Perceptron(order="cyclic").fit(X, y), X, y)]
    ['occam', 'vc', 'compression']
    """
    clf: Any = model
    if getattr(model, "coef_", None) is None or len(clf.classes_) != 2:
        raise InputError("found no fitted plane of two classes; fit it first", "model")
    if (X_test is None) != (y_test is None):
        raise InputError("found one of the two; both or none were expected", "X_test, y_test")
    y = np.asarray(y)
    errors = int((_classes(model, X, y, "X, y") != y).sum())
    bias = bool(getattr(model, "fit_intercept", True))
    held_out = None
    if X_test is not None:
        y_test = np.asarray(y_test)
        held_out = int((_classes(model, X_test, y_test, "X_test, y_test") != y_test).sum()), len(y_test)
    used = _updated_rows(model, X, y)
    return generalization_bound(
        len(y), delta, encoding_bits(model), int(clf.coef_.shape[-1]) + bias, used, errors, held_out
    )


def _classes(model: Any, X: Any, y: np.ndarray, name: str) -> np.ndarray:
    """Return the predicted classes; raise InputError unless there is one label for each point."""
    found = np.asarray(model.predict(X))
    if found.shape != y.shape:
        raise InputError(f"found {found.size:,} points and {y.size:,} labels; as many labels were expected", name)
    return found


def _updated_rows(model: Any, X: Any, y: np.ndarray) -> int | None:
    """Return how many rows were ever updated on, if the run was cyclic, from 0, and separated these points."""
    cyclic = getattr(model, "order", None) == "cyclic" and getattr(model, "rule", None) == "perceptron"
    if (
        not cyclic
        or getattr(model, "mix", False)
        or getattr(model, "stop_reason_", None) != "separated"
        or model.keep not in ("auto", "last")
    ):
        return None
    again = type(model)(**model.get_params() | {"warm_start": False, "verbose": 0})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        again.fit(X, y)
    same = np.array_equal(again.coef_, model.coef_) and np.array_equal(again.intercept_, model.intercept_)
    if not same or not np.array_equal(again.n_mistakes_, model.n_mistakes_):
        return None
    return int((model.n_mistakes_ > 0).sum())
