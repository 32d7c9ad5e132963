"""Run the trials of an experiment in blocks on an engine, and resume an experiment that was interrupted.

    generator of trial t of a cell = default_rng([seed, *the cell's numbers, t])

Every trial has a generator of its own, so that results depend on the seed alone: not on the engine, the number of
workers, the size of the blocks, or where an interrupted experiment was resumed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from novikoff.arguments import argument_checks
from novikoff.engines.engine import Engine, engine_of
from novikoff.errors import InputError

BLOCK = 50  # trials of a block
MOST_NUMBERS = 10**8  # of one draw: 0.8 GB
Cell = tuple[int, ...]
Trial = Callable[[np.random.Generator, Cell], Any]
FIRST_LINE = "novikoff/experiment-trials/1"


@dataclass(frozen=True)
class Block:
    """Trials first ≤ t < end of a cell."""

    cell: Cell
    first: int
    end: int
    seed: int


def run_trials(
    name: str,
    trial: Trial,
    cells: Sequence[Cell],
    trials: int,
    seed: int,
    engine: Any = None,
    checkpoint: Any = None,
    on_block: Callable[[int, int], None] | None = None,
) -> dict[Cell, list[Any]]:
    """Return the results of all trials by cell.

    trial: a function that can be pickled; its results are numbers, or lists of them. checkpoint: a file to which each
    block is appended, and from which it is read again. on_block: called with the blocks done and all blocks.
    """
    blocks = [Block(cell, k, min(k + BLOCK, trials), seed) for cell in cells for k in range(0, trials, BLOCK)]
    identity = {"schema": FIRST_LINE, "experiment": name, "cells": [list(c) for c in cells], "trials": trials,
                "seed": seed}  # fmt: skip
    done = {} if checkpoint is None else _read(Path(checkpoint), identity)
    todo = [k for k in range(len(blocks)) if k not in done]
    with nullcontext() if checkpoint is None else _opened(Path(checkpoint), identity, bool(done)) as file:
        for k, results in zip(todo, _computed(trial, [blocks[k] for k in todo], engine_of(engine)), strict=True):
            done[k] = results
            if file is not None:
                file.write(json.dumps({"block": k, "results": results}) + "\n")
                file.flush()
            if on_block is not None:
                on_block(len(done), len(blocks))
    found: dict[Cell, list[Any]] = {cell: [] for cell in cells}
    for k, block in enumerate(blocks):
        found[block.cell] += done[k]
    return found


def _computed(trial: Trial, blocks: list[Block], engine: Engine) -> Iterator[list[Any]]:
    return engine.each(partial(_run_block, trial), blocks)


def _run_block(trial: Trial, block: Block) -> list[Any]:
    """Return the results of the trials of one block."""
    return [
        trial(np.random.default_rng([block.seed, *block.cell, t]), block.cell) for t in range(block.first, block.end)
    ]


def _read(path: Path, identity: dict[str, Any]) -> dict[int, list[Any]]:
    """Return the blocks in a checkpoint; a last line that was cut off is ignored."""
    if not path.exists():
        return {}
    lines = path.read_text("utf-8").split("\n")
    try:
        first = json.loads(lines[0])
    except ValueError:
        first = None
    if first != identity:
        raise InputError(f"{path} belongs to another experiment, size or seed; delete it, or name another file",
                         "checkpoint")  # fmt: skip
    done = {}
    for line in lines[1:-1]:  # the last one is empty, or cut off
        try:
            block = json.loads(line)
            done[int(block["block"])] = list(block["results"])
        except (ValueError, TypeError, KeyError):
            raise InputError(f"{path} is damaged; delete it, or name another file", "checkpoint") from None
    return done


def _opened(path: Path, identity: dict[str, Any], resumed: bool) -> TextIO:
    """Return the checkpoint, ready for more blocks: a line that was cut off is removed."""
    if not resumed:
        file = path.open("w", encoding="utf-8")
        file.write(json.dumps(identity) + "\n")
        file.flush()
        return file
    text = path.read_bytes()
    os.truncate(path, text.rfind(b"\n") + 1)
    return path.open("a", encoding="utf-8")


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


def sizes_of(name: str, values: Any, low: int = 1) -> list[int]:
    """Return sizes, one or several, each once; raise InputError unless each is an integer of at least `low`."""
    several = list(values) if isinstance(values, Sequence | np.ndarray) and not isinstance(values, str) else [values]
    if not several:
        raise InputError("found none; at least one was expected", name)
    for value in several:
        argument_checks.whole(name, value, low, optional=False)
        if value > LARGEST:
            raise InputError(f"found {value:.6g}; at most {LARGEST:,} was expected", name)
    return list(dict.fromkeys(int(value) for value in several))


LARGEST = 1_000_000  # points or dimensions of a draw
