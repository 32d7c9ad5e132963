"""Compute the digest of many sparse rows: a kernel builds the words that `digest` defines.  (compiled)

Two threads hash the blocks: SHA-256 and the kernel both release the GIL. Rows with unsorted columns, NaN or infinity
are left to `digest`, which sorts them or raises.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from novikoff.data import digest
from novikoff.data.problem import Problem
from novikoff.kernels.compile import compiled_or_none
from novikoff.kernels.mark import EXACT, kernel

FEW = 1 << 16  # numbers: for fewer, compiling does not pay
AT_ONCE = 1 << 15  # numbers whose words stay in the cache
THREADS = 2


def block_digests(problem: Problem, texts: list[str], codes: np.ndarray) -> list[bytes]:
    """Return the same as `digest.block_digests`."""
    with block_threads() as threads:
        return list(begun_digests(threads, problem, texts, codes))


@contextlib.contextmanager
def block_threads() -> Iterator[ThreadPoolExecutor]:
    """Return threads that hash blocks; those not yet begun at the end of the context are not hashed."""
    threads = ThreadPoolExecutor(THREADS, "novikoff digest")
    try:
        yield threads
    finally:
        threads.shutdown(cancel_futures=True)


def begun_digests(
    threads: ThreadPoolExecutor, problem: Problem, texts: list[str], codes: np.ndarray
) -> Iterator[bytes]:
    """Return the same; threads hash the blocks while the caller does other work, if the kernel can do them."""
    plain = isinstance(problem.rows, tuple) and problem.rows[0].dtype in (np.float32, np.float64)
    found: Iterator[bytes | None] | None = None
    if plain and problem.stored >= FEW and sys.byteorder == "little":
        compiled = compiled_or_none(lay, sys.modules[__name__], problem.stored)
        if compiled is not None:
            blocks = _Blocks(problem, texts, codes, compiled)
            found = threads.map(blocks.digest, range(0, problem.n, digest.BLOCK))
    return _finished(found, problem, texts, codes)


def _finished(
    found: Iterator[bytes | None] | None, problem: Problem, texts: list[str], codes: np.ndarray
) -> Iterator[bytes]:
    """Yield the digests of threads; those of `digest` if a block was not for the kernel, or there are none."""
    blocks = [None] if found is None else list(found)
    known = [block for block in blocks if block is not None]
    yield from known if len(known) == len(blocks) else digest.block_digests(problem, texts, codes)


class _Blocks:
    """Rows by blocks, with their labels as words."""

    def __init__(self, problem: Problem, texts: list[str], codes: np.ndarray, compiled: Callable[..., Any]) -> None:
        self.problem, self.codes, self.lay = problem, codes, compiled
        words = [digest.text_words(text) for text in texts]
        self.sizes = np.array([word.size for word in words])
        self.labels = np.zeros((len(words), int(self.sizes.max())), np.uint64)
        for row, word in zip(self.labels, words, strict=True):
            row[: word.size] = word
        self.step = max(1, AT_ONCE * problem.n // problem.stored)
        self.digest(problem.n)  # no rows: the kernel is loaded or compiled here, not in the threads

    def digest(self, start: int) -> bytes | None:
        """Return the SHA-256 of the block that starts at a row; None if `digest` must handle it."""
        total, out = hashlib.sha256(), np.empty(0, np.uint64)
        end, starts = min(start + digest.BLOCK, self.problem.n), self.problem.rows[2]
        for lo in range(start, max(end, start + 1), self.step):
            hi = min(lo + self.step, end)
            most = (hi - lo) * (1 + self.labels.shape[1]) + 2 * int(starts[hi] - starts[lo])
            if out.size < most:
                out = np.empty(most, np.uint64)
            rows = self.problem.rows, lo, hi, self.problem.d
            size = self.lay(*rows, self.codes, self.labels, self.sizes, out, out.view(np.float64))
            if size < 0:
                return None
            total.update(out[:size].data)
        return total.digest()


@kernel(EXACT)
def lay(A, lo, hi, d, codes, labels, sizes, out, numbers):
    """Write the words of rows lo ≤ i < hi and return their count, or −1. `numbers` is `out` viewed as floats."""
    val, col, ptr = A
    k = np.uint64(0)
    for i in range(lo, hi):
        code = codes[i]
        for j in range(sizes[code]):
            out[k] = labels[code, j]
            k += np.uint64(1)
        head = k
        last = np.int64(-1)
        for j in range(np.uint64(ptr[i]), np.uint64(ptr[i + 1])):
            x = np.float64(val[j])
            c = np.int64(col[j])
            if c <= last or c >= d or not np.isfinite(x):
                return np.int64(-1)
            last = c
            if x != 0:
                out[k + np.uint64(1)] = np.uint64(c)
                numbers[k + np.uint64(2)] = x
                k += np.uint64(2)
        out[head] = (k - head) >> np.uint64(1)
        k += np.uint64(1)
    return np.int64(k)
