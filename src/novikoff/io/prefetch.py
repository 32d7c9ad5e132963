"""Prefetch: threads take items and work on them before the results are needed; the results are the same.

    ahead(items, work, readers)   =   work(item) for item in items

Results come in the order of the items, and so does the first error. At most `window(readers)` items are taken and not
yet used, so memory is bounded. The threads end when the generator is closed, by an error or otherwise.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from types import GeneratorType
from typing import TYPE_CHECKING, Any, TypeVar

from novikoff.io.text_blocks import BLOCK

if TYPE_CHECKING:
    from concurrent.futures import Future

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = 2  # threads by default
END: Any = object()  # there is no other item


def readers_of(path: str | Path, request: int | None = None, size: int | None = None) -> int:
    """Return how many threads read a file: as requested, else one per processor of this process, at most two.

    None for one processor, for a file of one block, and for what is not a regular file: a thread that waits for a pipe
    cannot be ended.
    """
    if not os.path.isfile(path):
        return 0
    if request is not None:
        return request
    if size is not None and size <= BLOCK:
        return 0
    cpus = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 0 if cpus == 1 else min(cpus, MOST)


def window(readers: int) -> int:
    """Return how many items may be taken and not yet used."""
    return readers + 1


def ahead(items: Iterator[Item], work: Callable[[Item], Result], readers: int) -> Generator[Result]:
    """Yield the results in order; without threads if readers is 0."""
    try:
        yield from _in_threads(items, work, readers) if readers else map(work, items)
    finally:
        if isinstance(items, GeneratorType) and not items.gi_running:
            items.close()


def _in_threads(items: Iterator[Item], work: Callable[[Item], Result], readers: int) -> Iterator[Result]:
    from concurrent.futures import ThreadPoolExecutor, wait  # not for a small file, which needs no thread

    turn, changed = 0, threading.Condition()  # task k takes item k
    threads = set[int]()  # that work

    def task(number: int) -> Any:
        nonlocal turn
        threads.add(threading.get_ident())
        with changed:
            changed.wait_for(lambda: turn == number)
        try:
            item = next(items, END)
        finally:
            with changed:
                turn += 1
                changed.notify_all()
        return END if item is END else work(item)

    pool, begun = ThreadPoolExecutor(readers, "novikoff reader"), window(readers)
    tasks: deque[Future[Any]] = deque(pool.submit(task, number) for number in range(begun))
    try:
        while (result := tasks.popleft().result()) is not END:
            yield result
            del result
            tasks.append(pool.submit(task, begun))
            begun += 1
    finally:
        # The garbage collector may close the generator in any thread and at any moment, inside `threading` too, where
        # `Thread.join` would wait for a lock that this thread holds: so wait for the tasks, not for their threads.
        pool.shutdown(wait=False, cancel_futures=True)
        if threading.get_ident() not in threads:
            wait([task for task in tasks if not task.cancelled()])


def given_back(results: Iterator[Result], every: int = 64) -> Iterator[Result]:
    """Yield the same results; after every few of them, return freed memory to the system.

    Every thread has its own pool of memory, and what another thread frees there stays in it.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    for number, result in enumerate(results, start=1):
        yield result
        del result
        if trim is not None and number % every == 0:
            trim(0)
