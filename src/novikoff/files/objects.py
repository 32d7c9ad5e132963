"""JSON lines: an object a line, its numbers by name; one of the names is the label."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.errors import InputError
from novikoff.files.layout import Asked, Layout, layout_of
from novikoff.files.packed import Block, Place, blocks_of
from novikoff.files.source import Chunk, Source

SHOWN = 40


class Objects(Source):
    """The rows of a file of JSON lines; the names of the first line are those of every line."""

    def __init__(self, path: str | Path, asked: Asked) -> None:
        self.path, self.name, self.asked = path, str(path), asked
        self.layout: Layout | None = None

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.layout = None
        for block in blocks_of(self.path, self.block, start or Place()):
            yield self._rows(block)

    def _rows(self, block: Block) -> Chunk:
        rows = []
        for number, line in enumerate(block.buf[: block.size].tobytes().split(b"\n"), start=block.place.line):
            if line.strip():
                rows.append((number, self._object(line, number)))
        if self.layout is None and rows:
            there = list(rows[0][1])
            self.layout = layout_of(there, "", self.name, replace(self.asked, header=True))
            self.names = tuple(there[c] for c in self.layout.numbers)
        if self.layout is None:
            return Chunk([], np.zeros((0, 0)), block.place)
        layout, names = self.layout, self.layout.header or ()
        values = [[self._number(row, names[c], number) for c in layout.numbers] for number, row in rows]
        words = {names[c]: [self._word(row, names[c], number) for number, row in rows] for c in layout.words}
        labels = words.pop(names[layout.label]) if layout.label is not None else [""] * len(rows)
        return Chunk(labels, np.array(values, np.float64).reshape(len(rows), len(layout.numbers)), block.place, words)

    def _object(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            found = json.loads(line, object_pairs_hook=_once)
        except (ValueError, RecursionError):
            found = None
        if not isinstance(found, dict) or not _is_text("".join(found)):
            shown = repr(line[:SHOWN].decode("utf-8", "replace"))
            wanted = 'a JSON object was expected, as in {"a": 1}, each name once'
            raise InputError(f"{self.name}, line {number}: found {shown}; {wanted}")
        return found

    def _number(self, row: dict[str, Any], name: str, number: int) -> float:
        value = self._value(row, name, number)
        try:
            if isinstance(value, bool | int | float):
                near = float(value)  # a whole number too is a text: the nearest is meant
                if math.isfinite(near):
                    return near
        except OverflowError:
            pass
        raise InputError(f"{self.name}, line {number}, {name!r}: found {str(value)[:SHOWN]!r}; a number was expected")

    def _word(self, row: dict[str, Any], name: str, number: int) -> str:
        value = self._value(row, name, number)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str | int | float) and _is_text(str(value)):
            return str(value)
        raise InputError(f"{self.name}, line {number}, {name!r}: found {str(value)[:SHOWN]!r}; a text was expected")

    def _value(self, row: dict[str, Any], name: str, number: int) -> Any:
        if name not in row:
            raise InputError(f"{self.name}, line {number}: {name!r} is missing; the first line has it")
        return row[name]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object whose names are all different: which number is meant is not guessed."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _is_text(text: str) -> bool:
    """Whether a text can be written again: JSON may hold halves of letters ("\\ud800")."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
