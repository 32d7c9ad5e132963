"""Read and validate the fields of a JSON record one by one; no field is guessed, none is ignored.

A record is a dictionary, possibly with arrays; `done` rejects fields that were not read.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Mapping
from itertools import pairwise
from typing import Any, NoReturn

import numpy as np

from novikoff.errors import InputError


class Fields:
    """Fields of a record. name: of the file or the record; where: the path inside it, if it is a part."""

    def __init__(self, values: Any, name: str, where: str = "", arrays: Mapping[str, np.ndarray] | None = None) -> None:
        self.name, self.where = name, where
        if not isinstance(values, Mapping) or not all(isinstance(key, str) for key in values):
            self.refuse("", values, "an object")
        self._left, self._arrays = dict(values), dict(arrays or {})

    def refuse(self, field: str, found: Any, expected: str) -> NoReturn:
        """Raise InputError for a field."""
        raise InputError(f"{self._place(field)}: found {repr(found)[:80]}; {expected} was expected")

    def take(self, field: str, accept: Callable[[Any], bool], expected: str) -> Any:
        """Return a required field if it is valid."""
        if field not in self._left:
            raise InputError(f"{self._place(field)}: the field is missing; {expected} was expected")
        value = self._left.pop(field)
        if not accept(value):
            self.refuse(field, value, expected)
        return value

    def has(self, field: str) -> bool:
        """Return whether the field exists."""
        return field in self._left

    def part(self, field: str) -> Fields:
        """Return a nested object."""
        return Fields(self.take(field, lambda v: isinstance(v, dict), "an object"), self.name, field)

    def rest(self) -> dict[str, Any]:
        """Return all remaining fields."""
        left, self._left = self._left, {}
        return left

    def done(self) -> None:
        """Reject unknown fields."""
        for field, value in (self._left | self._arrays).items():
            found = repr(value)[:80]
            raise InputError(f"{self._place(field)}: found {found}; no such field is known to this version of novikoff")

    # ---- values ----------------------------------------------------------------------------------------------------

    def whole(self, field: str, least: int = 0, most: int = 2**63 - 1) -> int:
        """Return an integer within these bounds."""
        expected = f"a whole number from {least} to {most:,}"
        return int(self.take(field, lambda v: type(v) is int and least <= v <= most, expected))

    def number(self, field: str) -> float:
        """Return a finite number."""
        return float(self.take(field, _is_finite, "a finite number"))

    def positive(self, field: str) -> float:
        """Return a finite float above 0."""
        return float(self.take(field, lambda v: type(v) is float and 0 < v < math.inf, "a finite float above 0"))

    def truth(self, field: str) -> bool:
        """Return True or False."""
        return bool(self.take(field, lambda v: isinstance(v, bool), "true or false"))

    def text(self, field: str) -> str:
        """Return a text."""
        return str(self.take(field, lambda v: isinstance(v, str), "a text"))

    def word(self, field: str, known: Collection[str]) -> str:
        """Return one of the known words."""
        return str(self.take(field, lambda v: isinstance(v, str) and v in known, f"one of {', '.join(known)}"))

    def texts(self, field: str, rising: bool = False) -> tuple[str, ...]:
        """Return distinct texts, sorted if required."""
        texts = self.take(field, are_texts, "a list of texts")
        if len(set(texts)) < len(texts):
            self.refuse(field, texts, "a list of different texts")
        if rising and any(a >= b for a, b in pairwise(texts)):
            self.refuse(field, texts, "a list in rising order")
        return tuple(texts)

    def optional(self, field: str, taken: Callable[[str], Any]) -> Any:
        """Return None or the field as `taken` reads it: fields.optional("names", fields.texts)."""
        return self._left.pop(field) if self._left.get(field, field) is None else taken(field)

    def array(self, field: str, shape: tuple[int, ...]) -> np.ndarray:
        """Return a float64 array of that shape, every number finite."""
        value = self._arrays.pop(field, None)
        if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.shape != shape:
            found = f"{value.dtype} {value.shape}" if isinstance(value, np.ndarray) else type(value).__name__
            self.refuse(field, found, f"an array float64 {shape}")
        if not np.isfinite(value).all():
            self.refuse(field, "a number that is not finite", "an array of finite numbers")
        return value

    def _place(self, field: str) -> str:
        place = ".".join(part for part in (self.where, field) if part)
        return f"{self.name}: {place}" if place else self.name


def tensor_in(own: dict[str, np.ndarray], key: str, dtype: Any, shape: tuple[int | None, ...], name: str) -> np.ndarray:
    """Return a required tensor of this type and shape (None: any length); `name` is the prefix of its name."""
    tensor = own.pop(key, None)
    fits = tensor is not None and (dtype is None or tensor.dtype == dtype) and tensor.ndim == len(shape)
    if tensor is None or not fits or any(b not in (None, a) for a, b in zip(tensor.shape, shape, strict=True)):
        found = "nothing" if tensor is None else f"{tensor.dtype} of shape {tensor.shape}"
        lengths = ", ".join("any" if length is None else str(length) for length in shape)
        kind = "" if dtype is None else f"{np.dtype(dtype)} of "
        raise InputError(f"{name}{key}: found {found}; {kind}shape ({lengths}{',' * (len(shape) == 1)}) was expected")
    return tensor


def are_texts(value: Any) -> bool:
    """Return whether a value is a list of texts."""
    return isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)


def _is_finite(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max
