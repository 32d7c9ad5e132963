"""Mark plain Python functions as kernels, with their floating-point flags.

    FAST    scores and norms: any order of summation, fused or not; NaN and inf stay honest
    EXACT   updates and exact sums: IEEE as written

Called directly, a kernel runs in the interpreter; `compile.bind` compiles it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

FAST = frozenset({"reassoc", "contract", "nsz"})
EXACT: frozenset[str] = frozenset()
MACHINE = frozenset({"machine"})  # written in the compiler's own language, see `compile`
LANES = 16  # sums side by side of `lane_dot`

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def kernel(flags: frozenset[str], inside: bool = False) -> Callable[[Kernel], Kernel]:
    """Mark a function as a kernel with the given floating-point flags.

    inside: whether it is inlined into every kernel that calls it; for a leaf whose call would cost more than its work.
    """

    def mark(function: Kernel) -> Kernel:
        function.__kernel_flags__ = flags  # type: ignore[attr-defined]
        function.__kernel_inside__ = inside  # type: ignore[attr-defined]
        return function

    return mark


@kernel(MACHINE)
def prefetch(X: Any, i: int, j: int) -> None:
    """Hint that X[i, j], or X[j], will soon be read: compiled, it prefetches the line; interpreted, it does nothing."""


@kernel(MACHINE)
def add_columns(S: Any, V: Any, columns: Any, numbers: Any) -> None:
    """S[k] ← S[k] + V[c, k]·x for each column c and its number x, in this order; every product and sum is rounded.

    V has a multiple of 32 bytes in each column.
    """
    for column, number in zip(columns, numbers, strict=True):
        S += V[column] * number


@kernel(MACHINE)
def record(records: Any, k: int) -> Any:
    """Return record k of an array, whose fields are attributes."""
    from numpy import recarray

    return records.view(recarray)[k]


@kernel(MACHINE)
def load8(buf: Any, i: int) -> Any:
    """Return eight bytes of buf from i on as a little-endian integer; no bounds check."""
    from numpy import uint64

    return uint64(int.from_bytes(buf[i : i + 8].tobytes(), "little"))


@kernel(MACHINE)
def zeros_below(x: Any) -> Any:
    """Count the trailing zero bits of the 64-bit x; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if x else 64


@kernel(MACHINE)
def zeros_above(x: Any) -> Any:
    """Count the leading zero bits of the 64-bit x; 64 for 0."""
    return 64 - int(x).bit_length()


@kernel(MACHINE)
def ones_in(x: Any) -> Any:
    """Count the bits of the 64-bit x that are 1."""
    return int(x).bit_count()


@kernel(MACHINE)
def separators(buf: Any, i: int) -> Any:
    """Return which of the 64 bytes of buf from i on are at most a blank, or a colon: a bit for each, the first lowest.

    No bounds check.
    """
    from numpy import packbits, uint64

    bytes_ = buf[i : i + 64]
    return packbits((bytes_ <= 32) | (bytes_ == 58), bitorder="little").view(uint64)[0]


@kernel(MACHINE)
def product_above(a: Any, b: Any) -> Any:
    """Return the upper 64 bits of the 128-bit product a·b."""
    from numpy import uint64

    return uint64(int(a) * int(b) >> 64)


@kernel(MACHINE)
def lane_dot(a: Any, b: Any, n: int) -> Any:
    """Return ⟨a, b⟩ of the first n numbers, summed in a defined order: LANES sums side by side, then these by halves.

    Lane l sums the products at l, l + LANES, …; the arrays are binary64 and contiguous.
    """
    products = (a[:n] * b[:n]).tolist()
    sums = [0.0] * min(n, LANES)
    for at in range(0, n, LANES):
        for lane, product in enumerate(products[at : at + LANES]):
            sums[lane] += product
    half = LANES // 2
    while half > 0:
        for lane, upper in enumerate(sums[half:]):
            sums[lane] += upper
        del sums[half:]
        half //= 2
    return sums[0] if n else 0.0
