"""Read JSON lines: one object per line, with numbers by name; one of the names is the label."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from novikoff.data.text.plain_files import MISSING, NO_LABEL
from novikoff.errors import InputError
from novikoff.io.reading import Reading
from novikoff.io.stream.chunk_source import Chunk, Source
from novikoff.io.stream.compression import LineBlock, Place, blocks_of
from novikoff.io.stream.memory_limit import CELLS, longest_line
from novikoff.io.stream.skipped_rows import NONE, LeftOut
from novikoff.io.table_layout import Layout, layout_of

SHOWN = 40
DROP = "missing='drop' leaves such rows out"


class Objects(Source):
    """The rows of a file of JSON lines; every line has the names of the first line."""

    def __init__(self, path: str | Path, reading: Reading) -> None:
        self.path, self.name, self.reading = path, str(path), reading
        self.layout: Layout | None = None

    def chunks(self, start: Any = None) -> Iterator[Chunk]:
        if start is None:
            self.layout, self.dropped, self.left_out = None, 0, LeftOut()
        for block in blocks_of(self.path, self.block, start or Place(), longest=longest_line(self.limit, CELLS)):
            chunk, places = self._rows(block)
            if start is None and self.left_out is not None:
                self.left_out.add(len(chunk.labels), places)
            yield chunk

    def _rows(self, block: LineBlock) -> tuple[Chunk, np.ndarray]:
        """Return the rows of a block, and the indices of those left out."""
        rows = []
        for number, line in enumerate(block.buf[: block.size].tobytes().split(b"\n"), start=block.place.line):
            if line.strip():
                rows.append((number, self._object(line, number)))
        if self.layout is None and rows:
            there = list(rows[0][1])
            self.layout = layout_of(there, "", self.name, replace(self.reading, header=True))
            self.names = tuple(there[c] for c in self.layout.numbers)
        if self.layout is None:
            return Chunk([], np.zeros((0, 0)), block.place), NONE
        layout, names = self.layout, self.layout.header or ()
        places = NONE
        if self.reading.drop:
            misses = np.array([self._misses(row, layout) for _, row in rows], bool)
            places, rows = np.flatnonzero(misses), [row for row, out in zip(rows, misses, strict=True) if not out]
            self.dropped += places.size
        values = [[self._number(row, names[c], number) for c in layout.numbers] for number, row in rows]
        columns = (*layout.text, *layout.categories)
        words = {names[c]: [self._word(row, names[c], number) for number, row in rows] for c in columns}
        labels = [""] * len(rows)
        if layout.label is not None:
            labels = [self._label(row, names[layout.label], number) for number, row in rows]
        X = np.array(values, np.float64).reshape(len(rows), len(layout.numbers))
        return Chunk(labels, X, block.place, words), places

    def _object(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            found = json.loads(line.decode("utf-8"), object_pairs_hook=_once)
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
                near = float(value)  # an integer, too, becomes the nearest double
                if math.isfinite(near):
                    return near
        except OverflowError:
            pass
        way_out = f"; {DROP}" if _is_missing(value) and self.reading.trained is None else ""
        shown = "null" if value is None else repr(str(value)[:SHOWN])
        raise InputError(f"{self.name}, line {number}, {name!r}: found {shown}; a number was expected{way_out}")

    def _label(self, row: dict[str, Any], name: str, number: int) -> str:
        """Return the label without spaces around it, as in a table."""
        if not self.reading.uses_labels and row.get(name) is None:
            return ""
        label = self._word(row, name, number).strip()
        if self.reading.uses_labels and label.lower() in NO_LABEL:
            raise InputError(f"{self.name}, line {number}, {name!r}: found {label!r}; a label was expected; {DROP}")
        return label

    def _misses(self, row: dict[str, Any], layout: Layout) -> bool:
        """Whether a number, a word or the label is missing."""
        names = layout.header or ()
        cells = (
            *layout.numbers,
            *layout.categories,
            *([layout.label] if layout.label is not None and self.reading.uses_labels else []),
        )
        return any(_is_missing(row.get(names[c])) for c in cells) or any(row.get(names[c]) is None for c in layout.text)

    def _word(self, row: dict[str, Any], name: str, number: int) -> str:
        value = self._value(row, name, number)
        if isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, str | int | float) and _is_text(str(value)):
            return str(value)
        shown, way_out = ("null", f"; {DROP}") if value is None else (repr(str(value)[:SHOWN]), "")
        raise InputError(f"{self.name}, line {number}, {name!r}: found {shown}; a text was expected{way_out}")

    def _value(self, row: dict[str, Any], name: str, number: int) -> Any:
        if name not in row:
            way_out = f"; {DROP}" if self.reading.trained is None else ""
            raise InputError(f"{self.name}, line {number}: {name!r} is missing; the first line has it{way_out}")
        return row[name]


def _is_missing(value: Any) -> bool:
    """Whether a value means that it is missing."""
    return value is None or (isinstance(value, str | float) and str(value).strip().lower() in MISSING)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError for a name that occurs twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError
    return found


def _is_text(text: str) -> bool:
    """Whether a text can be encoded: JSON may contain unpaired surrogates ("\\ud800")."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
