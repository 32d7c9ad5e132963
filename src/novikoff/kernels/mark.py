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
MACHINE = frozenset({"machine"})  # has an instruction of its own, see `compile`

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(flags: frozenset[str], inside: bool = False) -> Callable[[Kernel], Kernel]:
    """Mark a function as a kernel with the given floating-point freedom.

    inside: whether it becomes part of every kernel that calls it; for a leaf, whose call would cost more than its work.
    """

    def mark(function: Kernel) -> Kernel:
        function.__kernel_flags__ = flags  # type: ignore[attr-defined]
        function.__kernel_inside__ = inside  # type: ignore[attr-defined]
        return function

    return mark


@kernel(MACHINE)
def prefetch(X: Any, i: int, j: int) -> None:
    """A hint: X[i, j] will soon be read. In machine code the memory begins to bring its line; here it does nothing."""


@kernel(MACHINE)
def load8(buf: Any, i: int) -> Any:
    """Eight bytes of buf from i on as one number, the first byte lowest; not checked."""
    from numpy import uint64

    return uint64(int.from_bytes(buf[i : i + 8].tobytes(), "little"))


@kernel(MACHINE)
def zeros_below(x: Any) -> Any:
    """How many zeros the 64 binary digits of x end in; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


@kernel(MACHINE)
def zeros_above(x: Any) -> Any:
    """How many zeros the 64 binary digits of x begin with; 64 for 0."""
    return 64 - int(x).bit_length()


@kernel(MACHINE)
def product_above(a: Any, b: Any) -> Any:
    """The upper 64 of the 128 binary digits of a·b."""
    from numpy import uint64

    return uint64(int(a) * int(b) >> 64)
