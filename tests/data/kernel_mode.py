"""Whether kernels run compiled or interpreted: the one place in the tests that sets it.

By default it depends on the work that was done before. Both ways give the same bits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest

from novikoff.kernels import compile
from novikoff.kernels.compile import compiler_is_off

Mode = Literal["compiled", "interpreted"] | int  # a number: interpreted until a kernel has worked on so many numbers
RunKernels = Callable[[Mode], None]  # the fixture run_kernels

_FORCED = {"compiled": True, "interpreted": False}


def set_mode(patch: pytest.MonkeyPatch, mode: Mode) -> None:
    """Run the kernels in this way until the patch is undone."""
    patch.setattr(compile.limits, "forced", _FORCED[mode] if isinstance(mode, str) else None)
    if isinstance(mode, int):
        patch.setattr(compile.limits, "worth", mode)
        patch.setattr(compile.work, "of_kernel", Counter())
        patch.setattr(compile, "stored_kernels", frozenset)


def all_interpreted() -> bool:
    """Whether every kernel runs interpreted, which takes a hundred times as long."""
    return compiler_is_off() or compile.limits.forced is False


@contextmanager
def kernels(mode: Mode) -> Iterator[None]:
    """Run the kernels in this way inside the block (for Hypothesis, which takes no fixture)."""
    with pytest.MonkeyPatch.context() as patch:
        set_mode(patch, mode)
        yield


def set_for_this_process(mode: Literal["compiled", "interpreted"] | None) -> None:
    """Run all kernels in this way; None: as users do."""
    compile.limits.forced = None if mode is None else _FORCED[mode]
