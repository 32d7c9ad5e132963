"""Tuning constants that tests change so that few rows come in many blocks: the file that says where they are.

    with limits(block=16, stretch=100): …

No result depends on them. Whoever moves a constant changes its line here; a name that is not there is an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pkgutil import resolve_name
from typing import Any
from unittest.mock import patch

WHERE = {
    "block": ("novikoff.data.contiguous_blocks:NUMBERS",),  # numbers of a block of rows made contiguous
    "text": ("novikoff.io.text_blocks:BLOCK",),  # bytes of a file that are parsed together
    "stretch": ("novikoff.perceptron.run_state:NUMBERS_AT_ONCE",),  # numbers of a call of compiled code
    "partition": ("novikoff.engines.engine:NUMBERS",),  # numbers of a partition of the rows
    "connect": ("novikoff.engines.dask_engine:CONNECT",),  # seconds to reach a scheduler
    "arrive": ("novikoff.engines.dask_engine:ARRIVE",),  # seconds until a first worker is there
    "checkpoint": ("novikoff.perceptron.checkpoint:AT_LEAST",),  # seconds between two writes
    "checkpoint_share": ("novikoff.perceptron.checkpoint:SHARE",),  # times a write's length before the next
}
COPIES = ("novikoff.io.memory_limit",)  # modules that copy a constant when they are imported: before it is changed
OBSERVER = "novikoff.perceptron.observer:Observer"  # what `fit(observer=…)` takes


def observer(end_pass: Callable[[Any], None]) -> Any:
    """An observer that calls this at the end of each pass."""
    made: Any = resolve_name(OBSERVER)()
    made.end_pass = end_pass
    return made


@contextmanager
def limits(**values: float) -> Iterator[None]:
    """Set these constants inside the block."""
    for module in COPIES:
        resolve_name(module)
    with ExitStack() as stack:
        for name, value in values.items():
            for place in WHERE[name]:
                module, attribute = place.split(":")
                stack.enter_context(patch.object(resolve_name(module), attribute, value))
        yield
