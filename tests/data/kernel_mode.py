"""Whether kernels run compiled or interpreted: the one place in the tests that sets it.

By default a problem runs interpreted until it has worked on 20,000 numbers. Both ways give the same bits.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal

import pytest

from novikoff.kernels import compile
from novikoff.kernels.compile import compiler_is_off
from novikoff.scoring import scorer

Mode = Literal["compiled", "interpreted"] | int  # a number: interpreted until a problem has worked on so many numbers
RunKernels = Callable[[Mode], None]  # the fixture run_kernels

_NUMBERS = {"compiled": -1, "interpreted": 10**12}


def set_mode(patch: pytest.MonkeyPatch, mode: Mode) -> None:
    """Run the kernels of training and scoring in this way until the patch is undone."""
    patch.setattr(scorer, "INTERPRETED", _NUMBERS[mode] if isinstance(mode, str) else mode)
    patch.setattr(scorer, "USE_CACHED", False)


def all_interpreted() -> bool:
    """Whether every kernel of training and scoring runs interpreted, which takes a hundred times as long."""
    return compiler_is_off() or _NUMBERS["interpreted"] == scorer.INTERPRETED


@contextmanager
def kernels(mode: Mode) -> Iterator[None]:
    """Run the kernels of training and scoring in this way inside the block (for Hypothesis, which takes no fixture)."""
    with pytest.MonkeyPatch.context() as patch:
        set_mode(patch, mode)
        yield


def set_for_this_process(mode: Mode) -> None:
    """Run all kernels in this way, the solver's too."""
    scorer.INTERPRETED = compile.INTERPRETED = _NUMBERS[mode] if isinstance(mode, str) else mode
    scorer.USE_CACHED = False
