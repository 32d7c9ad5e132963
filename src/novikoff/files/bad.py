"""Rows that cannot be read: left out and counted where that is asked for, an error where it is not.

A bad line is made an empty one, which readers pass over, and its block is read again: lines keep their numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from novikoff.errors import InputError
from novikoff.files.packed import NEWLINE, ROOM, Block
from novikoff.files.source import Chunk

MOST = 1000  # bad rows of a file


class BadRowError(InputError):
    """A line that cannot be read; `where`: a place in it, in its block."""

    def __init__(self, message: str, where: int) -> None:
        super().__init__(message)
        self.where = where


@dataclass
class BadRows:
    """Whether bad rows are skipped; how many were, and what was wrong with the first."""

    skip: bool = False
    count: int = 0
    first: str = ""

    def read(self, rows: Callable[[Block], Chunk], block: Block) -> Chunk:
        """The rows of a block, without the bad ones."""
        while True:
            try:
                return rows(block)
            except BadRowError as error:
                if not self.skip:
                    raise
                self.count, self.first = self.count + 1, self.first or str(error)
                if self.count > MOST:
                    raise InputError(
                        f"--on-bad-row skip: more than {MOST:,} bad rows, the last is {error}; is it the right format?"
                    ) from error
                block = _without_line(block, error.where)


def _without_line(block: Block, where: int) -> Block:
    raw = block.buf[: block.size + 1].tobytes()
    begin, end = raw.rfind(b"\n", 0, where) + 1, raw.index(NEWLINE, where)
    buf = np.concatenate([block.buf[:begin], block.buf[end : block.size + 1], np.zeros(ROOM, np.uint8)])
    return Block(buf, block.size - (end - begin), block.place)
