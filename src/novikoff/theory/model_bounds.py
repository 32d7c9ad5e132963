"""Bound the error of a fitted model on new points, with the sizes taken from the model."""

from __future__ import annotations

from typing import Any

from novikoff.arguments.unknown_arguments import known_arguments
from novikoff.errors import InputError
from novikoff.theory.bits import encoding_bits
from novikoff.theory.generalization import GeneralizationBound, generalization_bound


@known_arguments
def model_bounds(
    model: Any, X: Any, y: Any, delta: float = 0.05, X_test: Any = None, y_test: Any = None
) -> tuple[GeneralizationBound, ...]:
    """Return the bounds of `generalization_bound` for a fitted model of two classes.

    From the notes: T8 (Tao: training error 0, then a bound on the true error).
    Convention: the bound by compression is given only for a run of the rule perceptron that separated the points in
    cyclic order; it holds if that run began with the weights 0.

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
    >>> [bound.method for bound in model_bounds(nv.Perceptron(order="cyclic").fit(X, y), X, y)]
    ['occam', 'vc', 'compression']
    """
    if getattr(model, "coef_", None) is None or len(model.classes_) != 2:
        raise InputError("found no fitted plane of two classes; fit it first", "model")
    errors = int((model.predict(X) != y).sum())
    bias = bool(getattr(model, "fit_intercept", True))
    held_out = None if X_test is None else (int((model.predict(X_test) != y_test).sum()), len(y_test))
    return generalization_bound(
        len(y), delta, encoding_bits(model), int(model.coef_.shape[-1]) + bias, _updated_rows(model), errors, held_out
    )


def _updated_rows(model: Any) -> int | None:
    """Return how many rows were ever updated on, if the run was cyclic and separated the points."""
    cyclic = getattr(model, "order", None) == "cyclic" and getattr(model, "rule", None) == "perceptron"
    if not cyclic or getattr(model, "stop_reason_", None) != "separated" or model.keep not in ("auto", "last"):
        return None
    return int((model.n_mistakes_ > 0).sum())
