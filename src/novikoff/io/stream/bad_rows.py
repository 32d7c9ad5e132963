"""Skip and count rows that cannot be read, if requested; else they are an error.

A bad line is replaced by an empty one, which readers ignore, and its block is read again. So lines keep their numbers;
rows keep theirs, too, as the place of each bad row is noted.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from novikoff.errors import InputError
from novikoff.io.stream.compression import NEWLINE, ROOM, LineBlock
from novikoff.io.stream.skipped_rows import NONE

Result = TypeVar("Result")
MOST = 1000  # bad rows of a file


class BadRowError(InputError):
    """A line that cannot be read. where: an offset inside it, in its block."""

    def __init__(self, message: str, where: int) -> None:
        super().__init__(message)
        self.where = where

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (*self.args, self.where)


@contextlib.contextmanager
def noted(errors: list[BadRowError]) -> Iterator[None]:
    """Add the error of a check to a list; `raise_first` raises the one that comes first in the block."""
    try:
        yield
    except BadRowError as error:
        errors.append(error)


def raise_first(errors: list[BadRowError]) -> None:
    """Raise the error that comes first in the block, if there is one."""
    if errors:
        raise min(errors, key=lambda error: error.where)


@dataclass
class BadRows:
    """Whether bad rows are skipped, how many were, and the error of the first."""

    skip: bool = False
    count: int = 0
    first: str = ""

    def read(
        self, rows: Callable[[LineBlock], Result], block: LineBlock, is_row: Callable[[bytes], bool], start: int = 0
    ) -> tuple[Result, np.ndarray]:
        """Return the rows of a block without the bad ones, and the indices of these among all of its rows.

        is_row: whether a line is a row. start: where in the block rows begin.
        """
        found: dict[int, str] = {}
        while True:
            try:
                read = rows(block), _places(block, sorted(found), is_row, start)
                self.first = self.first or (found[min(found)] if found else "")
                return read
            except BadRowError as error:
                if not self.skip:
                    raise
                self.count += 1
                if self.count > MOST:
                    raise InputError(
                        f"on_bad_row='skip': more than {MOST:,} bad rows, the last is {error}; is it the right format?"
                    ) from error
                found[_line(block, error.where)] = str(error)
                block = _without_line(block, error.where)


def _line(block: LineBlock, where: int) -> int:
    """Return the index of a line in its block."""
    return int(np.count_nonzero(block.buf[:where] == NEWLINE))


def _places(block: LineBlock, lines: Sequence[int], is_row: Callable[[bytes], bool], start: int) -> np.ndarray:
    """Return the indices among all rows of bad lines, which are empty in the block."""
    if not lines:
        return NONE
    rows = [is_row(line) for line in block.buf[start : block.size].tobytes().split(b"\n")]
    before = np.concatenate([[0], np.cumsum(rows)])
    return np.asarray(before[np.array(lines) - _line(block, start)] + np.arange(len(lines)), np.int64)


def _without_line(block: LineBlock, where: int) -> LineBlock:
    raw = block.buf[: block.size + 1].tobytes()
    begin, end = raw.rfind(b"\n", 0, where) + 1, raw.index(NEWLINE, where)
    buf = np.concatenate([block.buf[:begin], block.buf[end : block.size + 1], np.zeros(ROOM, np.uint8)])
    return LineBlock(buf, block.size - (end - begin), block.place)
