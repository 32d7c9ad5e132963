"""Check parameter values on entry: an error names the parameter, the value found, and the values expected."""

from __future__ import annotations

import os
import sys
from numbers import Integral, Real
from typing import Any

from novikoff.errors import InputError


def one_of(name: str, value: Any, known: tuple[str, ...]) -> None:
    """Raise InputError unless the value is one of the known words."""
    if not (isinstance(value, str) and value in known):
        expected = " or ".join(repr(word) for word in known)
        raise InputError(f"found {value!r}; {expected} was expected", name)


def whole(name: str, value: Any, low: int, optional: bool = True) -> None:
    """Raise InputError unless the value is an integer of at least `low`, or None where None means no limit."""
    if value is None and optional:
        return
    none = ", or None for no limit," if optional else ""
    if isinstance(value, bool) or not isinstance(value, Integral) or int(value) < low:
        raise InputError(f"found {value!r}; an integer of at least {low}{none} was expected", name)


def truth(name: str, value: Any) -> None:
    """Raise InputError unless the value is True or False."""
    import numpy as np

    if not isinstance(value, bool | np.bool_):
        raise InputError(f"found {value!r}; True or False was expected", name)


def positive(name: str, value: Any, word: str | None = None) -> None:
    """Raise InputError unless the value is a finite number above 0, or the word."""
    if not _is_positive(value) and (word is None or not isinstance(value, str) or value != word):
        other = "" if word is None else f" or {word!r}"
        raise InputError(f"found {value!r}; a finite number above 0{other} was expected", name)


def _is_positive(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool) and 0 < float(value) < float("inf")


def share(name: str, value: Any) -> None:
    """Raise InputError unless the value is a number between 0 and 1."""
    if not (isinstance(value, Real) and 0 < float(value) < 1):
        raise InputError(f"found {value!r}; a number between 0 and 1 was expected", name)


def weights(class_weight: Any) -> None:
    """Raise InputError unless the value is a valid class_weight."""
    balanced = isinstance(class_weight, str) and class_weight == "balanced"
    if not (class_weight is None or balanced or isinstance(class_weight, dict)):
        raise InputError(
            f'found {class_weight!r}; None, "balanced" or a dict {{class: weight}} was expected', "class_weight"
        )
    for weight in class_weight.values() if isinstance(class_weight, dict) else ():
        if not _is_positive(weight):
            raise InputError(f"found {class_weight!r}; a dict of finite weights above 0 was expected", "class_weight")


def seed(random_state: Any) -> None:
    """Raise InputError unless the value is a valid seed."""
    if random_state is None or is_random_state(random_state):
        return
    number = isinstance(random_state, Integral) and not isinstance(random_state, bool)
    if not number or not 0 <= int(random_state) < 2**63:
        raise InputError(
            f"found {random_state!r}; an integer from 0 to 2^63, a RandomState or None was expected", "random_state"
        )


def is_random_state(value: Any) -> bool:
    """Return whether a value is a RandomState of NumPy; numpy.random is not imported for it."""
    random = sys.modules.get("numpy.random")
    return random is not None and isinstance(value, random.RandomState)


def seed_of(random_state: Any) -> int:
    """Return the seed of a run: the given one, or a randomly drawn one."""
    seed(random_state)
    if random_state is None:
        return int.from_bytes(os.urandom(8), "little") >> 1
    drawn = hasattr(random_state, "randint")  # a RandomState
    return int(random_state.randint(2**31 - 1)) if drawn else int(random_state)
