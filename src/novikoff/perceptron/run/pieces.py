"""Divide the looks of a pass into pieces for the compiled pass, and count what each piece did.

Rows of a file, or stored by columns, come in blocks: a piece stays within its block.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from novikoff.perceptron import slots
from novikoff.perceptron.orders import NO_ROWS, Stretch
from novikoff.perceptron.slots import Planes, State


class RowBlock(NamedTuple):
    """Some of the rows, stored in the order of the looks lo ≤ t < hi."""

    listed: np.ndarray  # the rows of the pass, where they are listed
    lo: int
    hi: int
    which: Any  # the rows' own numbers: a slice or an array
    rows: Any
    y: np.ndarray


class Piece(NamedTuple):
    """Some looks of a pass: the compiled pass, its arguments, and the block of their rows."""

    compiled_pass: Any
    arguments: tuple[Any, ...]  # rows, labels, the order of the rows, the first look, the end, the state
    block: RowBlock | None


def pieces(run: Any, stretches: Iterable[Stretch]) -> Iterator[Piece]:
    """Yield the looks of the stretches in pieces until the run ends; each is to be reported to `Run.after`."""
    for rows, lo, hi in stretches:
        run.next_look = lo
        while run.next_look < hi and run.reason is None:
            yield _piece(run, rows, run.next_look, hi)
        if run.reason is not None:
            return


def _piece(run: Any, rows: np.ndarray, lo: int, hi: int) -> Piece:
    """Return the looks lo ≤ t < hi, or as many of them as a block has."""
    p = run.scorer.problem
    if not p.in_blocks:
        return Piece(run.compiled_pass(hi - lo), (p.rows, p.y, *_order_and_state(run, rows, lo, hi, run.S)), None)
    block = run.block
    if block is None or block.listed is not rows or not block.lo <= lo < block.hi:
        run.block = None  # before the next is made
        block = run.block = _block(p, rows, lo, hi)
    run.kind.shift(run.S, -block.lo)
    S = run.S._replace(mistakes=np.zeros(block.y.size, np.int32))
    lo, end = lo - block.lo, min(hi, block.hi) - block.lo
    arguments = (block.rows, block.y, *_order_and_state(run, NO_ROWS, lo, end, S))
    return Piece(run.compiled_pass(block.hi - block.lo - lo), arguments, block)


def _order_and_state(run: Any, rows: np.ndarray, lo: int, hi: int, S: Planes) -> tuple[Any, int, int, Planes | State]:
    """Return the order of the rows, the looks and the state as the compiled pass takes them."""
    one = run.scheme.is_binary and not run.plan.is_aggressive
    return run.kind.batch.sums if run.order.is_batch else rows, lo, hi, S.first_plane() if one else S


def _block(p: Any, rows: np.ndarray, lo: int, hi: int) -> RowBlock:
    """Return the block that begins with look lo."""
    end = min(hi, lo + p.rows.at_once)
    which = rows[lo:end] if rows.size else slice(lo, end)
    return RowBlock(rows, lo, end, which, p.rows.take(which), p.y[which])


def count_block(run: Any, block: RowBlock, mistakes: np.ndarray, row: int) -> int:
    """Add the mistakes of a block to those of all rows, number the log by rows; return the number of `row`, or −1."""
    run.kind.shift(run.S, block.lo)
    numbers = range(block.lo, block.hi) if isinstance(block.which, slice) else block.which
    if isinstance(block.which, slice):
        run.S.mistakes[block.which] += mistakes
    else:
        np.add.at(run.S.mistakes, block.which, mistakes)
    if run.plan.keep == "vote":
        log = run.S.log[: run.S.cnt[0, slots.QUEUED]]
        log[:, 0] = np.asarray(numbers)[log[:, 0]]
    return int(numbers[row]) if row >= 0 else -1
