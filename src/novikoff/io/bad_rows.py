"""Errors of rows that cannot be read: of several in a block, the first in the file is raised."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from novikoff.errors import InputError


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
