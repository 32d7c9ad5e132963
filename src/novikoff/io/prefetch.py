"""Prefetch: threads work on items before the results are needed; the results are the same.

    ahead(items, work, readers)   =   work(item) for item in items

Results come in the order of the items, and so does the first error. At most `readers + 1` items are taken and not yet
used, so memory is bounded. The threads end soon after the generator is closed, by an error or otherwise.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TypeVar

from novikoff.io.text_blocks import BLOCK

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = 2  # threads by default


def readers_of(path: str | Path, request: int | None = None, size: int | None = None) -> int:
    """Return how many threads read a file: as requested, else one per processor of this process, at most two.

    None for one processor, for a file of one block, and for what is not a regular file: a thread that waits for a pipe
    cannot be ended.
    """
    if request is not None or not os.path.isfile(path) or (size is not None and size <= BLOCK):
        return (request or 0) if os.path.isfile(path) else 0
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 0 if cpus == 1 else MOST


def ahead(items: Iterator[Item], work: Callable[[Item], Result], readers: int) -> Generator[Result]:
    """Yield the results in order; without threads if readers is 0. Items are taken by the caller's thread."""
    if not readers:
        yield from map(work, items)
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # not for a small file, which needs no thread

    pool, tasks, more = ThreadPoolExecutor(readers, "novikoff reader"), deque[Future[Result]](), True
    try:
        while more or tasks:
            try:
                if more:
                    tasks.append(pool.submit(work, next(items)))
            except StopIteration:
                more = False
            except Exception as error:  # it comes after the results of the items before
                more = False
                tasks.append(Future())
                tasks[-1].set_exception(error)
            if tasks and (not more or len(tasks) > readers):
                yield tasks.popleft().result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # the garbage collector may close it in any thread: do not wait
