"""Who carries a kernel out: the interpreter while work is tiny and the compiler is not there yet, else machine code."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from novikoff.compile import bind, compiler_is_off

INTERPRETED = 50_000  # numbers for which nobody waits for the compiler


def kernel_of(function: Callable[..., Any], verbs: ModuleType, numbers: int) -> Callable[..., Any]:
    """The kernel with these verbs for work on so many numbers."""
    compiled = ("numba" in sys.modules or numbers > INTERPRETED) and not compiler_is_off()
    return bind(function, verbs, compiled)
