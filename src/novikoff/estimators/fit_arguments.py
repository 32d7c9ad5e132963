"""Check and convert the arguments of fit and partial_fit: start, class weights, validation points, classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from novikoff.arguments.argument_checks import weights
from novikoff.data.labels import known_numbers, labels_of
from novikoff.data.problem import Problem, unlabelled
from novikoff.errors import InputError, counted

LEAST_COST, MOST_COST = 1e-100, 1e80  # C times the weight of a row
MOST_PRODUCT = 1e80  # C times a squared norm


def factors_of(class_weight: Any, classes: np.ndarray, y: np.ndarray) -> tuple[float, ...]:
    """Return the weight of each class."""
    weights(class_weight)
    if class_weight is None:
        return (1.0,) * len(classes)
    if isinstance(class_weight, str):
        counts = np.unique(y, return_counts=True)[1]
        return tuple((y.size / (len(classes) * counts)).tolist())
    unknown = [label for label in class_weight if label not in classes.tolist()]
    if unknown:
        raise InputError(f"{unknown[0]!r} is not one of the classes {classes.tolist()}", "class_weight")
    return tuple(float(class_weight.get(label, 1.0)) for label in classes.tolist())


def row_weights(sample_weight: Any, class_weight: Any, classes: np.ndarray, numbers: np.ndarray) -> np.ndarray:
    """Return the weight of each row: its own times that of its class; raise InputError for unusable ones."""
    n = numbers.size
    weights = np.ones(n) if sample_weight is None else _own_weights(sample_weight, n)
    if isinstance(class_weight, str) and class_weight == "balanced":
        sums = np.bincount(numbers, weights, minlength=len(classes))
        with np.errstate(divide="ignore"):
            factors = np.where(sums > 0.0, weights.sum() / (len(classes) * sums), 0.0)
    else:
        factors = np.array(factors_of(class_weight, classes, numbers))
    weights = weights * factors[numbers]
    used = np.unique(numbers[weights > 0.0])
    if used.size < 2:
        only = classes.tolist()[int(used[0])] if used.size else None
        raise InputError(
            f"sample_weight: only rows of one class, {only!r}, have a positive weight; weights for two classes were "
            "expected"
        )
    return np.asarray(weights)


def check_costs(C: float, weights: np.ndarray, largest: float) -> None:
    """Raise InputError if C times weights, or times squared norms, is so small or large that products could overflow.

    largest: of the squared norms of the rows.
    """
    used = C * weights[weights > 0.0]
    least, most = float(used.min()), float(used.max())
    if not (least >= LEAST_COST and most <= MOST_COST):
        times = "" if (weights == 1.0).all() else f", times the weights of the rows {least:.3g} to {most:.3g}"
        raise InputError(f"found {C:g}{times}; numbers from {LEAST_COST:g} to {MOST_COST:g} were expected", "C")
    if not most * largest <= MOST_PRODUCT:
        raise InputError(
            f"numbers too large: C times the largest |x|² is {most * largest:.3g}; at most {MOST_PRODUCT:g} was "
            "expected: scale the data, or choose a smaller C",
            "X",
        )


def _own_weights(sample_weight: Any, n: int) -> np.ndarray:
    try:
        weights = np.asarray(sample_weight, np.float64)
    except (TypeError, ValueError):
        raise InputError("sample_weight: found values that are not numbers; one number for each row expected") from None
    if weights.ndim == 0:
        weights = np.full(n, float(weights))
    if weights.shape != (n,):
        raise InputError(f"sample_weight: found shape {weights.shape}; ({n},) was expected, one for each row")
    if not np.isfinite(weights).all():
        raise InputError("sample_weight: found NaN or infinity; finite numbers of at least 0 were expected")
    if (weights < 0.0).any():
        row = int(np.flatnonzero(weights < 0.0)[0])
        raise InputError(
            f"sample_weight: found {weights[row]:g} at {counted(row)}; numbers of at least 0 were expected"
        )
    if not weights.any():
        raise InputError("sample_weight: every weight is zero; positive weights for two classes were expected")
    return weights


def start_of(coef: Any, intercept: Any, planes: int, d: int, fit_intercept: bool) -> np.ndarray:
    """Return the initial (w⁰, b⁰) of each plane."""
    start = np.zeros((planes, d + 1))
    try:
        if coef is not None:
            start[:, :-1] = np.asarray(coef, dtype=np.float64).reshape(planes, d)
        if intercept is not None:
            start[:, -1] = np.asarray(intercept, dtype=np.float64).reshape(planes)
    except (TypeError, ValueError):
        raise InputError(
            f"found {coef!r}, {intercept!r}; {planes} × {d} numbers and {planes} were expected",
            "coef_init, intercept_init",
        ) from None
    if not (np.abs(start) < 2.0**500).all():
        raise InputError("not finite, or beyond 2^500; smaller numbers were expected", "coef_init, intercept_init")
    if start[:, -1].any() and not fit_intercept:
        raise InputError(f"found {intercept!r} with fit_intercept=False; leave it out", "intercept_init")
    return start


def named_classes(classes: Any) -> np.ndarray:
    """Return the classes named at the beginning of a stream, in order."""
    try:
        return np.unique(labels_of(list(classes) if isinstance(classes, set | frozenset) else classes))
    except (InputError, TypeError) as error:
        raise InputError(f"{getattr(error, 'message', error)}; a list of all classes was expected", "classes") from None


def valid_points(X: Any, y: Any, classes: np.ndarray, problem: Problem) -> Problem:
    """Return the validation points; they must have the classes and the width of the training points."""
    points = unlabelled(X, fit_intercept=bool(problem.pad), name="X_valid")
    labels = labels_of(y)
    if points.d != problem.d or points.n != labels.size:
        raise InputError(
            f"X_valid, y_valid: shape ({points.n}, {points.d}) and {labels.size} labels; "
            f"{problem.d} features and a label for each row were expected"
        )
    found = known_numbers(labels, classes, "y_valid", "the training classes")
    return replace(points, y=found if len(classes) > 2 else (found * 2 - 1).astype(np.int8))
