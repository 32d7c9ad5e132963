"""The plain data of a preparation, read back with every field checked: nothing unknown, nothing missing, nothing run.

A step is a dictionary that JSON can hold, and arrays by name; `Fields` gives them out one by one and at the end demands
that all were asked for.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from novikoff.errors import InputError


class Fields:
    """One dictionary of a record, with the arrays that belong to it."""

    def __init__(self, where: str, fields: Any, arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.where = where
        if not isinstance(fields, Mapping) or not all(isinstance(key, str) for key in fields):
            raise InputError(f"{where}: found {_shown(fields)}, expected a dictionary; {_WAY_OUT}")
        self._fields, self._arrays = dict(fields), dict(arrays or {})

    def wrong(self, name: str, found: Any, expected: str) -> InputError:
        """The error to raise for a field."""
        return InputError(f"{self.where}, {name}: found {_shown(found)}, expected {expected}; {_WAY_OUT}")

    def take(self, name: str) -> Any:
        """A field as it is."""
        if name not in self._fields:
            raise InputError(f"{self.where}: {name!r} is missing; {_WAY_OUT}")
        return self._fields.pop(name)

    def one_of(self, name: str, known: tuple[Any, ...]) -> Any:
        """A field that must have one of a few values."""
        value = self.take(name)
        if not any(type(value) is type(one) and value == one for one in known):
            raise self.wrong(name, value, " or ".join(map(repr, known)))
        return value

    def flag(self, name: str) -> bool:
        return bool(self.one_of(name, (True, False)))

    def whole(self, name: str, least: int, most: int = 1 << 62) -> int:
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.wrong(name, value, f"a whole number from {least} to {most}")
        return value

    def number(self, name: str) -> float:
        value = self.take(name)
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= sys.float_info.max:
            raise self.wrong(name, value, "a finite number")
        return float(value)

    def text(self, name: str) -> str:
        value = self.take(name)
        if not isinstance(value, str):
            raise self.wrong(name, value, "a text")
        return value

    def strings(self, name: str, increasing: bool = False) -> tuple[str, ...]:
        """Different texts, if asked in sorted order."""
        value = self.take(name)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise self.wrong(name, value, "a list of texts")
        if len(set(value)) < len(value):
            raise self.wrong(name, value, "texts that are all different")
        if increasing and any(a >= b for a, b in pairwise(value)):
            raise self.wrong(name, value, "texts in sorted order")
        return tuple(value)

    def optional_strings(self, name: str) -> tuple[str, ...] | None:
        return self.take(name) if self._fields.get(name, ()) is None else self.strings(name)

    def array(self, name: str, shape: tuple[int, ...]) -> np.ndarray:
        """A float64 array of that shape, every number finite."""
        if name not in self._arrays:
            raise InputError(f"{self.where}: the array {name!r} is missing; {_WAY_OUT}")
        value = self._arrays.pop(name)
        if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.shape != shape:
            found = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
            raise self.wrong(name, found, f"float64 {shape}")
        if not np.isfinite(value).all():
            raise self.wrong(name, "a number that is not finite", "finite numbers")
        return value

    def end(self) -> None:
        """InputError for what nobody asked for."""
        for name in (*self._fields, *self._arrays):
            raise InputError(
                f"{self.where}: {name!r} is unknown to this version of novikoff; the record is damaged or newer, "
                "read it with the version that wrote it"
            )


_WAY_OUT = "the record is damaged, fit and save the model again"


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
