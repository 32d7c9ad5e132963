"""Who carries a kernel out: the interpreter while work is tiny and the compiler is not there yet, else machine code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from novikoff.compile import bind, compiler_is_off

INTERPRETED = 50_000  # numbers, of all calls together, for which nobody waits for the compiler

_spent = 0
_compiled: dict[tuple[Callable[..., Any], ModuleType], Callable[..., Any]] = {}


def kernel_of(function: Callable[..., Any], verbs: ModuleType, numbers: int) -> Callable[..., Any]:
    """The kernel with these verbs for work on so many numbers."""
    global _spent
    ready = _compiled.get((function, verbs))
    if ready is not None:
        return ready
    _spent += numbers
    if compiler_is_off() or ("numba" not in sys.modules and _spent <= INTERPRETED):
        return _quiet(bind(function, verbs, False))
    _compiled[function, verbs] = bind(function, verbs)
    return _compiled[function, verbs]


def _quiet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The interpreted kernel without NumPy's warnings: overflow and NaN are tested for, as in machine code."""

    def quiet(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*args)

    return quiet
