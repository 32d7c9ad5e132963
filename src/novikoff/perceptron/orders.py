"""The order in which rows are presented.

    auto      passes 1 to 10 cyclic, all later ones shuffle
    cyclic    rows 1, 2, …, n, again and again
    first     after an update look again from the first row (Tao's "start over")
    shuffle   each pass a new permutation: blocks of 65,536 rows are permuted, then the rows inside each block
    random    each look draws a row, with replacement
    batch     rows 1, 2, …, n; w changes only after the pass, by the mean of all its mistakes (`batch_step`)

From the notes: T3 (any violated point, start over), C6 Z6 (in order), Z6 ("I_t can be random"), Z10a (batch).

Random numbers come from a counter-based generator (Philox) keyed by seed and pass, counted by block, so that a block's
order can be computed without those before it: the same from memory and from a file, resumed or not. Only the raw 64-bit
stream is used, which NumPy keeps stable between versions; permutations are sorted keys, not a library's shuffle.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from novikoff.perceptron import SHUFFLED_FROM

BLOCK = 65_536

Stretch = tuple[np.ndarray, int, int]  # rows (empty: the look's number is the row), first look, end
Key = tuple[int, int, int]  # seed, pass (from 0), partition
NO_ROWS = np.empty(0, np.int64)
_of_thread = threading.local()  # the random generator of each thread


@dataclass(frozen=True)
class Order:
    """One way of presenting n rows, with the seed of its random numbers."""

    name: str
    seed: int = 0
    partition: int = 0  # of parameter mixing: its random numbers are its own

    @property
    def is_random_draw(self) -> bool:
        """Whether a pass may miss rows, so that a clean pass proves nothing by itself."""
        return self.name == "random"

    @property
    def is_batch(self) -> bool:
        """Whether w changes only after each pass."""
        return self.name == "batch"

    def of_pass(self, number: int) -> Order:
        """Return the order of pass `number`, counted from 1."""
        if self.name != "auto":
            return self
        return _CYCLIC if number < SHUFFLED_FROM else _shuffle(self.seed, self.partition)

    def stretches(self, n: int, pass_number: int, most: int = BLOCK) -> Iterator[Stretch]:
        """The looks of one pass, numbered from 0, in pieces of at most `most`."""
        for rows, lo, hi in self.of_pass(pass_number + 1)._blocks(n, pass_number):
            for a in range(lo, hi, most):
                yield rows, a, min(a + most, hi)

    def _blocks(self, n: int, pass_number: int) -> Iterator[Stretch]:
        if self.name in ("cyclic", "first", "batch"):
            yield NO_ROWS, 0, n
        elif self.name == "shuffle":
            key = self.seed, pass_number, self.partition
            for block in _block_order(key, n):
                rows = _rows_of_block(key, int(block), n)
                yield rows, 0, rows.size
        else:
            for block in range(-(-n // BLOCK)):
                rows = _draws((self.seed, pass_number, self.partition), block, n)
                yield rows, 0, rows.size


_CYCLIC = Order("cyclic")


@functools.lru_cache(maxsize=16)
def _shuffle(seed: int, partition: int) -> Order:
    """The order `shuffle` with this seed; a run needs it several times in each pass."""
    return Order("shuffle", seed, partition)


def rows_of_pass(order: str, n: int, seed: int, pass_number: int, partition: int = 0) -> np.ndarray:
    """All rows of one pass (from 0) in the order they are looked at; partition: one of parameter mixing, of n rows.

    Not for `first`, whose rows depend on the mistakes.
    """
    if order == "first":
        raise ValueError("the rows of order 'first' depend on the mistakes")
    pieces = [
        rows[a:b] if rows.size else np.arange(a, b, dtype=np.int64)
        for rows, a, b in Order(order, seed, partition).stretches(n, pass_number)
    ]
    return np.concatenate(pieces)


def _raw(key: Key, block: int, size: int) -> np.ndarray:
    """`size` random 64-bit words, a pure function of (seed, pass, partition, block)."""
    seed, pass_number, partition = key
    counter = np.array([0, 0, partition, block], np.uint64)  # the next block or partition is 2^128 draws away or more
    generator = getattr(_of_thread, "generator", None)
    if generator is None:
        generator = _of_thread.generator = np.random.Philox(key=0)
        _of_thread.begin = generator.state
    start = {"key": np.array([seed, pass_number], np.uint64), "counter": counter}
    generator.state = _of_thread.begin | {"state": start}  # faster than a new one
    return np.asarray(generator.random_raw(size))


def _permutation(words: np.ndarray) -> np.ndarray:
    """The permutation that sorts the words.

    The low 16 bits are replaced by the place, so that no two keys are equal.
    """
    keys = (words & ~np.uint64(0xFFFF)) | np.arange(words.size, dtype=np.uint64)
    keys.sort()
    return (keys & np.uint64(0xFFFF)).astype(np.int64)


def _block_order(key: Key, n: int) -> np.ndarray:
    """The order of the blocks; block number 2^63 of the generator is kept for it."""
    blocks = -(-n // BLOCK)
    if blocks == 1:
        return np.zeros(1, np.int64)
    return np.argsort(_raw(key, 1 << 63, blocks), kind="stable")


def _rows_of_block(key: Key, block: int, n: int) -> np.ndarray:
    start = block * BLOCK
    size = min(BLOCK, n - start)
    return start + _permutation(_raw(key, block, size))


def _draws(key: Key, block: int, n: int) -> np.ndarray:
    """One block's share of the n draws of a pass."""
    size = min(BLOCK, n - block * BLOCK)
    return (_raw(key, block, size) % np.uint64(n)).astype(np.int64)
