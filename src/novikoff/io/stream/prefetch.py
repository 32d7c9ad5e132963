"""Work done ahead of whoever asks for it, by threads; what comes out is the same as without them.

    ahead(items, work, readers)   =   work(item) for item in items

Items are taken one after the other, each by the thread that then works on it; results are handed out in the order of
the items, and so is the first error, wherever it came up. At most `window(readers)` items are between the two ends, so
memory is bounded. When whoever asks stops, by an error, an interrupt or by letting go, the threads end too.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakSet

from novikoff.io.stream.compression import BLOCK

Item = TypeVar("Item")
Result = TypeVar("Result")
MOST = 2  # threads, where nothing else is asked for


def readers_of(path: str | Path, request: int | None = None, size: int | None = None) -> int:
    """How many threads read a file: as asked, else as many as there are processors for this process, at most two.

    None where there is only one processor, where a file of this size is one block, or where the rows come when they
    will: a thread that waits cannot be ended.
    """
    if not os.path.isfile(path):
        return 0
    if request is not None:
        return request
    if size is not None and size <= BLOCK:
        return 0
    there = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return 0 if there == 1 else min(there, MOST)


def window(readers: int) -> int:
    """How many items may be taken and not yet handed out."""
    return readers + 1


def ahead(items: Iterator[Item], work: Callable[[Item], Result], readers: int) -> Generator[Result]:
    """The results in order; without threads where readers is 0."""
    line = _Line(items, work, window(readers))
    try:
        if readers == 0:
            yield from map(work, items)
        else:
            line.start(readers)
            yield from line.results()
    finally:
        line.stop()
        if isinstance(items, Generator):
            items.close()


def given_back(results: Iterator[Result], every: int = 64) -> Iterator[Result]:
    """The same; what was let go of meanwhile goes back to the system now and then.

    Every thread has a store of memory of its own, and what another one frees there stays in it.
    """
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if os.name == "posix" else None
    for number, result in enumerate(results, start=1):
        yield result
        del result
        if trim is not None and number % every == 0:
            trim(0)


class _Line:
    """Items on their way: `taken` of them were begun, `given` were handed out."""

    def __init__(self, items: Iterator[Any], work: Callable[[Any], Any], room: int) -> None:
        self.items, self.work, self.room = items, work, room
        self.source = threading.Lock()  # one thread at a time takes an item
        self.changed = threading.Condition()
        self.done: dict[int, tuple[Any, BaseException | None]] = {}
        self.taken = self.given = 0
        self.end: int | None = None  # no item has this number or a larger one
        self.stopped = False
        self.threads: list[threading.Thread] = []

    def start(self, readers: int) -> None:
        _lines.add(self)
        for _ in range(readers):
            thread = threading.Thread(target=self.run, name="novikoff reader", daemon=True)
            thread.start()
            self.threads.append(thread)

    def stop(self) -> None:
        """End the threads, and wait for their ends."""
        with self.changed:
            self.stopped = True
            self.changed.notify_all()
        if sys.is_finalizing():
            return  # they cannot run any more
        for thread in self.threads:
            thread.join()

    def run(self) -> None:
        """What a thread does."""
        while True:
            with self.source:
                with self.changed:
                    self.changed.wait_for(lambda: self.stopped or self.taken < self.given + self.room)
                    if self.stopped or self.end is not None:
                        return
                    number = self.taken
                try:
                    item = next(self.items)
                except StopIteration:
                    self._finish(number)
                    return
                except BaseException as error:
                    self._finish(number, error)
                    return
                self.taken += 1
            try:
                self._put(number, self.work(item))
            except BaseException as error:
                self._finish(number + 1)
                self._put(number, None, error)
                return

    def results(self) -> Iterator[Any]:
        while True:
            with self.changed:
                self.changed.wait_for(lambda: self.given in self.done or self.given == self.end)
                if self.given not in self.done:
                    return
                result, error = self.done.pop(self.given)
            if error is not None:
                raise error
            yield result
            with self.changed:
                self.given += 1
                self.changed.notify_all()

    def _put(self, number: int, result: Any, error: BaseException | None = None) -> None:
        with self.changed:
            self.done[number] = result, error
            self.changed.notify_all()

    def _finish(self, number: int, error: BaseException | None = None) -> None:
        """No item after this one is needed; it is an error itself, where one is given."""
        with self.changed:
            if error is not None:
                self.done[number] = None, error
                number += 1
            self.end = number if self.end is None else min(self.end, number)
            self.changed.notify_all()


_lines: WeakSet[_Line] = WeakSet()


@atexit.register
def _stop_all() -> None:
    """While threads can still run: what was read in part and never let go of."""
    for line in list(_lines):
        line.stop()
