"""Who carries a kernel out: the interpreter while work is tiny and the compiler is not there yet, else machine code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from novikoff.kernels.compile import bind, compiler_is_off, interpreted

INTERPRETED = 50_000  # numbers, of all calls together, for which nobody waits for the compiler

_spent = 0
_compiled: dict[tuple[Callable[..., Any], ModuleType], Callable[..., Any]] = {}


def kernel_of(function: Callable[..., Any], verbs: ModuleType, numbers: int) -> Callable[..., Any]:
    """The kernel with these verbs for work on so many numbers."""
    return chosen(function, verbs, is_compiled(function, verbs, numbers))


def is_compiled(function: Callable[..., Any], verbs: ModuleType, numbers: int) -> bool:
    """Whether work on so many numbers is for the compiler."""
    global _spent
    if (function, verbs) in _compiled:
        return True
    _spent += numbers
    return not compiler_is_off() and ("numba" in sys.modules or _spent > INTERPRETED)


def chosen(function: Callable[..., Any], verbs: ModuleType, compiled: bool) -> Callable[..., Any]:
    """The kernel as it was chosen, perhaps in another process: machine code and interpreter round differently."""
    if not compiled:
        return interpreted(function, verbs)
    if (function, verbs) not in _compiled:
        _compiled[function, verbs] = bind(function, verbs)
    return _compiled[function, verbs]
