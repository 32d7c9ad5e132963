"""What a kernel is: a plain Python function, marked with its floating-point freedom.

    FAST    scores and norms: any order of summation, fused or not; NaN and inf stay honest
    EXACT   updates and exact sums: IEEE as written

Called as it stands a kernel runs in the interpreter; `compile.bind` makes machine code of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

FAST = frozenset({"reassoc", "contract", "nsz"})
EXACT: frozenset[str] = frozenset()
HINT = frozenset({"prefetch"})

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(flags: frozenset[str]) -> Callable[[Kernel], Kernel]:
    """Mark a function as a kernel with the given floating-point freedom."""

    def mark(function: Kernel) -> Kernel:
        function.__kernel_flags__ = flags  # type: ignore[attr-defined]
        return function

    return mark


@kernel(HINT)
def prefetch(X: Any, i: int, j: int) -> None:
    """A hint: X[i, j] will soon be read. In machine code the memory begins to bring its line; here it does nothing."""
