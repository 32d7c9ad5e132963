"""Run the trials of an experiment in blocks on an engine.

    generator of trial t of a cell = default_rng([seed, *the cell's numbers, t])

Every trial has a generator of its own, so that results depend on the seed alone: not on the engine, the number of
workers, or the size of the blocks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.engines.engine import engine_of
from novikoff.errors import InputError

BLOCK = 50  # trials of a block
MOST_NUMBERS = 10**8  # of one draw: 0.8 GB
Cell = tuple[int, ...]
Trial = Callable[[np.random.Generator, Cell], Any]
Block = tuple[Cell, int, int]  # trials first ≤ t < end of a cell


def run_trials(
    trial: Trial,
    cells: Sequence[Cell],
    trials: int,
    seed: int,
    engine: Any = None,
    on_block: Callable[[int, int], None] | None = None,
) -> dict[Cell, list[Any]]:
    """Return the results of all trials by cell.

    trial: a function that can be pickled. on_block: called with the blocks done and all blocks.
    """
    blocks = [(cell, k, min(k + BLOCK, trials)) for cell in cells for k in range(0, trials, BLOCK)]
    found: dict[Cell, list[Any]] = {cell: [] for cell in cells}
    results = engine_of(engine).each(partial(_run_block, trial, seed), blocks)
    for k, ((cell, _, _), some) in enumerate(zip(blocks, results, strict=True), start=1):
        found[cell] += some
        if on_block is not None:
            on_block(k, len(blocks))
    return found


def _run_block(trial: Trial, seed: int, block: Block) -> list[Any]:
    """Return the results of the trials of one block."""
    cell, first, end = block
    return [trial(np.random.default_rng([seed, *cell, t]), cell) for t in range(first, end)]


def check_trials(trials: Any, seed: Any) -> None:
    """Raise InputError unless these are a number of trials and a seed."""
    argument_checks.whole("trials", trials, 1, optional=False)
    argument_checks.whole("seed", seed, 0, optional=False)


def check_draws(cells: Sequence[Cell]) -> None:
    """Raise InputError for a draw with too many numbers; cells: (dimensions, points) of each draw."""
    for N, P in cells:
        if N * P > MOST_NUMBERS:
            raise InputError(
                f"a draw of {P:,} points in {N:,} dimensions has {N * P:,} numbers; at most {MOST_NUMBERS:,} were "
                "expected: use smaller sizes",
                "N, P",
            )


def several_of(name: str, values: Any) -> list[Any]:
    """Return values, one or several; raise InputError if there is none."""
    is_one = isinstance(values, str) or not hasattr(values, "__iter__")
    if not (several := [values] if is_one else list(values)):
        raise InputError("found none; at least one was expected", name)
    return several


def sizes_of(name: str, values: Any, low: int = 1) -> list[int]:
    """Return sizes, one or several, each once; raise InputError unless each is an integer of at least `low`."""
    several = several_of(name, values)
    for value in several:
        argument_checks.whole(name, value, low, optional=False)
        if value > LARGEST:
            raise InputError(f"found {value:.6g}; at most {LARGEST:,} was expected", name)
    return list(dict.fromkeys(int(value) for value in several))


LARGEST = 1_000_000  # points or dimensions of a draw
