"""The rows of a pass, from the definition: Philox words keyed by seed and pass, counted by block; sorted keys.

Frozen: a saved model names its seed, and every later version must show the same rows. Nothing is shared with the
package.
"""

from __future__ import annotations

import numpy as np

BLOCK = 65_536


def rows_of_pass(order: str, n: int, seed: int, number: int, partition: int = 0) -> np.ndarray:
    """All rows of pass `number` (from 0) in the order they are shown; partition: one of parameter mixing, of n rows."""
    starts = range(0, n, BLOCK)
    if order == "cyclic":
        return np.arange(n)
    if order == "random":
        drawn = [words(seed, number, partition, k, min(BLOCK, n - a)) % np.uint64(n) for k, a in enumerate(starts)]
        return np.concatenate(drawn).astype(np.int64)
    if order != "shuffle":
        raise ValueError(order)
    blocks = np.argsort(words(seed, number, partition, 1 << 63, len(starts)), kind="stable") if n > BLOCK else [0]
    return np.concatenate([_permuted(seed, number, partition, int(k), n) for k in blocks])


def words(seed: int, number: int, partition: int, block: int, size: int) -> np.ndarray:
    """`size` random words of 64 bits."""
    counter = np.array([0, 0, partition, block], np.uint64)
    return np.random.Philox(key=np.array([seed, number], np.uint64), counter=counter).random_raw(size)


def _permuted(seed: int, number: int, partition: int, block: int, n: int) -> np.ndarray:
    """The rows of a block, sorted by their words without the low 16 bits, which are replaced by the place."""
    first = block * BLOCK
    drawn = words(seed, number, partition, block, min(BLOCK, n - first))
    keys = (drawn >> np.uint64(16) << np.uint64(16)) | np.arange(drawn.size, dtype=np.uint64)
    return first + np.argsort(keys)
