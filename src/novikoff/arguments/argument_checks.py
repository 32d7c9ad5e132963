"""Check parameter values on entry: an error names the parameter, the value found, and the values expected."""

from __future__ import annotations

import secrets
from numbers import Integral, Real
from typing import Any

import numpy as np

from novikoff.errors import InputError


def one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise InputError unless the value is one of the known words."""
    if not (isinstance(value, str) and value in known):
        expected = " or ".join(repr(word) for word in known)
        raise InputError(f"{name}: found {value!r}; {expected} was expected")


def whole(name: str, value: Any, low: int, optional: bool = True) -> None:
    """Raise InputError unless the value is an integer of at least `low`, or None where None means no limit."""
    if value is None and optional:
        return
    none = ", or None for no limit," if optional else ""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < low:
        raise InputError(f"{name}: found {value!r}; a whole number of at least {low}{none} was expected")


def truth(name: str, value: Any) -> None:
    """Raise InputError unless the value is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{name}: found {value!r}; True or False was expected")


def positive(name: str, value: Any) -> None:
    """Raise InputError unless the value is a finite number above 0."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 < float(value) < float("inf"):
        raise InputError(f"{name}: found {value!r}; a finite number above 0 was expected")


def weights(class_weight: Any) -> None:
    """Raise InputError unless the value is a valid class_weight."""
    balanced = isinstance(class_weight, str) and class_weight == "balanced"
    if not (class_weight is None or balanced or isinstance(class_weight, dict)):
        raise InputError(
            f'class_weight: found {class_weight!r}; None, "balanced" or a dict {{class: weight}} was expected'
        )
    for weight in class_weight.values() if isinstance(class_weight, dict) else ():
        positive("class_weight", weight)


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
        raise InputError(f"class_weight: {unknown[0]!r} is not one of the classes {classes.tolist()}")
    chosen = [class_weight.get(label, 1.0) for label in classes.tolist()]
    for weight in chosen:
        positive("class_weight", weight)
    return tuple(float(weight) for weight in chosen)


def seed(random_state: Any) -> None:
    """Raise InputError unless the value is a valid seed."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return
    number = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if not number or not 0 <= int(random_state) < 2**63:
        raise InputError(
            f"random_state: found {random_state!r}; a whole number from 0 to 2^63, a RandomState or None was expected"
        )


def seed_of(random_state: Any) -> int:
    """Return the seed of a run: the given one, or a randomly drawn one."""
    seed(random_state)
    if random_state is None:
        return secrets.randbits(63)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31 - 1))
    return int(random_state)


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
            f"coef_init, intercept_init: found {coef!r}, {intercept!r}; "
            f"{planes} × {d} numbers and {planes} were expected"
        ) from None
    if not (np.abs(start) < 2.0**500).all():
        raise InputError("coef_init, intercept_init: not finite, or beyond 2^500; smaller numbers were expected")
    if start[:, -1].any() and not fit_intercept:
        raise InputError(f"intercept_init: found {intercept!r} with fit_intercept=False; leave it out")
    return start
